"""What the fleet list says about one session, as lines; and the group a session is listed under.

Pure functions of a state and the time. This module must not know the list.
"""

from core.session.state import SessionState, Status
from widgets import format as fmt
from widgets.line import Line, Piece, joined, whole, wrapped
from widgets.signs import MUTED, SIGNS, is_elsewhere, sign_of
from widgets.summary import budget_mark, cost_text, headline, name_of

GROUPS = ("NEEDS YOU", "FAILED", "NO LINK", "LIMITED", "WORKING", "IDLE", "ELSEWHERE", "ENDED")
GROUP_OF: dict[Status, str] = {
    "needs-you": "NEEDS YOU",
    "failed": "FAILED",
    "away": "NO LINK",
    "working": "WORKING",
    "starting": "WORKING",
    "limited": "LIMITED",
    "idle": "IDLE",
    "ended": "ENDED",
}
LOUD = {
    "NEEDS YOU": SIGNS["needs-you"].style,
    "FAILED": SIGNS["failed"].style,
    "LIMITED": SIGNS["limited"].style,
}
"""Groups whose heading has a colour; all others are muted."""

LOOKED_AT = {"needs-you": "", "failed": SIGNS["failed"].style}
LOOKED_AT |= {"limited": SIGNS["limited"].style, "away": SIGNS["away"].style}
"""The style of what is said of a session a person should look at."""

LABEL_FROM = 38
"""From this width on, in cells, the context's fill is called by its name."""

ROOMY_FROM = 72
"""From this width on, in cells, what a session does keeps 24 cells in its one line, below it 12."""

MODEL_FROM, BRANCH_FROM = 100, 120
"""From these widths on, in cells, a session's one line has a column for its model, for its branch."""


def group_of(state: SessionState) -> int:
    """The index in `GROUPS` a session is listed under."""
    return GROUPS.index("ELSEWHERE" if is_elsewhere(state) else GROUP_OF[state.status])


def heading(group: int, count: int) -> tuple[Line, Line]:
    """The line over a group: its word and how many sessions stand in it."""
    style = LOUD.get(GROUPS[group], MUTED)
    return (Piece(GROUPS[group], f"bold {style}"),), (Piece(str(count), style),)


def name_line(state: SessionState, now: float, number: int) -> tuple[Line, Line]:
    """Shape, name, and at the right the time in state and the cost."""
    sign = sign_of(state)
    own_word = is_elsewhere(state) or state.status in ("starting", "limited")
    left = (
        Piece(f"{sign.shape} ", sign.style),
        *_number(number),
        Piece(name_of(state), "bold", 2, 8, stays=True),
        *_host(state),
        *((whole(f" {sign.word}", sign.style, 1),) if own_word else ()),
        *_marks(state),
    )
    return left, _figures(state, now)


def _marks(state: SessionState) -> Line:
    """What a person has done to it, or a budget does: beside its name."""
    mark = budget_mark(state)
    return (
        *((whole(f" {mark}", SIGNS["limited"].style, 1),) if mark else ()),
        *((whole(" muted", MUTED, 1),) if state.muted else ()),
    )


def doing_line(state: SessionState, now: float, home: str = "") -> tuple[Line, Line]:
    """What it asks or does; bright where a person should look."""
    return _doing(state, report_text(state) or headline(state, now, home))


def doing_lines(state: SessionState, now: float, home: str, width: int) -> list[tuple[Line, Line]]:
    """The same in two lines of `width` cells where a person should look and one cannot hold it."""
    first, *rest = wrapped(headline(state, now, home), width - 4) or [""]
    if not rest or is_elsewhere(state) or state.status not in LOOKED_AT:
        return [doing_line(state, now, home)]
    return [_doing(state, first.rstrip(" ·")), _doing(state, " ".join(rest))]


def _doing(state: SessionState, text: str) -> tuple[Line, Line]:
    style = MUTED if is_elsewhere(state) else LOOKED_AT.get(state.status, MUTED)
    return (Piece("    "), Piece(text, style, 1, 4)), ()


