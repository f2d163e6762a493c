"""Which files there are below a directory: what git would show, else what a bounded walk finds.

Blocking; it belongs in a thread. It must not know who looks for what.
"""

import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

MOST_FILES = 200_000
GIT_S = 10.0
WALK_S = 3.0
WALKED_FILES = 100_000
"""A walk ends after so many seconds or files; git's own list is longer, as it is quick."""

NOT_WALKED = frozenset(
    (".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache", "target")
)
"""Where nobody has written a file; of a git repository its ignore files say that."""

GIT = ("git", "-c", "core.fsmonitor=false", "ls-files", "-co", "--exclude-standard", "-z")
"""No fsmonitor: that setting names a program, and the directory may be anybody's."""


def list_files(directory: str) -> Sequence[str]:
    """The files below `directory`, relative to it, `/` between folders; none where it cannot be read.

    Names that cannot stand in a prompt (control characters, quotes) are left out.
    """
    found = _of_git(directory) or islice(_walk(directory, time.monotonic() + WALK_S), WALKED_FILES)
    return list(dict.fromkeys(filter(can_be_typed, found)))


def can_be_typed(name: str) -> bool:
    """Whether a path can stand in a prompt: no control characters, no quotes."""
    return name.isprintable() and '"' not in name


def folders_of(files: Sequence[str]) -> list[str]:
    """Every folder that holds one of `files`, a `/` at its end."""
    found: set[str] = set()
    for name in files:
        folder = name.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return [f"{folder}/" for folder in found]


def list_folder(directory: str, typed: str) -> Sequence[str]:
    """What stands in the folder that `typed` begins with, spelled as it is: `~/`, `../` or a whole path.

    For paths outside a directory that was listed: those whose name goes on as typed, folders first.
    """
    folder, _, begun = typed.rpartition("/")
    place = Path(directory) / Path(f"{folder}/").expanduser()
    try:
        with os.scandir(place) as entries:
            found = [(not _is_folder(entry), entry.name) for entry in islice(entries, MOST_FILES)]
    except (OSError, ValueError):  # a NUL in it
        return ()
    shown = sorted((is_file, name) for is_file, name in found if _goes_on(name, begun))
    return [f"{folder}/{name}{'' if is_file else '/'}" for is_file, name in shown]


def _goes_on(name: str, begun: str) -> bool:
    hidden = name.startswith(".") and not begun.startswith(".")
    return can_be_typed(name) and not hidden and name.lower().startswith(begun.lower())


def _of_git(directory: str) -> Sequence[str]:
    """What git has and would add; nothing where it is no repository, or git is not there or too slow."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            GIT,
            cwd=directory,
            env={**env, "GIT_OPTIONAL_LOCKS": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=GIT_S,
            check=True,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return ()
    names = done.stdout.split(b"\0")[:MOST_FILES]
    return [os.fsdecode(name) for name in names if name]


def _walk(directory: str, until: float) -> Iterator[str]:
    """Breadth first, so that what is near is found before time is up."""
    waiting = [""]
    for folder in waiting:  # it grows as it is walked
        if time.monotonic() > until:
            return
        try:
            with os.scandir(Path(directory) / folder) as entries:
                for entry in entries:
                    name = f"{folder}{entry.name}"
                    if not _is_folder(entry):
                        yield name
                    elif entry.name not in NOT_WALKED:
                        waiting.append(f"{name}/")
        except (OSError, ValueError):
            continue


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
