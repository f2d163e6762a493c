"""What the deck remembers from one start to the next: choices, so that they need not be made again.

Never anything of a conversation, and nothing the deck could not do without: a file that cannot be read or
written only means that all is as the settings have it, and the form for a new agent blank.
"""

import os
from pathlib import Path

import msgspec

FILE = "last.json"
MOST_DIRECTORIES = 20


class Last(msgspec.Struct, frozen=True):
    """The choices of the agent started last; `models` and `efforts` are those the CLI has offered.

    `phrases` are words of denials the person wanted kept, the newest first. `theme` was picked while the
    settings said `theme_set`: who changes these later means them.
    """

    model: str = ""
    mode: str = ""
    effort: str = ""
    models: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ()
    directories: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    theme: str = ""
    theme_set: str = ""


class Memory:
    """`last` in a file of the state folder; None keeps it for this run only."""

    def __init__(self, folder: Path | None) -> None:
        """Read what is there."""
        self.folder = folder
        self._file = folder / FILE if folder else None
        self.last = self._read()

    def remember(self, last: Last) -> None:
        """Keep `last` for the next start. Blocking, a few kilobytes."""
        if last == self.last:
            return
        self.last = last
        if self._file is None:
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            beside = self._file.with_suffix(f".{os.getpid()}")
            beside.write_bytes(msgspec.json.encode(last))
            beside.replace(self._file)
        except OSError:
            self._file = None  # nothing to tell: it is a convenience

    def _read(self) -> Last:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=Last) if self._file else Last()
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return Last()


def started(last: Last, directory: str, model: str, mode: str, effort: str) -> Last:
    """`last` after an agent was started so; the newest directory stands first ("": on another machine)."""
    others = tuple(known for known in last.directories if known != directory)
    return msgspec.structs.replace(
        last,
        model=model,
        mode=mode,
        effort=effort,
        directories=(directory, *others)[:MOST_DIRECTORIES] if directory else last.directories,
    )
