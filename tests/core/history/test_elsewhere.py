"""Which sessions of other terminals are followed, from when to when."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import anyio
from msgspec.structs import replace

from core.history.elsewhere import Elsewhere, transcript_of
from core.history.locate import project_name
from core.history.running import Running
from core.history.spending import Found
from core.history.watch import Watch
from core.session.session import Session
from tests.fakes.transcripts import SESSION, Written, shown

OTHER = "5e551011-0000-4000-8000-000000000002"
BUSY = Running(SESSION, 7, "/srv/demo", name="notes", status="busy", started_at=1.0, updated_at=5.0)


class Terminals:
    """Other terminals: `running` is who runs in them."""

    def __init__(self, config: Path, ours: tuple[str, ...] = ()) -> None:
        self.config = config
        self.running: tuple[Running, ...] = ()
        self.sessions: dict[str, Session] = {}
        self.met: list[tuple[Running, ...]] = []
        self.told: list[Found] = []
        self._changed = anyio.Event()
        self.elsewhere = Elsewhere(
            config,
            self.sessions,
            self._wake,
            lambda found: found.session_id in ours,
            price=lambda answer: 1.5,
            met=lambda found: self.met.append(tuple(found)),
            estimated=self.told.extend,
            list_running=lambda _: self.running,
            watch=partial(Watch, poll_s=0.0),
            cost_step_s=0.0,
        )

    def _wake(self, key: str) -> None:
        self._changed.set()
        self._changed = anyio.Event()

    def write(self, written: Written, folder: str = "/srv/demo") -> None:
        place = self.config / "projects" / project_name(Path(folder))
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{written.session}.jsonl").write_bytes(written.data)

    async def until(self, holds: Callable[[], object]) -> None:
        while not holds():
            await self._changed.wait()

    @property
    def cost_usd(self) -> float:
        return sum(session.state.usage.cost_usd for session in self.sessions.values())

    @property
    def statuses(self) -> dict[str, str]:
        return {session.state.session_id: session.state.status for session in self.sessions.values()}


@asynccontextmanager
async def followed(config: Path, ours: tuple[str, ...] = ()) -> AsyncIterator[Terminals]:
    found = Terminals(config, ours)
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(found.elsewhere.run)
            yield found
            tasks.cancel_scope.cancel()


async def test_a_session_comes_is_followed_and_stays_readable(tmp_path: Path) -> None:
    written = Written()
    written.prompt("go")
    async with followed(tmp_path) as found:
        found.write(written)
        found.running = (BUSY,)
        await found.until(lambda: found.statuses == {SESSION: "working"})
        await found.until(lambda: shown(next(iter(found.sessions.values()))) == ["> go"])
        key = found.elsewhere.key_of(SESSION)
        assert found.elsewhere.path_of(key) == transcript_of(tmp_path, BUSY)
        found.running = ()
        await found.until(lambda: found.statuses == {SESSION: "ended"})
        assert shown(found.sessions[key])[0] == "> go"
        assert found.elsewhere.key_of(SESSION) == ""
        found.elsewhere.dismiss(key)
        assert found.sessions == {}


async def test_what_it_cost_so_far_is_estimated_and_follows(tmp_path: Path) -> None:
    written = Written()
    written.prompt("go")
    written.says("one")
    async with followed(tmp_path) as found:
        found.write(written)
        found.running = (BUSY,)
        await found.until(lambda: found.cost_usd == 1.5)
        written.says("two")
        found.write(written)
        await found.until(lambda: found.cost_usd == 3.0)
        assert found.met[-1] == (BUSY,)
        await found.until(lambda: len(found.told) == 2)
        places = {(one.key, one.session_id, one.since) for one in found.told}
        assert places == {(found.elsewhere.key_of(SESSION), SESSION, BUSY.started_at)}
        assert [len(one.answers) for one in found.told] == [1, 1], "each is told once"


async def test_what_was_written_just_before_the_end_counts(tmp_path: Path) -> None:
    written = Written()
    written.says("one")
    async with followed(tmp_path) as found:
        found.write(written)
        found.running = (BUSY,)
        await found.until(lambda: found.cost_usd == 1.5)
        written.says("the last word")
        found.running = ()
        found.write(written)
        await found.until(lambda: found.cost_usd == 3.0)


async def test_what_it_waits_for(tmp_path: Path) -> None:
    async with followed(tmp_path) as found:
        found.running = (replace(BUSY, status="waiting", waiting_for="permission prompt"),)
        await found.until(lambda: found.statuses == {SESSION: "needs-you"})


async def test_sessions_driven_from_here_are_not_elsewhere(tmp_path: Path) -> None:
    async with followed(tmp_path, ours=(SESSION,)) as found:
        found.running = (BUSY, replace(BUSY, session_id=OTHER, pid=8))
        await found.until(lambda: found.statuses == {OTHER: "working"})


async def test_a_transcript_that_lies_in_another_folder(tmp_path: Path) -> None:
    written = Written()
    written.prompt("go")
    async with followed(tmp_path) as found:
        found.running = (replace(BUSY, directory="/srv/demo/deeper"),)
        await found.until(lambda: found.sessions)
        found.write(written)
        await found.until(lambda: found.sessions and shown(next(iter(found.sessions.values()))) == ["> go"])
        assert len(found.sessions) == 1


async def test_resumed_it_is_one_session_again(tmp_path: Path) -> None:
    async with followed(tmp_path) as found:
        found.running = (BUSY,)
        await found.until(lambda: found.statuses == {SESSION: "working"})
        found.running = ()
        await found.until(lambda: found.statuses == {SESSION: "ended"})
        found.running = (replace(BUSY, pid=9, status="idle"),)
        await found.until(lambda: found.statuses == {SESSION: "idle"})


async def test_only_the_newest_of_those_that_ended_stay(tmp_path: Path) -> None:
    ids = [f"5e551011-0000-4000-8000-0000000001{number:02d}" for number in range(8)]
    async with followed(tmp_path) as found:
        found.running = tuple(replace(BUSY, session_id=one, pid=number) for number, one in enumerate(ids))
        await found.until(lambda: len(found.sessions) == 8)
        found.running = ()
        await found.until(lambda: list(found.statuses.values()) == ["ended"] * 5)
