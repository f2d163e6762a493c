"""The terminal emulator's library, loaded when the first interactive session opens: it is an optional extra.

`pyghostty` binds Ghostty's own emulator. Measured on Python 3.11 against `pyavt` (asciinema's avt), the other
one that gets all byte streams of TRM-* right, with 20 MB of mixed colour output on 120×40 cells:

    | | pyghostty 0.1.3 | pyavt 0.1.2 |
    |---|---|---|
    | feed | 46 MB/s | 44 MB/s |
    | read out a busy screen with its styles | 1.4 ms | 2.5 ms |
    | read out what changed, two rows | 0.2 ms | by comparing rows: 2.5 ms |
    | modes, title, replies, synchronized updates | all | the cursor keys' mode |
    | keys, mouse and pastes → bytes, as the program asked for | yes | no |

It takes 0.2 s to load, so `load` belongs in a worker thread. Its functions are reached through cffi and have
no types: what they give becomes our own data in `cells.py`, `emulator.py` and `keys.py` and goes no further.
This module must not know what is done with it.
"""

import ctypes
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from core.errors import TerminalMissing

PACKAGE = "pyghostty"


class Library:
    """The loaded library: `ffi` makes C data, `lib` holds functions and constants."""

    def __init__(self, ffi: Any, lib: Any) -> None:
        """Hold both."""
        self.ffi = ffi
        self.lib = lib

    def made(self, kind: str, make: str) -> Any:
        """A pointer to a new object of the library; the caller frees it."""
        pointer = self.ffi.new(f"{kind}*")
        self.check(getattr(self.lib, make)(self.ffi.NULL, pointer), make)
        return pointer

    def sized(self, kind: str) -> Any:
        """A struct that carries its own size, as the library wants it."""
        struct = self.ffi.new(f"{kind}*")
        struct.size = self.ffi.sizeof(kind)
        return struct

    def check(self, result: int, what: str) -> None:
        """Raise RuntimeError unless a call succeeded: that would be an error of ours."""
        if result:
            raise RuntimeError(f"{what} failed with {result}")


class Questions:
    """Several things asked of a terminal in one call, by their keys; what it says is written to their places.

    Python's lock is kept meanwhile: it takes no time, while to get the lock back from the app may take 5 ms.
    """

    def __init__(self, library: Library, handle: Any, asked: Sequence[tuple[int, Any]]) -> None:
        """`asked`: what, and where the answer goes."""
        ffi = library.ffi
        keys = ffi.new("GhosttyTerminalData[]", [key for key, _ in asked])
        places = ffi.new("void*[]", [place for _, place in asked])
        address = ffi.addressof(library.lib, "ghostty_terminal_get_multi")
        whole, pointer = ctypes.c_size_t, ctypes.c_void_p
        kind = ctypes.PYFUNCTYPE(ctypes.c_int, pointer, whole, pointer, pointer, pointer)
        handle, keys_at, places_at, address = (
            int(ffi.cast("uintptr_t", one)) for one in (handle, keys, places, address)
        )
        self._call, self._given = kind(address), (handle, len(asked), keys_at, places_at, None)
        self._kept = (keys, places, asked)

    def ask(self) -> None:
        """Have all of them answered; for who has the terminal."""
        self._call(*self._given)


@lru_cache(maxsize=1)
def load() -> Library:
    """The library; blocks for 0.2 s the first time. Raises `TerminalMissing` where it is not installed."""
    try:
        from pyghostty._ffi import ffi, lib
    except (ImportError, OSError) as error:
        raise TerminalMissing(PACKAGE, str(error)) from error
    return Library(ffi, lib)
