"""Figure 2: sixteen visible panes, a hundred text deltas a second each, beside what Textual offers.

Every contender runs in a process of its own, one after the other: `python -m tests.bench.streaming NAME`
prints what was measured as JSON.
"""

import asyncio
import gc
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Protocol

import msgspec
from textual.app import App, ComposeResult
from textual.containers import Grid, VerticalScroll
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Markdown, RichLog
from textual.widgets.markdown import MarkdownStream

from core.session.events import BlockStarted, TextDelta, TurnStarted
from core.session.session import Session
from core.session.state import SessionState
from tests.bench.figures import Figure
from tests.bench.load import CountingDriver, Lag, Measured, deltas, every
from widgets.sparing import SparingCompositor
from widgets.transcript_view import TranscriptView

PANES = 16
RATE = 100
SIZE = (200, 60)
FRAMES = 30
"""Looks a second at the focused pane; the others get a third of it (DESIGN §4)."""


class Contender(Protocol):
    """Something that shows streams in sixteen panes."""

    def screen(self) -> Screen[None]: ...

    def pane(self) -> Widget: ...

    async def begin(self, app: App[None]) -> None: ...

    async def feed(self, pane: int, text: str) -> None: ...

    def frame(self, number: int) -> None: ...

    async def end(self) -> None: ...


class Ours:
    """Sessions that events are applied to, and views that a bridge gives them to."""

    def __init__(self) -> None:
        self.sessions = [Session(SessionState(key=str(pane))) for pane in range(PANES)]
        self.views: list[TranscriptView] = []

    def screen(self) -> Screen[None]:
        """One that paints as the deck does."""
        screen: Screen[None] = Screen(id="_default")
        screen._compositor = SparingCompositor()
        return screen

    def pane(self) -> Widget:
        self.views.append(TranscriptView())
        return self.views[-1]

    async def begin(self, app: App[None]) -> None:
        for session, view in zip(self.sessions, self.views, strict=True):
            session.apply(TurnStarted(at=1.0))
            session.apply(BlockStarted(message_id="m", index=0, kind="text", at=1.0))
            view.show(session.conversation, session.state)
        self.views[0].focus()

    async def feed(self, pane: int, text: str) -> None:
        self.sessions[pane].apply(TextDelta(message_id="m", index=0, text=text, at=2.0))

    def frame(self, number: int) -> None:
        others = (PANES + 1) // 3
        first = 1 + number % 3 * others
        for pane in (0, *range(first, min(first + others, PANES))):
            self.views[pane].show(self.sessions[pane].conversation, self.sessions[pane].state)

    async def end(self) -> None:
        pass


class TextualMarkdown:
    """`Markdown.get_stream`, as Textual's own documentation has it."""

    def __init__(self) -> None:
        self.widgets: list[Markdown] = []
        self.streams: list[MarkdownStream] = []

    def screen(self) -> Screen[None]:
        return Screen(id="_default")

    def pane(self) -> Widget:
        self.widgets.append(Markdown())
        return VerticalScroll(self.widgets[-1])

    async def begin(self, app: App[None]) -> None:
        for widget in self.widgets:
            assert isinstance(widget.parent, VerticalScroll)
            widget.parent.anchor()
            self.streams.append(Markdown.get_stream(widget))

    async def feed(self, pane: int, text: str) -> None:
        await self.streams[pane].write(text)

    def frame(self, number: int) -> None:
        pass

    async def end(self) -> None:
        for stream in self.streams:
            await stream.stop()


class TextualLog:
    """`RichLog`, which knows only whole lines: each delta becomes one."""

    def __init__(self) -> None:
        self.widgets: list[RichLog] = []

    def screen(self) -> Screen[None]:
        return Screen(id="_default")

    def pane(self) -> Widget:
        self.widgets.append(RichLog(wrap=True))
        return self.widgets[-1]

    async def begin(self, app: App[None]) -> None:
        pass

    async def feed(self, pane: int, text: str) -> None:
        self.widgets[pane].write(text)

    def frame(self, number: int) -> None:
        pass

    async def end(self) -> None:
        pass


CONTENDERS: dict[str, Callable[[], Contender]] = {
    "ours": Ours,
    "markdown": TextualMarkdown,
    "richlog": TextualLog,
}


