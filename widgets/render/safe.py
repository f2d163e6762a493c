"""The one sanitiser between the model and the screen: nothing an agent prints can drive the terminal.

`clean` is for prose, `reveal` for what a person must judge (commands, paths, diffs: nothing hidden), `ansi`
for command output (colours become styles, a progress bar shows what a terminal would). All are linear in the
text, and none raises. Must not know Markdown, widgets or sessions.

The grammar is ECMA-48 and the xterm control sequences, with one deliberate difference: a control string
(OSC, DCS, APC, PM, SOS) that is never terminated ends at the end of its line instead of swallowing the rest.
"""

import re

from rich.segment import Segment
from rich.style import Style

from widgets.render.cells import drop_stray_joiners, width
from widgets.render.row import Row
from widgets.render.sgr import PLAIN, Pen, apply_sgr, style_of

# What may stay in a control string: anything but its ends (BEL, ST, CAN, SUB, ESC) and C1. Excluding every
# introducer is what keeps a flood of unterminated ones linear.
_BODY = r"[^\x07\x18\x1a\x1b\x80-\x9f\r\n]*"
_STRING = r"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])"
_END = r"(?:\x07|\x1b\\|\x9c)"
_CSI = r"(?:\x1b\[|\x9b)"
_SEQUENCE = re.compile(
    rf"{_CSI}[0-?]*[ -/]*[@-~]?|{_STRING}{_BODY}{_END}?|\x1b[ -/]*[0-~]?",
)
_MANY_LINES = re.compile(rf"{_STRING}[^\x07\x18\x1a\x1b\x80-\x9f]*{_END}")
_TOKEN = re.compile(
    rf"(?P<text>[^\x00-\x1f\x7f-\x9f]+)|{_CSI}(?P<params>[0-?]*)(?P<between>[ -/]*)(?P<final>[@-~]?)"
    rf"|(?P<move>[\r\b\t])|{_STRING}{_BODY}{_END}?|\x1b[ -/]*[0-~]?|[\x00-\x1f\x7f-\x9f]",
)
_MOVES = re.compile(rf"[\r\b\t]|{_CSI}[0-9]*[CDGK]")
_DIRTY = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200d\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufff9-\uffff]")
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b-\u200d\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufff9-\uffff"
    "\U000e0000-\U000e007f]"
)


def _named(code: int) -> str:
    """A character nobody may see act, as text."""
    return f"‹U+{code:04X}›"


def _clean_table() -> dict[int, str | None]:
    table: dict[int, str | None] = dict.fromkeys((*range(32), *range(127, 160)))
    del table[0x09], table[0x0A]
    table |= {code: _named(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
    table |= {
        0x2028: "\n",
        0x2029: "\n",
        0xFFF9: None,
        0xFFFA: None,
        0xFFFB: None,
        0xFFFE: None,
        0xFFFF: None,
    }
    return table | dict.fromkeys(range(55296, 57344), "�")


def _symbol(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    return _named(code)


_CLEAN = _clean_table()


def clean(text: str) -> str:
    r"""`text` for reading: no control byte but "\n" and "\t", sequences gone, bidi overrides as ‹U+202E›.

    Works line by line: cleaning a text is the same as cleaning each of its "\n"-ended lines.
    """
    if _DIRTY.search(text) is None:
        return text
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return drop_stray_joiners(_SEQUENCE.sub("", text).translate(_CLEAN))


def reveal(text: str) -> str:
    r"""`text` for judging: every control byte but "\n" and "\t" and every invisible one as a symbol."""
    return _HIDDEN.sub(_symbol, text)


def expand_tabs(text: str, size: int = 4) -> str:
    """One line of `text` with each tab filled up to the next multiple of `size` cells."""
    if "\t" not in text:
        return text
    if text.isascii():
        return text.expandtabs(size)
    out, column = [], 0
    for piece in text.split("\t"):
        column += width(piece)
        gap = size - column % size
        out.append(piece + " " * gap)
        column += gap
    return "".join(out)[: -gap or None]


def ansi(text: str, base: Style | None = None) -> list[list[Segment]]:
    """Command output as styled lines: what a terminal would show of it, line by line; `base` lies under all.

    SGR becomes styles; carriage return, backspace, tabs and moves inside the line act; all else is removed.
    """
    base = base or Style.null()
    if _DIRTY.search(text) is None:
        return [[Segment(expand_tabs(line, 8), base)] if line else [] for line in text.split("\n")]
    lines, pen = [], PLAIN
    for line in _MANY_LINES.sub("", text).split("\n"):
        styled, pen = _ansi_line(line.removesuffix("\r"), pen, base)
        lines.append(styled)
    return lines


def _ansi_line(line: str, pen: Pen, base: Style) -> tuple[list[Segment], Pen]:
    """One line of output under `pen`, and the pen after it."""
    row = Row() if _MOVES.search(line) else None
    segments: list[Segment] = []
    for token in _TOKEN.finditer(_visible_part(line)):
        if token["text"]:
            text, style = _tidy(token["text"]), base + style_of(pen)
            if row is None:
                segments.append(Segment(text, style))
            else:
                row.write(text, style)
        elif token["final"] == "m" and not token["between"]:
            pen = apply_sgr(pen, token["params"])
        elif row is not None and token["move"]:
            row.move(token["move"])
        elif row is not None and token["final"]:
            row.control(token["final"], token["params"])
    return segments if row is None else row.segments(), pen


def _tidy(text: str) -> str:
    if text.isascii() or _DIRTY.search(text) is None:
        return text
    return drop_stray_joiners(text.translate(_CLEAN).replace("\n", " "))


def _visible_part(line: str) -> str:
    """`line` without the updates of a progress bar that a later, longer one has covered.

    Only plain overwrites are dropped: an update with sequences in it is played in full, with all before it.
    """
    if "\r" not in line:
        return line
    parts = line.split("\r")
    keep: list[str] = []
    covered = 0
    for index in range(len(parts) - 1, -1, -1):
        part = parts[index]
        if not (part.isascii() and part.isprintable()):
            return "\r".join([*parts[: index + 1], *reversed(keep)])
        if len(part) > covered or not keep:
            covered = len(part)
            keep.append(part)
    return "\r".join(reversed(keep))
