from collections.abc import Sequence

from rich.segment import Segment
from textual.strip import Strip

from tests.widgets.screen import Stage, visible
from widgets.render.palette import Palette
from widgets.sheet import Sheet

LINES = 50


async def test_it_draws_once_for_a_width_and_scrolls() -> None:
    widths: list[int] = []

    def draw(width: int, palette: Palette) -> Sequence[Strip]:
        widths.append(width)
        return [Strip([Segment(f"line {n} [/]")]) for n in range(LINES)]

    sheet = Sheet(draw)
    async with Stage(sheet).run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        assert "line 0 [/]" in visible(sheet.app)
        sheet.scroll_end(animate=False)
        await pilot.pause()
        assert f"line {LINES - 1}" in visible(sheet.app)
        drawn = len(widths)
        sheet.refresh()
        await pilot.pause()
        assert len(widths) == drawn
        sheet.show(lambda width, palette: [Strip([Segment("new")])])
        await pilot.pause()
        assert visible(sheet.app).startswith("new")
