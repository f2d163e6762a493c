"""Cells of the emulator as rows of styled text. It must not know bytes, modes nor who looks at the rows.

A cell is one 64-bit number that says its character and the number of its style, which means something only
within its page: so the rest of it is decoded once and kept, and a style is asked for once a run of cells.
"""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from core.session.screen import DEFAULT_COLOR, PLAIN, TRUE_COLOR, Color, Row, Span, Style
from core.terminal.library import Library

CODE_BYTES = 4
"""A character of a cell is a number of 32 bits."""

KNOWN_CELLS = 20_000
"""So many different cells are kept decoded; colour gradients make more of them than any text does."""

_NARROW, _WIDE, _TAIL = 0, 1, 2
_GRAPHEME, _PALETTE, _RGB = 1, 2, 3
_KEPT = frozenset(("Zs", "Co"))
"""Spaces that do not break, and the private characters icon fonts live in."""


_CHOOSERS = frozenset(map(chr, range(0xFE00, 0xFE10)))
"""Variation selectors; they count as marks."""


class Part(Struct, frozen=True):
    """Where a part of a cell's number stands in it, in bits."""

    lsb: int
    width: int

    def of(self, number: int) -> int:
        """The part of that number."""
        return number >> self.lsb & (1 << self.width) - 1

    @property
    def mask(self) -> int:
        """Its bits."""
        return (1 << self.width) - 1 << self.lsb


class _Packed(Struct):
    bits: dict[str, Part] = {}


class _Description(Struct):
    types: dict[str, _Packed]


def cell_parts(description: bytes) -> dict[str, Part]:
    """The parts of a cell, from what the library says of its own types."""
    return msgspec.json.decode(description, type=_Description).types["GhosttyCell"].bits


class Cell(Struct, frozen=True):
    """What a cell's number says but for its style. `background` is a blank cell's own."""

    text: str = " "
    background: Color = DEFAULT_COLOR
    spacer: bool = False
    cluster: bool = False


class CellReader:
    """Reads rows, given the numbers of their cells and a way to the style and the cluster in a column."""

    def __init__(self, library: Library) -> None:
        """Know no cell yet."""
        self._library = library
        self._known: dict[int, Cell] = {}
        self._styles: dict[bytes, Style] = {}
        parts = cell_parts(library.ffi.string(library.lib.ghostty_type_json()))
        self._tag, self._content = parts["content_tag"], parts["content"]
        self._wide = parts["wide"]
        # A flood in true colours makes new numbers of styles with every line, and few letters: a cell is
        # known by the rest of its number (known with its style, nearly every one had to be decoded).
        self._style_bits = parts["style_id"].mask
        self._style_size = library.ffi.sizeof("GhosttyStyle")

    def row(self, numbers: Sequence[int], columns: "Columns", wrapped: bool) -> Row:
        """A row without the blank cells at its end."""
        spans: list[Span] = []
        letters: list[str] = []
        run, style = 0, PLAIN
        known, style_bits = self._known, self._style_bits
        for x, number in enumerate(numbers):
            style_id = number & style_bits
            cell = known.get(number ^ style_id) or self._decode(number ^ style_id)
            if cell.spacer:
                continue
            here = style_id if cell.background == DEFAULT_COLOR else ~cell.background
            if here != run:
                if letters:
                    spans.append(Span("".join(letters), style))
                letters, run = [], here
                style = self._style(cell, style_id, columns, x)
            letters.append(columns.cluster(x) if cell.cluster else cell.text)
        if letters:
            spans.append(Span("".join(letters), style))
        return Row(_without_end(spans), wrapped)

    def _style(self, cell: Cell, style_id: int, columns: "Columns", x: int) -> Style:
        if cell.background != DEFAULT_COLOR:
            return Style(background=cell.background)
        if not style_id:
            return PLAIN
        struct = columns.style(x)
        key = bytes(self._library.ffi.buffer(struct, self._style_size))
        style = self._styles.get(key)
        if style is None:
            if len(self._styles) >= KNOWN_CELLS:
                self._styles.clear()
            style = self._styles[key] = _style(struct)
        return style

    def _decode(self, number: int) -> Cell:
        if len(self._known) >= KNOWN_CELLS:
            self._known.clear()
        cell = self._known[number] = self._read(number)
        return cell

    def _read(self, number: int) -> Cell:
        """By the places of its parts: to ask the library for each is four times slower."""
        tag, wide = self._tag.of(number), self._wide.of(number)
        content = self._content.of(number)
        if wide not in (_NARROW, _WIDE):
            return Cell(spacer=wide == _TAIL)
        if tag == _PALETTE:
            return Cell(background=content & 0xFF)
        if tag == _RGB:
            return Cell(background=_true(content & 0xFF, content >> 8 & 0xFF, content >> 16 & 0xFF))
        code = content & 0x1FFFFF
        return Cell(shown(chr(code)) if code else " ", cluster=tag == _GRAPHEME)


class Columns:
    """One row's way to what a cell's number does not say; it holds until the terminal changes."""

    def style(self, x: int) -> Any:
        """The style struct in a column."""
        raise NotImplementedError

    def cluster(self, x: int) -> str:
        """The several characters that stand in a column as one."""
        raise NotImplementedError


def shown(character: str) -> str:
    """A character as it may be shown: what would act on the outer terminal or turn its line is replaced."""
    kept = character.isprintable() or unicodedata.category(character) in _KEPT
    return character if kept else "\ufffd"


@lru_cache(maxsize=KNOWN_CELLS)
def cluster_text(codes: bytes) -> str:
    """Characters that stand in one cell, as the library gives them: the first, and what combines with it.

    Joiners and choosers of a drawing are left out: each outer terminal takes them for another width.
    """
    first, *rest = map(chr, memoryview(codes).cast("I"))
    return shown(first) + "".join(
        one for one in rest if unicodedata.category(one)[0] == "M" and one not in _CHOOSERS
    )


def _style(struct: Any) -> Style:
    return Style(
        foreground=_color(struct.fg_color),
        background=_color(struct.bg_color),
        bold=struct.bold,
        dim=struct.faint,
        italic=struct.italic,
        underline=struct.underline != 0,
        strike=struct.strikethrough,
        reverse=struct.inverse,
        hidden=struct.invisible,
        blink=struct.blink,
    )


def _color(color: Any) -> Color:
    match color.tag:
        case 1:
            return int(color.value.palette)
        case 2:
            rgb = color.value.rgb
            return _true(rgb.r, rgb.g, rgb.b)
        case _:
            return DEFAULT_COLOR


def _true(red: int, green: int, blue: int) -> Color:
    return TRUE_COLOR | red << 16 | green << 8 | blue


def _without_end(spans: list[Span]) -> tuple[Span, ...]:
    """Only blanks nothing can be seen of are no part of a row: a coloured or underlined one is."""
    while spans and spans[-1].style == PLAIN:
        text = spans.pop().text.rstrip(" ")
        if text:
            spans.append(Span(text))
            break
    return tuple(spans)
