import anyio
import pytest

from core.session.screen import Row, Screen, Span, Style
from core.terminal.emulator import Emulator
from core.terminal.snapshots import Pulse, differs, last_rows, markdown, snapshots, text

BOLD, ITALIC = Style(bold=True), Style(italic=True)
BOTH = Style(bold=True, italic=True, foreground=4)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (Row((Span("plain"),)), "plain"),
        (Row((Span("a "), Span("bold", BOLD), Span(" b"))), "a **bold** b"),
        (Row((Span(" so  ", ITALIC), Span("on"))), " *so*  on"),
        (Row((Span("x", BOTH),)), "***x***"),
        (Row((Span("   ", BOLD), Span("x"))), "   x"),
    ],
)
def test_markdown_from_cells(row: Row, expected: str) -> None:
    assert markdown((row,)) == expected


def test_wrapped_rows_are_one_line() -> None:
    rows = (
        Row((Span("one lo"),), wrapped=True),
        Row((Span("ng line  "),)),
        Row(),
        Row((Span("next", BOLD),)),
    )
    assert text(rows) == "one long line\n\nnext"
    assert markdown(rows) == "one long line\n\n**next**"


def test_rows_from_the_end() -> None:
    emulator = Emulator(40, 5)
    emulator.feed(b"".join(b"line %d\r\n" % number for number in range(20)))
    assert text(last_rows(emulator, 2)) == "line 18\nline 19"
    assert text(last_rows(emulator, 6)) == "\n".join(f"line {number}" for number in range(14, 20))
    assert text(last_rows(emulator)).split("\n") == [f"line {number}" for number in range(20)]
    assert last_rows(emulator, 500) == last_rows(emulator)


def test_colour_alone_counts_only_where_it_says_something() -> None:
    before = Screen(rows=(Row((Span("x"),)),))
    now = Screen(rows=(Row((Span("x", BOLD),)),), revision=1)
    assert not differs(before, now)
    assert differs(before, now, by_colour=True)
    assert not differs(now, now, by_colour=True)
    assert differs(None, now)


async def test_one_look_for_many_beats_and_one_for_the_end() -> None:
    emulator, pulse, seen, waits = Emulator(20, 3), Pulse(), list[str](), list[float]()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        await anyio.lowlevel.checkpoint()

    async def look() -> None:
        async for screen in snapshots(emulator.screen, pulse, sleep=sleep, clock=lambda: 0.0):
            seen.append(screen.text.strip())

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(look)
            for letter in b"abc":
                emulator.feed(bytes((letter,)))
                pulse.beat()
            await anyio.wait_all_tasks_blocked()
            pulse.beat()  # nothing changed
            await anyio.wait_all_tasks_blocked()
            emulator.feed(b"d")
            pulse.end()
    assert seen == ["abc", "abcd"]
    assert waits == [0.016, 0.016, 0.016]
