"""What the fleet list says about one session, as lines; and the group a session is listed under.

Pure functions of a state and the time. This module must not know the list.
"""

from core.session.state import SessionState
from widgets import format as fmt
from widgets.line import Line, Piece, joined
from widgets.signs import ELSEWHERE, MUTED, sign_of
from widgets.summary import headline, name_of

GROUPS = ("NEEDS YOU", "WORKING", "IDLE", "ELSEWHERE", "ENDED")
GROUP_OF = {"needs-you": 0, "working": 1, "starting": 1, "limited": 1, "idle": 2, "ended": 4, "failed": 4}


def group_of(state: SessionState) -> int:
    """The index in `GROUPS` a session is listed under."""
    if sign_of(state) is ELSEWHERE:
        return GROUPS.index("ELSEWHERE")
    return GROUP_OF["idle"] if state.status == "failed" and state.exit is None else GROUP_OF[state.status]


def name_line(state: SessionState, now: float, number: int) -> tuple[Line, Line]:
    """Shape, name, and at the right the time in state and the cost."""
    sign = sign_of(state)
    own_word = state.status in ("starting", "limited", "failed", "ended")
    left = (
        Piece(f"{sign.shape} ", sign.style),
        *_number(number),
        Piece(name_of(state), "bold", 1, 8, stays=True),
        *((Piece(f" {sign.word}", sign.style, 2, len(sign.word) + 1),) if own_word else ()),
    )
    return left, _figures(state, now)


def doing_line(state: SessionState, now: float) -> tuple[Line, Line]:
    """What it asks or does."""
    style = "$text-accent" if state.status == "needs-you" else MUTED
    style = sign_of(state).style if state.status in ("failed", "limited") else style
    return (Piece("  "), Piece(headline(state, now), style, 1, 4)), ()


def place_line(state: SessionState, home: str, width: int) -> tuple[Line, Line]:
    """Where it works, on which branch, with which model, and how full its context is, in `width` cells."""
    branch = fmt.shorten(fmt.one_line(state.branch), 16)
    model = fmt.one_line(state.model.value)
    room = width - Piece(f"     {branch} · {model} · {_fill(state)}").cells
    where = fmt.path(state.directory, max(6, room), home)
    facts = joined([Piece(where, MUTED, 1, 4), Piece(branch, MUTED, 2, 6), Piece(model, MUTED, 3, 6)], " · ")
    return (Piece("  "), *facts), (Piece(_fill(state), MUTED),)


def compact_line(state: SessionState, now: float, number: int, name_cells: int) -> tuple[Line, Line]:
    """Everything about a session in one line; `name_cells` 0 is the narrow one, without what it does."""
    sign = sign_of(state)
    name = fmt.pad(name_of(state), name_cells) if name_cells else name_of(state)
    left = (Piece(f"{sign.shape} ", sign.style), *_number(number), Piece(name, "bold", 2, 8, stays=True))
    if not name_cells:
        return left, _figures(state, now)
    word = f"  {fmt.pad(sign.word, 9)}  "
    left += (Piece(word, sign.style, 5, Piece(word).cells), *doing_line(state, now)[0][1:])
    facts = joined([_fact(state.branch, 10, 1), _fact(state.model.value, 10, 3)])
    return left, (*facts, Piece(f" {_fill(state)} ", MUTED, 4, 7), *_figures(state, now))


def _fact(text: str, cells: int, gives: int) -> Piece:
    """A text in a column of its own, at most `cells` wide."""
    text = fmt.shorten(fmt.one_line(text), cells)
    return Piece(text, MUTED, gives, 4)


def _number(number: int) -> Line:
    """The key that shows the session's pane."""
    return (Piece(f"{number} " if number else "  ", MUTED),)


def _fill(state: SessionState) -> str:
    """How full the context is, five cells."""
    return fmt.share(state.usage.context_fill)


def _figures(state: SessionState, now: float) -> Line:
    """Time in state and cost, in fixed widths."""
    since = fmt.age(now - state.since) if state.since else ""
    return (
        Piece(fmt.pad_left(since, 5), "", 4, 5),
        Piece(fmt.pad_left(fmt.money(state.usage.cost_usd), 7), MUTED, 3, 7),
    )
