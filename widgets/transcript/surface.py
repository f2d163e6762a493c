"""A Line-API widget that paints ready rows: only those that changed, never a layout, nothing while hidden.

What the rows say comes from the two methods a subclass gives. This module must not know a conversation.
It paints `render_lines` itself, past the style cache of Textual: rows are whole already (`page.py`), and
asking for border, padding, opacity and filters of sixteen panes thirty times a second cost more than
drawing them. So it can have no border and no padding of its own.
"""

from rich.style import Style
from textual.color import Color
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from widgets.cheap import Direct
from widgets.render.palette import PLAIN_PALETTE, Palette
from widgets.transcript import marks
from widgets.transcript.page import Page

FIRST_PAGE = Page(1, PLAIN_PALETTE, Style.null(), (), Color(0, 0, 0))
"""What rows are made for before there is a screen."""


class Surface(ScrollView, Direct):
    """Rows on the screen. `page` says what they must be made for; `repaint()` asks for them anew."""

    DEFAULT_CSS = """
    Surface {
        overflow: hidden;
        scrollbar-size: 0 0;
        height: 1fr;
        width: 1fr;
        background: $background;
        color: $foreground;
    }
    """

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        """Show nothing yet."""
        super().__init__(name=name, id=id, classes=classes)
        self.page = FIRST_PAGE
        self.in_view = False
        self.is_painted = True
        self._rows: list[Strip] = []
        self._look: tuple[object, ...] = ()
        self._look_may_differ = True
        self._late = False

    def make_rows(self, page: Page, height: int) -> list[Strip]:
        """The rows to show now: `height` of them, made for `page`."""
        return [page.blank] * height

    def first_line(self) -> int:
        """Which line of the whole text the first row is."""
        return 0

    def line_count(self) -> int:
        """How many lines the whole text has."""
        return 0

    def catch_up(self) -> None:
        """Bring in what was missed while hidden, or between two frames."""

    def be_late(self) -> None:
        """Remember that there is more to show: `catch_up` is called once it can be seen."""
        self._late = True

    def repaint(self) -> None:
        """Make the visible rows anew, and have those painted that changed."""
        width, height = self.outer_size
        if not self.in_view or not height:
            return
        old, new = self._rows, self._made(width, height)
        if len(old) != len(new):
            self._rows = new
            self.paint(Region(0, 0, width, height))
            return
        changed = [at for at, row in enumerate(new) if row is not old[at] and row != old[at]]
        for at in changed:
            old[at] = new[at]
        if changed:
            self.paint(*_runs(changed, width))

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of a region, as they were made."""
        self._ensure_rows()
        self.is_painted = True
        if self._late or not self.in_view:
            # What is painted is in view, whatever was told: Textual loses the Show of a widget that comes
            # after a scroll if anything asks for a place on the screen before the next layout (its
            # `Compositor.full_map` then knows the widget already).
            self.in_view, self._late = True, False
            self.call_later(self._show_the_rest)
        rows = self._rows[crop.y : crop.bottom]
        if crop.x == 0 and crop.width >= self.outer_size.width:
            return rows
        return [row.crop(crop.x, crop.right) for row in rows]

    def render_line(self, y: int) -> Strip:
        """One row, with what text selection must know about it."""
        self._ensure_rows()
        if not 0 <= y < len(self._rows):
            return Strip.blank(self.outer_size.width)
        return self._rows[y].apply_offsets(0, self.first_line() + y)

    def selection_updated(self, selection: Selection | None) -> None:
        """Show what is selected."""
        self.repaint()

    def notify_style_update(self) -> None:
        """A new theme or ground makes all rows anew; nothing else of a style does, as the focus."""
        super().notify_style_update()
        self._look_may_differ = True
        if self._rows:
            self.repaint()

    def watch_has_focus(self, _has_focus: bool) -> None:
        """Nothing: no look of it follows the focus. Textual's own applies the style sheets again."""

    def on_show(self) -> None:
        """Come into view."""
        self.in_view = self.is_painted = True
        self._late = False
        self._show_the_rest()

    def _show_the_rest(self) -> None:
        self.catch_up()
        self.repaint()

    def on_hide(self) -> None:
        """Go out of view: nothing is made any more."""
        self.in_view = False
        self._late = True

    def on_resize(self) -> None:
        """Another size is another page."""
        self.repaint()

    def validate_scroll_y(self, value: float) -> float:
        """Textual moves it where a person selects over the edge, and in no other case.

        Its own limit is reckoned from the lines that were known when this was last drawn: a view that came
        back higher than it had gone would be moved off the end it follows.
        """
        return max(0.0, value)

    @property
    def allow_vertical_scroll(self) -> bool:
        """It can be scrolled, though it has no scroll bar."""
        return self.is_attached and not self._check_disabled()

    def paint(self, *regions: Region) -> None:
        """Have rows painted with the next frame."""
        self.is_painted = False
        super().paint(*regions)

    def _ensure_rows(self) -> None:
        """Have rows for the size there is now: Textual paints before it tells of a new size."""
        width, height = self.outer_size
        if len(self._rows) != height or self.page.width != width:
            self._rows = self._made(width, height)

    def _made(self, width: int, height: int) -> list[Strip]:
        self._turn_page(width)
        rows = self.make_rows(self.page, height)
        # Textual must know where this is, but setting the attributes themselves would cause a layout.
        self.set_reactive(Widget.virtual_size, Size(width, self.line_count()))
        self.set_reactive(Widget.scroll_y, float(self.first_line()))
        selection = self.stage.selections.get(self)
        return rows if selection is None else self._with_selection(rows, selection)

    def _with_selection(self, rows: list[Strip], selection: Selection) -> list[Strip]:
        top, look = self.first_line(), self.page.palette.selection
        spans = [selection.get_span(top + at) for at in range(len(rows))]
        return [
            marks.restyled(row, *span, look) if span is not None else row
            for row, span in zip(rows, spans, strict=True)
        ]

    def _turn_page(self, width: int) -> None:
        """Have the page for this width and the look of now."""
        if self.page.width == width and not self._look_may_differ:
            return
        app = self.app
        filters = tuple(self.get_line_filters())
        look = (app.theme, self.visual_style, app.no_color, filters)
        if self.page.width != width or look != self._look:
            palette = Palette.from_theme(
                app.get_css_variables(), dark=app.current_theme.dark, colour=not app.no_color
            )
            ground = self.background_colors[1]
            self.page = Page(width, palette, self.visual_style.rich_style, filters, ground)
        self._look, self._look_may_differ = look, False


def _runs(rows: list[int], width: int) -> list[Region]:
    """Rows (rising) as regions, neighbours together."""
    regions: list[Region] = []
    start = previous = rows[0]
    for row in [*rows[1:], -1]:
        if row != previous + 1:
            regions.append(Region(0, start, width, previous + 1 - start))
            start = row
        previous = row
    return regions
