"""The block a stream is in the middle of, drawn again and again at the cost of what is new.

Each shows what a full rendering of the same text would, but for the colours of code. Must not know
the blocks before it.
"""

import re
from typing import NamedTuple

from rich.segment import Segment
from textual.strip import Strip

from widgets.render.blocks import BULLETS, MIN_ROOM, Block, cells_of_row, parse, table_of
from widgets.render.code_block import code_strips
from widgets.render.inline import inline, settled_inline
from widgets.render.palette import Palette
from widgets.render.sketch import sketch
from widgets.render.wrap import NO_LEAD, Lead, wrap, wrap_open

# A line that begins like this can only be part of a paragraph, whatever follows.
_PROSE = (
    r"(?:[^\W\d_]|[\"'(\[,.;/\\$%&@^?!{}<=]|\*{1,2}[^\s*]|_{1,2}[^\s_]|`{1,2}[^`\n]|~{1,2}[^~\n]|\+[^\s+]"
    r"|\d{1,9}[^\d.)\n]|[^\x00-\x7f])"
)
PROSE = re.compile(_PROSE)
_ONE_LINE_ITEM = re.compile(rf"(?:[-*+]|(?P<number>\d{{1,9}})[.)]) {{1,4}}(?!\[)(?P<text>{_PROSE}.*)\n?")
# A line that ends a paragraph above it, whatever follows.
INTERRUPTS = re.compile(rf">|#{{1,6}} |(?:[-*+]|1[.)]) {{1,4}}{_PROSE}")
_BAR = re.compile(r"(?<!\\)\|")
_STEP = 80  # characters a paragraph grows before another part of it is settled


def item_marker(partial: str) -> str:
    """The "-", "*", "+", "." or ")" that marks the item which `partial` is sure to begin; else ""."""
    match = _ONE_LINE_ITEM.fullmatch(partial)
    return (partial[len(match["number"])] if match["number"] else partial[0]) if match else ""


class Item(NamedTuple):
    """A list item of one line: what stands before it, what it says, its number in an ordered list."""

    lead: Lead
    text: str
    number: int | None


def one_line_item(source: str, number: int | None, palette: Palette) -> Item | None:
    """The list item that has one line so far; None for anything else.

    `number` is what an ordered list goes on with, None where it begins.
    """
    match = _ONE_LINE_ITEM.fullmatch(source)
    if match is None:
        return None
    if own := match["number"]:
        number = int(own) if number is None else number
        return Item(NO_LEAD.then(f"{number}. ", palette.marker), match["text"], number)
    return Item(NO_LEAD.then(f"{BULLETS[0]} ", palette.marker), match["text"], None)


class OpenParagraph:
    """A paragraph that grows: the part in which no mark is open is parsed and wrapped only once."""

    def __init__(self, width: int, palette: Palette, lead: Lead = NO_LEAD) -> None:
        """`width` in cells; `lead` stands before the first line, and as much space before the others."""
        self._width, self._palette = width, palette
        self.lead = lead
        self._rest = NO_LEAD.then(" " * lead.cells) if 0 < lead.cells <= width - MIN_ROOM else NO_LEAD
        self._forget()

    def _forget(self) -> None:
        self._done = ""
        self._tried = 0
        self._strips: list[Strip] = []
        self._carry: list[Segment] = []

    def draw(self, content: str) -> list[Strip]:
        """The strips of `content`, which begins with what the last call had."""
        content = content.strip()
        if not content.startswith(self._done):
            self._forget()
        if len(content) - self._tried > _STEP:
            self._settle(content)
        strips = list(self._strips)
        lines = inline(content[len(self._done) :], self._palette, self._palette.text)
        if self._carry:
            lines[0] = [*self._carry, *lines[0]]
        for line in lines:
            strips.extend(wrap(line, self._width, self._rest if strips else self.lead, self._rest))
        return strips

    def _settle(self, content: str) -> None:
        """Move what ends at a space, and needs nothing that follows, to the part that is done."""
        self._tried = len(content)
        cut = content.rfind(" ", len(self._done), len(content) - 1) + 1
        part = content[len(self._done) : cut]
        if not part.strip() or part.endswith("  ") or "\n" in part[-3:] or "\t" in part:
            return
        settled = settled_inline(part[:-1], self._palette, self._palette.text)
        if settled is None:
            return
        settled[0] = [*self._carry, *settled[0]]
        *lines, last = settled
        last.append(Segment(" ", self._palette.text))
        for line in lines:
            self._strips.extend(
                wrap(line, self._width, self._rest if self._strips else self.lead, self._rest)
            )
        strips, self._carry = wrap_open(
            last, self._width, self._rest if self._strips else self.lead, self._rest
        )
        self._strips.extend(strips)
        self._done = content[:cut]


