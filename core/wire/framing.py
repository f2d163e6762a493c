r"""Bytes → lines, as a claude process writes them: one JSON record a line.

Lines end at b"\n" only. `bytes.splitlines` was no choice: it also cuts at a lone \r, and its text twin at
U+2028 and \x85, all of which are legal inside a record. Pure: no I/O, no JSON.
"""

import msgspec

LIMIT_BYTES = 64 * 1024 * 1024
HEAD_BYTES = 200


class Oversized(msgspec.Struct, frozen=True):
    """Stands in for a line that was over the limit and was dropped: its length and its first bytes."""

    size: int
    head: bytes


class LineSplitter:
    r"""Cuts a stream of chunks into lines; how the stream was chunked never shows in what comes out.

    A line comes without its b"\n" and without one b"\r" before that; an empty line is b"". A line of
    more than `limit` bytes (its b"\r" counts) comes as `Oversized`, and the next one is whole again.
    """

    def __init__(self, limit: int = LIMIT_BYTES) -> None:
        """`limit` is in bytes and is meant for each line, never for the stream."""
        self._limit = limit
        self._open = bytearray()  # the line that has not ended yet; only its head once it is over the limit
        self._dropped = 0  # bytes of the open line that were not kept

    @property
    def pending(self) -> int:
        """Length in bytes of the line that has not ended yet, dropped bytes included."""
        return len(self._open) + self._dropped

    def feed(self, chunk: bytes) -> list[bytes | Oversized]:
        """The lines that end within this chunk, in order. Linear, whatever the length of a line."""
        first, newline, rest = chunk.partition(b"\n")
        self._extend(first)
        if not newline:
            return []
        lines: list[bytes | Oversized] = [self._take()]
        whole, last_newline, tail = rest.rpartition(b"\n")
        if last_newline:
            lines += self._split(whole)
        self._extend(tail)
        return lines

    def flush(self) -> list[bytes | Oversized]:
        """The last line, if the stream ended without a newline; the splitter is empty afterwards."""
        return [self._take()] if self.pending else []

    def _split(self, whole: bytes) -> list[bytes | Oversized]:
        lines = whole.split(b"\n")
        if len(whole) <= self._limit and b"\r" not in whole:  # nearly always, and it is the hot path
            return lines  # type: ignore[return-value]
        return [self._finish(line) for line in lines]

    def _extend(self, piece: bytes) -> None:
        if self.pending + len(piece) <= self._limit:
            self._open += piece
            return
        size = self.pending + len(piece)
        self._open += piece[: max(0, HEAD_BYTES - len(self._open))]
        del self._open[HEAD_BYTES:]
        self._dropped = size - len(self._open)

    def _take(self) -> bytes | Oversized:
        size, kept = self.pending, bytes(self._open)
        self._open = bytearray()  # a new one: clear() keeps the memory of the largest line
        self._dropped = 0
        return self._finish(kept) if size == len(kept) else Oversized(size, kept)

    def _finish(self, line: bytes) -> bytes | Oversized:
        if len(line) > self._limit:
            return Oversized(len(line), line[:HEAD_BYTES])
        return line.removesuffix(b"\r")
