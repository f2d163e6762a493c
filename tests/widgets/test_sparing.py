from collections.abc import Iterable
from typing import NamedTuple

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console, RenderableType
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from widgets import sparing
from widgets.cheap import Unpainted
from widgets.line import Piece as Words
from widgets.one_line import OneLine
from widgets.sparing import Piece, PiecesUpdate, SparingCompositor, SparingScreen

SIZE = (60, 20)
WORDS = "漢字 and [b]bold[/b] words é, 🙂 more of them, " * 6


class Sparing(SparingScreen[None]):
    def __init__(self) -> None:
        super().__init__(id="_default")


class Bare(Unpainted, Vertical):
    pass


class Lines(Widget):
    """Counts how often it is asked for its lines; `cells` is how long they are."""

    cells = 0
    asked = 0

    def render_lines(self, crop: Region) -> list[Strip]:
        self.asked += 1
        return [Strip.blank(self.cells or crop.width)] * crop.height


class Scene(App[None]):
    """Panes beside each other, one that is scrolled, one that floats, one that paints nothing itself."""

    CSS = """
    Screen { layers: below above; }
    Horizontal { height: 12; }
    #bordered { border: round red; width: 1fr; }
    #scrolled { width: 1fr; height: 100%; }
    #scrolled Static { height: 40; }
    #floating { layer: above; offset: 20 5; width: 25; height: 6; background: blue; border: solid white; }
    Bare { height: 5; padding: 0 2; }
    Lines { height: 1; width: 20; }
    """

    def get_default_screen(self) -> Screen[None]:
        return Sparing()

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Static(WORDS, id="bordered")
            with VerticalScroll(id="scrolled"):
                yield Static(WORDS)
        with Bare():
            yield Static(WORDS[:90])
            yield Lines(id="asked")
            yield Lines(id="beside")
        yield Static(WORDS[:80], id="floating")

    @property
    def compositor(self) -> SparingCompositor:
        found = self.screen._compositor
        assert isinstance(found, SparingCompositor)
        return found


class Cell(NamedTuple):
    text: str
    style: Style


def cells(strip: Strip) -> list[Cell]:
    return [Cell(letter, style or Style()) for text, style, _ in strip for letter in text]


def parts() -> st.SearchStrategy[Region]:
    columns, rows = SIZE
    return st.tuples(
        st.integers(0, columns - 1), st.integers(0, rows - 1), st.integers(1, 30), st.integers(1, 6)
    ).map(lambda part: Region(*part).intersection(Region(0, 0, columns, rows)))


def covered(update: PiecesUpdate) -> set[tuple[int, int]]:
    return {(y, x + at) for y, x, strip in update.pieces for at in range(strip.cell_length)}


def places(regions: Iterable[Region]) -> set[tuple[int, int]]:
    return {(y, x) for region in regions for y in region.line_range for x in region.column_range}


async def test_what_is_painted_is_what_textual_would_paint() -> None:
    app = Scene()
    async with app.run_test(size=SIZE) as pilot:
        app.query_one("#scrolled").scroll_to(y=7, animate=False)
        await pilot.pause()
        compositor = app.compositor
        whole = compositor.render_strips()

        @settings(max_examples=150, deadline=None)
        @given(st.lists(parts(), min_size=1, max_size=6))
        def check(regions: list[Region]) -> None:
            compositor._dirty_regions = set(regions)
            update = compositor.render_partial_update()
            assert isinstance(update, PiecesUpdate)
            assert covered(update) >= places(regions)
            assert len(covered(update)) == sum(strip.cell_length for _, _, strip in update.pieces)
            for y, x, strip in update.pieces:
                assert cells(strip) == cells(whole[y].crop(x, x + strip.cell_length))
            assert compositor.render_partial_update() is None

        check()


async def test_who_did_not_change_is_not_asked() -> None:
    app = Scene()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        changed, beside = app.query_one("#asked", Lines), app.query_one("#beside", Lines)
        before = changed.asked, beside.asked
        changed.refresh()
        app.query_one("#bordered").refresh()
        await pilot.pause()
        assert (changed.asked > before[0], beside.asked) == (True, before[1])


