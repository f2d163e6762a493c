"""What is said at the edge hides nothing that can be answered."""

import pytest
from textual.notifications import Notification, SeverityLevel
from textual.widgets._toast import Toast

from core.session.events import AskRaised
from core.session.state import Ask
from dashboard.toasts import LINES, fitted, in_the_way
from tests.dashboard.deck import app_of, on_deck, press, screen_text, settle, until
from tests.fakes.fleet import FakeFleet, agent

LONG = "This did not work, for a reason that takes its time to tell. " * 9


def said(words: str, severity: SeverityLevel = "information", at: float = 1.0) -> Notification:
    return Notification(words, severity=severity, raised_at=at)


def test_it_is_as_narrow_as_its_lines_allow_and_what_has_no_room_is_cut() -> None:
    assert fitted("short", "", 80) == "short"
    words = "This did not work, for a reason that takes its time to tell."
    assert [len(line) for line in fitted(words, "", 80).split("\n")] == [36, 23]
    cut = fitted(LONG, "", 80).split("\n")
    assert (len(cut), cut[-1][-1]) == (3, "…")
    assert len(fitted(LONG, "a title", 80).split("\n")) == 2


def test_the_lightest_and_oldest_make_room() -> None:
    error, first, second = said("e\ne", "error", 1.0), said("a", at=2.0), said("b", at=3.0)
    assert not [*in_the_way([error], first)]
    assert [*in_the_way([error, first], second)] == [first]
    assert [*in_the_way([first, second], said("x\nx", "error"))] == [first]
    assert [*in_the_way([error], said("f\nf", "error"))] == [error]


def test_the_same_is_not_said_twice() -> None:
    before, other = said("a", at=1.0), said("b", at=2.0)
    assert [*in_the_way([before, other], said("a"))] == [before]


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (200, 60)])
async def test_an_ask_is_in_sight_under_all_that_is_said(size: tuple[int, int]) -> None:
    fleet = FakeFleet(agent("api"))
    ask = Ask("one", "permission", "Bash", b'{"command":"ls -la"}', raised_at=1.0)
    fleet.change("api", AskRaised(at=1.0, ask=ask))
    async with on_deck(fleet, size=size) as pilot:
        await settle(pilot)
        for keys in ("w", "I"):
            await press(pilot, keys)
            deck = app_of(pilot).deck
            for words in ("one thing", f"{keys} other", f"{keys} {LONG}"):
                deck.say(words, severity="warning")
            await until(pilot, lambda keys=keys: f"{keys} This did" in screen_text(pilot))  # type: ignore[misc]
            toasts = pilot.app.screen.query(Toast)
            assert max(toast.region.bottom for toast in toasts) <= LINES
            below = "\n".join(screen_text(pilot).split("\n")[LINES:])
            assert "$ ls -la" in below
            assert "asks since" in below
