"""What fills a context window as lines: a bar of it all, then a bar a part. Pure functions of the measure.

This module must not know who measured.
"""

from collections.abc import Sequence

from msgspec import Struct
from rich.cells import cell_len

from core.session.context import Context, Part
from widgets import format as fmt
from widgets.cost_rows import blocks
from widgets.line import Line, Piece, whole
from widgets.meters import FULL
from widgets.signs import MUTED

FIGURES = 7 + 1 + 6
"""Cells of tokens and share, with the gap before each."""

NOTES = {"deferred": "when needed, not counted", "buffer": "kept free for compacting"}


class ContextRow(Struct, frozen=True):
    """A line below the whole: a part, the `heading` over the pieces of some, or (`inner`) one of those."""

    part: Part
    inner: bool = False
    heading: bool = False


def context_rows(context: Context) -> list[ContextRow]:
    """The parts as the CLI tells them; below them memory files and MCP tools, the largest first."""
    rows = [ContextRow(part) for part in context.parts]
    for name, pieces in (("Memory files", context.files), ("MCP tools", context.tools)):
        if pieces:
            rows.append(ContextRow(Part(f"{name}, one by one"), heading=True))
            largest = sorted(pieces, key=lambda piece: -piece.tokens)
            rows += [ContextRow(piece, inner=True) for piece in largest]
    return rows


def context_line(row: ContextRow, context: Context, width: int, name: int) -> Line:
    """A row: its name in `name` cells, a bar as against the largest part in use, tokens, share of all."""
    part, inner = row.part, row.inner
    if row.heading:
        return (Piece(part.name, MUTED, 1),)
    shown = fmt.shorten_middle(fmt.one_line(part.name), name - 2 * inner)
    share = part.tokens / context.window if context.window else None
    said = "" if inner or part.kind == "deferred" else fmt.share(share)
    return (
        Piece(fmt.pad("  " * inner + shown, name), MUTED if inner else ""),
        _bar(row, context, max(0, width - name - FIGURES - 2)),
        Piece(fmt.pad_left(fmt.tokens(part.tokens), 7), MUTED if inner else "bold"),
        Piece(f" {said}", MUTED),
    )


def _bar(row: ContextRow, context: Context, width: int) -> Piece:
    part = row.part
    if row.inner or part.kind in ("free", *NOTES):
        return Piece("  " + fmt.pad("" if row.inner else NOTES.get(part.kind, ""), width), MUTED)
    most = max((other.tokens for other in context.parts if other.kind == "used"), default=0)
    return Piece("  " + fmt.pad(blocks(part.tokens / most if most else 0.0, width), width), "$text-primary")


def whole_line(context: Context, width: int) -> Line:
    """All of the window in one bar: what is used, what is kept free for compacting, what is left."""
    if not context.window:
        return ()
    used = min(width, max(1, round(context.tokens / context.window * width))) if context.tokens else 0
    kept = sum(part.tokens for part in context.parts if part.kind == "buffer")
    buffer = min(width - used, round(kept / context.window * width))
    full = context.fill is not None and context.fill >= FULL
    return (
        Piece("█" * used, "$text-warning" if full else "$text-primary"),
        Piece("░" * (width - used - buffer), MUTED),
        Piece("▒" * buffer, MUTED),
    )


def head_line(context: Context) -> Line:
    """How much is used, and from where on the CLI compacts by itself."""
    used = f"{fmt.tokens(context.tokens)} of {fmt.tokens(context.window)} tokens"
    told = (Piece(used, "bold"), Piece(f"  {fmt.share(context.fill).strip()}"))
    if not context.compacts_at:
        return told
    return (*told, whole(f"   compacts by itself at {fmt.tokens(context.compacts_at)}", MUTED, 1))


def name_cells(rows: Sequence[ContextRow], width: int) -> int:
    """How wide the names are: as wide as the longest, but they leave room for the bars."""
    named = [fmt.one_line(row.part.name) for row in rows if not row.heading]
    longest = max(map(cell_len, named), default=0) + 2
    return max(12, min(longest, width - FIGURES - 18))
