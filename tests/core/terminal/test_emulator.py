import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterable
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.session.screen import TRUE_COLOR, Cursor, Row, Span, Style
from core.terminal.cells import cluster_text
from core.terminal.emulator import HOLD_S, STRING_BYTES, Emulator
from core.terminal.frames import Frame
from core.terminal.library import load

CASES = Path(__file__).parents[2] / "data" / "cases"


def case(name: str) -> bytes:
    return (CASES / name).read_bytes()


def fed(*data: bytes, columns: int = 80, rows: int = 24) -> Emulator:
    emulator = Emulator(columns, rows)
    feed_all(emulator, data)
    return emulator


def feed_all(emulator: Emulator, pieces: Iterable[bytes]) -> None:
    for piece in pieces:
        emulator.feed(piece)


Split = Callable[[bytes], list[bytes]]


def whole(data: bytes) -> list[bytes]:
    return [data]


def bytewise(data: bytes) -> list[bytes]:
    return [data[place : place + 1] for place in range(len(data))]


def lines(emulator: Emulator) -> list[str]:
    return [line for line in emulator.screen().lines if line]


@pytest.mark.parametrize("split", [whole, bytewise])
class TestAnySplit:
    def test_private_sgr_is_a_no_op(self, split: Split) -> None:
        row = fed(*split(case("TRM-01.bin"))).screen().rows[0]
        assert row.text == "ABCDE"
        assert row.spans[-1] == Span("E", Style(foreground=1))

    def test_leaving_the_alternate_screen_brings_the_main_one_back(self, split: Split) -> None:
        emulator = fed(*split(case("TRM-03.bin")))
        assert emulator.screen().lines[:3] == ("$ claude", "after", "")
        assert emulator.history_length == 0

    def test_string_bodies_are_swallowed(self, split: Split) -> None:
        emulator = fed(*split(case("TRM-06.bin")))
        emulator.feed(b"\x1bP1$r")
        emulator.feed(b"swallowed\x1b\\c")
        assert emulator.screen().lines[0] == "abc"
        assert not emulator.take_replies()

    def test_each_question_is_answered_once_and_in_order(self, split: Split) -> None:
        emulator = fed(*split(case("TRM-08.bin")))
        assert emulator.take_replies() == (
            b"\x1b[1;3R\x1b[?62;22c\x1bP>|quarterdeck\x1b\\\x1b[0n\x1b]11;rgb:1010/1414/1c1c\x07\x1b[?0u"
        )
        assert emulator.take_replies() == b""
        assert lines(emulator) == ["ab"]


def test_the_place_of_the_cursor_is_that_of_the_question() -> None:
    assert fed(b"ab\x1b[6", b"n\x1b[10;10Hxy").take_replies() == b"\x1b[1;3R"


def test_questions_inside_strings_are_not_answered() -> None:
    assert fed(b"\x1b]0;\x1b\\\x1bP\x1b[6n\x1b\\", b"\x1b]9;x[6n\x07").take_replies() in (b"", b"\x1b[1;1R")
    assert fed(b"\x1b]52;c;[6n[c\x07\x1bP+q[5n\x1b\\").take_replies() == b""


def test_the_view_says_what_the_colours_are() -> None:
    emulator = fed()
    emulator.colour((0, 0, 0), (255, 255, 255))
    emulator.feed(b"\x1b]11;?\x07")
    assert emulator.take_replies() == b"\x1b]11;rgb:ffff/ffff/ffff\x07"


def test_alternate_screen_step_by_step() -> None:
    emulator = fed(b"$ claude\r\n\x1b[?1049h\x1b[2J\x1b[H", b"ALT")
    assert lines(emulator) == ["ALT"]
    assert emulator.screen().modes.alternate
    emulator.feed(b"\x1b[?1049h")
    emulator.resize(60, 20)
    emulator.feed(b"\x1b[?1049l\x1b[?1049l")
    assert lines(emulator) == ["$ claude"]
    assert not emulator.screen().modes.alternate


@pytest.mark.parametrize("mode", [b"47", b"1047"])
def test_older_alternate_screens(mode: bytes) -> None:
    emulator = fed(b"main\x1b[?" + mode + b"h\x1b[2J\x1b[Hother")
    assert lines(emulator) == ["other"]
    emulator.feed(b"\x1b[?" + mode + b"l")
    assert lines(emulator) == ["main"]


