"""Widgets are told of their new size, whoever asked where they stand before the layout."""

from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from widgets.compositor import SteadyCompositor


class View(Static):
    """Keeps the heights it was told of."""

    def on_mount(self) -> None:
        """None yet."""
        self.told: list[int] = []

    def on_resize(self) -> None:
        """Another one."""
        self.told.append(self.size.height)


class Desk(Screen[None]):
    """A view, and a card below it that comes later."""

    CSS = "View { height: 1fr; } #card { height: 4; display: none; }"

    def __init__(self) -> None:
        """With our compositor."""
        super().__init__()
        self._compositor = SteadyCompositor()

    def compose(self) -> ComposeResult:
        """Both."""
        yield View("text")
        yield Static("card", id="card")


class Deck(App[None]):
    """One desk."""

    def on_mount(self) -> None:
        """Show it."""
        self.push_screen(Desk())


async def test_a_view_made_lower_hears_of_it_though_its_place_was_asked_for_first() -> None:
    async with Deck().run_test(size=(40, 20)) as pilot:
        desk = pilot.app.screen
        view, card = desk.query_one(View), desk.query_one("#card")
        await pilot.pause()
        assert view.told[-1] == 20
        card.display = True
        desk._compositor.update_widgets({card})  # as a frame that comes before the layout does
        assert view.region.height == 16
        await pilot.pause()
        assert view.told[-1] == 16