def report_text(state: SessionState) -> str:
    """What a working agent reported in this turn, after its share in percent; "" where it did not.

    A retry or an interrupt is more than that: then it is not told.
    """
    report, turn = state.report, state.turn
    if state.status != "working" or report is None or turn is None or report.at < turn.started_at:
        return ""
    if state.retry is not None or turn.interrupting_since:
        return ""
    share = f"{fmt.share(report.share).strip()} · " if report.share is not None else ""
    return share + fmt.one_line(report.text)


def place_line(state: SessionState, home: str, width: int) -> tuple[Line, Line]:
    """Where it works, on which branch, with which model, and how full its context is, in `width` cells.

    What does not fit whole is left out, the directory first; of that only whole folders are.
    """
    branch, model, fill = fmt.one_line(state.branch), fmt.model(state.model.value), _fill(state)
    label = "ctx " if width >= LABEL_FROM else ""
    facts = [Piece(branch, MUTED, 4, 12), whole(model, MUTED, 3)]
    room = width - sum(piece.cells for piece in joined(facts, " · ")) - 8 - len(label + fill)
    where = fmt.path(state.directory, max(1, room), home)
    if where.rsplit("/", 1)[-1] == state.directory.rsplit("/", 1)[-1]:
        facts.insert(0, whole(where, MUTED, 2))
    return (Piece("    "), *joined(facts, " · ")), (Piece(label + fill, MUTED),) if fill else ()


def compact_line(
    state: SessionState, now: float, number: int, name_cells: int, width: int = 80, home: str = ""
) -> tuple[Line, Line]:
    """Everything about a session in one line; `name_cells` 0 is the narrow one, without what it does."""
    sign = sign_of(state)
    name = fmt.pad(name_of(state), name_cells) if name_cells else name_of(state)
    left = (Piece(f"{sign.shape} ", sign.style), *_number(number), Piece(name, "bold", 5, 8, stays=True))
    left += (*_host(state), *_marks(state))
    if not name_cells:
        return left, _figures(state, now)
    text = report_text(state) or headline(state, now, home)
    least = 24 if width >= ROOMY_FROM else 12  # all rows let go of the same figures, so that those align
    doing = Piece(text, LOOKED_AT.get(state.status, MUTED), 2, least, stays=True)
    left += (Piece("  "), whole(f"{fmt.pad(sign.word, 9)}  ", sign.style, 3), doing)
    facts = [
        _column(fmt.one_line(state.branch), 16) if width >= BRANCH_FROM else Piece(""),
        _column(fmt.model(state.model.value), 10) if width >= MODEL_FROM else Piece(""),
        whole(fmt.pad_left(_fill(state), 5), MUTED, 1),
    ]
    return left, (*joined(facts), *_figures(state, now))


def _column(text: str, cells: int) -> Piece:
    """A text in a column of its own."""
    return whole(fmt.pad(fmt.shorten_middle(text, cells), cells), MUTED, 1)


def _number(number: int) -> Line:
    """The key that shows the session's pane."""
    return (Piece(f"{number} " if number else "  ", MUTED),)


def _host(state: SessionState) -> Line:
    """The other machine it runs on."""
    return (Piece(f" @{fmt.one_line(state.host)}", MUTED, 3, 6),) if state.host else ()


def _fill(state: SessionState) -> str:
    """How full the context is; the tokens in it while its size is unknown, "" while nothing is."""
    usage = state.usage
    if usage.context_fill is not None:
        return fmt.share(usage.context_fill).strip()
    return fmt.tokens(usage.context_tokens) if usage.context_tokens else ""


def _figures(state: SessionState, now: float) -> Line:
    """Time in state and cost, in fixed widths."""
    since = fmt.age(now - state.since) if state.since else ""
    return (
        whole(fmt.pad_left(since, 6), "", 6),
        whole(fmt.pad_left(cost_text(state), 7), MUTED, 4),
    )
