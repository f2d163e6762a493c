"""Text without what could act on a terminal or turn a line around: escapes, control bytes, overrides.

The view has a sanitiser of its own, which keeps colours; this one is for titles, exports and other plain
text. This module must not know where text comes from.
"""

import re

_STRING = r"(?:[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|[^\x07\x1b\x9c\n]*)"
"""A control string to its end; one that never ends takes its line along, not all that follows."""

ESCAPES = re.compile(rf"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_]{_STRING}|[ -/]*[0-~]?)|\x9b[0-?]*[ -/]*[@-~]")
CONTROLS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb]"
)
_INSTEAD = {"\u2028": "\n", "\u2029": "\n"}


def plain(text: str) -> str:
    """The text with line ends and tabs, and without anything else that is not to be read."""
    return CONTROLS.sub(_instead, ESCAPES.sub("", text.replace("\r\n", "\n")))


def _instead(found: re.Match[str]) -> str:
    """Half a character (of a file name that is no UTF-8) cannot be written anywhere."""
    return "\ufffd" if "\ud800" <= found[0] <= "\udfff" else _INSTEAD.get(found[0], "")


def one_line(text: str, limit: int) -> str:
    """The text on one line, white space folded, cut to `limit` characters."""
    begin = text[: limit + limit // 4]
    line = " ".join(begin.split())
    told = len(line) >= limit or len(begin) == len(text)
    if not told or not line.isprintable():  # hardly ever, and the patterns take long
        text = text[: 4 * limit]
        line = " ".join((text if text.isprintable() else plain(text)).split())
    return line[:limit]
