"""Where Claude Code keeps its transcripts, and which file belongs to which session.

Source: FACTS §7. A project's folder name is made from its path and cannot be turned back into one
(case IDX-01): a session's directory is read from its rows, never decoded from the name. This module
looks at names and sizes only; it must not know what a transcript says.
"""

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from core.paths import home, is_folder

SESSION_NAME = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
AGENTS = "subagents"
"""The folder of a session's subagents, in the session's own."""

AGENT_PREFIX = "agent-"
NAME_UNITS = 200
"""From this length on, a project's folder name is cut and gets a hash of the whole path."""

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Stored(Struct, frozen=True, gc=False):
    """A session's own file in a project's `folder`. Its place is plain text: there are thousands."""

    session_id: str
    name: str
    folder: str

    @property
    def path(self) -> Path:
        """Where it is."""
        return Path(self.name)

    def mtime(self) -> float:
        """Its time, in seconds (only a key for caches, case IDX-05), asked now; 0.0 where it is gone."""
        try:
            return self.path.stat().st_mtime
        except OSError:
            return 0.0


def config_folder(env: Mapping[str, str]) -> Path:
    """Claude Code's folder: `CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    given = env.get("CLAUDE_CONFIG_DIR")
    return Path(given) if given else home(env) / ".claude"


def project_name(directory: Path) -> str:
    """The name of the folder that holds a directory's sessions; `directory` is resolved first."""
    path = unicodedata.normalize("NFC", os.path.realpath(directory))
    units = [ord(char) for char in path]
    name = "".join(_name_part(unit) for unit in units)
    return name if len(name) <= NAME_UNITS else f"{name[:NAME_UNITS]}-{_hash36(path)}"


def _name_part(char: int) -> str:
    """One `-` per UTF-16 unit of all that is no ASCII letter or digit."""
    if char < 128 and chr(char).isalnum():
        return chr(char)
    return "--" if char > 0xFFFF else "-"


def _hash36(path: str) -> str:
    """The 32-bit ×31 hash of the path's UTF-16 units, its absolute value in base 36."""
    value = 0
    raw = path.encode("utf-16-le", "surrogatepass")
    for start in range(0, len(raw), 2):
        value = (value * 31 + int.from_bytes(raw[start : start + 2], "little")) & 0xFFFFFFFF
    number = abs(value - 2**32 if value >= 2**31 else value)
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"


def sessions(config: Path) -> Iterator[Stored]:
    """Every session's own file, in no order; a folder that cannot be read costs only itself."""
    for folder in _folders(config / "projects"):
        yield from _sessions_in(folder)


def sessions_of(config: Path, directory: Path) -> Iterator[Stored]:
    """The session files in the folder of one directory (which other directories may share)."""
    yield from _sessions_in(config / "projects" / project_name(directory))


def agent_files(session: Path) -> tuple[Path, ...]:
    """The transcripts of a session's subagents in the layout of its own folder, workflows included.

    The older layout keeps them beside the session, where only their rows tell whose they are
    (`agent_files_beside`).
    """
    folder = session.with_suffix("") / AGENTS
    return tuple(sorted(path for path in folder.rglob(f"{AGENT_PREFIX}*.jsonl") if path.is_file()))


def agent_files_beside(folder: Path) -> tuple[Path, ...]:
    """The transcripts of subagents that lie among the sessions of a project (2.0.28 to 2.1.1)."""
    return tuple(sorted(path for path in folder.glob(f"{AGENT_PREFIX}*.jsonl") if path.is_file()))


def _folders(projects: Path) -> Iterator[Path]:
    try:
        with os.scandir(projects) as found:
            yield from (Path(entry.path) for entry in found if is_folder(entry))
    except OSError:
        return  # no sessions yet, or not ours to read


def _sessions_in(folder: Path) -> Iterator[Stored]:
    try:
        with os.scandir(folder) as found:
            for entry in found:
                name, dot, suffix = entry.name.rpartition(".")
                if suffix != "jsonl" or not dot or not SESSION_NAME.fullmatch(name):
                    continue
                if _is_file(entry):
                    yield Stored(name, entry.path, folder.name)
    except OSError:
        return


def _is_file(entry: "os.DirEntry[str]") -> bool:
    """Whether it is a file, or leads to one: whoever opens a pipe waits for ever. Hardly asks the system."""
    try:
        return entry.is_file()
    except OSError:
        return False