async def test_beside_a_line_that_is_too_short_textual_paints() -> None:
    app = Scene()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        lines = app.query_one("#asked", Lines)
        lines.cells = 5
        app.compositor._dirty_regions = {lines.region}
        assert isinstance(app.compositor.render_partial_update(), ChopsUpdate)


async def test_what_changed_where_the_screen_ends_no_more_is_left_out() -> None:
    app = Scene()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.compositor._dirty_regions = {Region(50, 18, 30, 9)}
        update = app.compositor.render_partial_update()
        assert isinstance(update, PiecesUpdate)
        assert max(y for y, _, _ in update.pieces) == 19


def test_a_piece_is_written_where_it_stands() -> None:
    console = Console(color_system="truecolor", force_terminal=True)
    update = PiecesUpdate(
        [Piece(2, 4, Strip([Segment("one", Style(bold=True))])), Piece(3, 0, Strip([Segment("two")]))]
    )
    assert update.render_segments(console) == "\x1b[3;5H\x1b[1mone\x1b[0m\x1b[4;1Htwo"


class Talker(Static):
    """Has another say something while it is painted itself."""

    def __init__(self, told: OneLine) -> None:
        super().__init__("talks")
        self.told = told
        self.words = ""

    def render_lines(self, crop: Region) -> list[Strip]:
        if self.words:
            self.told.say([Words(self.words)])
            self.words = ""
        return super().render_lines(crop)


class Talk(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.told = OneLine()
        self.talker = Talker(self.told)
        self.written = ""

    def get_default_screen(self) -> Screen[None]:
        return Sparing()

    def compose(self) -> ComposeResult:
        yield self.talker
        yield self.told

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        if isinstance(renderable, CompositorUpdate):
            self.written += renderable.render_segments(self.console)


@pytest.mark.parametrize("lays_out", [False, True])
async def test_what_is_said_while_another_is_painted_is_painted_too(lays_out: bool) -> None:
    app = Talk()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.talker.words = "late words"
        app.talker.refresh(layout=lays_out)
        with anyio.fail_after(30):
            while "late words" not in app.written:
                await pilot.pause()
        assert not app.screen._dirty_widgets


async def test_what_is_said_before_a_batch_ends_is_painted_too() -> None:
    app = Talk()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        with app.batch_update():
            app.screen._refresh_layout()
            app.told.say([Words("batched words")])
        with anyio.fail_after(30):
            while "batched words" not in app.written:
                await pilot.pause()


async def test_who_is_out_of_sight_is_not_waited_for() -> None:
    app = Talk()
    async with app.run_test(size=SIZE) as pilot:
        app.told.styles.offset = (0, 100)
        await pilot.pause()
        app.told.say([Words("unseen")])
        await pilot.pause()
        assert not app.screen._dirty_widgets


class Dialog(ModalScreen[None]):
    def compose(self) -> ComposeResult:
        yield Static("a dialog", id="dialog")


async def until_written(pilot: Pilot[None], app: Talk, words: str) -> None:
    with anyio.fail_after(30):
        while words not in app.written:
            await pilot.pause()


async def test_what_goes_on_behind_a_dialog_shows_through_and_then_there_is_rest() -> None:
    app = Talk()
    async with app.run_test(size=SIZE) as pilot:
        behind = app.screen
        await app.push_screen(Dialog())
        app.told.say([Words("seen through")])
        await until_written(pilot, app, "seen through")
        await pilot.pause()
        assert not behind._repaint_required
        assert not behind._dirty_widgets


@pytest.mark.parametrize("closed", [False, True])
async def test_what_came_while_that_rests_is_painted_later_or_when_the_dialog_goes(
    closed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sparing, "BEHIND_S", 100.0 if closed else 0.01)
    app = Talk()
    async with app.run_test(size=SIZE) as pilot:
        await app.push_screen(Dialog())
        app.told.say([Words("at once")])
        await until_written(pilot, app, "at once")
        app.told.say([Words("later")])
        if closed:
            await pilot.pause()
            assert "later" not in app.written
            app.pop_screen()
        await until_written(pilot, app, "later")
