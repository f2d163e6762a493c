"""A compositor that paints what changed and nothing beside it: for a screen of many panes of which few do.

Textual asks every widget between the first and the last place that changed for all its lines, cuts each of
them at every edge there is, and moves the cursor for every piece, those it then leaves out as well: of
sixteen panes that stream that was a third of all the work. Here only who stands in front where something
changed is asked, and its lines are written as they are. It looks the same; a full update is Textual's own.

    class Deck(SparingScreen):
        ...

This module must not know what a widget shows.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from rich.console import Console
from textual._compositor import Compositor, CompositorUpdate
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from widgets.compositor import SteadyCompositor

T = TypeVar("T")

BEHIND_S = 0.5
"""How seldom what goes on behind a dialog is painted: dimmed, all of it each time, and nobody reads it."""

Gap = tuple[int, int]
"""From which column to before which nothing has been painted yet."""


class Piece(NamedTuple):
    """A strip and where on the screen it begins."""

    y: int
    x: int
    strip: Strip


class Place(NamedTuple):
    """A visible widget: the columns and lines it may be seen in, and which of its own region that is."""

    widget: Widget
    left: int
    right: int
    top: int
    bottom: int
    crop: Region


class PiecesUpdate(CompositorUpdate):
    """Pieces of the screen, to be written where they stand."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        """Write them in this order."""
        self.pieces = tuple(pieces)

    def render_segments(self, console: Console) -> str:
        """What the terminal is sent. Each says where it is: one may be wider there than Textual thinks."""
        return "".join([f"\x1b[{y + 1};{x + 1}H{strip.render(console)}" for y, x, strip in self.pieces])


class SparingCompositor(SteadyCompositor):
    """Textual's compositor, but for partial updates."""

    _placed: dict[Widget, tuple[Region, Region]] | None = None
    _rows: tuple[tuple[Place, ...], ...] = ()

    def render_partial_update(self) -> CompositorUpdate | None:  # type: ignore[override]
        """What changed since the last update; None if nothing did."""
        if not self._dirty_regions:
            return None
        rows, painting = self._all_rows(), _Painting()
        for y, gaps in _gaps(self._regions_to_spans(self._dirty_regions), self.cuts):
            if y < len(rows) and not painting.fill(y, gaps, rows[y]):
                return super().render_partial_update()
        self._dirty_regions.clear()
        return PiecesUpdate(sorted(painting.pieces))

    def _all_rows(self) -> tuple[tuple[Place, ...], ...]:
        """For each line who is to be seen in it, those in front first; worked out once a layout."""
        visible = self.visible_widgets
        if visible is not self._placed:
            self._placed = visible
            places = [_place(widget, region, clip) for widget, (region, clip) in visible.items()]
            places = [place for place in places if place.crop]
            bottom = max((place.bottom for place in places), default=0)
            self._rows = tuple(
                tuple(place for place in places if place.top <= y < place.bottom) for y in range(bottom)
            )
        return self._rows


class Owed(set[Widget]):
    """Who is to be painted. Textual forgets all of them after each frame; who came in after it began stays.

    So it is with what is said while a layout is made or a batch ends: its old words would stand there.
    """

    def __init__(self, compositor: Compositor, wake: Callable[[], None]) -> None:
        """Nobody is yet. `compositor` knows who is to be seen, `wake` has the screen begin another frame."""
        super().__init__()
        self._compositor = compositor
        self._wake = wake

    def clear(self) -> None:
        """Forget who has been painted, and who is not to be seen."""
        late = [widget for widget in self if widget._repaint_regions]
        super().clear()
        if late:
            seen = self._compositor.visible_widgets
            self.update(widget for widget in late if widget in seen)
            self._wake()


class SparingScreen(Screen[T]):
    """A screen that paints so."""

    def __init__(self, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        """As a screen of Textual's."""
        super().__init__(name, id, classes)
        self._compositor = SparingCompositor()
        self._dirty_widgets = Owed(self._compositor, self.check_idle)
        self._resting: Timer | None = None

    def _compositor_refresh(self) -> None:
        """Paint what changed; behind a dialog have that one do so, as it is painted through it.

        Textual has both painted whole there, and owes itself the same again, with each message there is.
        """
        if self.app.screen is self or self.app.is_inline:
            super()._compositor_refresh()
            return
        self._dirty_widgets.clear()
        if self._resting is None:
            self._show_through()

    def _show_through(self) -> None:
        self._resting = None
        regions = self._compositor._dirty_regions
        if regions and self.app.screen is not self and self.is_current:
            self.app.screen.refresh(*regions)
            regions.clear()
            self._resting = self.set_timer(BEHIND_S, self._show_through)


def _gaps(
    spans: Iterable[tuple[int, int, int]], cuts: Sequence[Sequence[int]]
) -> Iterable[tuple[int, list[Gap]]]:
    """What is to be painted, line by line: `spans` are (line, from column, to column), lines rising.

    Each gap goes on to the next edge of a widget in `cuts`.
    """
    line, gaps = -1, list[Gap]()
    for y, first, last in spans:
        if y >= len(cuts):  # the screen was higher when that changed
            break
        if y != line:
            if gaps:
                yield line, gaps
            line, gaps = y, []
        edges = cuts[y]
        start = edges[bisect_right(edges, first) - 1]
        end = edges[bisect_left(edges, min(last, edges[-1]))]
        if gaps and gaps[-1][1] > start:
            start = gaps.pop()[0]
        gaps.append((start, end))
    if gaps:
        yield line, gaps


class _Painting:
    """The pieces of one update, and the lines of the widgets that were asked for theirs."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self._lines: dict[Widget, list[Strip]] = {}

    def fill(self, y: int, gaps: list[Gap], places: Sequence[Place]) -> bool:
        """Paint the gaps of a line; false if a widget's line is too short for its gap.

        What is to be seen beside such a line is for Textual to say.
        """
        for place in places:
            if gaps[0][0] >= place.right or gaps[-1][1] <= place.left:
                continue
            lines = self._lines.get(place.widget)
            if lines is None:
                lines = self._lines[place.widget] = place.widget.render_lines(place.crop)
            if y - place.top >= len(lines):
                continue
            rest = self._fill_gaps(y, gaps, lines[y - place.top], place)
            if rest is None:
                return False
            if not rest:
                break
            gaps = rest
        return True

    def _fill_gaps(self, y: int, gaps: list[Gap], strip: Strip, place: Place) -> list[Gap] | None:
        """What of the gaps is left beside the place; None if the strip is too short for them."""
        rest: list[Gap] = []
        left, cells = place.left, strip.cell_length
        for start, end in gaps:
            first, last = max(start, left), min(end, place.right)
            if first >= last:
                rest.append((start, end))
                continue
            if cells < last - left:
                return None
            whole = first == left and cells == last - left
            self.pieces.append(Piece(y, first, strip if whole else strip.crop(first - left, last - left)))
            if start < first:
                rest.append((start, first))
            if last < end:
                rest.append((last, end))
        return rest


def _place(widget: Widget, region: Region, clip: Region) -> Place:
    seen = region.intersection(clip)
    crop = Region(seen.x - region.x, seen.y - region.y, seen.width, seen.height)
    return Place(widget, seen.x, seen.right, seen.y, seen.bottom, crop)
