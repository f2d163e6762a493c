"""The journal of one agent: every line of both directions, appended as it passes.

Files `KEY.0000.ndjson`, `KEY.0001.ndjson` …, 0600 in a 0700 folder. What the model streams piece by piece is
left out (the whole block follows), and the account's e-mail is `[redacted]`. A line is written with one
`write`, so a crash can tear only the last one: it is repaired on open. A disk that is full pauses the
journal: lines wait in memory, and the agent goes on. It must not know what a line means.
"""

import errno
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from core.errors import JournalTooNew
from core.keeper import vocabulary
from core.keeper.entry import (
    REDACTED,
    VERSION,
    Direction,
    Head,
    email_in,
    read_entry,
    read_head,
    redactor,
    write_head,
    write_line,
    write_note,
)
from core.keeper.orders import PART_BYTES
from core.session.events import Event, Noticed

BACKLOG_BYTES = 16 * 2**20
RETRY_S = 5.0
SUFFIX = ".ndjson"


class Place(Struct, frozen=True):
    """How far a journal goes: its files in order, the length of the last (bytes), and lines not in it yet."""

    parts: tuple[str, ...] = ()
    end: int = 0
    unwritten: tuple[bytes, ...] = ()


class Journal:
    """An agent's journal, open for writing. Once it is open nothing raises."""

    def __init__(
        self,
        folder: Path,
        head: Head,
        *,
        clock: Callable[[], float] = time.time,
        complain: Callable[[str], None] = lambda text: None,
        part_bytes: int = PART_BYTES,
        backlog_bytes: int = BACKLOG_BYTES,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open or begin it. `complain` is told once when it has to pause. Raises `JournalTooNew`."""
        self._folder = folder
        self._head = head
        self._clock = clock
        self._monotonic = monotonic
        self._complain = complain
        self._part_bytes = part_bytes
        self._backlog_bytes = backlog_bytes
        self._emails: tuple[str, ...] = ()
        self._redact = redactor(())
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._lost = 0
        self._paused_at: float | None = None
        self._fd = -1
        self._size = 0
        self.parts = [*parts_of(folder, head.key)]
        self._begin()

    @property
    def paused(self) -> bool:
        """Whether it cannot be written just now."""
        return self._paused_at is not None

    @property
    def place(self) -> Place:
        """Everything up to now, for whoever wants to read it."""
        return Place(tuple(map(str, self.parts)), self._size, tuple(self._waiting))

    def heard(self, line: bytes) -> None:
        """The agent wrote this line."""
        if email := email_in(line):
            self._emails = tuple({*self._emails, email})
            self._redact = redactor(self._emails)
        self._write_line("recv", line)

    def said(self, line: bytes) -> None:
        """The agent was given this line."""
        self._write_line("send", line)

    def note(self, event: Event) -> None:
        """Something of our own happened."""
        self._append(write_note(self._clock(), vocabulary.write(event)))

    def close(self) -> None:
        """Write what still waits, if it can be written."""
        self._flush()
        self._shut()

    def _write_line(self, direction: Direction, line: bytes) -> None:
        self._append(write_line(direction, self._clock(), line))

    def _append(self, line: bytes) -> None:
        if self._redact is not None:
            line = self._redact.sub(REDACTED, line)
        if self._paused_at is None and self._put(line):
            return
        self._wait(line)
        if self._monotonic() - (self._paused_at or 0.0) >= RETRY_S:
            self._flush()

    def _wait(self, line: bytes) -> None:
        self._waiting.append(line)
        self._waiting_bytes += len(line)
        while self._waiting_bytes > self._backlog_bytes and len(self._waiting) > 1:
            self._waiting_bytes -= len(self._waiting.popleft())
            self._lost += 1

    def _flush(self) -> None:
        """Try again; what has waited goes first."""
        if self._lost:
            self._waiting.appendleft(
                write_note(self._clock(), vocabulary.write(_gap(self._clock(), self._lost)))
            )
            self._lost = 0
        self._paused_at = None
        if self._fd < 0:
            self._begin()
        while self._waiting and self._put(self._waiting[0]):
            self._waiting_bytes -= len(self._waiting.popleft())

    def _put(self, line: bytes) -> bool:
        """Write one line, whole or not at all; False if the journal is paused by it."""
        try:
            if self._size + len(line) > self._part_bytes and self._size > 0:
                self._open_new()
            if os.write(self._fd, line) != len(line):
                os.ftruncate(self._fd, self._size)
                return self._pause("the disk is full")
        except OSError as error:
            return self._pause(error.strerror or str(error))
        self._size += len(line)
        return True

    def _pause(self, why: str) -> bool:
        told = self._paused_at is not None or bool(self._waiting)
        self._paused_at = self._monotonic()
        if not told:
            self._complain(
                f"The journal of this agent cannot be written: {why}. It goes on. "
                f"Make room in {self._folder}, or a later start cannot show what happens now."
            )
        return False

    def _begin(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if self.parts:
                self._reopen(self.parts[-1])
            else:
                self._open_new()
        except OSError as error:
            self._pause(error.strerror or str(error))

    def _reopen(self, part: Path) -> None:
        check_version(part)
        self._fd = os.open(part, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        self._size = repair(self._fd)

    def _open_new(self) -> None:
        number = int(self.parts[-1].name.split(".")[1]) + 1 if self.parts else 0  # some may be gone
        part = self._folder / f"{self._head.key}.{number:04}{SUFFIX}"
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        fd = os.open(part, flags, 0o600)
        head = write_head(
            self._clock(), Head(VERSION, self._head.key, self._head.name, self._head.directory, number)
        )
        if self._redact is not None:
            head = self._redact.sub(REDACTED, head)
        try:
            _write_whole(fd, head)
        except OSError:
            os.close(fd)
            part.unlink()  # or the next try finds it there
            raise
        self._shut()
        self._fd, self._size = fd, len(head)
        self.parts.append(part)

    def _shut(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _write_whole(fd: int, data: bytes) -> None:
    if os.write(fd, data) != len(data):
        raise OSError(errno.ENOSPC, "the disk is full")


def _gap(at: float, count: int) -> Event:
    text = f"{count} records are missing here: the journal could not be written when they passed."
    return Noticed(at=at, text=text, level="warning")


def parts_of(folder: Path, key: str) -> Sequence[Path]:
    """The files of one agent's journal, in order."""
    return sorted(path for path in folder.glob(f"{key}.*{SUFFIX}") if path.name.count(".") == 2)


def repair(fd: int) -> int:
    """Mend the torn last line of a file that was being written when all ended; its length afterwards.

    A last line that only lacks its newline is whole; any other is cut off.
    """
    size = os.fstat(fd).st_size
    if size == 0 or os.pread(fd, 1, size - 1) == b"\n":
        return size
    start = _last_line_start(fd, size)
    torn = os.pread(fd, size - start, start)
    if read_entry(torn) is not None:
        os.write(fd, b"\n")
        return size + 1
    os.ftruncate(fd, start)
    return start


def _last_line_start(fd: int, size: int) -> int:
    end = size
    while end > 0:
        begin = max(0, end - 2**16)
        newline = os.pread(fd, end - begin, begin).rfind(b"\n")
        if newline >= 0:
            return begin + newline + 1
        end = begin
    return 0


def check_version(part: Path) -> None:
    """Raise `JournalTooNew` for a file of a later release."""
    with part.open("rb") as file:
        entry = read_entry(file.readline(2**16))
    if entry is not None and entry.dir == "head" and read_head(entry).journal > VERSION:
        raise JournalTooNew(part, read_head(entry).journal, VERSION)


def prune(folder: Path, older_than_s: float, now: float, keep: frozenset[str]) -> list[Path]:
    """Remove the journals nobody wrote to for so long, but those of `keep` (keys); what was removed."""
    newest: dict[str, float] = {}
    found = [path for path in folder.glob(f"*{SUFFIX}") if path.name.count(".") == 2]
    for path in found:
        newest[key_of(path)] = max(newest.get(key_of(path), 0.0), _changed_at(path))
    old = [path for path in found if now - newest[key_of(path)] > older_than_s and key_of(path) not in keep]
    for path in old:
        path.unlink(missing_ok=True)
    return old


def _changed_at(part: Path) -> float:
    try:
        return part.stat().st_mtime
    except OSError:
        return 0.0  # another dashboard has just removed it


def key_of(part: Path) -> str:
    """Whose journal a file belongs to."""
    return part.name.split(".", 1)[0]
