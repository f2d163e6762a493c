"""Money and pauses from the keyboard."""

import pytest
from textual.events import AppBlur, AppFocus

from core.fleet.ledger import Ledger
from core.fleet.news import Notify
from core.session.events import AskRaised, Muted
from core.session.state import Ask, Budget, Limit, Pause, Turn, Usage
from core.settings import Settings
from dashboard.commands.limits import HELD, crossings, told
from tests.dashboard.deck import app_of, on_deck, press, screen_text, settle, until
from tests.dashboard.deck import told as said
from tests.fakes.fleet import FakeFleet, agent

SPENT = Budget("agent", 5.0, "launch", stage="stopped", spent_usd=5.6, since=60.0)


@pytest.fixture
def fleet() -> FakeFleet:
    return FakeFleet(agent("api", budgets=(SPENT,), usage=Usage(cost_usd=5.6, cost_process_usd=5.6)))


async def test_a_spent_budget_is_seen_and_raised(fleet: FakeFleet) -> None:
    async with on_deck(fleet) as pilot:
        await settle(pilot)
        shown = screen_text(pilot)
        assert "⏸ 1 limited" in shown
        assert "budget: $5.60 of $5.00 (set at its start)" in shown
        await press(pilot, "B")
        assert "$5.60 of $5.00, set at its start: interrupted, prompts wait" in screen_text(pilot)
        await press(pilot, "enter")
        assert "What may api spend, in dollars?" in screen_text(pilot)
        await press(pilot, *"7.5", "enter")
        assert fleet.done == [("set_budget", "api", 7.5)]


async def test_the_day_is_limited_and_lifted(fleet: FakeFleet) -> None:
    async with on_deck(fleet) as pilot:
        await press(pilot, "B", "down", "enter", *"20", "enter")
        await press(pilot, "B", "down", "down", "enter", "0", "enter")
        assert fleet.done == [("limit_all", "day", 20.0), ("limit_all", "fleet", 0.0)]


async def test_what_is_no_money_changes_nothing(fleet: FakeFleet) -> None:
    async with on_deck(fleet) as pilot:
        await press(pilot, "B", "enter", *"much", "enter")
        assert "'much' is no amount of money" in screen_text(pilot)
        await press(pilot, "B", "escape", "B", "enter", "escape")
        assert fleet.done == []


async def test_the_header_says_what_the_day_may_cost(fleet: FakeFleet) -> None:
    fleet.budgets = (Budget("day", 20.0, stage="held", spent_usd=20.5), Budget("fleet"))
    async with on_deck(fleet) as pilot:
        app_of(pilot).deck.show_summary()
        await pilot.pause()
        assert "of $20.00 today: held" in screen_text(pilot)


async def test_a_new_agent_may_have_a_budget(tmp_path: object) -> None:
    fleet = FakeFleet()
    async with on_deck(fleet, directory=str(tmp_path)) as pilot:
        await press(pilot, "n", *["down"] * 5, "x", "enter")
        assert "'x' is no amount of money" in screen_text(pilot)
        await press(pilot, "backspace", "3", "enter")
        ((_, spec, _),) = fleet.done
        assert spec.budget_usd == 3.0  # type: ignore[attr-defined]


def words(screen: str) -> str:
    """What is said on a screen, without the frames."""
    return " ".join(screen.translate({ord(edge): " " for edge in "│▌"}).split())


async def test_whose_figure_which_part_is_stands_beside_the_limit() -> None:
    fleet = FakeFleet(agent("api"))
    fleet.budgets = (
        Budget("day", 20.0, stage="held", since=60.0, spent_usd=20.5, estimated_usd=6.1, unpriced=("new-1",)),
        Budget("fleet", spent_usd=3.0),
    )
    async with on_deck(fleet) as pilot:
        await press(pilot, "B")
        shown = words(screen_text(pilot))
        assert "~$20.50+? of $20.00, set by the settings: permissions wait for you" in shown
        assert "$14.40 told by the CLI, ~$6.10 estimated for sessions not driven here" in shown
        assert "not in it: what new-1 cost, whose price is unknown" in shown
        assert "no limit: $3.00 spent" in shown
        assert HELD not in shown, "its own conversation says so"


async def test_a_limit_that_others_pass_is_told_once_as_no_conversation_tells_of_it() -> None:
    fleet = FakeFleet(agent("notes", kind="mirrored"))
    async with on_deck(fleet) as pilot:
        fleet.budgets = (
            Budget("day", 20.0, stage="warned", spent_usd=17.0, estimated_usd=6.1),
            Budget("fleet"),
        )
        fleet.change("notes")
        await settle(pilot)
        await until(pilot, lambda: "~$6.10 of it estimated) is used. Nothing is held" in said(pilot))
        held = Budget("day", 20.0, stage="held", spent_usd=21.0, estimated_usd=10.1)
        fleet.budgets = (held, Budget("fleet"))
        fleet.change("notes")
        await until(pilot, lambda: HELD in said(pilot))


