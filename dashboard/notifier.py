"""Tells the person what agents need while they look elsewhere, by the channels of their settings.

What comes in a short time is one word; what the person looks at, and what is muted, is not told. It must not
know a screen: who drives it says what is looked at.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

from msgspec import Struct, structs

from core.fleet.news import Channel, Gathering, News, Notify, headline, news, still
from core.fleet.telling import tell_by_command
from core.session.session import Session
from core.session.state import SessionState
from core.settings import Settings
from dashboard.terminal_notice import osc9, osc777, through_tmux

_OURS = ("driven", "terminal")
"""Kinds of sessions that need a person now; a replay's needs are of the past."""


class Outlets(Struct, frozen=True):
    """Where it goes: the terminal's bell, text for the terminal, and work that takes its time."""

    ring: Callable[[], None]
    write: Callable[[str], None]
    carry: Callable[[Awaitable[object]], None]
    complain: Callable[[str], None]


def wishes(settings: Settings) -> Notify:
    """What the person wants to be told of; `bell` is the short way to say that of requests."""
    notify = settings.notify
    if settings.bell and "bell" not in notify.needs_you:
        return structs.replace(notify, needs_you=("bell", *notify.needs_you))
    return notify


class Notifier:
    """Looks at the states of all sessions, again and again."""

    def __init__(self, notify: Notify, outlets: Outlets, env: Mapping[str, str]) -> None:
        """`env` is what a command inherits; it also tells whether this is tmux."""
        self._notify = notify
        self._outlets = outlets
        self._env = env
        self._seen: dict[str, SessionState] = {}
        self._gathering = Gathering()
        self._complained: set[str] = set()

    @property
    def window_s(self) -> float:
        """How long after the first of them `flush` is due."""
        return max(0.01, self._notify.window_s)  # a timer of nothing fails (Textual 8.2.8)

    def see(self, states: Iterable[SessionState]) -> bool:
        """Look; true if a word has to be told once the window is over."""
        due = False
        for state in states:
            if state.kind not in _OURS:
                continue
            before = self._seen.get(state.key)
            if before is state:
                continue
            self._seen[state.key] = state
            item = news(before, state) if before is not None and not state.muted else None
            if item is not None and self._notify.channels(item.kind):
                due = self._gathering.add(item) or due
        return due

    def flush(self, sessions: Mapping[str, Session], looked_at: Callable[[News], bool]) -> None:
        """Tell what came, but what the person looks at or has answered meanwhile."""

        def wanted(item: News) -> bool:
            session = sessions.get(item.key)
            return still(item, session.state if session else None) and not looked_at(item)

        told = self._gathering.take(wanted)
        for channel, tell in self._channels.items():
            if those := [item for item in told if channel in self._notify.channels(item.kind)]:
                tell(those)

    @property
    def _channels(self) -> dict[Channel, Callable[[Sequence[News]], None]]:
        return {
            "bell": lambda told: self._outlets.ring(),
            "osc9": lambda told: self._write(osc9(*headline(told))),
            "osc777": lambda told: self._write(osc777(*headline(told))),
            "command": lambda told: self._outlets.carry(self._run(told)),
        }

    def _write(self, sequence: str) -> None:
        self._outlets.write(through_tmux(sequence) if self._env.get("TMUX") else sequence)

    async def _run(self, told: Sequence[News]) -> None:
        problem = await tell_by_command(self._notify.command, told, self._env, self._notify.timeout_s)
        if problem and problem not in self._complained:
            self._complained.add(problem)
            self._outlets.complain(problem)
