"""The session itself and the process behind it: what it is, when it starts and ends.

It must not know the conversation.
"""

from msgspec.structs import replace

from core.session import events as ev
from core.session.folds.choices import told
from core.session.folds.table import Table
from core.session.state import Away, Can, Exit, McpServer, SessionState, Task, Turn, TurnEnd, TurnSummary

DRIVEN = Can(prompt=True, answer=True, interrupt=True, configure=True, stop=True)

ENDED = Can(restart=True, resume=True)


def _introduced(state: SessionState, event: ev.Introduced) -> SessionState:
    return replace(
        state,
        started=True,
        can=DRIVEN,
        models=event.models,
        commands=event.commands,
        account=event.account,
        model=told(state.model, event.model),
        mode=told(state.mode, event.mode),
        version=event.version or state.version,
    )


def _initialized(state: SessionState, event: ev.Initialized) -> SessionState:
    model, mode, mcp = (
        told(state.model, event.model),
        told(state.mode, event.mode),
        _merge_mcp(state, event),
    )
    session_id = event.session_id or state.session_id
    directory, version = event.directory or state.directory, event.version or state.version
    now = (True, session_id, model, mode, directory, version, mcp)
    if now == (
        state.started,
        state.session_id,
        state.model,
        state.mode,
        state.directory,
        state.version,
        state.mcp,
    ):
        return state
    return replace(
        state,
        started=True,
        session_id=session_id,
        model=model,
        mode=mode,
        directory=directory,
        version=version,
        mcp=mcp,
    )


def _merge_mcp(state: SessionState, event: ev.Initialized) -> tuple[McpServer, ...]:
    """`init` tells only names and states: keep the tools and errors known of a server in the same state."""
    if not event.mcp:
        return ()
    known = {server.name: server for server in state.mcp}
    same = [known.get(server.name) for server in event.mcp]
    return tuple(
        old if old is not None and old.state == new.state else new
        for new, old in zip(event.mcp, same, strict=True)
    )


def _process_started(state: SessionState, event: ev.ProcessStarted) -> SessionState:
    version = event.version or state.version
    state = replace(state, pid=event.pid, version=version)
    last_turn = _unfailed(state.last_turn)
    return replace(state, exit=None, limit=None, retry=None, started=False, can=DRIVEN, last_turn=last_turn)


def _resumed(state: SessionState, event: ev.Resumed) -> SessionState:
    return replace(state, limit=None, retry=None, last_turn=_unfailed(state.last_turn))


def _unfailed(last: TurnSummary | None) -> TurnSummary | None:
    """A new start has not failed at anything."""
    return None if last is not None and last.end == "failed" else last


def _process_exited(state: SessionState, event: ev.ProcessExited) -> SessionState:
    ended = replace(
        state,
        exit=Exit(event.code, event.signal, event.stderr_tail, event.expected, event.reason),
        can=ENDED,
        pid=0,
        asks=(),
        hooks=(),
        turn=None,
        phase="idle",
        doing="",
        retry=None,
        tasks=tuple(_stopped(task, event.at) for task in state.tasks),
    )
    if state.turn is None:
        return ended
    end: TurnEnd = "stopped" if event.expected or state.turn.interrupting_since else "failed"
    return replace(ended, last_turn=_summary(state.turn, event.at, end, event.reason))


def _stopped(task: Task, at: float) -> Task:
    return replace(task, state="stopped", ended_at=at) if task.state == "running" else task


def _host_left(state: SessionState, event: ev.HostLeft) -> SessionState:
    since = state.away.since if state.away is not None else event.at
    return replace(state, away=Away(event.reason, since, event.retry_at), can=Can())


def _renamed(state: SessionState, event: ev.Renamed) -> SessionState:
    given = {"name": event.name, "branch": event.branch, "directory": event.directory}
    return replace(state, **{field: value for field, value in given.items() if value is not None})


def _titled(state: SessionState, event: ev.TitleChanged) -> SessionState:
    return replace(state, title=event.title)


def _reset(state: SessionState, event: ev.ConversationReset) -> SessionState:
    usage = replace(state.usage, context_tokens=0, by_model=())
    return replace(state, session_id=event.session_id or state.session_id, usage=usage, tasks=())


def _summary(turn: Turn, at: float, end: TurnEnd, error: str) -> TurnSummary:
    return TurnSummary(
        number=turn.number,
        end=end,
        started_at=turn.started_at,
        ended_at=at,
        cost_usd=turn.cost_usd,
        files_changed=len(turn.files_changed),
        error=error,
    )


FOLDS: Table = {
    ev.Introduced: _introduced,
    ev.Initialized: _initialized,
    ev.ProcessStarted: _process_started,
    ev.Resumed: _resumed,
    ev.ProcessExited: _process_exited,
    ev.HostLeft: _host_left,
    ev.Renamed: _renamed,
    ev.TitleChanged: _titled,
    ev.ConversationReset: _reset,
}
