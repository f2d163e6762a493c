"""A keeper whose clock jumps, and one whose card cannot be written."""

from itertools import cycle
from pathlib import Path

from core.errors import KeeperError
from core.keeper import messages as to
from core.keeper.recall import excerpt, recall
from core.keeper.replay import fold_lines, lines_of
from core.session import events as ev
from core.session.session import Session
from core.session.state import Prompt, SessionState
from core.wire.control import RenameSession
from tests.core.keeper.compare import conversation
from tests.core.keeper.here import keeper_here

TALK = '[[turn]]\n[[turn.step]]\ntool = "Bash"\ninput = {command = "ls"}\nresult = "x"\n[[turn.step]]\nsay = "done"\n'


async def test_a_clock_that_jumps_loses_and_doubles_nothing(tmp_path: Path) -> None:
    jumps = cycle([1e9, 2e9, 0.0, 1.5e9, -5.0])
    async with keeper_here(tmp_path, TALK, clock=lambda: next(jumps)) as here:
        one = await here.attach()
        for number in range(1, 4):
            await one.client.do(to.Send(prompt=Prompt(f"p{number}", "go")))
            await one.until(
                lambda number=number: (
                    sum(isinstance(event, ev.TurnCompleted) for event in one.events) == number
                )  # type: ignore[misc]
            )
        hello = one.hellos[0]
        lived = recall(hello, excerpt(hello))
        for event in one.events:
            lived.apply(event)
        again = Session(SessionState("k"))
        fold_lines(again, lines_of(here.keeper.journal.parts))
        assert conversation(again) == conversation(lived)
        assert again.state.usage.turns == 3
        later = await here.attach()
        hello = later.hellos[0]
        assert conversation(recall(hello, excerpt(hello))) == conversation(lived)


async def test_a_name_that_cannot_be_written_down_counts_and_that_is_said(tmp_path: Path) -> None:
    def full(name: str) -> None:
        raise KeeperError("The agent cannot be noted on disk: No space left on device. Make room there.")

    async with keeper_here(tmp_path, TALK, sign=full) as here:
        one = await here.attach()
        await one.client.do(to.asking(0, RenameSession("docs"), None))
        assert here.keeper.state.name == "docs"
        notices = [event.text for event in one.events if isinstance(event, ev.Noticed)]
        assert "know it by its earlier name" in notices[0]
        assert "Make room" in notices[0]
