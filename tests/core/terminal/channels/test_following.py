"""The transcript of a process, followed."""

from collections.abc import Callable
from pathlib import Path

import anyio

from core.history.locate import project_name
from core.history.watch import Watch
from core.session.events import Event
from core.session.session import Session
from core.session.state import SessionState
from core.terminal.channels.following import follow_transcript
from core.terminal.channels.hub import Channels
from core.terminal.channels.transcripts import Transcripts
from tests.fakes.transcripts import SESSION, Written

DIRECTORY = Path("/srv/demo")
LIMITED = {
    "role": "assistant",
    "model": "<synthetic>",
    "content": [{"type": "text", "text": "API Error: 429 too much"}],
}


class Reading:
    """A session that is fed, and a way to wait for it."""

    def __init__(self) -> None:
        self.session = Session(SessionState("k", "terminal"))
        self.channels = Channels(self._apply)
        self._changed = anyio.Event()

    def _apply(self, event: Event) -> None:
        self.session.apply(event)
        self._changed.set()
        self._changed = anyio.Event()

    async def until(self, holds: Callable[[], object]) -> None:
        with anyio.fail_after(30):
            while not holds():
                await self._changed.wait()

    def texts(self) -> list[str]:
        return [getattr(entry, "text", "") for entry in self.session.conversation.entries()]


def _place(config: Path) -> Path:
    path = config / "projects" / project_name(DIRECTORY) / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    return path


async def test_a_new_session_is_read_as_it_is_written(tmp_path: Path) -> None:
    path, written, reading = _place(tmp_path), Written(), Reading()
    transcripts = Transcripts(tmp_path, DIRECTORY, SESSION, lambda config: ())
    transcripts.note()
    watch = Watch(tmp_path, poll_s=0.0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(follow_transcript, reading.channels, transcripts, lambda: 7, watch)
        written.prompt("hello")
        path.write_bytes(written.data)
        await reading.until(lambda: "hello" in reading.texts())
        assert reading.session.state.turn is not None
        assert reading.session.state.session_id == SESSION
        written.says("Hi.")
        written.put("system", subtype="turn_duration", durationMs=10)
        path.write_bytes(written.data)
        await reading.until(lambda: reading.session.state.turn is None)
        assert reading.texts()[:2] == ["hello", "Hi."]
        tasks.cancel_scope.cancel()


async def test_a_turn_that_a_resumed_session_left_open_has_ended(tmp_path: Path) -> None:
    path, written, reading = _place(tmp_path), Written(), Reading()
    written.prompt("hello")
    written.says("Hi.")
    path.write_bytes(written.data)
    transcripts = Transcripts(tmp_path, DIRECTORY, SESSION, lambda config: ())
    transcripts.note()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(
            follow_transcript, reading.channels, transcripts, lambda: 7, Watch(tmp_path, poll_s=0.0)
        )
        await reading.until(lambda: reading.session.state.last_turn is not None)
        assert reading.session.state.status == "idle"
        tasks.cancel_scope.cancel()


async def test_how_a_resumed_session_ended_before_holds_it_up_no_more(tmp_path: Path) -> None:
    """Its last turn had met a rate limit, days ago."""
    path, written, reading = _place(tmp_path), Written(), Reading()
    written.prompt("hello")
    written.put("assistant", isApiErrorMessage=True, apiErrorStatus=429, message=LIMITED)
    path.write_bytes(written.data)
    transcripts = Transcripts(tmp_path, DIRECTORY, SESSION, lambda config: ())
    transcripts.note()
    watch = Watch(tmp_path, poll_s=0.0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(follow_transcript, reading.channels, transcripts, lambda: 7, watch)
        await reading.until(lambda: "hello" in reading.texts())
        await reading.until(lambda: reading.session.state.status == "idle")
        assert reading.session.state.limit is None
        written.prompt("again")
        written.put("assistant", isApiErrorMessage=True, apiErrorStatus=429, message=LIMITED)
        path.write_bytes(written.data)
        await reading.until(lambda: reading.session.state.status == "limited")
        tasks.cancel_scope.cancel()
