"""Rows with padding around them look as Textual would paint them."""

from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tests.widgets.screen import Stage
from widgets.framed import framed


class Words(Widget):
    """Two rows and room for more."""

    DEFAULT_CSS = "Words { height: 6; width: 20; padding: 1 2 1 3; background: blue 40%; color: white; }"

    def render_line(self, y: int) -> Strip:
        ground = self.visual_style.rich_style
        words = ("one", "the second")
        return Strip([Segment(words[y], ground + Style(bold=True))] if y < len(words) else [])

    def rows(self, top: int, bottom: int) -> list[Strip]:
        return [self.render_line(y) for y in range(top, min(bottom, 2))]


class Red(App[None]):
    CSS = "Screen { background: red; }"

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.words = words

    def compose(self) -> ComposeResult:
        yield self.words


def cells(lines: list[Strip]) -> list[list[tuple[str, str]]]:
    """Each cell's letter, and how it looks; a blank one has no weight."""
    return [
        [
            (letter, str(look if letter != " " else look and look.background_style))
            for text, look, _ in line
            for letter in text
        ]
        for line in lines
    ]


async def test_rows_within_their_padding_look_as_textual_paints_them() -> None:
    words = Words()
    async with Red(words).run_test(size=(30, 8)) as pilot:
        await pilot.pause()
        for crop in (Region(0, 0, 20, 6), Region(0, 2, 20, 3), Region(4, 1, 9, 2), Region(0, 5, 20, 1)):
            assert cells(framed(words, crop, words.rows)) == cells(words.render_lines(crop))


async def test_without_rows_there_is_the_ground() -> None:
    words = Words()
    async with Stage(words).run_test(size=(30, 8)) as pilot:
        await pilot.pause()
        lines = framed(words, Region(0, 0, 20, 6), lambda top, bottom: [])
        assert [line.text for line in lines] == [" " * 20] * 6
