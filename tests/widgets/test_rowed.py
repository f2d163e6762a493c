"""Rows that are painted as they are."""

import anyio
import pytest
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tests.widgets.screen import Stage, visible
from widgets.rowed import Rowed


class Numbers(Rowed):
    """A hundred red numbers, and who asked for them."""

    DEFAULT_CSS = "Numbers { padding: 1 2 1 3; height: 1fr; width: 1fr; scrollbar-size-vertical: 1; }"

    def rows_at(self, top: int, bottom: int, width: int) -> list[Strip]:
        return [Strip([Segment(str(at), Style(color="red"))]) for at in range(top, min(bottom, 100))]

    def on_mount(self) -> None:
        self.virtual_size = self.size.with_height(100)


async def test_rows_stand_within_the_padding_beside_their_scroll_bar() -> None:
    rows = Numbers()
    async with Stage(rows).run_test(size=(20, 6)) as pilot:
        await pilot.pause()
        lines = visible(rows.app).split("\n")
        assert [line.rstrip() for line in lines[:6]] == ["", "   0", "   1", "   2", "   3", ""]
        rows.scroll_to(y=50, animate=False)
        await pilot.pause()
        assert visible(rows.app).split("\n")[1].strip() == "50"
        rows.scroll_end(animate=False)
        await pilot.pause()
        assert visible(rows.app).split("\n")[4].strip() == "99"


async def test_the_scroll_bar_moves_with_what_is_in_sight_and_can_be_clicked() -> None:
    rows = Numbers()
    async with Stage(rows).run_test(size=(20, 6)) as pilot:
        await pilot.pause()
        bar = rows.vertical_scrollbar

        def drawn() -> list[Strip]:
            return list(bar.render_lines(bar.region.reset_offset))

        before = drawn()
        assert drawn() == before
        await pilot.click(offset=bar.region.bottom_right_inclusive)
        with anyio.fail_after(30):
            while not rows.scroll_offset.y:
                await pilot.pause()
        rows.scroll_end(animate=False)
        await pilot.pause()
        assert drawn() != before


async def test_without_colour_rows_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for colour in (True, False):
        rows = Numbers()
        with monkeypatch.context() as context:
            context.delenv("NO_COLOR", raising=False)
            if not colour:
                context.setenv("NO_COLOR", "1")
            app = Stage(rows)
        async with app.run_test(size=(20, 6)) as pilot:
            await pilot.pause()
            [number] = [part for part in rows.render_line(1) if part.text == "0"]
            assert number.style is not None
            assert number.style.color is not None
            red, green, blue = number.style.color.get_truecolor()
            assert (red == green == blue) is not colour
