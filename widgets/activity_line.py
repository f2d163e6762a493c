"""The line under a conversation: what the agent is doing now, or how its last turn ended."""

from core.session.state import SessionState
from widgets import format as fmt
from widgets.line import Line, OneLine, Piece
from widgets.signs import SIGNS, sign_of
from widgets.summary import headline


class ActivityLine(OneLine):
    """`● Edit docs/guide.md   0:12`; says why when the agent cannot go on."""

    DEFAULT_CSS = "ActivityLine { padding: 0 1; color: $text-muted; }"

    def show(self, state: SessionState, now: float) -> None:
        """Show what `state` does as of `now` (seconds since the epoch)."""
        self.say(*activity_pieces(state, now))


def activity_pieces(state: SessionState, now: float) -> tuple[Line, Line]:
    """The left and the right half of an activity line."""
    sign = sign_of(state)
    loud = sign.style if state.status in ("failed", "limited", "needs-you") else ""
    left = (Piece(sign.shape + " ", sign.style), Piece(headline(state, now), loud, 1, 12))
    right = [_trouble(state)]
    if state.turn is not None and state.status == "working":
        right.append(Piece(" " + fmt.pad_left(fmt.age(now - state.turn.started_at), 5), "", 3, 6))
    return left, tuple(piece for piece in right if piece.text)


def _trouble(state: SessionState) -> Piece:
    """What was refused or has to be said, beside what goes on."""
    if error := next((c.error for c in (state.model, state.mode, state.effort) if c.error), ""):
        return Piece("✗ " + fmt.one_line(error), SIGNS["failed"].style, 2, 12)
    return Piece(fmt.one_line(state.notice), SIGNS["limited"].style, 2, 12)
