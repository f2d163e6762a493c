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


@lru_cache(maxsize=1)
def load() -> Library:
    """The library; blocks for 0.2 s the first time. Raises `TerminalMissing` where it is not installed."""
    try:
        from pyghostty._ffi import ffi, lib
    except (ImportError, OSError) as error:
        raise TerminalMissing(PACKAGE, str(error)) from error
    return Library(ffi, lib)
