"""A session that runs elsewhere, live."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from msgspec import structs

from core.history.mirror import ENDED, Mirror
from core.history.running import Running
from core.history.watch import Watch
from core.session.state import Can, SessionState
from tests.fakes.transcripts import SESSION, Written, shown

BUSY = Running(SESSION, 7, "/srv/demo", name="demo-15", status="busy", updated_at=5.0)
IDLE = Running(SESSION, 7, "/srv/demo", name="demo-15", status="idle", updated_at=4e9)
WAITING = Running(SESSION, 7, "/srv/demo", status="waiting", waiting_for="permission prompt", updated_at=7.0)


class Followed:
    """A mirror that runs, and a way to wait for it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._changed = anyio.Event()
        self.mirror = Mirror(path, "m", Watch(path.parent, poll_s=0.0), self._wake)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()

    def state(self) -> SessionState:
        return self.mirror.session.state

    async def until(self, holds: Callable[[], object]) -> None:
        while not holds():
            await self._changed.wait()

    async def reads(self, rows: list[str]) -> None:
        await self.until(lambda: shown(self.mirror.session) == rows)


@asynccontextmanager
async def followed(path: Path) -> AsyncIterator[Followed]:
    found = Followed(path)
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(found.mirror.run)
            yield found
            tasks.cancel_scope.cancel()


async def test_only_one_in_the_background_can_be_attached_to(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    async with followed(path) as found:
        found.mirror.tell(BUSY)
        assert not found.state().can.attach
        found.mirror.tell(structs.replace(BUSY, job="j1"))
        assert found.state().can == Can(attach=True)
        path.write_bytes(Written().data)
        found.mirror.tell(None)
        assert not found.state().can.attach


async def test_a_conversation_as_it_is_written(tmp_path: Path) -> None:
    path, written = tmp_path / f"{SESSION}.jsonl", Written()
    async with followed(path) as found:
        found.mirror.tell(BUSY)
        assert (found.state().kind, found.state().status, found.state().name) == (
            "mirrored",
            "working",
            "demo-15",
        )
        written.prompt("go")
        written.calls("t1", command="ls")
        path.write_bytes(written.data)
        await found.reads(["> go", "* Bash ls [running]"])
        assert not any(getattr(found.state().can, what) for what in found.state().can.__struct_fields__)
        written.returns("t1", "a.txt")
        written.says("one file")
        path.write_bytes(written.data)
        await found.reads(["> go", "* Bash ls [done] a.txt", "· one file"])
        assert found.state().status == "working"
        found.mirror.tell(IDLE)
        assert shown(found.mirror.session)[-1] == "- completed"
        assert found.state().status == "idle"


async def test_the_process_may_be_quicker_than_its_transcript(tmp_path: Path) -> None:
    path, written = tmp_path / f"{SESSION}.jsonl", Written()
    async with followed(path) as found:
        found.mirror.tell(BUSY)
        found.mirror.tell(IDLE)
        written.prompt("go")
        written.says("done")
        path.write_bytes(written.data)
        await found.reads(["> go", "· done", "- completed"])
        assert found.state().status == "idle"


async def test_what_the_process_said_before_a_turn_is_not_its_end(tmp_path: Path) -> None:
    path, written = tmp_path / f"{SESSION}.jsonl", Written()
    async with followed(path) as found:
        found.mirror.tell(structs.replace(IDLE, updated_at=6.0))
        written.prompt("go")
        written.calls("t1", command="ls")
        path.write_bytes(written.data)
        await found.reads(["> go", "* Bash ls [running]"])
        assert found.state().status == "working"


async def test_what_it_waits_for_can_only_be_answered_there(tmp_path: Path) -> None:
    async with followed(tmp_path / f"{SESSION}.jsonl") as found:
        found.mirror.tell(WAITING)
        found.mirror.tell(WAITING)
        assert found.state().status == "needs-you"
        assert [ask.title for ask in found.state().asks] == ["permission prompt"]
        assert not found.state().can.answer
        found.mirror.tell(BUSY)
        assert (found.state().status, found.state().asks) == ("working", ())
        found.mirror.tell(None)
        assert found.state().status == "ended"
        assert shown(found.mirror.session) == [f"! info: {ENDED}"]


async def test_its_subagents_as_they_write(tmp_path: Path) -> None:
    path, written = tmp_path / f"{SESSION}.jsonl", Written()
    agent = Written(isSidechain=True, agentId="a1")
    folder = path.with_suffix("") / "subagents"
    async with followed(path) as found:
        written.prompt("go")
        written.calls("t1", "Agent", description="Look", prompt="look around")
        path.write_bytes(written.data)
        await found.reads(["> go", "* Agent Look [running]"])
        folder.mkdir(parents=True)
        (folder / "agent-a1.meta.json").write_text('{"toolUseId":"t1"}')
        agent.prompt("look around")
        (folder / "agent-a1.jsonl").write_bytes(agent.data)
        await found.reads(["> go", "* Agent Look [running]", "    > look around"])
        agent.says("here")
        (folder / "agent-a1.jsonl").write_bytes(agent.data)
        await found.reads(["> go", "* Agent Look [running]", "    > look around", "    · here"])


async def test_another_file_in_its_place_begins_anew(tmp_path: Path) -> None:
    path, written, other = tmp_path / f"{SESSION}.jsonl", Written(), Written()
    written.prompt("go")
    path.write_bytes(written.data)
    other.prompt("something else entirely, and longer")
    async with followed(path) as found:
        await found.reads(["> go"])
        new = path.with_suffix(".new")
        new.write_bytes(other.data)
        new.replace(path)
        await found.reads(["> something else entirely, and longer"])
