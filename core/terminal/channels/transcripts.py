"""Which transcript belongs to the process on a terminal: told by the process, by its id, or by being new.

What was there before the process started is noted first: a file that comes later, among others of the same
folder, is the new session's. Everything here blocks: it is for a worker thread. It reads no transcript.
"""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from core.history.locate import project_name, sessions_of
from core.history.running import Running, running

Listed = Callable[[Path], tuple[Running, ...]]


class Choice(Struct, frozen=True):
    """A transcript, and how it is known to be this one; `resumed`: it was written before it was turned to."""

    path: Path
    why: str
    resumed: bool = False


class Transcripts:
    """The transcripts a process may write; it may change them (`/clear`, `/resume`)."""

    def __init__(
        self, config: Path, directory: Path, session_id: str = "", listed: Listed | None = None
    ) -> None:
        """`session_id` is the one it was started with, where it is known."""
        self.folder = config / "projects" / project_name(directory)
        self._config = config
        self._directory = directory
        self._session_id = session_id
        self._listed = listed or running
        self._known: frozenset[Path] = frozenset()
        self._told = ""
        self._current: Path | None = None

    def note(self) -> None:
        """Note what is there, before the process starts."""
        self._known = frozenset(stored.path for stored in sessions_of(self._config, self._directory))

    def choose(self, pid: int) -> Choice | None:
        """The transcript the process `pid` writes; None if it cannot be told yet."""
        told = next((one.session_id for one in self._listed(self._config) if one.pid == pid), "")
        if told:
            self._told = told
        if self._told:
            return self._chosen(self._told, "the process says so")
        if self._session_id:
            return self._chosen(self._session_id, "it was started with this id")
        now = {stored.path: stored.mtime() for stored in sessions_of(self._config, self._directory)}
        new = sorted(now.keys() - self._known, key=lambda path: now[path])
        return Choice(new[-1], "it is new") if new else None

    def _chosen(self, session_id: str, why: str) -> Choice:
        path = self._path(session_id)
        if self._current is not None and path != self._current:
            self._known |= {self._current}  # it may come back
        self._current = path
        return Choice(path, why, resumed=path in self._known)

    def _path(self, session_id: str) -> Path:
        """Its file; the process may have moved to another folder, which then holds it."""
        here = self.folder / f"{session_id}.jsonl"
        if here.exists():
            return here
        elsewhere = self._config.glob(f"projects/*/{session_id}.jsonl")
        return next(iter(sorted(elsewhere)), here)