def test_a_string_that_never_ends_is_cut_off() -> None:
    emulator = fed(case("TRM-06.unterminated.bin"))
    assert lines(emulator) == ["ac"]
    emulator = fed(b"a\x1b]0;title")
    for _ in range(STRING_BYTES // 4096 + 2):
        emulator.feed(b"x" * 4096)
    emulator.feed(b"\r\nlater\r\n")
    assert "later" in lines(emulator)


def test_styles_wide_characters_title_and_modes() -> None:
    emulator = fed(
        "\x1b]2;the title\x07\x1b[?2004h\x1b[?1h\x1b[?1003h\x1b[1;3;4;9;38;2;1;2;3;48;5;200m漢a\x1b[0m b  ".encode()
    )
    screen = emulator.screen()
    loud = Style(TRUE_COLOR | 0x010203, 200, bold=True, italic=True, underline=True, strike=True)
    assert screen.rows[0] == Row((Span("漢a", loud), Span(" b")))
    assert screen.cursor == Cursor(7, 0)
    assert screen.title == "the title"
    modes = screen.modes
    assert modes.bracketed_paste
    assert modes.application_cursor
    assert modes.mouse
    assert modes.mouse_motion


def test_one_letter_in_many_looks_and_blanks_of_many_colours() -> None:
    looks = [(red, green) for red in range(0, 256, 15) for green in (1, 2)]
    printed = "".join(f"\x1b[38;2;{red};{green};3mx" for red, green in looks)
    row = fed(f"{printed}\x1b[0m\x1b[42m \x1b[0m  x".encode()).screen().rows[0]
    wanted = [Span("x", Style(TRUE_COLOR | red << 16 | green << 8 | 3)) for red, green in looks]
    assert row.spans == (*wanted, Span(" ", Style(background=2)), Span("  x"))


def test_coloured_blanks_are_part_of_a_row() -> None:
    assert fed(b"\x1b[41m\x1b[K", columns=5).screen().rows[0] == Row((Span("     ", Style(background=1)),))
    assert fed(b"\x1b[48;2;1;2;3m\x1b[K", columns=2).screen().rows[0].spans[0].style == Style(
        background=TRUE_COLOR | 0x010203
    )


def test_combined_characters_stand_in_one_cell() -> None:
    assert fed("e\u0301x".encode()).screen().rows[0].text == "e\u0301x"


def test_many_marks_in_each_of_many_cells_are_put_together_once() -> None:
    """A screen of such cells took a tenth of a second to be read, on the app's loop."""
    cell = "e" + "".join(chr(0x300 + number) for number in range(20))
    emulator = fed((cell * 40 * 30).encode(), columns=40, rows=10)
    before = cluster_text.cache_info().misses
    assert {row.text for row in emulator.screen().rows} == {cell * 40}
    assert emulator.history(0, 1)[0].text == cell * 40
    assert cluster_text.cache_info().misses <= before + 1


@pytest.mark.parametrize("bad", ["\u202e", "\x7f", "\u2066", "\u200b", "\x9b"])
def test_nothing_that_acts_on_a_terminal_gets_through(bad: str) -> None:
    assert bad not in fed(f"a{bad}b".encode()).screen().rows[0].text


def test_icons_and_hard_spaces_stay() -> None:
    assert fed("\ue0b0\xa0x".encode()).screen().rows[0].text == "\ue0b0\xa0x"


def test_a_wrapped_line_says_so() -> None:
    rows = fed(b"abcdefg", columns=4, rows=3).screen().rows
    assert [row.wrapped for row in rows] == [True, False, False]


class TestChanges:
    def test_nothing_new_is_the_same_screen(self) -> None:
        emulator = fed(b"one\r\ntwo")
        before = emulator.screen()
        assert emulator.screen() is before
        emulator.feed(b"\x1b[m")
        assert emulator.screen() is before

    def test_only_what_changed_is_another_row(self) -> None:
        emulator = fed(b"one\r\ntwo\r\nthree")
        before = emulator.screen()
        emulator.feed(b"\x1b[2;1HTWO")
        now = emulator.screen()
        assert now.revision > before.revision
        assert [new is old for new, old in zip(now.rows, before.rows, strict=True)] == [True, False] + [
            True
        ] * 22

    def test_colour_alone_is_a_change(self) -> None:
        emulator = fed(b"one")
        before = emulator.screen()
        emulator.feed(b"\r\x1b[7mone")
        assert emulator.screen().rows != before.rows


class TestSynchronizedUpdates:
    def test_a_frame_is_seen_whole(self) -> None:
        emulator = fed(b"old frame", b"\x1b[?2026h\x1b[2J\x1b[Hhalf of the ")
        assert emulator.held
        assert lines(emulator) == ["old frame"]
        emulator.feed(b"new frame\x1b[?2026l")
        assert not emulator.held
        assert lines(emulator) == ["half of the new frame"]

    def test_what_was_drawn_just_before_is_seen(self) -> None:
        emulator = fed(b"\x1b[?2026hone\x1b[?2026l two\x1b[?2026h three")
        assert lines(emulator) == ["one two"]

    def test_its_beginning_may_be_split_between_reads(self) -> None:
        for place in range(1, 8):
            word = b"\x1b[?2026h"
            emulator = fed(b"old", word[:place], word[place:] + b"\x1b[2Jhalf")
            assert emulator.held
            assert lines(emulator) == ["old"]

    def test_any_two_reads_show_the_same(self) -> None:
        said = b"one\x1b[?2026h\x1b[2J\x1b[Htwo\x1b[?2026l three\x1b[?2026h\x1b[2J\x1b[?2026hfour"
        for place in range(len(said) + 1):
            emulator = fed(said[:place], said[place:])
            assert emulator.held
            assert lines(emulator) == ["two three"]

    def test_of_one_that_is_read_whole_no_frame_is_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        kept: list[Frame] = []
        emulator = Emulator()
        monkeypatch.setattr(Frame, "capture", lambda frame: kept.append(frame))
        emulator.feed(b"a\x1b[?2026hb\x1b[?2026lc\x1b[3")
        emulator.feed(b"1md")
        assert kept == []
        emulator.feed(b"\x1b[?2026h")
        assert len(kept) == 1

    def test_of_several_in_one_read_the_last_counts(self) -> None:
        emulator = fed(b"\x1b[?2026ha\x1b[?2026l\x1b[?2026hb\x1b[?2026l\x1b[?2026hc")
        assert lines(emulator) == ["ab"]

    def test_one_that_never_ends_does_not_freeze_the_mirror(self) -> None:
        now = [0.0]
        emulator = Emulator(clock=lambda: now[0])
        emulator.feed(b"old\x1b[?2026h\x1b[2J\x1b[Hnew")
        assert lines(emulator) == ["old"]
        now[0] = HOLD_S
        assert not emulator.held
        assert lines(emulator) == ["new"]
        emulator.feed(b"er")
        assert lines(emulator) == ["newer"]
        emulator.feed(b"\x1b[?2026l\x1b[?2026h\x1b[2J")
        assert lines(emulator) == ["newer"]


class TestHistory:
    def test_rows_that_scrolled_off_keep_their_style(self) -> None:
        emulator = fed(b"".join(b"\x1b[3%dmline %d\r\n" % (n % 8, n) for n in range(30)), rows=10)
        assert emulator.history_length == 21
        assert [row.text for row in emulator.history(0, 2)] == ["line 0", "line 1"]
        assert emulator.history(9, 1) == (Row((Span("line 9", Style(foreground=1)),)),)
        assert len(emulator.history(15, 100)) == 6
        assert emulator.history(-3, 4) == emulator.history(0, 1)

    def test_reading_it_hides_no_change(self) -> None:
        emulator = fed(b"x\r\n" * 30, rows=5)
        emulator.screen()
        emulator.feed(b"\x1b[1;1Hnew")
        emulator.history(0, 5)
        assert emulator.screen().lines[0] == "new"

    def test_it_is_bounded(self) -> None:
        emulator = Emulator(80, 5, scrollback_rows=100)
        emulator.feed(b"a line\r\n" * 5000)
        assert 0 < emulator.history_length < 500


sizes = st.tuples(st.integers(0, 130), st.integers(0, 40))
output = st.one_of(
    st.binary(max_size=60),
    st.text("ab漢\n\r\t\x1b[;0123456789HJKm", max_size=60).map(str.encode),
)


@given(st.lists(st.tuples(sizes, output), max_size=12))
@example([((10, 3), b"\x1b[?2026h")])
@settings(max_examples=60)
def test_any_bytes_and_sizes_leave_a_sound_screen(steps: list[tuple[tuple[int, int], bytes]]) -> None:
    """Case TRM-15: no exception, the cursor inside, no row wider than the screen."""
    emulator = fed(rows=30, columns=100)
    for (columns, rows), data in steps:
        emulator.feed(data)
        emulator.resize(columns, rows)
        screen = emulator.screen()
        assert (screen.columns, screen.height) == (max(1, columns), max(1, rows))
        assert len(screen.rows) == screen.height
        assert screen.cursor.column < screen.columns
        assert screen.cursor.row < screen.height
        assert all(len(row.text) <= screen.columns * 4 for row in screen.rows)


held = st.sampled_from([b"\x1b[?2026h", b"\x1b[?2026l", b"\x1b[2J", "é漢\r\n".encode() * 40, b"\x1b]2;t\x07"])


@given(st.lists(st.one_of(output, held), max_size=30))
@settings(max_examples=40, deadline=None)
def test_who_looks_meanwhile_changes_nothing(pieces: list[bytes]) -> None:
    looked_at, quiet = Emulator(40, 10, clock=lambda: 0.0), Emulator(40, 10, clock=lambda: 0.0)
    feeder = threading.Thread(target=feed_all, args=(looked_at, pieces))
    feeder.start()
    while feeder.is_alive():
        screen = looked_at.screen()
        assert len(screen.rows) == 10
        assert len(looked_at.history(0, 3)) <= 3
        looked_at.keyboard.key("up")
    feed_all(quiet, pieces)
    now, wanted = looked_at.screen(), quiet.screen()
    assert (now.rows, now.cursor, now.modes, now.title) == (
        wanted.rows,
        wanted.cursor,
        wanted.modes,
        wanted.title,
    )
    length = quiet.history_length
    assert looked_at.history(0, length) == quiet.history(0, length)


def test_a_frame_for_another_size_is_replaced_by_the_redraw() -> None:
    frame = b"\x1b[?1049h" + b"".join(b"\x1b[%d;1H%s" % (row, b"x" * 100) for row in range(1, 31))
    emulator = fed(frame, columns=100, rows=30)
    for _ in range(50):
        emulator.resize(40, 10)
        emulator.resize(200, 50)
    emulator.feed(b"\x1b[2J\x1b[Hredrawn")
    assert lines(emulator) == ["redrawn"]


def test_feeding_and_looking_at_the_same_time() -> None:
    emulator = fed()

    def feed() -> None:
        for _ in range(200):
            emulator.feed(b"\x1b[31mword \r\n" * 50)

    feeder = threading.Thread(target=feed)
    feeder.start()
    while feeder.is_alive():
        assert len(emulator.screen().rows) == 24
        emulator.resize(80, 24)
    assert "word" in emulator.screen().text


def test_its_memory_goes_with_it() -> None:
    emulator = fed(b"\x1b[6n")
    gone = weakref.ref(emulator)
    keyboard = emulator.keyboard
    del emulator
    assert gone() is None
    assert keyboard is not None


def test_the_process_may_end_while_it_is_fed() -> None:
    """What a flood has left is heard in a thread of its own: its memory must not go before it."""
    script = """
    import threading
    from core.terminal.emulator import Emulator
    emulator, begun = Emulator(), threading.Event()
    def feed():
        begun.set()
        while True:
            emulator.feed(b"x\\x1b[65535b" * 2000)
    threading.Thread(target=feed, daemon=True).start()
    begun.wait()
    """
    done = subprocess.run([sys.executable, "-c", dedent(script)], timeout=60, check=False)
    assert done.returncode == 0


def test_the_library_is_loaded_once() -> None:
    assert load() is load()


def test_pieces_that_each_end_within_a_title_never_have_it_cancelled() -> None:
    """What is not finished is the last title alone, not all the pieces that ended in one."""
    emulator = Emulator(80, 24)
    title = b"\x1b]2;" + b"t" * 90 + b"\x07"
    stream = title * 6000
    size = 64 * 1024  # no piece of it ends where a title does
    for at in range(0, len(stream), size):
        emulator.feed(stream[at : at + size])
    assert emulator.screen().text.strip() == ""


class Slow:
    """An emulator that is fed in another thread with what takes until `go_on`."""

    def __init__(self, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
        self.emulator = emulator
        self._begun, self._may_go = threading.Event(), threading.Event()
        self._write = emulator._write
        monkeypatch.setattr(emulator, "_write", self._hang)
        self._thread = threading.Thread(target=lambda: None)

    def _hang(self, data: bytes) -> None:
        self._write(data)
        self._begun.set()
        assert self._may_go.wait(60)

    def begin(self, data: bytes) -> None:
        self._begun.clear()
        self._may_go.clear()
        self._thread = threading.Thread(target=self.emulator.feed, args=(data,), daemon=True)
        self._thread.start()
        assert self._begun.wait(30)

    def go_on(self) -> None:
        self._may_go.set()
        self._thread.join(30)
        assert not self._thread.is_alive()


class TestWhileItIsFed:
    """With something that takes for ever: nobody who calls from the app's loop waits for its end."""

    def test_who_looks_sees_what_was_before_and_then_the_next(self, monkeypatch: pytest.MonkeyPatch) -> None:
        slow = Slow(fed(b"one"), monkeypatch)
        before = slow.emulator.screen()
        slow.begin(b" two\x1b]2;title\x07")
        assert slow.emulator.screen() is before
        slow.go_on()
        slow.begin(b" three")
        now = slow.emulator.screen()
        assert (now.lines[0], now.title) == ("one two", "title")
        slow.go_on()
        assert slow.emulator.screen().lines[0] == "one two three"

    def test_a_first_look_sees_an_empty_screen(self, monkeypatch: pytest.MonkeyPatch) -> None:
        slow = Slow(Emulator(10, 3), monkeypatch)
        slow.begin(b"x")
        assert slow.emulator.screen().rows == (Row(),) * 3
        slow.go_on()
        assert slow.emulator.screen().lines == ("x", "", "")

    def test_an_update_that_has_not_ended_is_not_seen(self, monkeypatch: pytest.MonkeyPatch) -> None:
        slow = Slow(fed(b"old"), monkeypatch)
        slow.begin(b"\x1b[?2026h\x1b[2Jhalf")
        slow.emulator.screen()
        slow.go_on()
        assert lines(slow.emulator) == ["old"]

    def test_keys_go_as_it_was_last_known_to_want_them(self, monkeypatch: pytest.MonkeyPatch) -> None:
        slow = Slow(fed(b"\x1b[?1h\x1b[?2004h\x1b[?1000h\x1b[?1006h"), monkeypatch)
        keyboard = slow.emulator.keyboard
        slow.emulator.screen()
        slow.begin(b"\x1b[?1l\x1b[?2004l")
        assert keyboard.key("up") == b"\x1bOA"
        assert keyboard.paste("a\nb") == b"\x1b[200~a\rb\x1b[201~"
        assert keyboard.mouse("press", "left", 2, 1) == b"\x1b[<0;3;2M"
        slow.go_on()
        slow.begin(b"x")
        assert keyboard.key("up") == b"\x1b[A"
        assert not keyboard.bracketed
        slow.go_on()

    def test_history_is_empty_for_now_and_then_there_is_another_screen(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slow = Slow(fed(b"line\r\n" * 30, rows=10), monkeypatch)
        before, length = slow.emulator.screen(), slow.emulator.history_length
        slow.begin(b"")
        assert slow.emulator.history_length == length
        assert slow.emulator.history(0, 2) == (Row(), Row())
        assert slow.emulator.screen() is before
        slow.go_on()
        assert slow.emulator.screen() is not before
        assert slow.emulator.history(0, 1)[0].text == "line"

    def test_a_colour_is_told_from_the_next_bytes_on(self, monkeypatch: pytest.MonkeyPatch) -> None:
        slow = Slow(fed(), monkeypatch)
        slow.begin(b"x")
        slow.emulator.colour((0, 0, 0), (255, 255, 255))
        slow.go_on()
        slow.begin(b"\x1b]11;?\x07")
        slow.go_on()
        assert slow.emulator.take_replies() == b"\x1b]11;rgb:ffff/ffff/ffff\x07"
