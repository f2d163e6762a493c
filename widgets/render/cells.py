"""How many terminal cells text takes, with a fast answer for nearly all text.

Agrees with `rich.cells.cell_len` for every text (a test holds it); must not know styles or strips.
"""

import re

from rich.cells import cell_len, get_character_cell_size, split_graphemes

# Each of these is one cell in every Unicode version rich knows, alone or beside any other of them.
_NARROW = (
    "\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0377\u037a-\u037f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u0482"
    "\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u2211\u2213-\u22ff\u2400-\u2426\u2500-\u25fc\u2800-\u28ff"
)
_PICTURE = "[\u2190-\u2bff\u2e80-\ud7ff\ufe0f\U0001f000-\U0010ffff]"
_STRAY_JOINER = re.compile(f"(?<!{_PICTURE})\u200d|\u200d(?!{_PICTURE})")
_all_narrow = re.compile(f"[{_NARROW}]*").fullmatch


def one_cell_each(text: str) -> bool:
    """Whether each character of `text` (no control bytes in it) is sure to take exactly one cell."""
    return text.isascii() or _all_narrow(text) is not None


def width(text: str) -> int:
    """The cells `text` takes; it holds no control bytes."""
    return len(text) if one_cell_each(text) else cell_len(text)


def graphemes(text: str) -> list[tuple[int, int, int]]:
    """`text` as (start, end, cells) of each piece that must stay together; offsets in characters."""
    return split_graphemes(text)[0]


def is_joined(character: str) -> bool:
    """Whether `character` takes no cell of its own and belongs to the one before it."""
    return not character.isascii() and get_character_cell_size(character) == 0


def drop_stray_joiners(text: str) -> str:
    """`text` with U+200D only inside emoji: elsewhere rich and the terminals disagree on its width."""
    return _STRAY_JOINER.sub("", text) if "\u200d" in text else text
