"""Markdown's block tokens as strips: headings, paragraphs, lists, quotes, code, tables, rules.

Blank lines are kept as the source has them, at most one: so a block's look depends on nothing that follows
it, which is what lets a stream render finished blocks once. Must not know how text arrives.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from typing import NamedTuple

from markdown_it.token import Token
from rich.style import Style
from textual.strip import Strip

from widgets.render.code import highlight
from widgets.render.code_block import code_strips
from widgets.render.inline import BLOCKS, inline
from widgets.render.palette import Palette
from widgets.render.sketch import sketch
from widgets.render.table import Cell, Table
from widgets.render.wrap import NO_LEAD, Lead, Line, wrap

MIN_ROOM = 12
"""Quotes and lists stop indenting when fewer cells than this would be left."""

SMALL_CODE = 12
"""Code of at most this many lines is always coloured by its lexer at once."""

BULLETS = "•◦▪"
_TASK = re.compile(r"\[([ xX])\]\s+")


class Fence(NamedTuple):
    """Where sketched code was laid out, so that it can be coloured properly later."""

    start: int  # index of its first strip
    text: str
    language: str
    first: Lead
    rest: Lead


class Block(NamedTuple):
    """One top-level block: its tokens, and its lines in the source from `start` up to `end`."""

    tokens: list[Token]
    start: int
    end: int

    @property
    def kind(self) -> str:
        """The type of its first token."""
        return self.tokens[0].type


def parse(source: str) -> list[Block]:
    """The top-level blocks of cleaned Markdown."""
    tokens: list[Token] = []
    BLOCKS.block.parse(source, BLOCKS, {}, tokens)
    return [Block(group, *(group[0].map or (0, 0))) for group in siblings(tokens)]


def siblings(tokens: list[Token]) -> Iterator[list[Token]]:
    """`tokens` cut into the groups that open and close on their first level."""
    start = depth = 0
    for index, token in enumerate(tokens):
        depth += token.nesting
        if depth == 0:
            yield tokens[start : index + 1]
            start = index + 1


def exact(text: str, language: str, palette: Palette) -> Iterable[Line]:
    """Code coloured by its lexer."""
    return highlight(text, language, palette)


def sketched(text: str, language: str, palette: Palette) -> Iterable[Line]:
    """Code coloured by guess, cheaply."""
    return [sketch(line, language, palette) for line in text.split("\n")]


class BlockRenderer:
    """Lays out the blocks of one source text, one after the other, into `strips`."""

    def __init__(
        self,
        source: str,
        width: int,
        palette: Palette,
        *,
        below: bool = False,
        gap: bool = False,
        number: int | None = None,
        draft: bool = False,
        defer: bool = False,
    ) -> None:
        """`below`: something stands above, a blank line between if `gap`; `number`: where a list goes on.

        `draft` sketches all code; `defer` sketches long code and notes it in `fences`.
        """
        self._lines = source.split("\n")
        self._width, self._palette = width, palette
        self._below, self._gap, self._number = below, gap, number
        self._draft, self._defer = draft, defer
        self._base = palette.text
        self._depth = 0
        self.strips: list[Strip] = []
        self.fences: list[Fence] = []

    def render(self, blocks: Iterable[list[Token]], first: Lead = NO_LEAD, rest: Lead = NO_LEAD) -> None:
        """Add sibling `blocks`, each a group of tokens; `first` stands before the very first line only."""
        lead = first
        for number, tokens in enumerate(blocks):
            if number or not self._depth:
                self.leave_gap(tokens, rest)
            _HANDLERS[tokens[0].type](self, tokens, lead, rest)
            lead = rest

    def items(
        self, items: Iterable[list[Token]], first: Lead = NO_LEAD, rest: Lead = NO_LEAD, *, number: int | None
    ) -> None:
        """Add the items of a list; `number` is the first one's, None for bullets."""
        self._depth += 1
        bullet = BULLETS[(self._depth - 1) % len(BULLETS)]
        lead = first
        for index, tokens in enumerate(items):
            if index:
                self.leave_gap(tokens, rest)
            self._item(tokens[1:-1], f"{bullet} " if number is None else f"{number + index}. ", lead, rest)
            lead = rest
        self._depth -= 1

    def leave_gap(self, tokens: list[Token], rest: Lead = NO_LEAD) -> None:
        """Add an empty line if the source has one before the block of `tokens`, and anything is above it."""
        line = (tokens[0].map or (0, 0))[0]
        apart = self._gap if line == 0 else not self._lines[line - 1].strip(" \t>")
        if apart and (self.strips or self._below):
            self.strips.append(Strip(rest.segments, rest.cells))

    def _item(self, tokens: list[Token], marker: str, first: Lead, rest: Lead) -> None:
        groups = list(siblings(tokens))
        if groups and groups[0][0].type == "paragraph_open" and (task := _TASK.match(groups[0][1].content)):
            marker = "☐ " if task[1] == " " else "☑ "
            content = copy(groups[0][1])
            content.content = content.content[task.end() :]
            groups[0] = [groups[0][0], content, *groups[0][2:]]
        lead, after = self._nested(first, rest, marker, " " * len(marker), self._palette.marker)
        if groups:
            self.render(groups, lead, after)
        else:
            self.strips.append(Strip(lead.segments, lead.cells))

    def _nested(self, first: Lead, rest: Lead, mark: str, after: str, style: Style) -> tuple[Lead, Lead]:
        """The leads inside a container; where room is short only its first line is marked."""
        lead = first.then(mark, style)
        if self._width - rest.cells - len(after) < MIN_ROOM:
            return (lead if lead.cells < self._width else first), rest
        return lead, rest.then(after, style if after.strip() else None)

    def _text(self, content: str, style: Style, first: Lead, rest: Lead) -> None:
        lead = first
        for line in inline(content, self._palette, style):
            self.strips.extend(wrap(line, self._width, lead, rest))
            lead = rest

    def _paragraph(self, tokens: list[Token], first: Lead, rest: Lead) -> None:
        self._text(tokens[1].content, self._base, first, rest)

    def _heading(self, tokens: list[Token], first: Lead, rest: Lead) -> None:
        style = self._palette.title if tokens[0].tag == "h1" else self._palette.heading
        self._text(tokens[1].content, self._base + style, first, rest)

    def number_of(self, tokens: list[Token]) -> int | None:
        """The number of the first item of a list, None for bullets."""
        if tokens[0].type == "bullet_list_open":
            return None
        goes_on = self._depth == 0 and (tokens[0].map or (0,))[0] == 0
        return self._number if goes_on and self._number is not None else int(tokens[0].attrs.get("start", 1))

    def _list(self, tokens: list[Token], first: Lead, rest: Lead) -> None:
        self.items(siblings(tokens[1:-1]), first, rest, number=self.number_of(tokens))

    def _quote(self, tokens: list[Token], first: Lead, rest: Lead) -> None:
        base, self._base = self._base, self._base + self._palette.quote
        self._depth += 1
        lead, after = self._nested(first, rest, "▌ ", "▌ ", self._palette.rule)
        groups = list(siblings(tokens[1:-1]))
        self.render(groups, lead, after)
        if not groups:
            self.strips.append(Strip(lead.segments, lead.cells))
        self._depth -= 1
        self._base = base

    def _code(self, tokens: list[Token], first: Lead, rest: Lead) -> None:
        text = tokens[0].content.removesuffix("\n")
        language = next(iter(tokens[0].info.split()), "")
        large = text.count("\n") >= SMALL_CODE
        colour = sketched if self._draft or (self._defer and large) else exact
        if self._defer and large:
            self.fences.append(Fence(len(self.strips), text, language, first, rest))
        lines = colour(text, language, self._palette)
        self.strips.extend(code_strips(lines, self._width, self._palette, first, rest))

    def _rule(self, tokens: list[Token], first: Lead, rest: Lead) -> None:
        room = max(0, self._width - first.cells)
        lead = first.then("─" * room, self._palette.rule)
        self.strips.append(Strip(lead.segments, lead.cells))

    def _table(self, tokens: list[Token], first: Lead, rest: Lead) -> None:
        table, rows = table_of(tokens, self._width, self._palette, first, rest)
        for row in rows:
            table.add(row)
        self.strips.extend(table.strips())


