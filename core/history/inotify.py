"""Linux's own word of what changes below a folder: nothing runs while nothing changes.

`watchfiles` looks fifty times a second whether its thread heard anything (0.2 % of a core a watch), drops the
word of an overflown queue without a trace, and can never be used again after one name that is not UTF-8
(seen on 1.3.0, and in its source). This module must not know who asks, nor what is in the files.
"""

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Iterator
from pathlib import Path

from core.paths import is_folder

MODIFY, ATTRIB, MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x2, 0x4, 0x40, 0x80, 0x100, 0x200
DELETE_SELF, MOVE_SELF, UNMOUNT, Q_OVERFLOW, IGNORED = 0x400, 0x800, 0x2000, 0x4000, 0x8000
ONLY_DIR, IS_DIR = 0x0100_0000, 0x4000_0000

_MASK = MODIFY | ATTRIB | MOVED_FROM | MOVED_TO | CREATE | DELETE | DELETE_SELF | MOVE_SELF | ONLY_DIR
_FULL = (errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
_HEAD = struct.Struct("iIII")
_READ_BYTES = 2**16

_LIBC = ctypes.CDLL(None, use_errno=True)


def is_here() -> bool:
    """Whether this system tells changes that way; under WSL those of Windows' own drives would be missed."""
    return (
        platform.system() == "Linux"
        and "microsoft" not in platform.release().lower()
        and hasattr(_LIBC, "inotify_init1")
    )


class Tree:
    """A folder and all below it, watched once it is `plant`ed.

    `ended`: it is another folder by now, or none. Raises `OSError` where it cannot be watched, or where the
    system's limit is reached.
    """

    def __init__(self, folder: Path) -> None:
        """Watch nothing yet."""
        self.folder = folder
        self.ended = False
        self._fd = _open()
        self._paths: dict[int, str] = {}

    def fileno(self) -> int:
        """Readable once there is something to `read`."""
        return self._fd

    def close(self) -> None:
        """Watch nothing any more."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def plant(self) -> None:
        """Watch all there is. Walks the whole tree: for a worker thread."""
        if _watch(self._fd, str(self.folder)) < 0:
            raise OSError(ctypes.get_errno(), "this folder cannot be watched", str(self.folder))
        self._add(str(self.folder))

    def read(self) -> set[Path]:
        """What changed since the last time; the folder itself: whatever is below it may have changed."""
        found: set[str] = set()
        for number, mask, name in self._events():
            if mask & Q_OVERFLOW:
                self._replant()
                return {self.folder}
            found.update(self._take(number, mask, name))
        return {Path(path) for path in found}

    def _replant(self) -> None:
        """What was lost may be of folders, too: all is watched anew."""
        self.close()
        self._paths = {}
        self._fd = _open()
        self.plant()

    def _events(self) -> Iterator[tuple[int, int, bytes]]:
        try:
            data = os.read(self._fd, _READ_BYTES)
        except BlockingIOError:
            return
        at = 0
        while at < len(data):
            number, mask, _, size = _HEAD.unpack_from(data, at)
            at += _HEAD.size
            yield number, mask, data[at : at + size].rstrip(b"\0")
            at += size

    def _take(self, number: int, mask: int, name: bytes) -> list[str]:
        """The paths one event tells of."""
        if mask & IGNORED:
            self._paths.pop(number, None)
        folder = self._paths.get(number)
        if folder is None:
            return []
        if mask & (DELETE_SELF | MOVE_SELF | UNMOUNT):
            self.ended = self.ended or folder == str(self.folder)
            return []  # of one below the folder above tells, too
        path = f"{folder}/{os.fsdecode(name)}" if name else folder
        if not mask & IS_DIR:
            return [path]
        if mask & (MOVED_FROM | DELETE):
            self._forget(path)
        return [path, *self._add(path)] if mask & (MOVED_TO | CREATE) else [path]

    def _add(self, folder: str) -> list[str]:
        """Watch a folder and all below it; what is in there, as it may be older than the watch."""
        found, left = list[str](), [folder]
        while left:
            at = left.pop()
            number = _watch(self._fd, at)
            if number < 0 or number in self._paths:  # by a link, or it was just walked through
                continue
            self._paths[number] = at
            for path, has_entries in _entries(at):
                found.append(path)
                left += [path] if has_entries else []
        return found

    def _forget(self, folder: str) -> None:
        """A folder went elsewhere: what happens there is not below this one any more."""
        below = folder + os.sep
        for number, path in tuple(self._paths.items()):
            if path == folder or path.startswith(below):
                del self._paths[number]
                _LIBC.inotify_rm_watch(self._fd, number)


def _open() -> int:
    found: int = _LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    if found < 0:
        raise OSError(ctypes.get_errno(), "nothing more can be watched")
    return found


def _watch(fd: int, folder: str) -> int:
    """The number of the watch of a folder, below 0 where there is none or it may not be read."""
    found: int = _LIBC.inotify_add_watch(fd, os.fsencode(folder), _MASK)
    if found < 0 and ctypes.get_errno() in _FULL:
        raise OSError(ctypes.get_errno(), "the system watches no more folders", folder)
    return found


def _entries(folder: str) -> list[tuple[str, bool]]:
    try:
        with os.scandir(folder) as entries:
            return [(entry.path, is_folder(entry)) for entry in entries]
    except OSError:
        return []  # it went, or may not be read
