"""The git branch of a folder, read from `.git/HEAD` itself: no git process for each turn of each agent.

It must not know sessions. A worktree or submodule has a `.git` *file* that names the real folder.
"""

from pathlib import Path

SHORT = 8
_PREFIX = "ref: refs/heads/"
_MOST_BYTES = 4096


def read_branch(directory: str | Path) -> str:
    """The branch checked out in `directory` or a folder above it; a short hash when detached, "" without git.

    Blocking, a few small reads; whatever cannot be read counts as no git.
    """
    start = Path(directory)
    for folder in (start, *start.parents):
        try:
            head = _head(folder / ".git")
        except (OSError, ValueError):
            continue
        return head.removeprefix(_PREFIX) if head.startswith(_PREFIX) else head.rpartition("/")[2][:SHORT]
    return ""


def _head(git: Path) -> str:
    if git.is_file():
        target = _read(git).removeprefix("gitdir:").strip()
        git = git.parent / target
    return _read(git / "HEAD")


def _read(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_MOST_BYTES).decode().strip()
