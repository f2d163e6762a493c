"""Which transcript files there are, and which of them changed since they were read.

By names, sizes and times, and where a file grew by the last bytes that were read of it: a mere addition is
told from a rewriting. This module must not know what a transcript says, nor the catalogue's tables.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from core.history.locate import AGENT_PREFIX, Stored, agent_files, agent_files_beside, sessions

MARK = 256
"""How many bytes before the end of what was read are kept, to know the file by."""

Change = Literal["same", "grown", "anew"]


class Source(Struct, frozen=True):
    """A transcript: a session's own (`agent` is ""), or a subagent's.

    `session_id` is "" where only the rows of an agent's file tell whose it is. `mtime_ns` is a key, no time.
    """

    path: Path
    session_id: str
    agent: str
    size: int
    mtime_ns: int


class Read(Struct, frozen=True):
    """What was read of a file: its size and time then, up to which byte, and the bytes before that."""

    size: int
    mtime_ns: int
    end: int
    mark: bytes


def sources(config: Path) -> Iterator[Source]:
    """Every transcript of every session and of their subagents; what cannot be read is left out."""
    for stored in sessions(config):
        yield from _session(stored)
    for folder in _projects(config):
        for path in agent_files_beside(folder):
            yield from _agent(path, "")


def change(source: Source, read: Read) -> Change:
    """What happened to a file since it was read. Opens it where its size or time is another."""
    if (source.size, source.mtime_ns) == (read.size, read.mtime_ns):
        return "same"
    if source.size < read.end:
        return "anew"
    return "grown" if mark(source.path, read.end) == read.mark else "anew"


def mark(path: Path, end: int) -> bytes:
    """The bytes before `end` a file is known by; b"" where it cannot be read."""
    start = max(0, end - MARK)
    try:
        with path.open("rb") as file:
            file.seek(start)
            return file.read(end - start)
    except OSError:
        return b""


def _session(stored: Stored) -> Iterator[Source]:
    yield from _source(stored.path, stored.session_id, "")
    if stored.path.with_suffix("").is_dir():
        for path in agent_files(stored.path):
            yield from _agent(path, stored.session_id)


def _agent(path: Path, session_id: str) -> Iterator[Source]:
    yield from _source(path, session_id, path.stem.removeprefix(AGENT_PREFIX))


def _source(path: Path, session_id: str, agent: str) -> Iterator[Source]:
    try:
        status = path.stat()
    except OSError:
        return  # gone since it was listed
    yield Source(path, session_id, agent, status.st_size, status.st_mtime_ns)


def _projects(config: Path) -> Iterator[Path]:
    try:
        with os.scandir(config / "projects") as found:
            yield from (Path(entry.path) for entry in found if entry.is_dir())
    except OSError:
        return
