"""Brings the texts of transcripts into the full-text index, the newest files first.

The index is in parts; where there is much to read each is filled by a process of its own, at the same time,
else one after the other here. This module must not know what a text is, nor queries.
"""

import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

from core.history.crew import is_much, side_by_side
from core.history.filling import Filled, Filling, Wanted, fill, part_of, state_of, try_to_fill
from core.history.store import PARTS, born


class Indexing:
    """One run over all files of which something is not yet in the index."""

    def __init__(self, db: sqlite3.Connection, folder: Path, stop: Callable[[], bool]) -> None:
        """`db` knows what was counted. Raises what SQLite raises."""
        self._stop = stop
        wanted: list[list[Wanted]] = [[] for _ in range(PARTS)]
        for row in db.execute("SELECT id, path, counted, recent FROM files ORDER BY recent DESC"):
            wanted[part_of(row[0])].append(Wanted(*row))
        mark, now = born(db), time.time()
        jobs = [_filling(folder, part, mark, files, now) for part, files in enumerate(wanted)]
        self.waiting = [job for job in jobs if job.files or job.wordless]

    def run(self, progress: Callable[[int, int], None]) -> None:
        """Put everything in. Raises what SQLite raises."""
        total, done = sum(job.to_read for job in self.waiting), 0
        with closing(self._filled(total)) as filled:
            for one in filled:
                done = min(done + one.bytes, total)
                progress(done, total)
                if self._stop():
                    break

    def _filled(self, total: int) -> Generator[Filled, None, None]:
        """What the parts tell; one whose process could not go on is filled here, and raises what is wrong."""
        waiting = dict(enumerate(self.waiting))
        if len(waiting) > 1 and is_much(total):
            with closing(side_by_side(self.waiting, try_to_fill, Filled)) as told:
                for number, filled in told:
                    if filled.last:
                        del waiting[number]
                    else:
                        yield filled
        for job in waiting.values():
            yield from (one for one in fill(job) if not one.last)


def _filling(folder: Path, part: int, mark: str, files: list[Wanted], now: float) -> Filling:
    ends, wordless = state_of(folder, part, mark)
    unread = tuple(file for file in files if ends.get(file.id, 0) < file.end)
    to_read = sum(file.end - ends.get(file.id, 0) for file in unread)
    return Filling(str(folder), part, mark, unread, to_read, now, wordless)
