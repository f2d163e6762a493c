import signal
import threading
from itertools import cycle

import anyio
import pytest

from core.terminal.console import REPLY_BYTES, Console, open_console
from core.terminal.emulator import Emulator
from core.terminal.pty import Size
from tests.fakes.terminals import console, python, until_screen, until_text

ASKS = """
import os, sys, tty
tty.setraw(0)
os.write(1, b"ab\\x1b[6n\\x1b[>0q")
got = b""
while not got.endswith(b"\\x1b\\\\"):
    got += os.read(0, 100)
os.write(1, b"\\r\\n" + repr(got).encode() + b"\\r\\n")
"""


async def test_what_it_asks_its_terminal_is_answered() -> None:
    async with console(python(ASKS)) as opened:
        await until_text(opened, r"b'\x1b[1;3R\x1bP>|quarterdeck\x1b\\'")
        assert (await opened.wait()).code == 0


async def test_who_asks_and_never_reads_can_still_be_interrupted() -> None:
    """Its terminal's answers pile up before it; a key comes after them, but not after megabytes."""
    script = """
    import os, sys, tty
    tty.setraw(0)
    for _ in range(40):
        os.write(1, b"\\x1b[c\\x1b[>0q" * 2000)
    os.write(1, b"asked")
    while b"\\x03" not in os.read(0, 4096):
        pass
    os.write(1, b"\\r\\nheard it")
    """
    async with console(python(script)) as opened:
        await until_text(opened, "asked")
        assert opened.unread_bytes < 2 * REPLY_BYTES
        opened.press("ctrl+c")
        await until_text(opened, "heard it")


async def test_keys_reach_it_and_it_is_told_its_size() -> None:
    script = """
    import os
    print("name?", end="")
    name = input()
    print("hello", name, tuple(os.get_terminal_size()))
    """
    async with console(python(script), 60, 10) as opened:
        await until_text(opened, "name?")
        opened.resize(Size(70, 12))
        for letter in "Ann":
            opened.press(letter, letter)
        opened.press("enter")
        screen = await until_text(opened, "hello Ann (70, 12)")
        assert (screen.columns, screen.height) == (70, 12)


async def test_snapshots_end_with_the_last_screen() -> None:
    async with console(python("print('first'); input(); print('second')")) as opened:
        seen: list[str] = []
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(opened.follow)
            with anyio.fail_after(30):
                async for screen in opened.snapshots():
                    seen.append(screen.text.strip())
                    if seen == ["first"]:
                        opened.write(b"\r")
        assert "second" in seen[-1]
        assert len(set(seen)) == len(seen)


async def test_an_update_that_never_ends_is_shown_after_a_moment() -> None:
    script = """
    import time
    print("old\\x1b[?2026h\\x1b[2J\\x1b[Hnew")
    time.sleep(60)
    """
    async with console(python(script)) as opened:
        await until_screen(opened, lambda screen: screen.lines[0] == "new")


async def test_who_looks_is_told_once_for_many_changes() -> None:
    calls = 0

    def count() -> None:
        nonlocal calls
        calls += 1

    opened = await open_console(python("print('line\\n' * 100_000)"), Size(), count)
    async with opened:
        with anyio.fail_after(30):
            await opened.wait()
        await anyio.lowlevel.checkpoint()
        assert 0 < calls < 2000
        assert opened.history_length > 1000


async def test_stopping_is_no_failure_and_the_screen_stays() -> None:
    async with console(python("import time; print('still here'); time.sleep(60)")) as opened:
        await until_text(opened, "still here")
        assert not (await opened.stop()).failed
        assert "still here" in opened.screen().text


async def test_a_flood_among_many_sizes_keeps_its_order_to_the_end() -> None:
    script = """
    import os, signal, sys
    for first in range(0, 8000, 1000):
        sys.stdout.write("".join(f"{n}\\r\\n\\x1b[?2026h\\x1b]2;{'t' * 90}\\x07" for n in range(first, first + 1000)))
        sys.stdout.flush()
    os.write(1, b"\\x1bPq" + b"#" * 70000 + b"\\x1b]52;c;" + b"A" * 70000)
    os.kill(os.getpid(), signal.SIGKILL)
    """
    async with console(python(script), 80, 24) as opened:
        with anyio.fail_after(30):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_vary, opened)
                ended = await opened.wait()
                tasks.cancel_scope.cancel()
        assert ended.signal == signal.SIGKILL
        opened.emulator.feed(b"\x18\x1b[?2026l")
        rows = [row.text for row in opened.history(0, opened.history_length)]
        numbers = [int(row) for row in (*rows, *opened.screen().text.split("\n")) if row.strip().isdigit()]
        assert numbers == list(range(numbers[0], 8000))
        assert len(numbers) > 2000


async def _vary(opened: Console) -> None:
    """Be another size again and again, as one drags a corner."""
    for size in cycle((Size(60, 20), Size(120, 50), Size(81, 9), Size(100, 30))):
        opened.resize(size)
        await anyio.sleep(0.01)


async def test_a_size_that_takes_long_leaves_the_loop_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrapping cells of many marks takes seconds; the program is told once the mirror has that size."""
    script = """
    import os, signal
    signal.signal(signal.SIGWINCH, lambda *_: os.write(1, b"now (%d, %d)\\n" % os.get_terminal_size()))
    print("ready")
    while input() != "end":
        print("heard")
    """
    begun, may_go = threading.Event(), threading.Event()
    resize = Emulator.resize

    def slowly(emulator: Emulator, columns: int, rows: int) -> None:
        with emulator._lock:
            begun.set()
            assert may_go.wait(60)
            resize(emulator, columns, rows)

    monkeypatch.setattr(Emulator, "resize", slowly)
    async with console(python(script), 60, 10) as opened:
        await until_text(opened, "ready")
        opened.resize(Size(70, 12))
        opened.press("up")
        opened.paste("x")
        assert begun.wait(30)
        assert opened.screen().columns == 60
        may_go.set()
        screen = await until_text(opened, "now (70, 12)")
        assert (screen.columns, screen.height) == (70, 12)
