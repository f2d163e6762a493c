"""The conversation of a session as one Line-API view: streaming, folding, searching, copying.

Give it a `Conversation` with `show()` as often as you like: what has not changed costs nothing, what is
not visible is never drawn, and what streams is drawn at most once a frame. It must not know where the
conversation comes from. It has no border and no padding of its own; put it in a container for those.
"""

from collections.abc import Sequence
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from core.session.conversation import Conversation
from core.session.entries import Entry
from core.session.state import Prompt, SessionState
from widgets.render.palette import Palette
from widgets.transcript import marks
from widgets.transcript.folds import Folds
from widgets.transcript.page import Page
from widgets.transcript.reader import Reader
from widgets.transcript.texts import code_block_of, text_of

WHEEL_LINES = 3
POLISH_S = 0.03


class TranscriptView(ScrollView, can_focus=True):
    """One conversation, whatever its length.

    Keys while focused: arrows, page keys, Home and End read; `[` and `]` point at an entry, Space folds
    it, `y` copies it, `Y` copies its code. Each is also a method, for a deck with keys of its own.
    """

    DEFAULT_CSS = """
    TranscriptView {
        overflow: hidden;
        scrollbar-size: 0 0;
        height: 1fr;
        width: 1fr;
        background: $background;
        color: $foreground;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "fold_toggle", "Fold", show=False),
        Binding("left_square_bracket", "cursor(-1)", "Previous entry", show=False),
        Binding("right_square_bracket", "cursor(1)", "Next entry", show=False),
        Binding("y", "copy_entry", "Copy entry", show=False),
        Binding("Y", "copy_code", "Copy code", show=False),
    ]

    class Copied(Message):
        """Text went to the clipboard; `what` names it (`entry`, `code`)."""

        def __init__(self, view: "TranscriptView", text: str, what: str) -> None:
            """`text` is what was copied."""
            super().__init__()
            self.view = view
            self.text = text
            self.what = what

    class NewBelow(Message):
        """There are `count` new entries below what is read; 0 once the end is followed again."""

        def __init__(self, view: "TranscriptView", count: int) -> None:
            """`count` is the number of entries."""
            super().__init__()
            self.view = view
            self.count = count

    class Found(Message):
        """A search stands on place `position` of `count` (0: on none)."""

        def __init__(self, view: "TranscriptView", position: int, count: int) -> None:
            """Both counts are places, not entries."""
            super().__init__()
            self.view = view
            self.position = position
            self.count = count

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        """Show nothing yet."""
        super().__init__(name=name, id=id, classes=classes)
        self._folds = Folds()
        self._reader: Reader | None = None
        self._prompts: Sequence[Prompt] = ()
        self._rows: list[Strip] = []
        self._page: Page | None = None
        self._look: tuple[object, ...] = ()
        self._visible = False
        self._painted = True
        self._late = False
        self._news = 0
        self._polishing: Timer | None = None

    # What is shown

    def show(self, conversation: Conversation, state: SessionState | None = None) -> None:
        """Show a conversation as it is now; `state` adds the prompts that wait.

        Call it whenever something may have changed. A view that is hidden, or whose last change is not
        painted yet, only remembers that it is late.
        """
        self._prompts = _on_their_way(state) if state is not None and state.prompts else ()
        if self._reader is None or self._reader.flow.conversation is not conversation:
            self._reader = Reader(conversation, self._folds, self._page or self._new_page(1))
            self._rows = []
        if not self._visible or not self._painted:
            self._late = True
            return
        self._catch_up()

    @property
    def fold_successes(self) -> bool:
        """Whether calls that went well fold themselves once the turn goes on."""
        return self._folds.fold_successes

    @fold_successes.setter
    def fold_successes(self, value: bool) -> None:
        self._folds.fold_successes = value
        self._compose_rows()

    @property
    def show_thinking(self) -> bool:
        """Whether thinking is unfolded from the start."""
        return self._folds.show_thinking

    @show_thinking.setter
    def show_thinking(self, value: bool) -> None:
        self._folds.show_thinking = value
        self._compose_rows()

    @property
    def following(self) -> bool:
        """Whether the view follows the end."""
        return self._reader is None or self._reader.window.follow

    @property
    def new_below(self) -> int:
        """How many entries came or changed below what is read."""
        return len(self._reader.news) if self._reader is not None else 0

    @property
    def draws(self) -> int:
        """How often an entry was drawn so far."""
        return self._reader.painter.draws if self._reader is not None else 0

    # What the person does

    def scroll_lines(self, lines: int) -> None:
        """Read on by some lines, back if negative."""
        if self._reader is not None:
            self._reader.window.scroll(lines)
            self._compose_rows()

    def go_home(self) -> None:
        """Read from the first line."""
        if self._reader is not None:
            self._reader.window.home()
            self._compose_rows()

    def go_end(self) -> None:
        """Go to the end and follow it."""
        if self._reader is not None:
            self._reader.window.end()
            self._compose_rows()

    def move_cursor(self, by: int) -> None:
        """Point at the next (1) or previous (-1) entry."""
        if self._reader is not None:
            self._reader.move_cursor(by)
            self._compose_rows()

    def fold_toggle(self) -> None:
        """Unfold or fold the entry pointed at, else the last visible one that can be."""
        if self._reader is not None and self._reader.toggle_last():
            self._compose_rows()

    def search(self, words: str) -> int:
        """Mark every place of `words` and go to the newest; "" ends the search. How many places there are."""
        if self._reader is None:
            return 0
        self._reader.search(words)
        if not self._reader.go_to_hit(-1):
            self._compose_rows()
        return self._tell_found()

    def next_hit(self) -> int:
        """Go to the next place found; the number of the place stood on, 0 if there is none."""
        return self._step_hit(1)

    def previous_hit(self) -> int:
        """Go to the previous place found; the number of the place stood on, 0 if there is none."""
        return self._step_hit(-1)

    def copy_entry(self) -> str:
        """Copy the entry pointed at (else the last visible one) to the clipboard; what was copied."""
        item = self._reader.target() if self._reader is not None else None
        return self._copy(text_of(item.entry) if item is not None else "", "entry")

    def copy_code(self) -> str:
        """Copy the last code block of the entry pointed at, else of the newest entry that has one."""
        return self._copy(self._code(), "code")

    # How it is shown

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of a region, as they were made: nothing is styled, padded or cropped here."""
        self._ensure_rows()
        self._painted = True
        if self._late:
            self._late = False
            self.call_later(self._catch_up)
        rows = self._rows[crop.y : crop.bottom]
        if crop.x == 0 and crop.width >= self.outer_size.width:
            return rows
        return [row.crop(crop.x, crop.right) for row in rows]

    def render_line(self, y: int) -> Strip:
        """One row, with what text selection must know about it."""
        self._ensure_rows()
        if not 0 <= y < len(self._rows):
            return Strip.blank(self.size.width)
        top = self._reader.window.top_line if self._reader is not None else 0
        return self._rows[y].apply_offsets(0, top + y)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text of a selection, without margins."""
        if self._reader is None:
            return None
        start = selection.start or Offset(0, 0)
        end = selection.end or Offset(-1, self._reader.flow.outline.lines)
        lines: list[str] = []
        for number, text, before in self._reader.lines(start.y, end.y):
            first = max(before, start.x) if number == start.y else before
            stop = end.x if number == end.y and end.x >= 0 else len(text)
            lines.append(text[first:stop].rstrip())
        return "\n".join(lines), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Show what is selected."""
        self._compose_rows()

    def notify_style_update(self) -> None:
        """A new theme or ground makes all rows anew; nothing else of a style does."""
        super().notify_style_update()
        self._look = ()
        if self._page is not None and self._visible:
            self._compose_rows()

    def _ensure_rows(self) -> None:
        """Have rows for the size there is now."""
        size = self.outer_size
        if len(self._rows) != size.height or self._page is None or self._page.width != size.width:
            self._rows = self._make_rows()

    def _compose_rows(self) -> None:
        """Make the visible rows anew, and have those painted that changed."""
        if not self._visible or not self.outer_size:
            return
        old, new = self._rows, self._make_rows()
        if len(old) != len(new):
            self._rows = new
            self._paint(Region(0, 0, self.outer_size.width, len(new)))
            return
        changed = [at for at, row in enumerate(new) if row is not old[at] and row != old[at]]
        for at in changed:
            old[at] = new[at]
        if changed:
            self._paint(*_runs(changed, self.outer_size.width))
        self._polish_later()

    def _polish_later(self) -> None:
        """Long code that has just been finished gets its exact colours a little at a time."""
        if self._polishing is None and self._reader is not None and self._reader.painter.pending:
            self._polishing = self.set_timer(POLISH_S, self._polish)

    def _polish(self) -> None:
        self._polishing = None
        if self._reader is not None and self._visible:
            self._reader.painter.polish()
            self._compose_rows()

    def _make_rows(self) -> list[Strip]:
        width, height = self.outer_size
        page = self._right_page(width)
        if self._reader is None:
            return [page.blank] * height
        if self._reader.page is not page:
            self._reader.turn_page(page)
        rows = self._reader.rows(height)
        self._sync_scroll(self._reader)
        self._tell_news()
        selection = self.text_selection
        return rows if selection is None else self._with_selection(rows, selection, page)

    def _with_selection(self, rows: list[Strip], selection: Selection, page: Page) -> list[Strip]:
        top = self._reader.window.top_line if self._reader is not None else 0
        shown = list(rows)
        for at, row in enumerate(rows):
            span = selection.get_span(top + at)
            if span is not None:
                shown[at] = marks.restyled(row, *span, page.palette.selection)
        return shown

    def _paint(self, *regions: Region) -> None:
        self._painted = False
        self.refresh(*regions)

    def _right_page(self, width: int) -> Page:
        """The page for this width and the look of now."""
        page = self._page
        look = self._look or self._look_now()
        if page is None or page.width != width or look != self._look:
            self._look = look
            page = self._page = self._new_page(width)
        return page

    def _look_now(self) -> tuple[object, ...]:
        return (self.app.theme, self.visual_style, self.app.no_color, tuple(self.get_line_filters()))

    def _new_page(self, width: int) -> Page:
        theme = self.app.current_theme
        palette = Palette.from_theme(
            self.app.get_css_variables(), dark=theme.dark, colour=not self.app.no_color
        )
        base: Style = self.visual_style.rich_style
        return Page(width, palette, base, self.get_line_filters(), self.background_colors[1])

    # What happens

    def on_show(self) -> None:
        """Come into view: bring in all that was missed."""
        self._visible = True
        self._painted = True
        self._catch_up()

    def on_hide(self) -> None:
        """Go out of view: keep nothing drawn."""
        self._visible = False
        if self._reader is not None:
            self._reader.painter.forget()

    def on_resize(self) -> None:
        """Another size is another page; what is read stays in place."""
        self._compose_rows()

    def _catch_up(self) -> None:
        self._late = False
        if self._reader is None or not self._visible:
            return
        if self._reader.catch_up(self._prompts) or not self._rows:
            self._compose_rows()

    def _sync_scroll(self, reader: Reader) -> None:
        """Tell Textual where this is, without the layout that setting `virtual_size` would cause."""
        self.set_reactive(Widget.virtual_size, Size(self.outer_size.width, reader.flow.outline.lines))
        self.set_reactive(Widget.scroll_y, float(reader.window.top_line))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Textual scrolls by itself while a selection is drawn over the edge."""
        self.scroll_lines(round(new_value) - round(old_value))

    @property
    def allow_vertical_scroll(self) -> bool:
        """It can always be scrolled, though it has no scroll bar."""
        return self.is_attached and not self._check_disabled()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Read on."""
        self._wheel(event, WHEEL_LINES)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Read back."""
        self._wheel(event, -WHEEL_LINES)

    def _wheel(self, event: events.MouseEvent, lines: int) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_lines(lines)

    def on_click(self, event: events.Click) -> None:
        """A click folds or unfolds an entry's first line, shows lines left out, or goes to the end."""
        event.prevent_default()
        if self._reader is None or self.text_selection is not None:
            return
        if not self._reader.window.follow and self._on_edge(self._reader, event.x, event.y):
            self._compose_rows()
        elif (place := self._reader.place_at(event.y)) is not None:
            self._reader.cursor = place.item
            if place.line == self._reader.painter.more_row(place.item):
                self._reader.toggle(place.item, full=True)
            elif place.line == self._reader.painter.gap(place.item):
                self._reader.toggle(place.item)
            self._compose_rows()

    def _on_edge(self, reader: Reader, x: int, y: int) -> bool:
        """Whether a click on the right edge moved the window, or one on the news went to the end."""
        width, height = self.size
        if x >= width - 1:
            reader.window.go_to(y / max(1, height - 1))
            return True
        if reader.news and y == height - 1 and x >= width - 10:
            reader.window.end()
            return True
        return False

    def action_scroll_up(self) -> None:
        """Read back a line."""
        self.scroll_lines(-1)

    def action_scroll_down(self) -> None:
        """Read on a line."""
        self.scroll_lines(1)

    def action_page_up(self) -> None:
        """Read back a page, one line of it kept."""
        self.scroll_lines(1 - max(2, self.size.height))

    def action_page_down(self) -> None:
        """Read on a page, one line of it kept."""
        self.scroll_lines(max(2, self.size.height) - 1)

    def action_scroll_home(self) -> None:
        """Go to the beginning."""
        self.go_home()

    def action_scroll_end(self) -> None:
        """Go to the end and follow it."""
        self.go_end()

    def action_fold_toggle(self) -> None:
        """Fold or unfold."""
        self.fold_toggle()

    def action_cursor(self, by: int) -> None:
        """Point at another entry."""
        self.move_cursor(by)

    def action_copy_entry(self) -> None:
        """Copy an entry."""
        self.copy_entry()

    def action_copy_code(self) -> None:
        """Copy a code block."""
        self.copy_code()

    def _code(self) -> str:
        if self._reader is None:
            return ""
        if self._reader.cursor is not None:
            return code_block_of(self._reader.cursor.entry)
        item = self._reader.flow.outline.last
        while item is not None:
            code = code_block_of(item.entry)
            if code:
                return code
            item = item.previous
        return ""

    def _copy(self, text: str, what: str) -> str:
        if text:
            self.app.copy_to_clipboard(text)
            self.post_message(self.Copied(self, text, what))
        return text

    def _step_hit(self, by: int) -> int:
        if self._reader is None or not self._reader.go_to_hit(by):
            return 0
        self._compose_rows()
        self._tell_found()
        return self._reader.found.position if self._reader.found is not None else 0

    def _tell_found(self) -> int:
        found = self._reader.found if self._reader is not None else None
        position, count = (found.position, len(found.hits)) if found is not None else (0, 0)
        self.post_message(self.Found(self, position, count))
        self._compose_rows()
        return count

    def _tell_news(self) -> None:
        count = self.new_below
        if count != self._news:
            self._news = count
            self.post_message(self.NewBelow(self, count))


def _on_their_way(state: SessionState) -> Sequence[Prompt]:
    return tuple(prompt for prompt in state.prompts if prompt.state != "taken")


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


def entry_at(view: TranscriptView, row: int) -> Entry | None:
    """The entry a visible row of a view belongs to; None below the last."""
    reader = view._reader
    place = reader.place_at(row) if reader is not None else None
    return place.item.entry if place is not None else None