def table_of(
    tokens: list[Token], width: int, palette: Palette, first: Lead = NO_LEAD, rest: Lead = NO_LEAD
) -> tuple[Table, list[list[Cell]]]:
    """The table that `tokens` open, with its head only, and its rows."""
    rows: list[list[Token]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(token)
    cells = [cells_of_row([token.content for token in row], palette, head=row is rows[0]) for row in rows]
    aligns = [str(t.attrs.get("style", "")).partition(":")[2] for t in tokens if t.type == "th_open"]
    return Table(cells[0], aligns, width, palette, first, rest), cells[1:]


def cells_of_row(contents: list[str], palette: Palette, *, head: bool = False) -> list[Cell]:
    """The cells of one row as styled lines."""
    style = palette.text + palette.strong if head else palette.text
    return [inline(content, palette, style) for content in contents]


_Handler = Callable[[BlockRenderer, list[Token], Lead, Lead], None]
_HANDLERS: dict[str, _Handler] = {
    "paragraph_open": BlockRenderer._paragraph,
    "heading_open": BlockRenderer._heading,
    "bullet_list_open": BlockRenderer._list,
    "ordered_list_open": BlockRenderer._list,
    "blockquote_open": BlockRenderer._quote,
    "fence": BlockRenderer._code,
    "code_block": BlockRenderer._code,
    "hr": BlockRenderer._rule,
    "table_open": BlockRenderer._table,
}


def render_markdown(text: str, width: int, palette: Palette) -> list[Strip]:
    """All of cleaned Markdown `text` as strips of at most `width` cells, code fully coloured."""
    renderer = BlockRenderer(text, width, palette)
    renderer.render([block.tokens for block in parse(text)])
    return renderer.strips
