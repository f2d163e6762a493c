"""How a state looks, everywhere the same: a shape, a word and a colour of the theme.

Whoever cannot see one of the three still has the other two. This module must not know a widget.
"""

from msgspec import Struct

from core.session.state import SessionState, Status

MUTED = "$foreground-muted"
"""The second level of emphasis. (`$text-muted` is an `auto` colour, which a `Content` shows undimmed.)"""

KEY = "bold $primary"
"""A key that works now. (The accent is kept for what needs the person.)"""


class Sign(Struct, frozen=True):
    """A state's shape, its word, and its style (theme variables only)."""

    shape: str
    word: str
    style: str


SIGNS: dict[Status, Sign] = {
    "needs-you": Sign("◆", "needs you", "bold $text-accent"),
    "away": Sign("⊘", "no link", "$text-warning"),
    "working": Sign("●", "working", "$text-success"),
    "idle": Sign("○", "idle", MUTED),
    "limited": Sign("⏸", "limited", "$text-warning"),
    "failed": Sign("✗", "failed", "$text-error"),
    "ended": Sign("✓", "ended", MUTED),
    "starting": Sign("◔", "starting", MUTED),
}

PAUSED = Sign("⏸", "paused", SIGNS["limited"].style)

ELSEWHERE = Sign("◌", "elsewhere", MUTED)

_ELSEWHERE_WORDS: dict[Status, str] = {"working": "busy", "needs-you": "waits"}
"""What is not ours to answer does not need us."""


def is_elsewhere(state: SessionState) -> bool:
    """Whether someone else runs the session now."""
    return state.kind == "mirrored" and state.exit is None


def sign_of(state: SessionState) -> Sign:
    """The sign of a session; one that someone else runs has a shape of its own until it has ended."""
    if is_elsewhere(state):
        word = _ELSEWHERE_WORDS.get(state.status, SIGNS[state.status].word)
        return Sign(ELSEWHERE.shape, word, ELSEWHERE.style)
    if state.status == "limited" and state.pause is not None and state.limit is None:
        return PAUSED
    return SIGNS["ended"] if state.kind == "past" else SIGNS[state.status]