def test_only_a_line_that_was_passed_with_the_money_of_others_is_told_here() -> None:
    warned = Budget("day", 20.0, stage="warned", spent_usd=17.0, estimated_usd=6.1)
    assert [level for _, level in crossings((), [warned])] == ["warning"]
    assert not list(crossings([warned], [warned]))
    assert not list(crossings((), [Budget("day", 20.0, stage="warned", spent_usd=17.0)])), "its agents say so"


def test_how_a_limit_stands_is_said() -> None:
    assert told(Budget("day")) == "no limit"
    assert told(Budget("day", by="you")) == "no limit, set by you"
    assert told(Budget("day", 9.0, "settings", spent_usd=1.0)).endswith("nothing was done yet")


# Pauses


RESET = Limit("rate", window="five_hour", resets_at=2e9, reached=True)


async def test_all_are_paused_after_it_was_said_what_that_does() -> None:
    fleet = FakeFleet(agent("api", turn=Turn(1, 1.0)), agent("docs"))
    async with on_deck(fleet) as pilot:
        await press(pilot, "H")
        assert "api, docs: interrupts 1, prompts stay queued" in screen_text(pilot)
        await press(pilot, "enter")
        shown = screen_text(pilot)
        assert "Ends the turns of api." in shown
        assert "go on by themselves" not in shown
        assert fleet.done == []
        await press(pilot, "y")
        assert fleet.done == [("suspend", "api", 0.0), ("suspend", "docs", 0.0)]


async def test_they_go_on_at_the_reset_only_when_that_is_asked_for() -> None:
    fleet = FakeFleet(agent("api"))
    fleet.ledger = Ledger(limits=(RESET,))
    async with on_deck(fleet) as pilot:
        await press(pilot, "H", "down", "enter")
        assert "At " in screen_text(pilot)
        assert "they go on by themselves" in screen_text(pilot)
        await press(pilot, "y")
        assert fleet.done == [("suspend", "api", 2e9)]


async def test_a_countdown_can_be_cancelled_and_a_pause_ended() -> None:
    fleet = FakeFleet(agent("api", pause=Pause(1.0, 2e9, interrupted=True)))
    async with on_deck(fleet) as pilot:
        await settle(pilot)
        assert "paused by you, goes on at" in screen_text(pilot)
        await press(pilot, "H", "down", "enter")
        await press(pilot, "H")
        assert "1 told to take up their work" in screen_text(pilot)
        await press(pilot, "enter")
        assert fleet.done == [("suspend", "api", 0.0), ("resume", "api")]


async def test_one_that_refuses_stops_no_other() -> None:
    fleet = FakeFleet(agent("api"), agent("docs"))
    fleet.refuse = "The agent is gone."
    async with on_deck(fleet) as pilot:
        await press(pilot, "H", "enter", "y")
        assert "The agent is gone." in screen_text(pilot)


# Notifications


def asking() -> AskRaised:
    return AskRaised(at=1.0, ask=Ask("q", "permission", "Bash", b'{"command":"ls"}', raised_at=1.0))


async def test_a_request_rings_unless_its_pane_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[str] = []
    fleet = FakeFleet(agent("api"), agent("docs"))
    settings = Settings(animation="none", bell=True, notify=Notify(window_s=0.0))
    async with on_deck(fleet, settings=settings) as pilot:
        app = app_of(pilot)
        monkeypatch.setattr(app, "bell", lambda: rung.append("ring"))
        assert app.deck.focused_key == "api"
        fleet.change("api", asking())
        fleet.change("docs")
        await settle(pilot)
        app.deck.notifier.flush(fleet.sessions, app.deck._looks_at)
        assert rung == []
        app.post_message(AppBlur())
        await pilot.pause()
        fleet.change("api", AskRaised(at=2.0, ask=Ask("r", "permission", "Bash", raised_at=2.0)))
        await settle(pilot)
        await until(pilot, lambda: rung)
        app.post_message(AppFocus())
        fleet.change("docs", asking())
        await settle(pilot)
        await until(pilot, lambda: len(rung) == 2)


async def test_an_agent_is_muted_and_its_row_says_so() -> None:
    fleet = FakeFleet(agent("api"))
    async with on_deck(fleet) as pilot:
        await press(pilot, "Q")
        assert fleet.done == [("mute", "api", True)]
        fleet.change("api", Muted(muted=True))
        await settle(pilot)
        assert "api muted" in screen_text(pilot)
        await press(pilot, "Q")
        assert fleet.done[-1] == ("mute", "api", False)
