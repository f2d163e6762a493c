"""A terminal without a window: bytes of a program go in, its screen and its answers come out.

Ghostty's emulator does the work (why this one: `library.py`). What is added here: a synchronized update is
not seen before it ends, but no longer than a moment; a control string that never ends swallows a bounded
number of bytes; what the program asks the terminal is answered with a fixed, modest identity. Any thread may
call. Only `feed` and `resize` wait for each other: who looks meanwhile gets what was seen last (`glance.py`),
and has the next look prepared. It must not know a process nor who looks.
"""

import logging
import time
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

from core.session.screen import Row, Screen
from core.terminal.cells import CellReader
from core.terminal.glance import Glance
from core.terminal.history import History
from core.terminal.keys import Encoder
from core.terminal.library import Library, Questions, load
from core.terminal.lock import FRAME_S, Turns

log = logging.getLogger(__name__)

SCROLLBACK_ROWS = 10_000
SCROLLBACK_BYTES = 64 * 2**20
"""The library's own limit is by bytes; whichever is reached first counts."""

HOLD_S = 0.25
"""For so long a synchronized update may take; what is there then is shown, ended or not."""

STRING_BYTES = 256 * 1024
"""So much a control string may hold; one that goes on is cancelled, so that it eats no more (TRM-06)."""

ESCAPE = b"\x1b"
HOLD, RELEASE = b"\x1b[?2026h", b"\x1b[?2026l"
SYNCHRONIZED = 2026

IDENTITY = b"quarterdeck"
CANCEL = b"\x18"

Rgb = tuple[int, int, int]

FOREGROUND: Rgb = (216, 220, 228)
BACKGROUND: Rgb = (16, 20, 28)
"""What a program is told the default colours are (OSC 10 and 11), unless the view says otherwise."""


