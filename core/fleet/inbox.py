"""Everything that waits for a person, over all sessions: pure functions of their states.

Only asks nobody has answered yet are waiting: one whose answer is on its way is not. It must not know how
an ask is shown or answered.
"""

from collections.abc import Collection, Mapping
from typing import Literal

from core.agent.own_tools import PREFIX, SEND
from core.session.session import Session
from core.session.state import Ask

Waiting = tuple[str, Ask]
"""The key of a session, and what it waits for."""

Kind = Literal["permission", "question", "plan", "other"]
"""What is waited for; `other` is what one agent wants to do to another, through a tool of ours."""

KINDS: tuple[Kind, ...] = ("permission", "question", "plan", "other")


def waiting(sessions: Mapping[str, Session]) -> list[Waiting]:
    """Open asks of all sessions that can be answered, oldest first; of equal age in their order."""
    found = [
        (key, ask)
        for key, session in sessions.items()
        if session.state.exit is None and session.state.kind != "mirrored" and session.state.away is None
        for ask in session.state.asks
        if ask.state == "open"
    ]
    return sorted(found, key=lambda item: item[1].raised_at)


def kind_of(ask: Ask) -> Kind:
    """Under which kind an ask is listed."""
    message = ask.tool == SEND or (ask.kind == "permission" and ask.tool.startswith(PREFIX))
    return "other" if message else ask.kind


def next_kind(kinds: Collection[Kind], kind: Kind | None) -> Kind | None:
    """The kind to list after `kind` (None: all), of those that wait; round and round through all."""
    present = [one for one in KINDS if one in kinds or one == kind]
    place = present.index(kind) + 1 if kind is not None else 0
    return present[place] if place < len(present) else None


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
