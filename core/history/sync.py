"""Brings the catalogue up to date with the transcripts: first what is counted, then what is searched.

Only what changed since the last time is read: of a file that grew the new bytes, a rewritten one from its
beginning. The newest files come first and each step is written as it is done, so that whoever reads sees
more and more, and who stops loses little. All of it blocks: it is for a worker thread or a process of its
own. Transcripts are never written. This module must not know how the catalogue is shown.
"""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from core.history.counting import Done, Job, count_job
from core.history.crew import do_all
from core.history.filling import drop
from core.history.indexing import Indexing
from core.history.inventory import Change, Source, change, sources
from core.history.ledgers import (
    Known,
    counts_of,
    fact,
    forget,
    known_files,
    put_fact,
    put_file,
    read_of,
)
from core.history.owners import Owners
from core.history.store import FAULTS, born, discard, is_damage, leave_word, word_left, writing

COMMIT_BYTES = 32 * 2**20
WORD_BYTES = 32 * 2**20
"""From how much on who finds another process at it is told how far that is."""

MOST_ORPHANS = 100_000
"""So many texts of files that are gone may be left in the index; beyond, it is made anew."""

COUNTED = "counted"
"""Told once all there was has been counted: before, the list knows of some sessions only."""

ORPHANS = "orphans"
"""The fact that tells how many there are."""

COMPLETE = "complete"
"""The fact that everything was read at least once."""

WRITING = "writing"
"""The fact that somebody writes, or died while writing."""

GENERATION = "generation"
"""The fact that tells one state of the catalogue from another, written when a run comes to its end."""

Stage = Literal["count", "index"]


class Progress(Struct, frozen=True, tag="progress"):
    """How far a stage is, in bytes of the transcripts that changed."""

    stage: Stage
    done_bytes: int
    total_bytes: int


class Synced(Struct, frozen=True, tag="synced"):
    """What was done. `busy`: another process is at it, and nothing was done here.

    `other` is how far that one is, if it has much to do.

    `generation` is another one whenever the catalogue tells something new, whoever brought it up to date.
    `trouble` is why it cannot be kept, "" where it can.
    """

    read_files: int = 0
    read_bytes: int = 0
    gone_files: int = 0
    generation: int = 0
    busy: bool = False
    other: Progress | None = None
    stopped: bool = False
    trouble: str = ""

    @property
    def changed(self) -> bool:
        """Whether this made the catalogue tell anything new."""
        return bool(self.read_files or self.gone_files)


def unkept(error: Exception) -> Synced:
    """What is told where the catalogue cannot be kept."""
    return Synced(stopped=True, trouble=getattr(error, "strerror", None) or str(error) or "unknown trouble")


OnProgress = Callable[[Progress], None]
Stop = Callable[[], bool]


def sync(
    config: Path,
    folder: Path,
    *,
    texts: bool = True,
    progress: OnProgress = lambda _: None,
    stop: Stop = lambda: False,
) -> Synced:
    """Bring the catalogue in `folder` up to date with the transcripts of `config`.

    Without `texts` only what is counted. `stop` is asked between two steps. A damaged or worn catalogue is
    thrown away and made anew. Raises `OSError` where the folder cannot be written, `sqlite3.Error` where
    the catalogue cannot be (a full disk …).
    """

    def tell(told: Progress) -> None:
        if told.total_bytes >= WORD_BYTES:
            leave_word(folder, msgspec.json.encode(told))
        progress(told)

    with writing(folder) as db:
        if db is None:
            return _busy(folder)
        if done := _further(_Sync(db, folder, tell, stop), config, texts):
            return done
        discard(folder)
    with writing(folder) as db:
        return _busy(folder) if db is None else _anew(_Sync(db, folder, tell, stop), config, texts)


def _busy(folder: Path) -> Synced:
    """What is told where another process is at it."""
    try:
        return Synced(busy=True, other=msgspec.json.decode(word_left(folder), type=Progress))
    except msgspec.MsgspecError:
        return Synced(busy=True)


def _further(run: "_Sync", config: Path, texts: bool) -> Synced | None:
    """Go on with the one there is; None where it is worn or damaged."""
    try:
        if int(fact(run.db, ORPHANS) or 0) <= MOST_ORPHANS:
            return run.run(config, texts)
    except FAULTS as error:
        if not is_damage(error):
            raise
    return None


def _anew(run: "_Sync", config: Path, texts: bool) -> Synced:
    """Fill one that was just made; what goes wrong now is the system's doing, and told as such."""
    try:
        return run.run(config, texts)
    except FAULTS as error:
        if isinstance(error, sqlite3.Error):
            raise
        raise sqlite3.DatabaseError(f"it was made anew, and is damaged again: {error}") from error