class OpenFence:
    """A fence that is not closed yet: each line of code is laid out once."""

    def __init__(self, block: Block, width: int, palette: Palette) -> None:
        """`block` is an unfinished fence at the margin."""
        token = block.tokens[0]
        self._width, self._palette = width, palette
        self._closing = re.compile(rf" {{0,3}}{re.escape(token.markup[0])}{{{len(token.markup)},}}[ \t]*")
        self._mark = token.markup[0]
        self.language = next(iter(token.info.split()), "")
        self.lines: list[str] = []
        self._strips: list[Strip] = []
        if token.content:
            for line in token.content.removesuffix("\n").split("\n"):
                self.take(line)

    def take(self, line: str) -> bool:
        """One more finished line; False if it closes the fence."""
        if self._closing.fullmatch(line):
            return False
        self.lines.append(line)
        self._strips.extend(self._laid_out(line))
        return True

    def draw(self, partial: str) -> list[Strip]:
        """The strips with the line that is still being written."""
        if not partial.strip(self._mark + " \t"):  # nothing yet, or the beginning of the line that closes it
            return self._strips or self._laid_out("")
        return self._strips + self._laid_out(partial)

    def _laid_out(self, line: str) -> list[Strip]:
        return code_strips([sketch(line, self.language, self._palette)], self._width, self._palette)


class OpenTable:
    """A table that may get more rows: finished ones are parsed once, laid out once if no column widens."""

    def __init__(self, block: Block, source: str, width: int, palette: Palette) -> None:
        """`block` is a table in `source`."""
        self._palette = palette
        self._columns = sum(token.type == "th_open" for token in block.tokens)
        self._head = "\n".join(source.split("\n")[block.start : block.start + 2])
        self._table, rows = table_of(block.tokens, width, palette)
        for row in rows:
            self._table.add(row)

    def take(self, line: str) -> bool:
        """One more finished line; False if it is no row of the table."""
        contents = self._row(line)
        if contents is None:
            return False
        self._table.add(cells_of_row(contents, self._palette))
        return True

    def strips(self) -> list[Strip]:
        """All finished rows; the list is the table's own."""
        return self._table.strips()

    def draw(self, partial: str) -> list[Strip] | None:
        """The strips with the row that is still being written; None if that line is no row."""
        if not partial.strip():
            return self.strips()
        contents = self._row(partial)
        return None if contents is None else self._table.with_row(cells_of_row(contents, self._palette))

    def _row(self, line: str) -> list[str] | None:
        """The cells of `line`, as the parser sees it below this table's head."""
        if line[:1] == "|":  # nothing else begins like this
            return self._split(line)
        blocks = parse(f"{self._head}\n{line}")
        if len(blocks) != 1 or blocks[0].end != 3:
            return None
        return [token.content for token in blocks[0].tokens if token.type == "inline"][self._columns :]

    def _split(self, line: str) -> list[str]:
        """What the parser does with a row: extra cells are dropped, missing ones are empty."""
        cells = [cell.replace("\\|", "|") for cell in _BAR.split(line.strip(" \t"))]
        cells = cells[1:-1] if len(cells) > 1 and cells[-1] == "" else cells[1:]
        return [cell.strip(" \t") for cell in cells[: self._columns]] + [""] * (self._columns - len(cells))
