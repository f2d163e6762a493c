"""Text without what could act on a terminal or turn a line around: escapes, control bytes, overrides.

The view has a sanitiser of its own, which keeps colours; this one is for titles, exports and other plain
text. This module must not know where text comes from.
"""

import re

ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|[ -/]*[0-~]?)"
    r"|\x9b[0-?]*[ -/]*[@-~]"
)
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


def plain(text: str) -> str:
    """The text with line ends and tabs, and without anything else that is not to be read."""
    return CONTROLS.sub("", ESCAPES.sub("", text.replace("\r\n", "\n")))


def one_line(text: str, limit: int) -> str:
    """The text on one line, white space folded, cut to `limit` characters."""
    line = " ".join(text[: limit + limit // 4].split())
    if len(line) < limit or not line.isprintable():  # hardly ever in a long text, and the patterns take long
        text = text[: 4 * limit]
        line = " ".join((text if text.isprintable() else plain(text)).split())
    return line[:limit]
