"""Widgets that do not change cost nothing in the frames of those that do."""

from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Label

from tests.widgets.screen import Stage, visible
from widgets.cheap import Direct, Kept, Unpainted


class Word(Kept):
    """One word, and how often its lines were made."""

    DEFAULT_CSS = "Word { height: 1; }"

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.made = 0

    def render_line(self, y: int) -> Strip:
        self.made += 1
        return super().render_line(y)

    def render(self) -> str:
        return self.text


class Cover(Vertical, Unpainted):
    """Paints nothing."""


class Three(App[None]):
    """Two words, with something in between."""

    def __init__(self) -> None:
        super().__init__()
        self.words = [Word("one"), Word("two"), Word("three")]

    def compose(self) -> ComposeResult:
        with Cover():
            yield from self.words


async def test_only_what_changed_is_made_anew() -> None:
    app = Three()
    async with app.run_test(size=(20, 5)) as pilot:
        await pilot.pause()
        before = [word.made for word in app.words]
        for word in (app.words[0], app.words[2]):
            word.text = word.text.upper()
            word.refresh()
        await pilot.pause()
        assert [line.strip() for line in visible(app).split("\n")[:3]] == ["ONE", "two", "THREE"]
        assert [word.made - was for word, was in zip(app.words, before, strict=True)] == [1, 0, 1]


async def test_another_look_or_size_is_shown() -> None:
    app = Three()
    async with app.run_test(size=(20, 5)) as pilot:
        await pilot.pause()
        word = app.words[1]
        word.styles.background = "red"
        await pilot.pause()
        assert _ground(word) == (255, 0, 0)
        word.styles.padding = (0, 0, 0, 3)
        await pilot.resize_terminal(30, 5)
        await pilot.pause()
        assert visible(app).split("\n")[1] == "   two".ljust(30)


def _ground(widget: Widget) -> tuple[int, ...] | None:
    style = widget.render_lines(Region(0, 0, 1, 1))[0]._segments[0].style
    assert style is not None
    assert style.bgcolor is not None
    return style.bgcolor.triplet


async def test_what_paints_nothing_leaves_its_place_to_the_screen() -> None:
    class Sparse(App[None]):
        def compose(self) -> ComposeResult:
            with Cover():
                yield Label("child")

    async with Sparse().run_test(size=(10, 3)) as pilot:
        await pilot.pause()
        assert visible(pilot.app) == "child     \n" + " " * 10 + "\n" + " " * 10


class Straight(Word, Direct):
    """A word that tells its screen itself."""


async def test_who_tells_the_screen_itself_is_painted_with_the_next_frame() -> None:
    word = Straight("one")
    async with Stage(word).run_test(size=(20, 3)) as pilot:
        await pilot.pause()
        word._kept_for = None
        made = word.made
        word._styles_cache.clear()
        word.paint(Region(0, 0, 20, 1))
        await pilot.pause()
        assert word.made == made + 1
