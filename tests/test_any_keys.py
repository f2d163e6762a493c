"""Any keys on a deck where requests come and go: nothing breaks, and nothing is answered that was not seen."""

import random
from pathlib import Path

import pytest
from textual.pilot import Pilot

from core.session.events import AskRaised, AskSettled
from core.session.state import Ask, Turn
from core.settings import Settings
from tests.dashboard.deck import app_of, on_deck, screen_text, settle
from tests.fakes.fleet import FakeFleet, agent

KEYS = (
    *"aAdDeiIwWsSgGnNmMtTcCbBhjklLoOpPrRvVxXyYzZuU0123456789/?.,:;<>[]{}+-*=_!@#$%^&()'\"~`| \\",
    *("enter", "escape", "escape", "tab", "shift+tab", "up", "down", "left", "right", "home", "end"),
    *("pageup", "pagedown", "backspace", "delete", "space", "ctrl+a", "ctrl+d", "ctrl+e", "ctrl+k"),
    *("ctrl+n", "ctrl+p", "ctrl+r", "ctrl+s", "ctrl+u", "ctrl+w", "ctrl+z", "f1", "f2", "f12"),
)
"""All but those that leave the deck, open an editor or stop the process."""

HAND = ("w", "a", "d", "escape", "escape")
"""What is pressed every other time: by chance alone hardly any request would ever be answered."""

PRESSES = 40
SIZES = ((120, 32), (80, 24), (60, 16))


class Requests:
    """Raises and withdraws requests by chance; knows which were on the screen."""

    def __init__(self, fleet: FakeFleet, chance: random.Random) -> None:
        self._fleet = fleet
        self._chance = chance
        self._count = 0
        self.open: dict[str, str] = {}
        self.seen: set[str] = set()

    def change(self) -> None:
        if self.open and self._chance.random() < 0.4:
            ask_id = self._chance.choice(list(self.open))
            self._fleet.change(self.open.pop(ask_id), AskSettled(at=1.0, id=ask_id))
        else:
            self._count += 1
            ask_id, key = f"ask{self._count}x", self._chance.choice(list(self._fleet.sessions))
            call = b'{"command":"%s"}' % ask_id.encode()
            asked = Ask(ask_id, "permission", "Bash", call, raised_at=1.0 + self._count)
            self._fleet.change(key, AskRaised(at=1.0 + self._count, ask=asked))
            self.open[ask_id] = key

    def look(self, pilot: Pilot[None]) -> None:
        text = screen_text(pilot)
        self.seen |= {ask_id for ask_id in self.open if ask_id in text}


@pytest.mark.parametrize("seed", [0, 2])
async def test_any_keys_break_nothing_and_answer_only_what_was_seen(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    fleet = FakeFleet(*(agent(key, turn=Turn(1, 1.0)) for key in "abc"))
    requests = Requests(fleet, chance)
    settings = Settings(animation="none")
    async with on_deck(
        fleet, settings=settings, size=SIZES[seed % len(SIZES)], directory=str(tmp_path)
    ) as pilot:
        panes = app_of(pilot).deck.board.grid.panes
        for _ in range(PRESSES):
            if chance.random() < 0.3:
                requests.change()
                await settle(pilot)
            requests.look(pilot)
            for card in (pane.card for pane in panes.values() if pane.card is not None):
                card.arm()  # what is seen is old enough, however slow the machine
            before = len(fleet.done)
            await pilot.press(chance.choice(HAND if chance.random() < 0.5 else KEYS))
            await pilot.pause()
            for command in fleet.done[before:]:
                if command[0] == "answer":
                    assert command[1] == requests.open[str(command[2])], "not open any more"
                    assert command[2] in requests.seen
        assert any(command[0] == "answer" for command in fleet.done), "nothing was tried"
        assert pilot.app.is_running
        assert pilot.app._exception is None
