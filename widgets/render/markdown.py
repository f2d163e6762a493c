"""Markdown that arrives in pieces, as strips: finished blocks are rendered once, only the open one again.

The parser decides what is finished: of a text that ends with a line break, all blocks but the last are (the
dialect has no back references and no setext headings, so nothing below can change them). The result is that
of `render_markdown` on the whole text, once `finish` was called and `polish` has nothing left. Must not
know sessions or widgets.
"""

from collections.abc import Iterator
from itertools import islice

from textual.strip import Strip

from widgets.render.blocks import Block, BlockRenderer, Fence, parse, render_markdown, siblings
from widgets.render.code import highlight_lines
from widgets.render.code_block import code_strips
from widgets.render.open_blocks import (
    INTERRUPTS,
    PROSE,
    OpenFence,
    OpenParagraph,
    OpenTable,
    item_marker,
    one_line_item,
)
from widgets.render.palette import Palette
from widgets.render.safe import clean
from widgets.render.wrap import NO_LEAD, Lead

__all__ = ["MarkdownStream", "render_markdown"]

POLISH_LINES = 12
"""How many lines of finished code one call colours at most: about two milliseconds."""

_ENDED_BY_BLANK = {"paragraph_open", "table_open", "blockquote_open"}
_LISTS = {"bullet_list_open", "ordered_list_open"}
_LIST_OF = dict.fromkeys("-*+", "bullet_list_open") | dict.fromkeys(".)", "ordered_list_open")
_ENDED_BY_PROSE = {*_LISTS, "code_block"}  # at the margin, after a blank line
_ALWAYS_ENDED = {"heading_open", "hr"}