class Emulator:
    """A terminal of `columns` × `rows` cells."""

    def __init__(
        self,
        columns: int = 80,
        rows: int = 24,
        *,
        scrollback_rows: int = SCROLLBACK_ROWS,
        foreground: Rgb = FOREGROUND,
        background: Rgb = BACKGROUND,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start empty. Raises `TerminalMissing` where the library is not installed."""
        self._library = library = load()
        self._lock = Turns()
        self._clock = clock
        self.columns, self.height = max(1, columns), max(1, rows)
        self._terminal = library.ffi.new("GhosttyTerminal*")
        new = library.lib.ghostty_terminal_new(library.ffi.NULL, self._terminal, self.columns, self.height)
        library.check(new, "ghostty_terminal_new")
        self._handle = self._terminal[0]
        reader = CellReader(library)
        self._glance = Glance(library, self._handle, reader, self.columns, self.height)
        self._history = History(library, self._handle, reader)
        self.keyboard = Encoder(library, self._handle, self._lock)
        self._replies = bytearray()
        self._held_since: float | None = None
        self._unfinished = 0
        self._told = b""
        self._asked = self._refused = False
        self._history_length = 0
        self._out = _Outs(library, self._handle)
        self._kept = self._listen()
        freed = weakref.finalize(self, _free, library, self._handle, self._glance, self.keyboard, self._kept)
        freed.atexit = False  # a thread may still be feeding it then: the memory goes with the process
        self._limit(scrollback_rows)
        self.colour(foreground, background)

    # In

    def feed(self, data: bytes) -> None:
        """Let the program's output act; any split of it gives the same."""
        with self._lock:
            whole, begun = data, self._begun(data)
            if begun is not None:
                self._write(data[:begun])
                if self._held_since is None or not self._holds():
                    self._glance.keep()
                    self._held_since = None
                data = data[begun:]
            self._write(data)
            self._look_after(whole)

    def _begun(self, data: bytes) -> int | None:
        """Where in `data` an update begins that does not end in it: only of such a frame is to be kept.

        The word for it may have been split; that one begins where `data` does.
        """
        joined, told = self._told + data, len(self._told)
        self._told = joined[-len(HOLD) + 1 :]
        begun = joined.find(HOLD, joined.rfind(RELEASE) + 1)
        return None if begun < 0 else max(0, begun - told)

    def _look_after(self, fed: bytes) -> None:
        """What state the last bytes have left."""
        self._out.after.ask()
        held = bool(self._out.hold.value)
        if not held:
            self._held_since = None
        elif self._held_since is None:
            self._held_since = self._clock()
        if self._out.flag[0]:
            self._unfinished = 0
        else:  # what is not finished began with the last escape there was
            begun = fed.rfind(ESCAPE)
            self._unfinished = self._unfinished + len(fed) if begun < 0 else len(fed) - begun
        if self._unfinished > STRING_BYTES:
            self._unfinished = 0
            self._write(CANCEL)

    def resize(self, columns: int, rows: int) -> None:
        """Be another size, at least one cell; lines of the main screen are wrapped anew."""
        with self._lock:
            self.columns, self.height = max(1, columns), max(1, rows)
            self._library.lib.ghostty_terminal_resize(self._handle, self.columns, self.height, 8, 16)
            if self.held:  # what was to be shown until the update ends has another size
                self._glance.keep()

    def colour(self, foreground: Rgb, background: Rgb) -> None:
        """Say what the default colours are, to who asks; from the next bytes on, if it is being fed."""
        lib = self._library.lib
        named = (
            (lib.GHOSTTY_TERMINAL_OPT_COLOR_FOREGROUND, foreground),
            (lib.GHOSTTY_TERMINAL_OPT_COLOR_BACKGROUND, background),
        )
        for option, colour in named:
            self._lock.soon(partial(self._set, option, "GhosttyColorRgb*", colour))

    # Out

    def take_replies(self) -> bytes:
        """What the terminal answers the program, since the last call; it belongs into the pty at once."""
        if not self._replies:
            return b""
        with self._lock:
            replies = bytes(self._replies)
            self._replies.clear()
            return replies

    @property
    def held(self) -> bool:
        """Whether a synchronized update is under way and what is shown is from before it."""
        since = self._held_since
        return since is not None and self._clock() - since < HOLD_S

    def screen(self) -> Screen:
        """What is to be seen, never waited for; the same object as before while nothing changed.

        While it is fed that is what was captured last; the next look is captured when the feeding pauses.
        """
        with self._lock.within(0) as free:
            if free:
                self._look()
        screen = self._glance.screen()
        if not free and not self._asked:
            self._asked = True
            self._lock.soon(self._look)
        return screen

    @property
    def history_length(self) -> int:
        """How many rows have scrolled off and are kept."""
        with self._lock.within(FRAME_S) as mine:
            if mine:
                self._history_length = self._number(self._library.lib.GHOSTTY_TERMINAL_DATA_SCROLLBACK_ROWS)
            return self._history_length

    def history(self, first: int, count: int) -> tuple[Row, ...]:
        """Rows that scrolled off, from `first` (0 is the oldest).

        They are empty if it is fed with what takes long: then there is another screen once they can be read.
        """
        with self._lock.within(FRAME_S) as mine:
            length = self.history_length if mine else self._history_length
            rows = range(max(0, first), min(first + count, length))
            if mine:
                return tuple(self._history.row(y, self.columns) for y in rows)
            self._refused = True
            return (Row(),) * len(rows)

    # Inside

    def _look(self) -> None:
        """Capture what is to be seen; for who has the lock."""
        self._asked = False
        if not self.held:
            self._glance.keep()
        if self._glance.learn(self.columns, self.height):
            self.keyboard.learn()
        if self._refused:
            self._refused = False
            self._glance.renew()

    def _write(self, data: bytes) -> None:
        self._library.lib.ghostty_terminal_vt_write(self._handle, data, len(data))

    def _listen(self) -> tuple[Any, ...]:
        """Have the library call us; cffi's callbacks live as long as what this returns."""
        # None of them holds on to us: the library's memory goes when nobody looks at this terminal any more.
        ffi, lib, replies = self._library.ffi, self._library.lib, self._replies
        name = ffi.new("char[]", IDENTITY)
        identity = ffi.new("GhosttyString*", {"ptr": ffi.cast("uint8_t*", name), "len": len(IDENTITY)})
        calls = {
            lib.GHOSTTY_TERMINAL_OPT_WRITE_PTY: (
                "GhosttyTerminalWritePtyFn",
                lambda terminal, user, data, length: replies.extend(ffi.buffer(data, length)[:]),
            ),
            lib.GHOSTTY_TERMINAL_OPT_XTVERSION: (
                "GhosttyTerminalXtversionFn",
                lambda terminal, user: identity[0],
            ),
        }
        made = {key: ffi.callback(kind, call, onerror=_complain) for key, (kind, call) in calls.items()}
        for key, callback in made.items():
            self._library.check(lib.ghostty_terminal_set(self._handle, key, callback), "listen")
        return (name, identity, *made.values())

    def _limit(self, scrollback_rows: int) -> None:
        lib = self._library.lib
        self._set(lib.GHOSTTY_TERMINAL_OPT_SCROLLBACK_MAX_BYTES, "size_t*", SCROLLBACK_BYTES)
        self._set(lib.GHOSTTY_TERMINAL_OPT_SCROLLBACK_MAX_LINES, "size_t*", scrollback_rows)
        # No picture could be shown: a program that asks is not to be told that it could.
        self._set(lib.GHOSTTY_TERMINAL_OPT_KITTY_IMAGE_STORAGE_LIMIT, "uint64_t*", 0)

    def _set(self, option: int, kind: str, value: int | Rgb) -> None:
        struct = self._library.ffi.new(kind, value)
        with self._lock:
            self._library.check(
                self._library.lib.ghostty_terminal_set(self._handle, option, struct), "ghostty_terminal_set"
            )

    def _holds(self) -> bool:
        self._get(self._library.lib.GHOSTTY_TERMINAL_DATA_MODE, self._out.hold)
        return bool(self._out.hold.value)

    def _number(self, key: int) -> int:
        self._out.size[0] = 0
        self._get(key, self._out.size)
        return int(self._out.size[0])

    def _get(self, key: int, out: Any) -> None:
        self._library.lib.ghostty_terminal_get(self._handle, key, out)


class _Outs:
    """Places the library writes its answers to, made once; `after` are the questions after each feed."""

    def __init__(self, library: Library, handle: Any) -> None:
        new, lib = library.ffi.new, library.lib
        self.flag = new("bool*")
        self.size = new("size_t*")
        self.hold = new("GhosttyTerminalModeConfig*", {"mode": SYNCHRONIZED})
        asked = (lib.GHOSTTY_TERMINAL_DATA_VT_GROUND, self.flag), (lib.GHOSTTY_TERMINAL_DATA_MODE, self.hold)
        self.after = Questions(library, handle, asked)


def _free(library: Library, handle: Any, glance: Glance, keyboard: Encoder, kept: tuple[Any, ...]) -> None:
    """Give the library's memory back; what it may call (`kept`) goes last."""
    glance.free()
    keyboard.free()
    library.lib.ghostty_terminal_free(handle)


def _complain(kind: type[BaseException], error: BaseException, trace: object) -> None:
    """What goes wrong inside a call of the library's may not leave it."""
    log.error("The terminal emulator's call failed", exc_info=error)
