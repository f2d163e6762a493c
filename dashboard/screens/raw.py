"""Records as they came: those an entry was made of, or that nothing here understood.

It must not know what they mean.
"""

from collections.abc import Sequence
from itertools import islice
from typing import ClassVar

import msgspec
from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.strip import Strip

from core.session.session import Session
from core.wire.codec import BAD
from dashboard.screens.page import PageScreen
from widgets import format as fmt
from widgets.render.palette import Palette

MOST_RECORDS = 100
"""So many records that were not understood are shown at once."""

MOST_CHARS = 200_000
"""More of one record is not shown; it can be read in its file."""


class RawScreen(PageScreen):
    """Some records, JSON laid out."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("v", "dismiss(None)", show=False)]

    def __init__(self, records: Sequence[bytes], title: str = "", notes: Sequence[str] = ()) -> None:
        """Show these, a note before each; the title is their number where none is given."""
        super().__init__(title or fmt.count(len(records), "record"))
        heads = [f"{fmt.one_line(note)}\n" for note in notes] or [""] * len(records)
        pieces = (head + laid_out(record) for head, record in zip(heads, records, strict=True))
        self._text = "\n\n".join(pieces)

    def drawn(self, width: int, palette: Palette) -> Sequence[Strip]:
        """All of them, cut where the width ends."""
        lines = [piece for line in self._text.split("\n") for piece in _cut(line, width)]
        return [Strip([Segment(line)]) for line in lines]

    def action_copy(self) -> None:
        """Copy all of it."""
        self.app.copy_to_clipboard(self._text)


def not_understood(session: Session, name: str) -> RawScreen:
    """The newest records of a session that nothing here understood."""
    kept = list(islice(reversed(session.unknowns), MOST_RECORDS))
    title = f"{fmt.count(session.state.unknown_count, 'record')} of {name} not understood"
    if len(kept) < session.state.unknown_count:
        title += f"; here the newest {len(kept):,}"
    return RawScreen([event.raw for event in kept], title, [event.why or "unknown record" for event in kept])


def laid_out(record: bytes) -> str:
    """A record to read: JSON with its lines, anything else as it is; control bytes gone."""
    try:
        text = msgspec.json.format(record[: MOST_CHARS * 4], indent=2).decode("utf-8", "replace")
    except BAD:
        text = record[: MOST_CHARS * 4].decode("utf-8", "replace")
    more = "\n…" if len(text) > MOST_CHARS or len(record) > MOST_CHARS * 4 else ""
    return fmt.plain(text[:MOST_CHARS]) + more


def _cut(line: str, width: int) -> Sequence[str]:
    return [line[at : at + width] for at in range(0, len(line), width)] or [""]
