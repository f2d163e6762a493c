"""A diff as strips: numbers, signs and colours, changed words stressed, the rest of a long one folded away.

What a file holds is shown with every control and invisible character as a symbol: a person judges these
lines. Must not know how a diff is made.
"""

from collections.abc import Iterator, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from core.session.diff import DiffRow
from widgets.render.palette import Palette
from widgets.render.safe import reveal
from widgets.render.wrap import NO_LEAD, Lead, fold, pad, truncate

FOLD_AFTER = 20
"""How many rows a folded diff shows."""

_SIGNS = {"same": " ", "removed": "-", "added": "+", "gap": "⋯"}


def diff_strips(
    rows: Sequence[DiffRow], width: int, palette: Palette, *, limit: int | None = FOLD_AFTER, indent: int = 0
) -> list[Strip]:
    """`rows` as strips of at most `width` cells after `indent` spaces; past `limit` rows only "+38 lines"."""
    lead = NO_LEAD.then(" " * indent) if 0 < indent < width else NO_LEAD
    shown = rows if limit is None or len(rows) <= limit + 1 else rows[:limit]
    digits = len(str(max([max(row.old_line, row.new_line) for row in shown], default=0)))
    strips = [strip for row in shown for strip in _row_strips(row, width, palette, lead, digits)]
    if len(shown) < len(rows):
        hidden = len(rows) - len(shown)
        more = Segment(f"{' ' * digits} +{hidden} lines", palette.dim)
        strips.append(truncate([*lead.segments, more], width))
    return strips


def _row_strips(row: DiffRow, width: int, palette: Palette, lead: Lead, digits: int) -> Iterator[Strip]:
    style, word = _styles(row, palette)
    if row.kind == "gap":
        count = f" {row.skipped} lines" if row.skipped else ""
        yield truncate([*lead.segments, Segment(f"{_SIGNS['gap']:>{digits}}{count}", palette.dim)], width)
        return
    number = row.old_line if row.kind == "removed" else row.new_line
    gutter = palette.line_number + Style(bgcolor=style.bgcolor)
    first = lead.then(f"{number or '':>{digits}} ", gutter).then(f"{_SIGNS[row.kind]} ", style)
    rest = lead.then(" " * digits + " ", gutter).then("↪ ", style + palette.dim)
    for strip in fold(_segments(row, style, word), width, first, rest):
        yield pad(strip, width, style) if style.bgcolor is not None else strip


def _styles(row: DiffRow, palette: Palette) -> tuple[Style, Style]:
    """The style of a row, and of the words that changed in it."""
    if row.kind == "removed":
        return palette.removed, palette.removed_word
    if row.kind == "added":
        return palette.added, palette.added_word
    return palette.text, palette.text


def _segments(row: DiffRow, style: Style, word: Style) -> list[Segment]:
    text = row.text.removesuffix("\r") if row.kind == "same" else row.text
    segments, position = [], 0
    for start, end in row.spans:
        segments.append(Segment(_shown(text[position:start]), style))
        segments.append(Segment(_shown(text[start:end]), word))
        position = end
    segments.append(Segment(_shown(text[position:]), style))
    return [segment for segment in segments if segment.text]


def _shown(text: str) -> str:
    return reveal(text).replace("\t", "    ")
