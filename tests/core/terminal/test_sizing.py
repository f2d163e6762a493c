import threading

import anyio

from core.terminal.pty import Size
from core.terminal.sizing import Sizing

SMALL, MIDDLE, LARGE = Size(10, 2), Size(80, 24), Size(200, 60)


class Terminal:
    """Takes as long to be another size as it is told to."""

    def __init__(self) -> None:
        self.begun, self.may_go = threading.Event(), threading.Event()
        self.fits: list[Size] = []
        self.told: list[Size] = []
        self.news = anyio.Event()
        self.sizing = Sizing(SMALL, self._fit, self._fitted)

    def _fit(self, size: Size) -> None:
        self.fits.append(size)
        self.begun.set()
        assert self.may_go.wait(60)

    def _fitted(self, size: Size) -> None:
        self.told.append(size)
        self.news.set()

    async def until(self, size: Size) -> None:
        with anyio.fail_after(30):
            while size not in self.told:
                await self.news.wait()
                self.news = anyio.Event()


async def test_what_takes_long_keeps_nobody_waiting() -> None:
    terminal = Terminal()
    terminal.sizing.be(LARGE)
    assert terminal.begun.wait(30)
    assert (terminal.fits, terminal.told) == ([LARGE], [])
    terminal.may_go.set()
    await terminal.until(LARGE)


async def test_of_a_burst_the_first_and_the_last_count() -> None:
    terminal = Terminal()
    terminal.may_go.set()
    for size in (LARGE, SMALL, LARGE, SMALL, MIDDLE):
        terminal.sizing.be(size)
    await terminal.until(MIDDLE)
    assert terminal.told == terminal.fits == [LARGE, MIDDLE]


async def test_what_comes_while_one_is_made_waits_for_it() -> None:
    terminal = Terminal()
    for size in (LARGE, SMALL, MIDDLE):
        terminal.sizing.be(size)
    assert terminal.begun.wait(30)
    assert terminal.fits == [LARGE]
    terminal.may_go.set()
    await terminal.until(MIDDLE)
    assert terminal.told == [LARGE, MIDDLE]


async def test_the_same_size_and_none_after_the_end_disturb_nobody() -> None:
    terminal = Terminal()
    terminal.may_go.set()
    terminal.sizing.be(SMALL)
    terminal.sizing.end()
    terminal.sizing.be(LARGE)
    assert terminal.fits == []


async def test_a_size_is_one_cell_at_least() -> None:
    terminal = Terminal()
    terminal.may_go.set()
    terminal.sizing.be(Size(0, -3))
    await terminal.until(Size(1, 1))
