"""What a list of past sessions says about each, in columns; and what a list of hits says about each.

Pure functions of rows and the time. This module must not know a list, a file or a catalogue.
"""

from typing import Literal

from msgspec import Struct, structs
from rich.cells import cell_len

from widgets import format as fmt
from widgets.line import Line, Piece, fit
from widgets.signs import ELSEWHERE, MUTED, SIGNS

Mark = Literal["", "here", "elsewhere"]
"""Whether a session runs now: not, in a pane of this deck, or in another terminal."""

GAP = 2
"""The cells between two columns."""

_MARKS = {
    "": Piece("  "),
    "here": Piece(f"{SIGNS['working'].shape} ", SIGNS["working"].style),
    "elsewhere": Piece(f"{ELSEWHERE.shape} ", ELSEWHERE.style),
}


class SessionRow(Struct, frozen=True):
    """A past session. `at` is its newest message, in seconds since the epoch.

    `models` are those that answered, the newest last. `turns` and `cost_usd` are None while they are not
    known; `exact` costs are the CLI's own, others are estimates, and `partial` ones lack a model whose price
    is not known. `copied`: all its answers are another session's, and count there.
    """

    key: str
    title: str
    directory: str = ""
    branch: str = ""
    at: float = 0.0
    size_bytes: int = 0
    turns: int | None = None
    cost_usd: float | None = None
    exact: bool = False
    partial: bool = False
    mark: Mark = ""
    models: tuple[str, ...] = ()
    copied: bool = False


class HitRow(Struct, frozen=True):
    """A place where something was found; `marks` are (start, end) in `passage`."""

    key: str
    title: str
    passage: str
    marks: tuple[tuple[int, int], ...] = ()
    role: str = ""
    directory: str = ""
    at: float = 0.0


class Columns(Struct, frozen=True):
    """The widths of the columns in cells; 0 leaves one out."""

    title: int
    directory: int = 0
    branch: int = 0
    model: int = 0
    age: int = 4
    size: int = 0
    turns: int = 0
    cost: int = 9


TITLE_CELLS = 38
"""What a title keeps before others get anything, where there is room for that."""

_STEPS = (
    *(("directory", 18), ("title", 40), ("model", 8), ("turns", 5), ("branch", 10), ("size", 6)),
    *(("directory", 24), ("model", 12), ("title", 44), ("branch", 14), ("directory", 34)),
    *(("title", 60), ("branch", 18), ("model", 18)),
)
"""What comes beside title, age and cost as there is room: which column, and up to which width, in cells."""


