"""Everything that waits for a person, over all sessions: pure functions of their states.

Only asks nobody has answered yet are waiting: one whose answer is on its way is not. It must not know how
an ask is shown or answered.
"""

from collections.abc import Mapping

from core.session.session import Session
from core.session.state import Ask

Waiting = tuple[str, Ask]
"""The key of a session, and what it waits for."""


def waiting(sessions: Mapping[str, Session]) -> list[Waiting]:
    """Open asks of all sessions that can be answered, oldest first; of equal age in their order."""
    found = [
        (key, ask)
        for key, session in sessions.items()
        if session.state.exit is None and session.state.kind != "mirrored"
        for ask in session.state.asks
        if ask.state == "open"
    ]
    return sorted(found, key=lambda item: item[1].raised_at)


def next_after(sessions: Mapping[str, Session], key: str, *, back: bool = False) -> str:
    """The session to go to from `key`: the one that waits longest, then the next, round and round.

    From a session that waits for nobody it is the oldest (`back`: the newest). "" when none waits but `key`.
    """
    keys = list(dict.fromkeys(key for key, _ in waiting(sessions)))
    if back:
        keys.reverse()
    if key in keys:
        place = keys.index(key)
        keys = keys[place + 1 :] + keys[:place]
    return keys[0] if keys else ""
