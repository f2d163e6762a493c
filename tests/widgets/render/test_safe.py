import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from widgets.render.safe import ansi, clean, expand_tabs, reveal

CASES = Path(__file__).parents[2] / "data" / "cases"
CONTROLS = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"]
bytes_like = st.text(
    st.sampled_from("ab \n\r\t\b\x1b[]0;1mKP_X\\\x07\x9b\x9d\x9c\x18\u202e\u200d\ud800日👩\u0301")
)


def shown(text: str) -> list[str]:
    return ["".join(segment.text for segment in line) for line in ansi(text)]


def is_harmless(text: str) -> bool:
    return not any(control in text for control in CONTROLS) and not any(
        "\ud800" <= c <= "\udfff" for c in text
    )


def test_the_handed_bytes_lose_everything_that_acts() -> None:
    text = (CASES / "UIX-03.bin").read_bytes().decode()
    assert clean(text) == "Ared   link   abcd line\nover    qq end"
    assert shown(text) == ["over    qq endcd line"]
    assert is_harmless(shown(text)[0])
    assert "pwn" not in shown(text)[0]
    assert is_harmless(reveal(text))
    assert "␛]52;c;" in reveal(text)


def test_brackets_are_only_characters() -> None:
    for line in (CASES / "UIX-01.txt").read_text().splitlines():
        assert clean(line) == reveal(line) == shown(line)[0] == line


def test_reveal_hides_nothing() -> None:
    assert reveal("rm\u202e x\x00\x7f\x9b\u200b\n\t") == "rm‹U+202E› x␀␡‹U+009B›‹U+200B›\n\t"


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("a\x1b[31mb", "ab"),
        ("a\x1b]0;never ended\nb", "a\nb"),
        ("a\x1bPq#0\x1b\\b", "ab"),
        ("a\x9d0;x\x9cb", "ab"),
        ("a\x1b(Bb", "ab"),
        ("\x1b", ""),
        ("x\x1b[", "x"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("a\u202eb", "a‹U+202E›b"),
        ("a\u2028b", "a\nb"),
        ("\ud83d", "\ufffd"),
        ("क\u200dष", "कष"),
        ("👩\u200d💻", "👩\u200d💻"),
    ],
)
def test_clean(text: str, want: str) -> None:
    assert clean(text) == want


@given(bytes_like)
def test_clean_goes_line_by_line_and_leaves_nothing_that_acts(text: str) -> None:
    whole = clean(text)
    assert is_harmless(whole)
    assert clean(whole) == whole
    head, newline, tail = text.partition("\n")
    if newline:
        assert whole == clean(head + "\n") + clean(tail)


@given(bytes_like)
def test_output_lines_hold_nothing_that_acts(text: str) -> None:
    for line in shown(text):
        assert is_harmless(line)
        assert "\t" not in line


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("10%\r50%\r100%\n", ["100%", ""]),
        ("loading...\rdone", ["doneing..."]),
        ("loading...\r\x1b[Kdone", ["done"]),
        ("loading...\r\x1b[2Kdone\r\n", ["done", ""]),
        ("ab\b\bcd", ["cd"]),
        ("a\tb", ["a       b"]),
        ("日\tb", ["日      b"]),
        ("a\x1b[3Cb", ["a   b"]),
        ("x\x1bP1;2q\nsixel\n\x1b\\y", ["xy"]),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", ["link"]),
        ("日本\rx", ["x 本"]),
    ],
)
def test_output_shows_what_a_terminal_would(text: str, want: list[str]) -> None:
    assert shown(text) == want


def test_colours_become_styles_and_run_on_over_lines() -> None:
    first, second = ansi("\x1b[31mred\nstill\x1b[0m not")
    assert [(s.text, s.style) for s in first] == [("red", Style.parse("color(1)"))]
    assert [s.text for s in second] == ["still", " not"]
    assert second[1].style == Style.null()


@pytest.mark.parametrize("opening", ["\x1b]", "\x9d", "\x1b[", "\x1bP", "\x1b", "\r", "\x1b]x", "\x1b[0"])
def test_a_flood_of_unended_sequences_is_linear(opening: str) -> None:
    for text in (opening + "0" * 100_000, opening * 50_000):
        started = time.process_time()
        clean(text), ansi(text), reveal(text)
        assert time.process_time() - started < 20  # a square would take minutes


def test_tabs() -> None:
    assert expand_tabs("a\tb") == "a   b"
    assert expand_tabs("日\tb\t") == "日  b   "
    assert expand_tabs("\t\té") == "        é"
