"""What is to be seen of an emulator, as it was captured last: looked at while the emulator is fed.

To capture is a matter of 0.1 ms and needs the terminal; to read the rows out takes milliseconds and does
not. So who looks never keeps a flood waiting, nor a flood him. This module must not know bytes nor when to
capture.
"""

import threading
from typing import Any

from core.session.screen import Modes, Row, Screen
from core.terminal.cells import CellReader
from core.terminal.frames import Frame
from core.terminal.library import Library, Questions

_MODES = {"bracketed_paste": 2004, "application_cursor": 1, "focus_events": 1004}
_MOTION, _MOUSE = (1002, 1003), (1000, 9)


class Glance:
    """The last look at the terminal `handle`. `keep` and `learn` belong to who has the terminal."""

    def __init__(self, library: Library, handle: Any, reader: CellReader, columns: int, rows: int) -> None:
        """See nothing yet."""
        self._frame = Frame(library, handle, reader)
        self._state = _State(library, handle)
        self._reading = threading.Lock()
        self._columns, self._height = columns, rows
        self._modes, self._title, self._flags = Modes(), "", 0
        self._fresh = self._other = False
        self._screen = Screen(columns, rows, (Row(),) * rows)

    def keep(self) -> None:
        """Capture what stands there now."""
        with self._reading:
            self._frame.capture()
            self._fresh = True

    def learn(self, columns: int, rows: int) -> bool:
        """Note what is beside the cells; true if keys, mouse or pastes are told otherwise than before."""
        modes, flags, title = self._state.read()
        changed = (modes, flags) != (self._modes, self._flags)
        with self._reading:
            self._fresh |= (columns, rows, title) != (self._columns, self._height, self._title) or changed
            self._columns, self._height = columns, rows
            self._modes, self._flags, self._title = modes, flags, title
        return changed

    def renew(self) -> None:
        """The next screen counts as another, even if it looks the same."""
        with self._reading:
            self._fresh = self._other = True

    def screen(self) -> Screen:
        """What was captured; the same object as before while nothing changed."""
        with self._reading:
            if self._fresh:
                self._fresh = False
                self._read()
            return self._screen

    def free(self) -> None:
        """Give the library's memory back."""
        self._frame.free()

    def _read(self) -> None:
        rows, _ = self._frame.rows()
        before = self._screen
        size = (self._columns, self._height)
        now = Screen(*size, rows, self._frame.cursor(), self._modes, self._title, before.revision)
        if self._other or now != before:
            self._other = False
            self._screen = Screen(*size, rows, now.cursor, now.modes, now.title, before.revision + 1)


class _State:
    """Modes, keyboard flags and title."""

    def __init__(self, library: Library, handle: Any) -> None:
        new, lib = library.ffi.new, library.lib
        self._library = library
        numbers = (*_MODES.values(), *_MOTION, *_MOUSE)
        self._on = {one: new("GhosttyTerminalModeConfig*", {"mode": one}) for one in numbers}
        self._flags, self._active, self._title = new("uint8_t*"), new("int*"), new("GhosttyString*")
        asked = [(lib.GHOSTTY_TERMINAL_DATA_MODE, place) for place in self._on.values()]
        asked += [
            (lib.GHOSTTY_TERMINAL_DATA_KITTY_KEYBOARD_FLAGS, self._flags),
            (lib.GHOSTTY_TERMINAL_DATA_ACTIVE_SCREEN, self._active),
            (lib.GHOSTTY_TERMINAL_DATA_TITLE, self._title),
        ]
        self._questions = Questions(library, handle, asked)

    def read(self) -> tuple[Modes, int, str]:
        """All three as they are now."""
        self._questions.ask()
        library, title = self._library, self._title
        raw = library.ffi.buffer(title.ptr, title.len)[:] if title.len else b""
        shown = "".join(one for one in raw.decode(errors="replace") if one.isprintable())
        on = {number: bool(config.value) for number, config in self._on.items()}
        motion = any(on[one] for one in _MOTION)
        modes = Modes(
            alternate=self._active[0] != 0,
            mouse=motion or any(on[one] for one in _MOUSE),
            mouse_motion=motion,
            **{name: on[number] for name, number in _MODES.items()},
        )
        return modes, int(self._flags[0]), shown
