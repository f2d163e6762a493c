"""The prompts of a whole session, to jump by: one pass over its file, most lines never decoded.

Blocks: for a worker thread. This module must not know what stands between two prompts.
"""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from core.history.lines import lines
from core.history.stretch import decode
from core.sources.dialogue import words_of
from core.sources.titles import title_text
from core.wire.transcript import TranscriptLine

_USER = b'"user"'


class Heading(Struct, frozen=True):
    """A prompt: the byte its line begins at, when it was written (0.0 if that is not told), and its words."""

    offset: int
    at: float
    text: str


def headings(path: Path) -> Iterator[Heading]:
    """The person's prompts in the order of the file. Raises `OSError`."""
    with path.open("rb") as file:
        for line in lines(file):
            if _USER not in line.raw:
                continue
            for said in decode(line):
                if isinstance(said, TranscriptLine) and (words := words_of(said)) is not None:
                    yield Heading(line.offset, said.at, title_text(words) or "[image]")
