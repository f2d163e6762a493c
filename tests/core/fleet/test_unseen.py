"""That a session waits is told where its dialog cannot be read, and nothing more."""

from collections.abc import Callable

import anyio
import pytest

from core.fleet import unseen
from core.fleet.unseen import Unseen
from core.history.running import Running, RunningStatus
from core.session.session import Session
from core.session.state import Ask, SessionState
from core.terminal.channels.hub import Channels
from tests.fakes.screens import recorded, written


class Fed:
    """A session of which screens are seen, and what its process says of itself."""

    def __init__(self) -> None:
        self.session = Session(SessionState("k", "terminal"))
        self.channels = Channels(self.session.apply)
        self.unseen = Unseen(self.session, self.channels, self.session.apply)
        self.at = 0.0

    def see(self, kind: str, name: str) -> None:
        self.at += 1.0
        self.channels.see(recorded(kind, name), self.at)

    def says(self, status: RunningStatus) -> None:
        self.unseen.tell(Running("s", 1, status=status, waiting_for="dialog open" * (status == "waiting")))

    @property
    def asks(self) -> tuple[Ask, ...]:
        return self.session.state.asks


async def until(happened: Callable[[], object]) -> None:
    with anyio.fail_after(30):
        while not happened():
            await anyio.lowlevel.checkpoint()


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unseen, "GRACE_S", 0.0)


@pytest.fixture
def fed() -> Fed:
    fed = Fed()
    fed.see("composer", "empty")
    fed.see("work", "text")
    return fed


async def test_a_turn_that_waits_for_what_is_not_seen_needs_the_person(fed: Fed) -> None:
    fed.says("busy")
    fed.says("waiting")
    await until(lambda: fed.asks)
    (ask,) = fed.asks
    assert (fed.session.state.status, ask.unseen, ask.description) == ("needs-you", "small", "dialog open")
    assert any("its screen shows no dialog" in told.what for told in fed.channels.account.lines())
    fed.says("busy")
    assert fed.asks == ()
    assert fed.session.state.status == "working"


async def test_once_its_dialog_is_seen_that_one_asks(fed: Fed) -> None:
    fed.says("waiting")
    await until(lambda: fed.asks)
    fed.see("permission", "bash")
    (ask,) = fed.asks
    assert (ask.unseen, ask.tool) == ("", "Bash")


async def test_a_dialog_that_is_seen_at_once_is_all_that_asks(fed: Fed) -> None:
    fed.says("waiting")
    fed.see("permission", "bash")
    await anyio.wait_all_tasks_blocked()
    assert [ask.unseen for ask in fed.asks] == [""]


async def test_between_turns_a_dialog_is_one_the_person_opened() -> None:
    fed = Fed()
    fed.see("composer", "empty")
    fed.says("waiting")
    await anyio.wait_all_tasks_blocked()
    assert fed.asks == ()


async def test_on_a_screen_with_room_it_is_input_that_is_waited_for(
    fed: Fed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unseen, "ROOM_ROWS", 10)
    fed.says("waiting")
    await until(lambda: fed.asks)
    assert fed.asks[0].unseen == "open"


CUT = """\
 echo made > made.txt
╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
 Do you want to proceed?
 ❯ 1. Yes
   2. Yes, and always allow access to
      /work/project from this project
 ↓ 3. Yes, and switch to auto mode · auto mode handles these prompts for you
 ↑ 5 more lines
 Esc to cancel · Tab to amend"""
"""As 2.1.332 draws it in eleven rows."""


async def test_of_a_dialog_with_options_left_out_no_choice_is_made(fed: Fed) -> None:
    fed.says("waiting")
    fed.channels.see(written(CUT, height=11), 5.0)
    fed.channels.pass_time(9.0)
    await until(lambda: fed.asks)
    assert [ask.unseen for ask in fed.asks] == ["small"]
