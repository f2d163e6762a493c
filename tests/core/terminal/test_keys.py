import pytest

from core.terminal.emulator import Emulator

PLAIN = [
    ("a", "a", b"a"),
    ("A", "A", b"A"),
    ("é", "é", "é".encode()),
    ("plus", "+", b"+"),
    ("+", "+", b"+"),
    ("left_square_bracket", "[", b"["),
    ("space", " ", b" "),
    ("enter", "\r", b"\r"),
    ("escape", "\x1b", b"\x1b"),
    ("tab", "\t", b"\t"),
    ("shift+tab", None, b"\x1b[Z"),
    ("backspace", "\x7f", b"\x7f"),
    ("alt+backspace", None, b"\x1b\x7f"),
    ("delete", None, b"\x1b[3~"),
    ("home", None, b"\x1b[H"),
    ("pageup", None, b"\x1b[5~"),
    ("up", None, b"\x1b[A"),
    ("ctrl+up", None, b"\x1b[1;5A"),
    ("alt+shift+left", None, b"\x1b[1;4D"),
    ("ctrl+shift+right", None, b"\x1b[1;6C"),
    ("f1", None, b"\x1bOP"),
    ("f5", None, b"\x1b[15~"),
    ("shift+f12", None, b"\x1b[24;2~"),
    ("ctrl+a", "\x01", b"\x01"),
    ("ctrl+c", "\x03", b"\x03"),
    ("ctrl+z", "\x1a", b"\x1a"),
    ("ctrl+space", None, b"\0"),
    ("ctrl+at", None, b"\0"),
    ("ctrl+backslash", None, b"\x1c"),
    ("ctrl+right_square_bracket", None, b"\x1d"),
    ("ctrl+underscore", None, b"\x1f"),
    ("alt+b", "b", b"\x1bb"),
    ("alt+enter", None, b"\x1b\r"),
    ("no-such-key", None, b""),
]


@pytest.mark.parametrize(("name", "character", "expected"), PLAIN)
def test_keys(name: str, character: str | None, expected: bytes) -> None:
    assert Emulator().keyboard.key(name, character) == expected


def test_the_program_decides_what_arrows_are() -> None:
    emulator = Emulator()
    emulator.feed(b"\x1b[?1h")
    assert emulator.keyboard.key("up") == b"\x1bOA"
    emulator.feed(b"\x1b[?1l")
    assert emulator.keyboard.key("up") == b"\x1b[A"


def test_the_kitty_protocol_where_it_was_asked_for() -> None:
    emulator = Emulator()
    emulator.feed(b"\x1b[>1u")
    assert emulator.keyboard.key("escape") == b"\x1b[27u"
    assert emulator.keyboard.key("shift+enter") == b"\x1b[13;2u"
    assert emulator.keyboard.key("ctrl+c", "\x03") == b"\x1b[99;5u"
    assert emulator.keyboard.key("c", "c") == b"c"


def test_a_paste_is_bracketed_where_it_was_asked_for() -> None:
    emulator = Emulator()
    assert emulator.keyboard.paste("one\r\ntwo") == b"one\rtwo"
    emulator.feed(b"\x1b[?2004h")
    assert emulator.keyboard.paste("one\ntwo") == b"\x1b[200~one\rtwo\x1b[201~"


def test_a_paste_cannot_end_itself() -> None:
    emulator = Emulator()
    emulator.feed(b"\x1b[?2004h")
    typed = emulator.keyboard.paste("a\x1b[201~rm -rf /\n\x03")
    assert typed.count(b"\x1b[201~") == 1
    assert typed.endswith(b"\x1b[201~")
    assert b"\x03" not in typed


def test_the_mouse_is_told_only_to_who_asked() -> None:
    emulator = Emulator()
    keyboard = emulator.keyboard
    assert keyboard.mouse("press", "left", 3, 4) == b""
    emulator.feed(b"\x1b[?1000h\x1b[?1006h")
    assert keyboard.mouse("press", "left", 3, 4) == b"\x1b[<0;4;5M"
    assert keyboard.mouse("release", "left", 3, 4) == b"\x1b[<0;4;5m"
    assert keyboard.mouse("press", "wheel-up", 0, 0) == b"\x1b[<64;1;1M"
    assert keyboard.mouse("move", "", 3, 5) == b""
    emulator.feed(b"\x1b[?1003h")
    assert keyboard.mouse("move", "", 3, 5) == b"\x1b[<35;4;6M"
