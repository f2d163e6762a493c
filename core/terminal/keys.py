"""Keys, the mouse and pastes as the bytes a program on the terminal expects of them just now.

Which bytes these are depends on what the program asked its terminal for (application cursor keys, the kitty
protocol, how the mouse is told); the library knows that and encodes. It is asked each time; while the
terminal is fed with what takes long, what was learned last counts, for a person's keys do not wait. Keys come
by the names Textual gives them (`ctrl+shift+left`, `f5`, `left_square_bracket`), but this module must not
know a widget.
"""

import threading
import unicodedata
from collections.abc import Mapping
from typing import Any, Literal

from core.terminal.library import Library
from core.terminal.lock import FRAME_S, Turns

Press = Literal["press", "release", "move"]
Button = Literal["", "left", "middle", "right", "wheel-up", "wheel-down", "wheel-left", "wheel-right"]

NAMED: Mapping[str, str] = {
    "enter": "ENTER",
    "return": "ENTER",
    "escape": "ESCAPE",
    "tab": "TAB",
    "backspace": "BACKSPACE",
    "delete": "DELETE",
    "insert": "INSERT",
    "home": "HOME",
    "end": "END",
    "pageup": "PAGE_UP",
    "pagedown": "PAGE_DOWN",
    "up": "ARROW_UP",
    "down": "ARROW_DOWN",
    "left": "ARROW_LEFT",
    "right": "ARROW_RIGHT",
    "space": "SPACE",
    **{f"f{number}": f"F{number}" for number in range(1, 25)},
}
"""Keys that are no characters → the library's name for them."""

NAMES: Mapping[str, str] = {
    "slash": "solidus",
    "backslash": "reverse_solidus",
    "at": "commercial_at",
    "minus": "hyphen_minus",
    "plus": "plus_sign",
    "underscore": "low_line",
}
"""Characters Textual does not call by their Unicode names → those names."""

MODIFIERS: Mapping[str, int] = {"shift": 1, "ctrl": 2, "alt": 4, "super": 8, "meta": 8, "hyper": 8}

_PRESSES: Mapping[Press, int] = {"press": 0, "release": 1, "move": 2}
_BUTTONS: Mapping[Button, int] = {
    "left": 1,
    "right": 2,
    "middle": 3,
    "wheel-up": 4,
    "wheel-down": 5,
    "wheel-left": 6,
    "wheel-right": 7,
}
_CELL = (8, 16)
"""What a cell is taken to measure in pixels: the library thinks of the mouse in those."""

_ROOM = 128
BRACKETED = 2004
"""The mode in which a program is told what is a paste."""


