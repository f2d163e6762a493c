"""A line of a cost report: what for, a bar, money, tokens. Pure; it must not know where they come from."""

from collections.abc import Iterable
from datetime import date

from msgspec import Struct
from rich.cells import cell_len

from widgets import format as fmt
from widgets.line import Line, Piece
from widgets.signs import MUTED

EIGHTHS = " ▏▎▍▌▋▊▉"
FIGURES = 9 + 2 + 7 + 2 + 8
"""Cells of cost, tokens and answers, with their gaps."""


class CostRow(Struct, frozen=True):
    """What one day, week, project or model cost; `partial`: not all of it has a price."""

    key: str
    name: str
    cost_usd: float = 0.0
    tokens: int = 0
    answers: int = 0
    partial: bool = False


def cost_line(row: CostRow, width: int, most_usd: float, name: int) -> Line:
    """Name in `name` cells, bar, figures, in `width` cells; the longest bar is `most_usd`."""
    bar = max(0, width - name - FIGURES - 4)
    shown = fmt.shorten_middle(_named(row.name), name)
    return (
        Piece(fmt.pad(shown, name)),
        Piece(
            "  " + fmt.pad(blocks(row.cost_usd / most_usd if most_usd else 0.0, bar), bar), "$text-primary"
        ),
        Piece("  " + fmt.pad_left(_cost(row), 9), "bold"),
        Piece("  " + fmt.pad_left(fmt.tokens(row.tokens), 7), MUTED),
        Piece("  " + fmt.pad_left(f"{row.answers:,}", 8), MUTED),
    )


def cost_title(width: int, what: str, name: int) -> Line:
    """The names of the columns."""
    bar = max(0, width - name - FIGURES - 4)
    figures = f"  {fmt.pad_left('cost', 9)}  {fmt.pad_left('tokens', 7)}  {fmt.pad_left('answers', 8)}"
    return (Piece(fmt.pad(what, name) + "  " + " " * bar + figures, MUTED),)


def blocks(share: float, width: int) -> str:
    """A bar of at most `width` cells, to an eighth of a cell; anything above nothing shows."""
    eighths = round(min(1.0, max(0.0, share)) * width * 8)
    if share > 0 and width:
        eighths = max(1, eighths)
    whole, rest = divmod(eighths, 8)
    return "█" * whole + (EIGHTHS[rest] if rest else "")


def name_cells(rows: Iterable[CostRow], width: int) -> int:
    """How wide the names are: as wide as the longest, a third of all at most."""
    longest = max((cell_len(_named(row.name)) for row in rows), default=0)
    return max(8, min(longest, width // 3))


def _cost(row: CostRow) -> str:
    if row.partial and not row.cost_usd:
        return "unpriced"
    return fmt.money(row.cost_usd) + ("+" if row.partial else "")


def _named(name: str) -> str:
    """A day with its weekday."""
    try:
        return f"{date.fromisoformat(name):%a} {name}"
    except ValueError:
        return fmt.one_line(name)
