"""What cannot be drawn costs its own place, tells the app once, and ends nothing."""

from collections.abc import Sequence

import pytest
from textual import on
from textual.app import App, ComposeResult
from textual.strip import Strip
from textual.widget import Widget

from core.session.entries import Entry, ToolEntry
from tests.fakes.scenes import Scene
from tests.widgets.screen import visible
from widgets.fence import Broke
from widgets.line import Line
from widgets.one_line import OneLine
from widgets.render.palette import Palette
from widgets.row_list import RowList
from widgets.sheet import Sheet
from widgets.transcript import painter
from widgets.transcript.frame import Drawn, Frame
from widgets.transcript_view import TranscriptView


class Shown(App[None]):
    """Some widgets, and what they tell."""

    def __init__(self, *shown: Widget) -> None:
        super().__init__()
        self.shown = shown
        self.told: list[Exception] = []

    def compose(self) -> ComposeResult:
        yield from self.shown

    @on(Broke)
    def note(self, event: Broke) -> None:
        self.told.append(event.error)


def broken(width: int, palette: Palette) -> Sequence[Strip]:
    raise KeyError("a colour")


class BrokenLine(OneLine):
    """A line that cannot be painted."""

    def line(self) -> Line:
        raise ValueError("a piece")


async def test_a_broken_widget_leaves_the_others_on_the_screen() -> None:
    fine = OneLine()
    rows = RowList()
    app = Shown(BrokenLine(), Sheet(broken), rows, fine)
    async with app.run_test(size=(40, 12)) as pilot:
        rows.show(["one", "two"], lambda key, width: [((), ())] if key == "two" else [][1])
        await pilot.pause()
        fine.refresh()
        await pilot.pause()
        seen = visible(app)
        for name in ("ValueError", "KeyError", "IndexError"):
            assert f"✗ cannot be drawn: {name}" in seen
        assert sorted(type(error).__name__ for error in app.told) == ["IndexError", "KeyError", "ValueError"]


async def test_an_entry_that_cannot_be_drawn_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = painter.draw

    def draw(entry: Entry, frame: Frame) -> Drawn:
        if isinstance(entry, ToolEntry):
            raise RecursionError("nested")
        return whole(entry, frame)

    monkeypatch.setattr(painter, "draw", draw)
    scene, view = Scene(), TranscriptView()
    app = Shown(view)
    async with app.run_test(size=(60, 20)) as pilot:
        scene.prompt("look here")
        scene.tool("Bash", command="ls")
        view.show(scene.conversation)
        await pilot.pause()
        assert "look here" in visible(app)
        assert "✗ cannot be drawn: RecursionError" in visible(app)
        assert len(app.told) == 1
