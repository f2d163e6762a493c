"""Which transcript files there are, and which of them changed since they were read.

By names, sizes and times, and where a file grew by the last bytes that were read of it: a mere addition is
told from a rewriting. This module must not know what a transcript says, nor the catalogue's tables.
"""

import os
import stat
from io import FileIO
from pathlib import Path
from typing import Literal

from msgspec import Struct

from core.history.locate import AGENT_PREFIX, SESSION_NAME
from core.paths import is_folder

MARK = 256
"""How many bytes before the end of what was read are kept, to know the file by."""

Change = Literal["same", "grown", "anew"]


class Source(Struct, frozen=True, gc=False):
    """A transcript: a session's own (`agent` is ""), or a subagent's.

    `session_id` is "" where only the rows of an agent's file tell whose it is. `mtime_ns` is a key, no time.
    Its place is plain text: there are thousands, and most are only compared.
    """

    name: str
    session_id: str
    agent: str
    size: int
    mtime_ns: int

    @property
    def path(self) -> Path:
        """Where it is."""
        return Path(self.name)


class Read(Struct, frozen=True):
    """What was read of a file: its size and time then, up to which byte, and the bytes before that."""

    size: int
    mtime_ns: int
    end: int
    mark: bytes


def sources(config: Path) -> list[Source]:
    """Every transcript of every session and of their subagents; what cannot be read is left out."""
    found = list[Source]()
    for project in _entries(str(config / "projects")):
        if is_folder(project):
            _project(project.path, found)
    return found


def change(source: Source, read: Read) -> Change:
    """What happened to a file since it was read. Opens it where its size or time is another."""
    if (source.size, source.mtime_ns) == (read.size, read.mtime_ns):
        return "same"
    if source.size < read.end:
        return "anew"
    return "grown" if mark(source.name, read.end) == read.mark else "anew"


def mark(name: str, end: int) -> bytes:
    """The bytes before `end` the file `name` is known by; b"" where it cannot be read."""
    start = max(0, end - MARK)
    try:
        with FileIO(name) as file:
            return os.pread(file.fileno(), end - start, start)
    except OSError:
        return b""


def _project(folder: str, found: list[Source]) -> None:
    for entry in _entries(folder):
        name, _, suffix = entry.name.partition(".")
        if suffix == "jsonl":
            if SESSION_NAME.fullmatch(name):
                _take(entry, name, "", found)
            elif name.startswith(AGENT_PREFIX):
                _take(entry, "", name.removeprefix(AGENT_PREFIX), found)
        elif not suffix and SESSION_NAME.fullmatch(name):
            _agents(f"{entry.path}/subagents", name, found)


def _agents(folder: str, session_id: str, found: list[Source]) -> None:
    """The subagents' files of a session, at any depth: workflows have folders of their own."""
    for entry in _entries(folder):
        name, _, suffix = entry.name.partition(".")
        if suffix == "jsonl" and name.startswith(AGENT_PREFIX):
            _take(entry, session_id, name.removeprefix(AGENT_PREFIX), found)
        elif not suffix and entry.is_dir(follow_symlinks=False):
            _agents(entry.path, session_id, found)


def _take(entry: "os.DirEntry[str]", session_id: str, agent: str, found: list[Source]) -> None:
    try:
        status = entry.stat()
    except OSError:
        return  # gone since it was listed
    if stat.S_ISREG(status.st_mode) and _is_text(entry.path):
        found.append(Source(entry.path, session_id, agent, status.st_size, status.st_mtime_ns))


def _is_text(name: str) -> bool:
    """Whether a name can be written down. The CLI makes no other, and no catalogue could keep it."""
    return name.isascii() or name == name.encode("utf-8", "replace").decode()


def _entries(folder: str) -> "list[os.DirEntry[str]]":
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []  # there is none, or it is not ours to read
