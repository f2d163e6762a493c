"""The lines of a transcript file, whatever state it is in: one bad line costs one line.

Bytes in, lines with their offsets out: forwards from any offset, or backwards from the end, without
ever holding the whole file. Damage that occurs (FACTS §7.9): NUL padding, a BOM, CRLF, a torn last
line. What a line says is `core.wire.transcript`'s business.
"""

import os
from collections.abc import Iterator
from io import FileIO
from typing import BinaryIO

from msgspec import Struct

CHUNK = 256 * 1024
LINE_LIMIT = 256 * 2**20
"""Of a longer line only its place is told: nothing the CLI writes comes near."""

PADDED = "NUL bytes: a crash while a line was written"
TOO_LONG = "a line too long to be read"

BOM = b"\xef\xbb\xbf"

_PADDING = b"\0\r \t"


class Line(Struct, frozen=True, gc=False):
    """A line without its end and padding; `offset` is where it begins in the file, in bytes.

    `whole` is False for a last line without its line end: it may still be being written. `damage` says why
    there is nothing in `raw`.
    """

    offset: int
    raw: bytes
    whole: bool = True
    damage: str = ""


class Lines(Struct, frozen=True, gc=False):
    """Whole lines side by side, as they stand in the file: `chunk` up to `end`, behind the last line end."""

    chunk: bytes
    end: int


def side_by_side(file: FileIO, start: int, end: int, chunk_bytes: int) -> Iterator[Lines | Line]:
    """The lines from byte `start` (a line's beginning) up to byte `end`, many at once: quicker to go through.

    Alone come a line longer than a chunk, and the last one without its line end.
    """
    while start < end:
        chunk = os.pread(file.fileno(), min(chunk_bytes, end - start), start)
        whole = chunk.rfind(b"\n") + 1
        if whole:
            yield Lines(chunk, whole)
            start += whole
        else:
            stop = _line_end(file, start + len(chunk), end, chunk_bytes) if chunk else end
            yield from lines(file, start, stop, chunk_bytes)
            start = stop


def _line_end(file: FileIO, position: int, end: int, chunk_bytes: int) -> int:
    """Where the line ends that byte `position` is in, at most `end`."""
    for chunk in _chunks(file, position, end, chunk_bytes):
        stop = chunk.find(b"\n")
        if stop >= 0:
            return position + stop + 1
        position += len(chunk)
    return end


def lines(
    file: BinaryIO,
    start: int = 0,
    end: int | None = None,
    chunk_bytes: int | None = None,
) -> Iterator[Line]:
    """The lines from byte `start` (a line's beginning) up to byte `end`; blank ones are left out."""
    base, offset, pieces, size = start, start, list[bytes](), 0
    for chunk in _chunks(file, start, end, chunk_bytes or CHUNK):
        begin = 0
        while (stop := chunk.find(b"\n", begin)) >= 0:
            if size:
                size += stop - begin
                pieces.append(chunk[begin:stop])
                yield from _line(offset, pieces, size, whole=True)
                pieces, size = [], 0
            else:
                raw = chunk[begin:stop]
                if raw.startswith(b"{") and raw.endswith(b"}"):
                    yield Line(base + begin, raw)  # nearly all of them: worth the second way
                else:
                    yield from _line(base + begin, [raw], len(raw), whole=True)
            begin = stop + 1
        if begin < len(chunk):
            offset = offset if size else base + begin
            size += len(chunk) - begin
            pieces.append(chunk[begin:])
            if size > LINE_LIMIT:
                pieces.clear()
        base += len(chunk)
    yield from _line(offset, pieces, size, whole=False)


def _chunks(file: BinaryIO, start: int, end: int | None, size: int) -> Iterator[bytes]:
    file.seek(start)
    position = start
    while end is None or position < end:
        chunk = file.read(size if end is None else min(size, end - position))
        if not chunk:
            return
        position += len(chunk)
        yield chunk


def lines_backwards(
    file: BinaryIO, end: int, chunk_bytes: int | None = None, start: int = 0
) -> Iterator[Line]:
    """The lines that begin behind byte `start` and before byte `end`, the last one first."""
    position, pieces, size = end, list[bytes](), 0
    whole = False
    while position > start:
        step = min(chunk_bytes or CHUNK, position - start)
        position -= step
        file.seek(position)
        first, *others = file.read(step).split(b"\n")
        offset = position + step
        for piece in reversed(others):
            offset -= len(piece)
            size += len(piece)
            yield from _line(offset, [piece, *reversed(pieces)], size, whole=whole)
            offset, pieces, size, whole = offset - 1, [], 0, True
        size += len(first)
        pieces.append(first)
        if size > LINE_LIMIT:
            pieces.clear()
    if not start:
        yield from _line(0, pieces[::-1], size, whole=whole)


def _line(offset: int, pieces: list[bytes], size: int, *, whole: bool) -> Iterator[Line]:
    if size > LINE_LIMIT:
        yield Line(offset, b"", whole, TOO_LONG)
        return
    raw = b"".join(pieces)
    cleaned = (raw.removeprefix(BOM) if offset == 0 else raw).strip(_PADDING)
    if cleaned:
        yield Line(offset, cleaned, whole)
    elif b"\0" in raw:
        yield Line(offset, b"", whole, PADDED)
