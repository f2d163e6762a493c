r"""Bytes → Server-Sent Events, however they were cut: inside a character, a field, a line end.

Lines end in LF, CR or CRLF; an empty line ends a record; fields other than `event` and `data` say nothing
here, and comments (a gateway's sign of life) are no records. Data stays bytes: a record is whole before
anybody decodes it, so that a cut inside a UTF-8 character never shows. It must not know what a record means.
Source: WHATWG HTML, "Server-sent events", parsing an event stream.
"""

from msgspec import Struct

LIMIT_BYTES = 64 * 1024 * 1024
"""How long one record may be; a longer one is dropped and counted."""

_BOM = b"\xef\xbb\xbf"


class ServerEvent(Struct, frozen=True, gc=False):
    """One record: its data, lines joined by a newline, and its event name ("" where none was given)."""

    data: bytes
    name: bytes = b""


class EventSplitter:
    """Cuts one body into records; how it was chunked never shows in what comes out."""

    def __init__(self, limit: int = LIMIT_BYTES) -> None:
        """`limit` is in bytes and is meant for each record, never for the body."""
        self.oversized = 0
        self._limit = limit
        self._open = bytearray()  # what has not ended yet, its line ends made LF
        self._after_cr = False
        self._skipping = False
        self._begun = False

    @property
    def pending(self) -> bool:
        """Whether the beginning of a record waits for its end."""
        return bool(self._open.strip(b"\n"))

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        """The records that end within this chunk, in order. Linear, whatever the length of a record."""
        if self._after_cr or b"\r" in chunk:
            chunk = self._unify(chunk)
        searched = max(0, len(self._open) - 1)
        self._open += chunk
        if not self._begun:
            self._drop_mark()
        end = self._open.rfind(b"\n\n", searched)
        if end < 0:
            self._guard()
            return []
        whole = bytes(self._open[:end])
        del self._open[: end + 2]
        return self._records(whole)

    def flush(self) -> list[ServerEvent]:
        """What is left when the body has ended: a record without its empty line, maybe cut in the middle.

        A reader finds out by decoding it: half a JSON object is none.
        """
        left = bytes(self._open)
        self._open = bytearray()
        return self._records(left)

    def _unify(self, chunk: bytes) -> bytes:
        if self._after_cr and chunk.startswith(b"\n"):
            chunk = chunk[1:]
            self._after_cr = False
        if chunk:
            self._after_cr = chunk.endswith(b"\r")
        return chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    def _drop_mark(self) -> None:
        """A byte order mark at the very beginning, which may come in pieces."""
        if self._open.startswith(_BOM):
            del self._open[: len(_BOM)]
            self._begun = True
        elif not _BOM.startswith(bytes(self._open)):
            self._begun = True

    def _guard(self) -> None:
        if len(self._open) <= self._limit + 1:  # its last byte may be the end of its last line
            return
        if not self._skipping:
            self.oversized += 1
        self._skipping = True
        del self._open[:-1]  # the end of a line may be half of the record's end

    def _records(self, whole: bytes) -> list[ServerEvent]:
        parts = whole.split(b"\n\n")
        if self._skipping:
            self._skipping = False
            del parts[0]
        if len(whole) > self._limit:
            self.oversized += sum(len(part) > self._limit for part in parts)
            parts = [part for part in parts if len(part) <= self._limit]
        return [record for part in parts if (record := _record(part)) is not None]


def _record(part: bytes) -> ServerEvent | None:
    # What the API writes, and nearly always so: two lines, a name and an object.
    if part.startswith(b"event: ") and part.count(b"\n") == 1:
        name, _, data = part[7:].partition(b"\ndata: ")
        if data:
            return ServerEvent(data, name)
    name, lines = b"", []
    for line in part.split(b"\n"):
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            lines.append(value)
        elif field == b"event":
            name = value
    return ServerEvent(b"\n".join(lines), name) if lines else None
