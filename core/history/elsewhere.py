"""All sessions that others run, live: each comes when its process does and stays readable when it went.

They stand beside the driven ones in the same table of sessions, never answered, never written. This module
must not know what is done with them.
"""

from collections.abc import Callable, Collection, Mapping, MutableMapping
from pathlib import Path

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup

from core.history.locate import SESSION_NAME, project_name
from core.history.mirror import Mirror
from core.history.running import SESSIONS, Roll, Running
from core.history.spending import Found, PriceOf, Spending, Tell
from core.history.watch import Watch
from core.session.session import Session

KEPT_ENDED = 5
"""So many of those that ended stay to be read; older ones go."""

COST_STEP_S = 1.0
"""So often at most it is looked what the written lines cost."""

ListRunning = Callable[[Path], tuple[Running, ...]]


class _Followed:
    """A mirror, and how to end it. `placed`: its file was found; `written`: it may have cost something."""

    def __init__(self, mirror: Mirror, since: float, price: PriceOf | None, *, placed: bool) -> None:
        self.mirror = mirror
        self.since = since
        self.spending = Spending(mirror.path, price) if price is not None else None
        self.scope = anyio.CancelScope()
        self.placed = placed
        self.ended = False
        self.written = False

    def estimate(self) -> None:
        """Show what was found of its cost."""
        if self.spending is not None:
            self.mirror.estimate(self.spending.cost)


class Elsewhere:
    """Keeps `sessions` in step with what runs in other terminals. `run` it in a task group.

    `changed` is called with the key of a session that came, changed or went. `ours` tells which are driven
    from here (they write such files, too: seen on 2.1.332): those are not elsewhere. `met` is told of all
    that run, `estimated` of what those elsewhere cost.
    """

    def __init__(
        self,
        config: Path,
        sessions: MutableMapping[str, Session],
        changed: Callable[[str], None],
        ours: Callable[[Running], bool] = lambda running: False,
        *,
        price: PriceOf | None = None,
        met: Callable[[Collection[Running]], None] = lambda found: None,
        estimated: Tell = lambda found: None,
        list_running: ListRunning | None = None,
        watch: Callable[[Path], Watch] = Watch,
        cost_step_s: float = COST_STEP_S,
    ) -> None:
        """Follow nothing yet; `config` is Claude Code's folder. `price` estimates costs in US dollars."""
        self.config = config
        self._sessions = sessions
        self._changed = changed
        self._ours = ours
        self._price = price
        self._met = met
        self._estimated = estimated
        self._list_running = list_running or Roll()
        self._running = watch(config / SESSIONS)
        self._projects = watch(config / "projects")
        self._followed: dict[str, _Followed] = {}
        self._cost_step_s = cost_step_s
        self._written = anyio.Event()

    def key_of(self, session_id: str) -> str:
        """The key of a session that runs elsewhere now; "" if it does not."""
        key = _key(session_id)
        found = self._followed.get(key)
        return key if found is not None and not found.ended else ""

    def path_of(self, key: str) -> Path | None:
        """The transcript of a session that was or is elsewhere."""
        found = self._followed.get(key)
        return found.mirror.path if found is not None else None

    def running_of(self, key: str) -> Running | None:
        """What the process of a session says of itself; None if it is not elsewhere now."""
        found = self._followed.get(key)
        return found.mirror.running if found is not None and not found.ended else None

    def dismiss(self, key: str) -> None:
        """Take one that ended off the deck."""
        found = self._followed.pop(key, None)
        if found is not None:
            found.scope.cancel()
            self._sessions.pop(key, None)
            self._changed(key)

    async def run(self) -> None:
        """Follow for ever."""
        async with anyio.create_task_group() as tasks:
            await tasks.start(self._running.run)
            await tasks.start(self._projects.run)
            tasks.start_soon(self._follow_costs)
            while True:
                signal = self._running.signal(self._running.folder)
                found = await anyio.to_thread.run_sync(self._look)
                self._met(found.keys())
                self._keep_step(found, tasks)
                await self._running.wait(signal)

    def _look(self) -> dict[Running, Path | None]:
        """Who runs, and the transcript of each that has one. In a worker thread."""
        return {one: transcript_of(self.config, one) for one in self._list_running(self.config)}

    async def _follow_costs(self) -> None:
        """Look what they cost after something was written; who is still costs nothing."""
        while self._price is not None:
            await self._written.wait()
            self._written = anyio.Event()
            due = {key: one for key, one in self._followed.items() if one.written}
            for followed in due.values():
                followed.written = False
            found = await anyio.to_thread.run_sync(_costs, due)
            for one in found:
                due[one.key].estimate()
            if found:
                self._estimated(found)
            await anyio.sleep(self._cost_step_s)

    def _keep_step(self, found: dict[Running, Path | None], tasks: TaskGroup) -> None:
        mine = {_key(one.session_id) for one in found if self._ours(one)}
        for key in mine & self._followed.keys():
            self.dismiss(key)
        now = {key: (one, path) for one, path in found.items() if (key := _key(one.session_id)) not in mine}
        for key, followed in self._followed.items():
            if key not in now and not followed.ended:
                followed.ended = True
                followed.mirror.tell(None)
        for key, (one, path) in now.items():
            self._follow(key, one, path, tasks)
        self._forget_oldest()

    def _follow(self, key: str, one: Running, path: Path | None, tasks: TaskGroup) -> None:
        known = self._followed.get(key)
        if known is not None and (known.ended or (path is not None and not known.placed)):
            self.dismiss(key)  # it was resumed, or its file turned out to be another one
            known = None
        if known is None:
            known = self._begin(key, one, path, tasks)
        known.mirror.tell(one)

    def _begin(self, key: str, one: Running, path: Path | None, tasks: TaskGroup) -> _Followed:
        expected = self.config / "projects" / project_name(Path(one.directory or "/"))
        mirror = Mirror(
            path or expected / f"{one.session_id}.jsonl", key, self._projects, lambda: self._show(key)
        )
        followed = _Followed(mirror, one.started_at, self._price, placed=path is not None)
        self._followed[key] = followed
        tasks.start_soon(_run, followed)
        return followed

    def _show(self, key: str) -> None:
        followed = self._followed.get(key)
        if followed is not None:
            self._sessions[key] = followed.mirror.session
            followed.written = True
            self._written.set()
            self._changed(key)

    def _forget_oldest(self) -> None:
        ended = [key for key, followed in self._followed.items() if followed.ended]
        for key in ended[:-KEPT_ENDED]:
            self.dismiss(key)


def _costs(due: Mapping[str, _Followed]) -> list[Found]:
    """What those that wrote something have cost besides what is known. In a worker thread."""
    found = []
    for key, one in due.items():
        if one.spending is not None and (answers := one.spending.poll()):
            found.append(Found(key, one.mirror.path.stem, one.since, answers))
    return found


async def _run(followed: _Followed) -> None:
    with followed.scope:
        await followed.mirror.run()


def _key(session_id: str) -> str:
    return f"elsewhere-{session_id}"


def transcript_of(config: Path, one: Running) -> Path | None:
    """The transcript of a running session: in the folder of its directory, else wherever it began."""
    if not SESSION_NAME.fullmatch(one.session_id):
        return None
    name = f"{one.session_id}.jsonl"
    here = config / "projects" / project_name(Path(one.directory or "/")) / name
    if here.exists():
        return here
    return next(iter(sorted((config / "projects").glob(f"*/{name}"))), None)