class Encoder:
    """Turns what a person does into bytes for the program on the terminal `handle`."""

    def __init__(self, library: Library, handle: Any, lock: Turns) -> None:
        """`lock` is the terminal's own."""
        self._library = library
        self._handle = handle
        self._lock = lock
        made = library.made
        self._keys = made("GhosttyKeyEncoder", "ghostty_key_encoder_new")
        self._key = made("GhosttyKeyEvent", "ghostty_key_event_new")
        self._mouse = made("GhosttyMouseEncoder", "ghostty_mouse_encoder_new")
        self._click = made("GhosttyMouseEvent", "ghostty_mouse_event_new")
        self._bytes = library.ffi.new("char[]", _ROOM)
        self._length = library.ffi.new("size_t*")
        # All are made here: the first of a kind costs 15 ms, and a key is waited for.
        self._place = library.ffi.new("GhosttyMousePosition*")
        self._cells = library.ffi.new("uint16_t*")
        self._area = library.sized("GhosttyMouseEncoderSize")
        self._brackets = library.ffi.new("GhosttyTerminalModeConfig*", {"mode": BRACKETED})
        self._encoding = threading.Lock()

    def key(self, name: str, character: str | None = None) -> bytes:
        """The bytes of a key, by its name and the character it types; b"" for one no program could get."""
        *modifiers, last = name.split("+") if name != "+" else ["+"]
        held = sum({MODIFIERS.get(one, 0) for one in modifiers})
        if last in NAMED:
            text = " " if last == "space" else ""
            return self._encode(getattr(self._library.lib, f"GHOSTTY_KEY_{NAMED[last]}"), held, text)
        letter = _character(last, character)
        if not letter:
            return b""
        if not held & ~MODIFIERS["shift"]:
            return (character or letter).encode()
        return self._encode(_physical(self._library, letter), held, letter) or _control(letter, held)

    def paste(self, text: str) -> bytes:
        """A text as a paste: in brackets if the program wants them, without what could end them."""
        ffi, lib = self._library.ffi, self._library.lib
        raw = text.replace("\r\n", "\n").encode()
        given, room, length = ffi.new("char[]", raw), ffi.new("char[]", len(raw) + 32), ffi.new("size_t*")
        lib.ghostty_paste_encode(given, len(raw), self.bracketed, room, len(raw) + 32, length)
        # Terminals send CR where the clipboard holds LF; the CLI takes either (seen on 2.1.332).
        return bytes(ffi.buffer(room, length[0])[:]).replace(b"\n", b"\r")

    def mouse(self, press: Press, button: Button, column: int, row: int, modifiers: int = 0) -> bytes:
        """What the program is told of the mouse at a cell; b"" if it did not ask for that."""
        lib, event, place = self._library.lib, self._click[0], self._place
        self._ask()
        with self._encoding:
            lib.ghostty_mouse_event_set_action(event, _PRESSES[press])
            if button:
                lib.ghostty_mouse_event_set_button(event, _BUTTONS[button])
            else:
                lib.ghostty_mouse_event_clear_button(event)
            lib.ghostty_mouse_event_set_mods(event, modifiers)
            place.x, place.y = (column + 0.5) * _CELL[0], (row + 0.5) * _CELL[1]
            lib.ghostty_mouse_event_set_position(event, place[0])
            lib.ghostty_mouse_encoder_encode(self._mouse[0], event, self._bytes, _ROOM, self._length)
            return self._taken()

    @property
    def bracketed(self) -> bool:
        """Whether the program wants to be told what is a paste."""
        self._ask()
        return bool(self._brackets.value)

    def learn(self) -> None:
        """Ask what the program wants now; for who has the terminal."""
        lib, mouse = self._library.lib, self._mouse[0]
        with self._encoding:
            lib.ghostty_key_encoder_setopt_from_terminal(self._keys[0], self._handle)
            lib.ghostty_mouse_encoder_setopt_from_terminal(mouse, self._handle)
            lib.ghostty_mouse_encoder_setopt(mouse, lib.GHOSTTY_MOUSE_ENCODER_OPT_SIZE, self._size())
            lib.ghostty_terminal_get(self._handle, lib.GHOSTTY_TERMINAL_DATA_MODE, self._brackets)

    def _ask(self) -> None:
        """Learn, unless that would have to be waited for: then it is learned for the next key."""
        with self._lock.within(FRAME_S) as mine:
            if mine:
                self.learn()
        if not mine:
            self._lock.soon(self.learn)

    def free(self) -> None:
        """Give the library's memory back."""
        lib = self._library.lib
        lib.ghostty_key_encoder_free(self._keys[0])
        lib.ghostty_key_event_free(self._key[0])
        lib.ghostty_mouse_encoder_free(self._mouse[0])
        lib.ghostty_mouse_event_free(self._click[0])

    def _encode(self, key: int, held: int, text: str) -> bytes:
        lib, event = self._library.lib, self._key[0]
        raw = text.encode()
        kept = self._library.ffi.new("char[]", raw)  # the event only points at it
        self._ask()
        with self._encoding:
            lib.ghostty_key_event_set_action(event, lib.GHOSTTY_KEY_ACTION_PRESS)
            lib.ghostty_key_event_set_key(event, key)
            lib.ghostty_key_event_set_mods(event, held)
            lib.ghostty_key_event_set_utf8(event, kept, len(raw))
            lib.ghostty_key_event_set_unshifted_codepoint(event, ord(text.lower()) if len(text) == 1 else 0)
            lib.ghostty_key_encoder_encode(self._keys[0], event, self._bytes, _ROOM, self._length)
            return self._taken()

    def _taken(self) -> bytes:
        return bytes(self._library.ffi.buffer(self._bytes, self._length[0])[:])

    def _size(self) -> Any:
        lib, out, size = self._library.lib, self._cells, self._area
        size.cell_width, size.cell_height = _CELL
        lib.ghostty_terminal_get(self._handle, lib.GHOSTTY_TERMINAL_DATA_COLS, out)
        size.screen_width = out[0] * _CELL[0]
        lib.ghostty_terminal_get(self._handle, lib.GHOSTTY_TERMINAL_DATA_ROWS, out)
        size.screen_height = out[0] * _CELL[1]
        return size


def _character(name: str, character: str | None) -> str:
    """The character a key stands for: Textual writes `[` as `left_square_bracket`."""
    if len(name) == 1:
        return name
    try:
        return unicodedata.lookup(NAMES.get(name, name).replace("_", " "))
    except KeyError:
        return character or ""


def _physical(library: Library, letter: str) -> int:
    """The library's key of a letter or digit; of anything else it needs none."""
    name = f"DIGIT_{letter}" if letter.isdecimal() else letter.upper()
    known = letter.isascii() and letter.isalnum()
    return int(getattr(library.lib, f"GHOSTTY_KEY_{name}" if known else "GHOSTTY_KEY_UNIDENTIFIED"))


def _control(letter: str, held: int) -> bytes:
    """Ctrl with one of @ [ \\ ] ^ _ in the old way, which the library tells by the key's place alone."""
    if not held & MODIFIERS["ctrl"] or letter not in "@[\\]^_":
        return b""
    escape = b"\x1b" if held & MODIFIERS["alt"] else b""
    return escape + bytes((ord(letter) & 0x1F,))
