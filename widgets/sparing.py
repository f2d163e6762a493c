"""A compositor that paints what changed and nothing beside it: for a screen of many panes of which few do.

Textual asks every widget between the first and the last place that changed for all its lines, cuts each of
them at every edge there is, and moves the cursor for every piece, those it then leaves out as well: of
sixteen panes that stream that was a third of all the work. Here only who stands in front where something
changed is asked, and its lines are written as they are. It looks the same; a full update is Textual's own.

    class Deck(Screen):
        def __init__(self):
            super().__init__()
            self._compositor = SparingCompositor()

This module must not know what a widget shows.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.console import Console
from textual._compositor import Compositor, CompositorUpdate
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

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


class SparingCompositor(Compositor):
    """Textual's compositor, but for partial updates."""

    _placed: dict[Widget, tuple[Region, Region]] | None = None
    _places: tuple[Place, ...] = ()

    def render_partial_update(self) -> CompositorUpdate | None:  # type: ignore[override]
        """What changed since the last update; None if nothing did."""
        if not self._dirty_regions:
            return None
        gaps = _Gaps(self._regions_to_spans(self._dirty_regions), self.cuts)
        for place in self._all_places():
            if not gaps.fill(place):
                return super().render_partial_update()
            if not gaps.left:
                break
        self._dirty_regions.clear()
        return PiecesUpdate(sorted(gaps.pieces))

    def _all_places(self) -> tuple[Place, ...]:
        """All visible widgets, those in front first; worked out once a layout."""
        visible = self.visible_widgets
        if visible is not self._placed:
            self._placed = visible
            places = (_place(widget, region, clip) for widget, (region, clip) in visible.items())
            self._places = tuple(place for place in places if place.crop)
        return self._places


class _Gaps:
    """What is still to be painted, by line, and the pieces found for it so far."""

    def __init__(self, spans: Iterable[tuple[int, int, int]], cuts: Sequence[Sequence[int]]) -> None:
        """`spans` are (line, from column, to column), and go on to the next edge of a widget in `cuts`."""
        self.left: dict[int, list[Gap]] = {}
        self.pieces: list[Piece] = []
        for y, first, last in spans:
            if y >= len(cuts):  # the screen was higher when that changed
                continue
            edges = cuts[y]
            start = edges[bisect_right(edges, first) - 1]
            end = edges[bisect_left(edges, min(last, edges[-1]))]
            gaps = self.left.setdefault(y, [])
            if gaps and gaps[-1][1] > start:
                start = gaps.pop()[0]
            gaps.append((start, end))
        self._top, self._bottom = min(self.left, default=0), max(self.left, default=-1) + 1

    def fill(self, place: Place) -> bool:
        """Put the lines of a widget into the gaps it stands in; false if one is too short for its gap.

        What is to be seen beside such a line is for Textual to say.
        """
        lines: list[Strip] | None = None
        for y in range(max(self._top, place.top), min(self._bottom, place.bottom)):
            gaps = self.left.get(y)
            if gaps is None or gaps[0][0] >= place.right or gaps[-1][1] <= place.left:
                continue
            if lines is None:
                lines = place.widget.render_lines(place.crop)
            if y - place.top >= len(lines):
                break
            if not self._fill_line(y, gaps, lines[y - place.top], place):
                return False
        return True

    def _fill_line(self, y: int, gaps: list[Gap], strip: Strip, place: Place) -> bool:
        rest: list[Gap] = []
        left, cells = place.left, strip.cell_length
        for start, end in gaps:
            first, last = max(start, left), min(end, place.right)
            if first >= last:
                rest.append((start, end))
                continue
            if cells < last - left:
                return False
            whole = first == left and cells == last - left
            self.pieces.append(Piece(y, first, strip if whole else strip.crop(first - left, last - left)))
            rest += [gap for gap in ((start, first), (last, end)) if gap[0] < gap[1]]
        if rest:
            self.left[y] = rest
        else:
            del self.left[y]
        return True


def _place(widget: Widget, region: Region, clip: Region) -> Place:
    seen = region.intersection(clip)
    crop = Region(seen.x - region.x, seen.y - region.y, seen.width, seen.height)
    return Place(widget, seen.x, seen.right, seen.y, seen.bottom, crop)
