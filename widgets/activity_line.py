"""The line under a conversation: what the agent is doing now, or what still goes on beside a turn that ended.

How a turn ended is said by the conversation itself; what to do about it is said here.
"""

from core.session.state import PlanHold, Postponement, SessionState
from widgets import format as fmt
from widgets.line import Line, Piece
from widgets.one_line import OneLine
from widgets.signs import MUTED, SIGNS, sign_of
from widgets.summary import ADVICE, budget_mark, budget_text, headline

HOLDS: dict[Postponement, str] = {"outline": "outline first", "discuss": "to be discussed"}


class ActivityLine(OneLine):
    """`● Edit docs/guide.md   0:12`; says why when the agent cannot go on; not there while it has no news."""

    DEFAULT_CSS = """
    ActivityLine { padding: 0 1; color: $foreground-muted; }
    ActivityLine.-silent { display: none; }
    """

    def show(self, state: SessionState, now: float, home: str = "") -> None:
        """Show what `state` does as of `now` (seconds since the epoch)."""
        left, right = activity_pieces(state, now, home)
        self.set_class(not left and not right, "-silent")
        self.say(left, right)


def activity_pieces(state: SessionState, now: float, home: str = "") -> tuple[Line, Line]:
    """The left and the right half of an activity line; both empty where there is nothing to say."""
    right = [
        _trouble(state),
        _budget(state),
        Piece(hold_text(state.plan_hold, now), SIGNS["limited"].style, 2, 12),
    ]
    if state.turn is not None and state.status == "working":
        right.append(Piece(" " + fmt.pad_left(fmt.age(now - state.turn.started_at), 5), "", 3, 6))
    return _left(state, now, home), tuple(piece for piece in right if piece.text)


def _left(state: SessionState, now: float, home: str) -> Line:
    """What goes on, or why nothing does."""
    sign = sign_of(state)
    if state.status in ("idle", "failed", "ended") and state.exit is None:
        if text := beside(state):
            return Piece(SIGNS["working"].shape + " ", MUTED), Piece(text, "", 1, 12)
        text = ADVICE.get(state.last_turn.error_status, "") if state.last_turn else ""
        return (Piece(sign.shape + " ", sign.style), Piece(text, "", 1, 12)) if text else ()
    loud = sign.style if state.status in ("failed", "limited", "needs-you", "away") else ""
    return (Piece(sign.shape + " ", sign.style), Piece(headline(state, now, home), loud, 1, 12))


def _budget(state: SessionState) -> Piece:
    """A budget that is nearly or wholly used while the agent goes on."""
    budget = state.budget
    if budget is None or not (mark := budget_mark(state)):
        return Piece("")
    return Piece(f" ⏸ {mark}: {budget_text(budget).removeprefix('budget: ')}", SIGNS["limited"].style, 2, 12)


def beside(state: SessionState) -> str:
    """What runs on although no turn does: `2 tasks: Callers in this repository, …`."""
    running = state.running_tasks
    if not running:
        return ""
    names = ", ".join(fmt.one_line(task.description or task.doing or task.kind) for task in running)
    return f"{fmt.count(len(running), 'task')} in the background: {names}".rstrip(": ")


def hold_text(hold: PlanHold | None, now: float) -> str:
    """A plan that was sent back and for how much longer the same one is denied; "" where none is."""
    if hold is None or hold.done or now >= hold.until:
        return ""
    denied = f" · {hold.denied} denied" if hold.denied else ""
    return f" ⏸ plan held: {HOLDS[hold.how]} · {fmt.age(hold.until - now)}{denied}"


def _trouble(state: SessionState) -> Piece:
    """What was refused or has to be said, beside what goes on."""
    if error := next((c.error for c in (state.model, state.mode, state.effort) if c.error), ""):
        return Piece("✗ " + fmt.one_line(error), SIGNS["failed"].style, 2, 12)
    return Piece(fmt.one_line(state.notice), SIGNS["limited"].style, 2, 12)