class _Sync:
    """One run."""

    def __init__(self, db: sqlite3.Connection, folder: Path, progress: OnProgress, stop: Stop) -> None:
        self.db, self.folder, self.progress, self.stop = db, folder, progress, stop
        self.found: dict[str, Source] = {}
        self.known: dict[str, Known] = {}
        self.changes: dict[str, Change] = {}
        self.files = self.bytes = self.gone = 0

    def run(self, config: Path, texts: bool) -> Synced:
        self.found = {source.name: source for source in sources(config)}
        self._forget()
        self._count()
        if not self.stop() and fact(self.db, COUNTED) is None:
            put_fact(self.db, COUNTED, "1")
        if texts:
            self._index()
        generation = int(fact(self.db, GENERATION) or 0)
        if self.files or self.gone or not generation:
            generation = time.time_ns() // 1_000_000  # never there before, even in a catalogue made anew
            put_fact(self.db, GENERATION, str(generation))
        if fact(self.db, WRITING) is not None:
            put_fact(self.db, WRITING, None)
        return Synced(self.files, self.bytes, self.gone, generation, stopped=self.stop())

    def _write(self) -> None:
        """What follows writes; where nothing is new nothing is, as that takes longer than to look."""
        put_fact(self.db, WRITING, "1")

    def _forget(self) -> None:
        """Take out what is gone or was rewritten."""
        self._look()
        lost = [self.known[name].id for name, change in self.changes.items() if change == "anew"]
        if not lost:
            return
        self._write()
        orphans = drop(self.folder, born(self.db), lost)  # before: who dies here finds the files lost again
        self.db.execute("BEGIN IMMEDIATE")
        forget(self.db, lost)
        put_fact(self.db, ORPHANS, str(int(fact(self.db, ORPHANS) or 0) + orphans))
        self.db.execute("COMMIT")
        self.gone = len(lost)
        self._look()

    def _look(self) -> None:
        """What happened to the files that are known; those that are gone would be read anew."""
        self.known, self.changes = known_files(self.db), {}
        for name, known in self.known.items():
            source = self.found.get(name)
            if source is None:
                self.changes[name] = "anew"
            elif source.size != known.size or source.mtime_ns != known.mtime_ns:
                self.changes[name] = change(source, read_of(self.db, known))

    def _count(self) -> None:
        """Count what is new, the newest files first."""
        names = self.changes.keys() | (self.found.keys() - self.known.keys())
        changed = [self.found[name] for name in names]
        if not changed:
            return
        self._write()
        changed.sort(key=lambda source: (source.mtime_ns, source.name), reverse=True)
        jobs = [self._job(source) for source in changed]
        owners = Owners(self.db, fresh=not self.known)
        total, done, since = sum(job.to_read for job in jobs), 0, 0
        self.progress(Progress("count", 0, total))
        self.db.execute("BEGIN IMMEDIATE")
        with closing(do_all(jobs, count_job, Done)) as results:
            for job, result in zip(jobs, results, strict=True):
                self._put(result, owners)
                done += job.to_read
                if done - since > COMMIT_BYTES:
                    self._commit(owners)
                    since = done
                    self.progress(Progress("count", done, total))
                    if self.stop():
                        break
        owners.flush()
        self.db.execute("COMMIT")
        self.bytes += done
        self.progress(Progress("count", done, total))

    def _job(self, source: Source) -> Job:
        known = self.known.get(source.name)
        if known is None or known.counted == 0:
            return Job(source.name, source.size)
        return Job(source.name, source.size, known.counted, counts_of(self.db, known.id))

    def _put(self, done: Done, owners: Owners) -> None:
        if done.counts is None:
            return  # gone, or not ours to read: it is looked at again next time
        self.files += 1
        known = self.known.get(done.name)
        owner = put_file(self.db, self.found[done.name], done, done.counts, known)
        owners.put(owner, done, known=known is not None)

    def _commit(self, owners: Owners) -> None:
        owners.flush()
        self.db.execute("COMMIT")
        self.db.execute("BEGIN IMMEDIATE")

    def _index(self) -> None:
        """Put what was counted into the index."""
        indexing = Indexing(self.db, self.folder, self.stop)
        if indexing.waiting:
            self._write()
            indexing.run(self._indexed)
        if not self.stop() and fact(self.db, COMPLETE) is None:
            put_fact(self.db, COMPLETE, "1")

    def _indexed(self, done: int, total: int) -> None:
        self.progress(Progress("index", done, total))