class Bench(App[None]):
    """Sixteen panes and nothing else."""

    CSS = f"Grid {{ grid-size: {int(PANES**0.5)} {int(PANES**0.5)}; }}"

    def __init__(self, contender: Contender) -> None:
        super().__init__(driver_class=CountingDriver)
        self.contender = contender

    def get_default_screen(self) -> Screen[None]:
        return self.contender.screen()

    def compose(self) -> ComposeResult:
        with Grid():
            for _ in range(PANES):
                yield self.contender.pane()


async def run(contender: Contender, seconds: float) -> Measured:
    """Stream into one contender for some seconds."""
    app = Bench(contender)
    measured: list[Measured] = []

    async def pilot(pilot: Pilot[object]) -> None:
        while not all(widget.is_mounted for widget in app.query(Widget)):
            await pilot.pause(0.05)
        await contender.begin(app)
        await pilot.pause()
        await _stream(contender, 1.0)
        measured.append(await _measure(contender, seconds))
        await contender.end()
        app.exit()

    await app.run_async(size=SIZE, auto_pilot=pilot)
    return measured[0]


async def _measure(contender: Contender, seconds: float) -> Measured:
    gc.collect()
    lag = Lag()
    watch = asyncio.create_task(lag.watch())
    written, cpu, wall = CountingDriver.written, time.process_time(), time.perf_counter()
    count = await _stream(contender, seconds)
    used, took = time.process_time() - cpu, time.perf_counter() - wall
    watch.cancel()
    return Measured(used, took, count, lag.p95(), CountingDriver.written - written)


async def _stream(contender: Contender, seconds: float) -> int:
    """Feed every pane at its rate, and give it frames; how many deltas that were."""
    feeds: list[Iterator[str]] = [islice(deltas(), pane * 7, None) for pane in range(PANES)]
    end = time.perf_counter() + seconds
    feeding = asyncio.create_task(every(1 / RATE, end, lambda number: _feed_all(contender, feeds)))

    async def frame(number: int) -> None:
        contender.frame(number)

    await asyncio.gather(feeding, every(1 / FRAMES, end, frame))
    return feeding.result() * PANES


async def _feed_all(contender: Contender, feeds: list[Iterator[str]]) -> None:
    for pane, feed in enumerate(feeds):
        await contender.feed(pane, next(feed))


def measure(name: str, seconds: float) -> Measured:
    """Run one contender in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.streaming", name, str(seconds)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, check=True, capture_output=True, cwd=root, timeout=120)
    return msgspec.json.decode(done.stdout, type=Measured)


def figures(seconds: float = 10.0) -> list[Figure]:
    """Figure 2: processor time and lag under sixteen streams, and its ratio to Textual's own."""
    ours, markdown, log = (measure(name, seconds) for name in ("ours", "markdown", "richlog"))
    share = ours.cpu_s / ours.wall_s
    ratio, to_log = ours.per_delta_us / markdown.per_delta_us, ours.per_delta_us / log.per_delta_us
    unit = "µs/delta"
    return [
        Figure(
            "streaming: CPU per delta", ours.per_delta_us, unit, "Markdown", ratio, "≤ 1/10", ratio <= 0.1
        ),
        Figure("streaming: CPU per delta", ours.per_delta_us, unit, "RichLog", to_log),
        Figure("streaming: share of one core", share * 100, "%", bar="≤ 25 %", met=share <= 0.25),
        Figure(
            "streaming: loop lag p95", ours.lag_p95_s * 1000, "ms", bar="≤ 15 ms", met=ours.lag_p95_s <= 0.015
        ),
        Figure("streaming: loop lag p95 of Markdown", markdown.lag_p95_s * 1000, "ms"),
        Figure("streaming: share of one core of Markdown", markdown.cpu_s / markdown.wall_s * 100, "%"),
        Figure("streaming: deltas a second shown", ours.deltas / ours.wall_s, "1/s"),
        Figure("streaming: deltas a second Markdown took", markdown.deltas / markdown.wall_s, "1/s"),
        Figure("streaming: written to the terminal", ours.written / ours.wall_s / 1024, "KiB/s"),
    ]


if __name__ == "__main__":
    outcome = asyncio.run(run(CONTENDERS[sys.argv[1]](), float(sys.argv[2])))
    sys.stdout.write(msgspec.json.encode(outcome).decode())
