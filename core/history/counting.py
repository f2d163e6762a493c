"""Counts what stands in a transcript: answers, prompts, models, directories, titles, the CLI's own total.

A stretch of a file is read, from where the last one ended; what was counted so far goes in and out as
`Counts`, so that growth costs only the new bytes. Results of tools, most of what a file holds, count
nothing: they are told from the rest without being copied. This module must not know catalogues.
"""

import os
from io import FileIO

from msgspec import Struct

from core.history.inventory import mark
from core.history.lines import Line, Lines, side_by_side
from core.history.packets import pack
from core.history.results import Results
from core.history.tally import Counts, Tally
from core.history.usage import Answer
from core.wire.transcript import UnknownLine, decode_line

_CHUNK = 2**18
"""How much is read at a time, in bytes."""


class Counted(Struct, frozen=True):
    """What a stretch added: the counts with it, its answers, and the byte the next stretch begins at."""

    counts: Counts
    answers: tuple[Answer, ...] = ()
    end: int = 0


class Job(Struct, frozen=True):
    """The file `name` to count from byte `start` on; `counts` is what was counted before."""

    name: str
    size: int
    start: int = 0
    counts: Counts | None = None

    @property
    def to_read(self) -> int:
        """How much is to be read, in bytes."""
        return self.size - self.start


class Done(Struct, frozen=True):
    """What a job gave, ready to be written down; `counts` is None where the file could not be read.

    `keys` are those of its answers, `packet` they themselves, `sums` what they used (`core.history.packets`).
    The next stretch begins at the byte `end`; `mark` are the bytes before.
    """

    name: str
    counts: Counts | None = None
    keys: tuple[int, ...] = ()
    packet: bytes = b""
    sums: bytes = b""
    end: int = 0
    mark: bytes = b""


def count_job(job: Job) -> Done:
    """Count one file, whatever comes. Blocks."""
    try:
        counted = count(job.name, job.start, job.counts)
    except OSError:
        return Done(job.name)
    keys = tuple([answer.key for answer in counted.answers])
    packet, sums = pack(counted.answers)
    return Done(job.name, counted.counts, keys, packet, sums, counted.end, mark(job.name, counted.end))


def count(name: str, start: int = 0, counts: Counts | None = None) -> Counted:
    """Count what stands in the file `name` from byte `start` on. Blocks. Raises `OSError`.

    A last line without its line end counts if it says something whole, else it is left for the next time.
    """
    tally = Tally(counts)
    with FileIO(name) as file:
        end = _read(file, start, tally)
    return Counted(tally.counts, tally.answers, end)


def _read(file: FileIO, start: int, tally: Tally) -> int:
    """Take in the file from byte `start` on; the byte up to which it was."""
    size, results = os.fstat(file.fileno()).st_size, Results()
    end = max(start, size)
    for piece in side_by_side(file, start, size, _CHUNK):
        if isinstance(piece, Lines):
            tally.take_lines(results.others(piece.chunk, piece.end))
        elif not _takes(tally, piece):
            end = piece.offset
    if results.last:
        tally.passed(results.last)
    return end


def _takes(tally: Tally, line: Line) -> bool:
    """Take in a line alone; not the last one while it may still be being written."""
    if line.damage:
        tally.damaged += 1
        return True
    said = decode_line(line.raw)
    if not line.whole and any(isinstance(one, UnknownLine) for one in said):
        return False
    tally.take_all(said)
    return True