def columns(width: int) -> Columns:
    """The columns that fit into a width: title and age always, the rest as there is room."""
    found = Columns(TITLE_CELLS)
    left = width - 2 - TITLE_CELLS - (found.age + GAP) - (found.cost + GAP)
    if left < _STEPS[0][1] + GAP:
        directory = 0 if width < 56 else max(14, width // 4)
        taken = directory and directory + GAP
        return Columns(max(8, left + TITLE_CELLS - taken), directory)
    cells = {"title": TITLE_CELLS}
    for name, most in _STEPS:
        more = min(left, most - cells[name]) if name in cells else most + GAP
        if more <= left:
            cells[name] = most if name not in cells else cells[name] + more
            left -= more
    return structs.replace(found, **{**cells, "title": cells["title"] + left})


def heading(width: int) -> Line:
    """The names of the columns."""
    found = columns(width)
    named = [
        fmt.pad("  title", found.title + 2),
        *([fmt.pad("directory", found.directory)] if found.directory else []),
        *([fmt.pad("branch", found.branch)] if found.branch else []),
        *([fmt.pad("model", found.model)] if found.model else []),
        fmt.pad_left("age", found.age),
        *([fmt.pad_left("size", found.size)] if found.size else []),
        *([fmt.pad_left("turns", found.turns)] if found.turns else []),
        fmt.pad_left("cost", found.cost),
    ]
    return (Piece("  ".join(named), MUTED),)


def session_line(row: SessionRow, width: int, now: float, home: str = "") -> Line:
    """One session in its columns."""
    found = columns(width)
    title = fmt.one_line(row.title) or "(no title)"
    pieces = [_MARKS[row.mark], Piece(fmt.pad(title, found.title), "" if row.title else MUTED)]
    if found.directory:
        pieces.append(_cell(fmt.pad(fmt.path(row.directory, found.directory, home), found.directory)))
    if found.branch:
        pieces.append(_cell(fmt.pad(fmt.one_line(row.branch), found.branch)))
    if found.model:
        pieces.append(_cell(fmt.pad(models_text(row.models, found.model), found.model)))
    pieces.append(_cell(fmt.pad_left(fmt.ago(now - row.at) if row.at else "", found.age), ""))
    if found.size:
        pieces.append(_cell(fmt.pad_left(fmt.size(row.size_bytes), found.size)))
    if found.turns:
        pieces.append(_cell(fmt.pad_left("" if row.turns is None else str(row.turns), found.turns)))
    pieces.append(_cell(fmt.pad_left(cost_text(row), found.cost), ""))
    return tuple(pieces)


def _cell(text: str, style: str = MUTED) -> Piece:
    return Piece(f"  {text}", style)


def models_text(models: tuple[str, ...], width: int) -> str:
    """The newest model in `width` cells, with how many others there were: `opus 5.5 +1`, or only `opus`."""
    if not models:
        return ""
    more = f" +{len(models) - 1}" if len(models) > 1 else ""
    name = fmt.model(models[-1])
    family = name.split(" ")[0]
    told = (f"{name}{more}", name, f"{family}{more}", family)
    cut = f"{fmt.shorten(family, width - len(more))}{more}"
    return next((text for text in told if cell_len(text) <= width), cut)


def cost_text(row: SessionRow) -> str:
    """`$0.91` the CLI told, `~$0.91` an estimate, `~$0.91+` one with something unpriced in it."""
    if row.cost_usd is None:
        return ""
    if row.copied and not row.exact:
        return fmt.COPIED
    more = "+" if row.partial else ""
    if row.partial and not row.cost_usd:
        return "unpriced"
    return f"{'' if row.exact else '~'}{fmt.money(row.cost_usd)}{more}"


def hit_lines(row: HitRow, width: int, now: float, home: str = "") -> tuple[tuple[Line, Line], ...]:
    """One hit: whose it is, and the passage with what was looked for."""
    left = (Piece(fmt.one_line(row.title) or "(no title)", "bold", 1, 12),)
    facts = [fmt.path(row.directory, 30, home), fmt.ago(now - row.at) if row.at else ""]
    right = (Piece("  ".join(fact for fact in facts if fact), MUTED, 2, 4),)
    who = fmt.pad(fmt.one_line(row.role), 10)
    return (left, right), (fit((Piece(f"  {who}", MUTED), *_passage(row, width - 12)), width), ())


def _passage(row: HitRow, width: int) -> Line:
    """The passage with its first mark in sight."""
    text, marks = row.passage, row.marks
    start = 0
    if marks and marks[0][1] > width - 8:
        start = max(0, marks[0][0] - width // 3)
    pieces = [Piece("…", MUTED)] if start else []
    at = start
    for first, end in marks:
        if end <= at:
            continue
        before, found = _shown(text[at : max(at, first)]), _shown(text[max(at, first) : end])
        pieces += [Piece(before), Piece(found, "bold $text-accent")]
        at = end
    pieces.append(Piece(_shown(text[at:]), "", 1, 0))
    return tuple(piece for piece in pieces if piece.text)


def _shown(text: str) -> str:
    """A part of a line: blanks at its ends count."""
    body = fmt.one_line(text)
    if not body:
        return " " if text else ""
    return (" " if text[:1].isspace() else "") + body + (" " if text[-1:].isspace() else "")
