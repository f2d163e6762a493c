"""What a frame of the deck costs, in counts: what is asked to paint, and that nothing is laid out."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from textual._styles_cache import StylesCache
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from core.session.events import BlockStarted, MessageStarted, TextDelta, TurnStarted
from tests.dashboard.deck import app_of, on_deck, press, settle
from tests.fakes.fleet import FakeFleet, agent

KEYS = ("one", "two", "three", "four")


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """How often each kind of widget works out its lines, and the screen its layout."""
    counts: Counter[str] = Counter()
    render, layout = StylesCache.render_widget, Screen._refresh_layout

    def rendering(cache: StylesCache, widget: Widget, crop: Region) -> list[Strip]:
        counts[type(widget).__name__] += 1
        return render(cache, widget, crop)

    def laying_out(screen: Screen[None], *args: object, **options: object) -> None:
        counts["layout"] += 1
        layout(screen, *args, **options)  # type: ignore[arg-type]

    with (
        patch.object(StylesCache, "render_widget", rendering),
        patch.object(Screen, "_refresh_layout", laying_out),
    ):
        yield counts


async def begun(pilot: Pilot[None], fleet: FakeFleet) -> None:
    """All four write, and that is on screen."""
    for key in KEYS:
        fleet.change(
            key,
            TurnStarted(at=1.0),
            MessageStarted(message_id="m", at=1.0),
            BlockStarted(message_id="m", index=0, kind="text", at=1.0),
            TextDelta(message_id="m", index=0, text="Hello", at=1.0),
        )
    await settle(pilot)
    await pilot.pause()


def more(fleet: FakeFleet, *keys: str) -> None:
    for key in keys:
        fleet.change(key, TextDelta(message_id="m", index=0, text=" more", at=1.0))


async def test_a_frame_of_streaming_lays_nothing_out_and_asks_only_what_changed() -> None:
    fleet = FakeFleet(*(agent(key) for key in KEYS))
    async with on_deck(fleet, size=(150, 50)) as pilot:
        app_of(pilot).deck.board._clock = lambda: 1_800_000_000.0  # no second passes meanwhile
        await begun(pilot, fleet)
        with counted() as counts:
            more(fleet, *KEYS)
            await settle(pilot)
            await pilot.pause()
        assert counts["layout"] == 0
        assert {
            name for name in counts if name in ("TitleLine", "Meters", "Pane", "PaneGrid", "Middle")
        } == set()


async def test_a_hidden_pane_is_not_shown_anything() -> None:
    fleet = FakeFleet(*(agent(key) for key in KEYS))
    async with on_deck(fleet, size=(80, 24)) as pilot:
        await begun(pilot, fleet)
        board = app_of(pilot).deck.board
        assert board.grid.shown == ("one",)
        hidden = board.grid.panes["four"].transcript
        before = hidden.draws
        more(fleet, "four")
        await settle(pilot)
        await pilot.pause()
        assert hidden.draws == before
        await press(pilot, "4")
        assert board.grid.shown == ("four",)
        assert hidden.draws > before


async def test_going_to_another_pane_does_not_paint_the_whole_screen() -> None:
    fleet = FakeFleet(*(agent(key) for key in KEYS))
    async with on_deck(fleet, size=(150, 50)) as pilot:
        await begun(pilot, fleet)
        await press(pilot, "1")
        drawn = {key: pane.transcript.draws for key, pane in app_of(pilot).deck.board.grid.panes.items()}
        full = app_of(pilot).deck._compositor.render_full_update
        with patch.object(app_of(pilot).deck._compositor, "render_full_update", wraps=full) as whole:
            await press(pilot, "2")
        whole.assert_not_called()
        assert drawn == {
            key: pane.transcript.draws for key, pane in app_of(pilot).deck.board.grid.panes.items()
        }