class MarkdownStream:
    """One growing text at one width and palette; outside text is cleaned here."""

    def __init__(self, width: int, palette: Palette) -> None:
        """`width` in cells, at least 1."""
        self._width, self._palette = width, palette
        self._restart()

    def _restart(self) -> None:
        self._raw = ""
        self._finished = False
        self._taken = 0  # how much of the raw text, up to a line break, has been cleaned and taken
        self._tail = ""  # finished lines of the open block
        self._gap = False  # whether a blank line comes before the tail
        self._number: int | None = None  # what an ordered list in the tail goes on with
        self._open: OpenFence | OpenTable | None = None
        self._kind = ""  # of the block in the tail; "" while it has no finished line
        self._paragraph: OpenParagraph | None = None
        self._jobs: list[tuple[int, Iterator[list[Strip]]]] = []
        self.strips: list[Strip] = []
        self.settled = 0
        self.changed_from = 0

    @property
    def pending(self) -> bool:
        """Whether finished code still waits for its exact colours: call `polish` until it is False."""
        return bool(self._jobs)

    def feed(self, text: str) -> list[Strip]:
        """The strips of all of `text` so far; the list is the stream's own, and the next call changes it.

        The first `settled` strips keep their text for good; those before `changed_from` are as the last call
        left them. A text that does not begin with the last one, or goes on after `finish`, starts over.
        """
        if text == self._raw:
            self.polish()
            return self.strips
        if self._finished or not text.startswith(self._raw):
            self._restart()
        self.changed_from = self.settled
        self._raw = text
        end = text.rfind("\n", self._taken) + 1
        if end > self._taken:
            self._take(clean(text[self._taken : end]))
            self._taken = end
        self._draw(clean(text[self._taken :].rstrip("\r")))
        self._polish(POLISH_LINES)
        return self.strips

    def finish(self) -> list[Strip]:
        """The strips when nothing more will come: the open block is settled too."""
        if not self._finished:
            self.changed_from = self.settled
            source = self._tail + clean(self._raw[self._taken :])
            self._settle(parse(source), source)
            self._tail, self._open, self._finished = "", None, True
        return self.strips

    def polish(self, lines: int = POLISH_LINES) -> bool:
        """Give up to `lines` more lines of finished code their exact colours; whether any are left to do.

        `changed_from` is then where it began.
        """
        self.changed_from = len(self.strips)
        self._polish(lines)
        return self.pending

    def _polish(self, lines: int) -> None:
        while self._jobs and lines > 0:
            place, job = self._jobs[0]
            done = list(islice(job, lines))
            flat = [strip for strips in done for strip in strips]
            self.strips[place : place + len(flat)] = flat
            self.changed_from = min(self.changed_from, place)
            if len(done) < lines:
                self._jobs.pop(0)
            else:
                self._jobs[0] = (place + len(flat), job)
            lines -= len(done)

    def _take(self, text: str) -> None:
        """Some finished, cleaned lines."""
        while text:
            line, _, rest = text.partition("\n")
            if not self._take_line(line):
                self._tail += text
                self._open = None
                self._settle_finished()
                return
            text = rest

    def _take_line(self, line: str) -> bool:
        """Take a line without asking the parser; False if only that knows what becomes of it."""
        blank = not line.strip(" \t")
        if isinstance(self._open, OpenTable) and blank:
            return self._settle_strips(self._open.strips(), gap=True)
        if self._open is not None:
            return self._open.take(line) and self._add(line, self._kind)
        in_prose = self._kind == "paragraph_open"
        if in_prose and blank:
            return self._settle_strips(self._paragraph_with(NO_LEAD).draw(self._tail), gap=True)
        if (in_prose or not (self._kind or self._tail)) and PROSE.match(line):
            return self._add(line, "paragraph_open")
        marker = "" if self._tail else item_marker(line)
        return bool(marker) and self._add(line, _LIST_OF[marker])

    def _add(self, line: str, kind: str) -> bool:
        """One more line of the open block, which is of that kind."""
        self._tail += line + "\n"
        self._kind = kind
        return True

    def _settle_strips(self, strips: list[Strip], *, gap: bool) -> bool:
        """The open block is over, and looks like that; `gap`: a blank line ended it."""
        self.strips[self.settled :] = self._below_gap(strips)
        self.settled = len(self.strips)
        self._number = self._open = self._paragraph = None
        self._tail = self._kind = ""
        self._gap = gap
        return True

    def _settle_finished(self) -> None:
        """Settle every block of the tail but one that may still go on, and prepare for that one."""
        source = self._tail
        blocks = parse(source)
        self._kind = ""
        if not blocks or _is_ended(blocks[-1], source):
            self._settle(blocks, source)
            self._cut(source, source.count("\n"))
            return
        last = blocks[-1]
        self._settle(blocks[:-1], source)
        self._kind, start = last.kind, last.start
        match last.kind:
            case "fence" if source.split("\n")[last.start].startswith(last.tokens[0].markup):
                self._open = OpenFence(last, self._width, self._palette)
            case "table_open":
                self._open = OpenTable(last, source, self._width, self._palette)
            case "bullet_list_open" | "ordered_list_open":
                start = self._settle_items(last, source)
        self._cut(source, start)

    def _renderer(self, source: str, *, draft: bool = False) -> BlockRenderer:
        return BlockRenderer(
            source,
            self._width,
            self._palette,
            below=self.settled > 0,
            gap=self._gap,
            number=self._number,
            draft=draft,
            defer=not draft,
        )

    def _settle(self, blocks: list[Block], source: str) -> None:
        """Render `blocks` for good; they are at the beginning of `source`."""
        if blocks:
            renderer = self._renderer(source)
            renderer.render([block.tokens for block in blocks])
            self._keep(renderer)
            self._number = None

    def _settle_items(self, block: Block, source: str) -> int:
        """Render for good all items of a list but the last; the line where that one begins."""
        *items, last = siblings(block.tokens[1:-1])
        if items:
            renderer = self._renderer(source)
            number = renderer.number_of(block.tokens)
            renderer.leave_gap(block.tokens)
            renderer.items(items, number=number)
            self._keep(renderer)
            self._number = None if number is None else number + len(items)
        return (last[0].map or (block.start,))[0]

    def _keep(self, renderer: BlockRenderer) -> None:
        """Put what was rendered below what is settled."""
        del self.strips[self.settled :]
        self._jobs += [(self.settled + fence.start, self._colouring(fence)) for fence in renderer.fences]
        self.strips += renderer.strips
        self.settled = len(self.strips)

    def _colouring(self, fence: Fence) -> Iterator[list[Strip]]:
        """The strips of each line of `fence` in its exact colours."""
        lead = fence.first
        for line in highlight_lines(fence.text, fence.language, self._palette):
            yield code_strips([line], self._width, self._palette, lead, fence.rest)
            lead = fence.rest

    def _cut(self, source: str, start: int) -> None:
        """Let the tail begin at line `start` of `source`."""
        lines = source.split("\n")
        if start > 0:
            self._gap = _is_blank(lines[start - 1])
        self._tail = "\n".join(lines[start:])

    def _draw(self, partial: str) -> None:
        """Show the open block below what is settled, with the line that is still being written."""
        if self._kind:
            self._settle_above(partial)
        del self.strips[self.settled :]
        source = self._tail + partial
        if source.strip():
            self.strips += self._drawn(source, partial)

    def _settle_above(self, partial: str) -> None:
        """Settle the open block if the line being written, begun as `partial`, must be of the next one."""
        if self._kind == "paragraph_open":
            if INTERRUPTS.match(partial):
                self._settle_strips(self._paragraph_with(NO_LEAD).draw(self._tail), gap=False)
            return
        marker = item_marker(partial) if self._kind in _LISTS and self._tail else ""
        if not (marker or self._is_ended_by(partial)):
            return
        if marker and marker == item_marker(self._tail):
            self._settle_item()
            return
        source, blocks = self._tail, parse(self._tail)
        opening = blocks[-1].tokens[0]
        number = self._renderer(source).number_of(blocks[-1].tokens) if marker else None
        self._settle(blocks, source)
        self._cut(source, source.count("\n"))
        goes_on = bool(marker) and marker == opening.markup and len(parse(source + partial)) == len(blocks)
        if goes_on:  # below an empty item and a blank line another list begins
            self._number = None if number is None else number + _count_items(blocks[-1])
        else:
            self._kind = ""

    def _is_ended_by(self, partial: str) -> bool:
        """Whether the open block is a list or indented code, and `partial` prose below a blank line."""
        return (
            self._kind in _ENDED_BY_PROSE and self._tail.endswith("\n\n") and PROSE.match(partial) is not None
        )

    def _settle_item(self) -> None:
        """Settle the one line of a list there is, of which the next one is being written."""
        kind, item = self._kind, one_line_item(self._tail, self._number, self._palette)
        assert item is not None
        self._settle_strips(self._paragraph_with(item.lead).draw(item.text), gap=False)
        self._kind, self._number = kind, None if item.number is None else item.number + 1

    def _drawn(self, source: str, partial: str) -> list[Strip]:
        one_line = "\n" not in partial  # it may hold lone carriage returns, which break lines too
        strips = self._open.draw(partial) if self._open is not None and one_line else None
        if strips is None and one_line:
            strips = self._drawn_text(source, partial)
        if strips is not None:
            return self._below_gap(strips)
        renderer = self._renderer(source, draft=True)
        renderer.render([block.tokens for block in parse(source)])
        return renderer.strips

    def _drawn_text(self, source: str, partial: str) -> list[Strip] | None:
        """The open block if it is a paragraph, or a list item of one line; else None."""
        lead, text = NO_LEAD, source
        if not self._is_prose(partial):
            item = None
            if self._kind in _LISTS or not self._tail:
                item = one_line_item(source, self._number, self._palette)
            if item is None:
                return None
            lead, text = item.lead, item.text
        return self._paragraph_with(lead).draw(text)

    def _paragraph_with(self, lead: Lead) -> OpenParagraph:
        """What draws the open paragraph behind `lead`."""
        if self._paragraph is None or self._paragraph.lead != lead:
            self._paragraph = OpenParagraph(self._width, self._palette, lead)
        return self._paragraph

    def _below_gap(self, strips: list[Strip]) -> list[Strip]:
        """The strips of the open block, an empty one before them where the text has one there."""
        return [Strip([], 0), *strips] if self._gap and self.settled else strips

    def _is_prose(self, partial: str) -> bool:
        """Whether the open block is a paragraph and `partial` its last line, without asking the parser."""
        if self._kind not in ("", "paragraph_open") or (self._tail and not self._kind):
            return False
        return PROSE.match(partial) is not None or (not partial and self._kind != "")


def _count_items(block: Block) -> int:
    return sum(1 for _ in siblings(block.tokens[1:-1]))


def _is_blank(line: str) -> bool:
    return not line.strip(" \t>")


def _is_ended(block: Block, source: str) -> bool:
    """Whether nothing can be added to the last `block` of `source`, which ends with a line break."""
    lines = source.split("\n")
    if block.kind == "fence":
        markup = block.tokens[0].markup
        closing = lines[block.end - 1].strip()
        return block.end - 1 > block.start and len(closing) >= len(markup) and not closing.strip(markup[0])
    return block.kind in _ALWAYS_ENDED or (block.kind in _ENDED_BY_BLANK and not lines[-2].strip(" \t"))
