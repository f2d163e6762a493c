"""A session somebody else runs, live: its transcript as it is written, its subagents', and its state.

Read-only: two writers would ruin it (FACTS §6). What it is doing comes from the file its process keeps
(`running.py`), what was said from the transcripts. This module must not know who shows it.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import anyio.to_thread
from msgspec.structs import replace

from core.history.agents import agents_of
from core.history.locate import AGENTS
from core.history.read import PastSession, open_session
from core.history.reports import Cost
from core.history.running import Running
from core.history.stretch import Place, Stretch, decode, fold
from core.history.tail import Batch, Tail
from core.history.watch import Watch
from core.session import events as ev
from core.session.session import Session
from core.session.state import Ask, Can, SessionState, Turn, Usage
from core.sources.transcript import TranscriptSource

ENDED = "ended in its own terminal"


class Mirror:
    """A running session of another terminal. `run` it in a task group; `changed` is called after changes.

    `session` is another object once the file turned out to be another one.
    """

    def __init__(self, path: Path, key: str, watch: Watch, changed: Callable[[], object]) -> None:
        """Know nothing yet; the file may come later."""
        self.path = path
        self.key = key
        self.past: PastSession | None = None
        self._session = Session(SessionState(key, "mirrored", session_id=path.stem, started=True))
        self._watch = watch
        self._changed = changed
        self._tail = Tail(path)
        self._agents: dict[str, tuple[Tail, Stretch]] = {}
        self._running: Running | None = None
        self._told = False
        self._cost = Cost()
        self._listed: tuple[int, int, int] | None = None

    @property
    def session(self) -> Session:
        """What there is to show."""
        return self.past.session if self.past is not None else self._session

    @property
    def running(self) -> Running | None:
        """What its process said of itself last."""
        return self._running

    async def run(self) -> None:
        """Follow for ever."""
        while True:
            signal = self._watch.signal(*self._paths())
            if await self._look():
                self._watch.drop(signal)
                self._changed()
            else:
                await self._watch.wait_told(signal)

    def _paths(self) -> list[Path]:
        """All that is read here; the second tells of what is new below it."""
        folder = self.path.with_suffix("")
        return [self.path, folder, folder / AGENTS, *(tail.path for tail, _ in self._agents.values())]

    def tell(self, running: Running | None) -> None:
        """What its process says of itself now; None once it is gone."""
        if self._told and running == self._running:
            return
        self._told, self._running = True, running
        self._settle()
        self._changed()

    def estimate(self, cost: Cost) -> None:
        """What it has cost so far, where the CLI has not told it itself."""
        self._cost = cost
        self._settle()
        self._changed()

    def _settle(self) -> None:
        """Bring the state in line with what the process says.

        Between turns the transcript does not say that the last one is over, and its last lines may come
        after the process said so.
        """
        session, running = self.session, self._running
        usage = estimated(session.state.usage, self._cost)
        if usage is not session.state.usage:
            session.state = replace(session.state, usage=usage)
        if not self._told:
            return
        for event in _about(session.state, running):
            session.apply(event)
        if running is not None and session.state.can.attach != bool(running.job):
            session.state = replace(session.state, can=Can(attach=bool(running.job)))
        if running is not None and _is_over(session.state.turn, running):
            done = ev.TurnCompleted(at=running.updated_at, source="transcript", reason="idle")
            for event in (self.past.rest() if self.past is not None else ()) or (done,):
                session.apply(event)

    async def _look(self) -> bool:
        if self.past is None:
            return await self._open()
        main, agents = await anyio.to_thread.run_sync(self._poll, self.past)
        if main is not None and main.anew:
            self.past, self._agents, self._listed = None, {}, None
            return await self._open()
        if main is not None:
            self.past.feed(main.lines, main.end)
        for stretch, path, batch in agents:
            _feed(stretch, path, batch)
        if main is None and not agents:
            return False
        self._settle()
        return True

    async def _open(self) -> bool:
        try:
            self.past = await open_session(self.path, self.key, kind="mirrored")
        except OSError:
            return False
        self._tail = Tail(self.path, self.past.size, self.past.mark)
        self._settle()
        return True

    def _poll(self, past: PastSession) -> tuple[Batch | None, list[tuple[Stretch, Path, Batch]]]:
        """What was written since the last look, here and by subagents. In a worker thread."""
        self._list_agents(past)
        found = ((stretch, tail.path, tail.poll()) for tail, stretch in self._agents.values())
        agents = [(stretch, path, batch) for stretch, path, batch in found if batch is not None]
        return self._tail.poll(), agents

    def _list_agents(self, past: PastSession) -> None:
        """Agents whose files or calls are new; a look at the folder's own times is enough to tell mostly."""
        listed = (_changed_at(self.path), len(past.links), past.end)
        if listed == self._listed:
            return
        self._listed = listed
        for agent in agents_of(self.path, tuple(past.links)).values():
            thread = past.links.get(agent.id) or agent.call_id
            if agent.id not in self._agents and past.session.conversation.call(thread) is not None:
                stretch = Stretch(past.session, TranscriptSource(thread), {}, 0)
                self._agents[agent.id] = (Tail(agent.path), stretch)


def estimated(usage: Usage, cost: Cost) -> Usage:
    """The usage of a session with what it has cost by list prices; the CLI's own total stands above that."""
    if usage.cost_process_usd or not (cost.usd or cost.unpriced):
        return usage
    if (usage.cost_usd, usage.unpriced) == (cost.usd, cost.unpriced):
        return usage
    return replace(usage, cost_usd=cost.usd, unpriced=cost.unpriced)


def _changed_at(session: Path) -> int:
    try:
        return (session.with_suffix("") / AGENTS).stat().st_mtime_ns
    except OSError:
        return 0


def _feed(stretch: Stretch, path: Path, batch: Batch) -> None:
    for line in batch.lines:
        fold(stretch, decode(line), Place(path, line.offset))


def _about(state: SessionState, running: Running | None) -> list[ev.Event]:
    """What a process says of itself, as events; nothing where the state says so already."""
    if running is None:
        gone = ev.ProcessExited(source="transcript", expected=True, reason=ENDED)
        return [gone] if state.exit is None else []
    at, told = running.updated_at, list[ev.Event]()
    facts = (running.directory or state.directory, running.version or state.version)
    if facts != (state.directory, state.version):
        told.append(ev.Initialized(at=at, directory=running.directory, version=running.version))
    if running.name != state.name:
        told.append(ev.Renamed(at=at, name=running.name))
    if running.status in ("busy", "waiting") and state.turn is None:
        told.append(ev.TurnStarted(at=at))
    return [replace(event, source="transcript") for event in (*told, *_asked(state, running))]


def _is_over(turn: Turn | None, running: Running) -> bool:
    """Whether the process has been idle since the turn began; it says so late, also of the turn before."""
    if turn is None or running.status != "idle":
        return False
    return not running.updated_at or running.updated_at >= turn.started_at


def _asked(state: SessionState, running: Running) -> Iterator[ev.Event]:
    """What it waits for stands as an ask, which can only be answered where it runs."""
    waits = running.status == "waiting"
    standing = [ask for ask in state.asks if waits and ask.title == running.waiting_for]
    yield from (ev.AskSettled(at=running.updated_at, id=ask.id) for ask in state.asks if ask not in standing)
    if waits and not standing:
        title, at = running.waiting_for, running.updated_at
        ask = Ask(f"elsewhere-{running.pid}", "permission", "", title=title, raised_at=at)
        yield ev.AskRaised(at=at, ask=ask)
