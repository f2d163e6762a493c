"""The conversation of a session as one Line-API view: streaming, folding, searching, copying.

Give it a `Conversation` with `show()` as often as you like: what has not changed costs nothing, what is
not visible is never drawn, and what streams is drawn at most once a frame. It must not know where the
conversation comes from. It has no border and no padding of its own; put it in a container for those.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.message import Message
from textual.selection import Selection
from textual.strip import Strip
from textual.timer import Timer

from core.session.conversation import Conversation
from core.session.entries import Entry
from core.session.state import Prompt, SessionState
from widgets.fence import teller
from widgets.format import Here
from widgets.in_order import AtOnce
from widgets.transcript.folds import Folds
from widgets.transcript.page import Page
from widgets.transcript.picking import newest_code, text_between
from widgets.transcript.reader import Reader
from widgets.transcript.surface import Surface
from widgets.transcript.texts import code_block_of, text_of

WHEEL_LINES = 3
POLISH_S = 0.03


class TranscriptView(Surface, AtOnce, can_focus=True):
    """One conversation, whatever its length.

    Keys while focused: arrows, page keys, Home and End read; `[` and `]` point at an entry, Space folds
    it, `y` copies it, `Y` copies its code. Each is also a method, for a deck with keys of its own.
    A click on an entry's first line folds it, on "+38 lines" shows them, on the right edge goes there; the
    thumb there can be dragged.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "fold_toggle", "Fold", show=False),
        Binding("left_square_bracket", "move_cursor(-1)", "Previous entry", show=False),
        Binding("right_square_bracket", "move_cursor(1)", "Next entry", show=False),
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
        """There are `count` new entries below what is read; 0 once they are seen."""

        def __init__(self, view: "TranscriptView", count: int) -> None:
            """`count` is the number of entries."""
            super().__init__()
            self.view = view
            self.count = count

    class NearEdge(Message):
        """Less than a screen is left above (`top`) or below (`end`) of what is read."""

        def __init__(self, view: "TranscriptView", *, top: bool, end: bool) -> None:
            """Whoever has more of the conversation brings it in now."""
            super().__init__()
            self.view = view
            self.top = top
            self.end = end

    class Found(Message):
        """A search stands on place `position` of `count` (0: on none)."""

        def __init__(self, view: "TranscriptView", position: int, count: int) -> None:
            """Both count places, not entries."""
            super().__init__()
            self.view = view
            self.position = position
            self.count = count

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        """Show nothing yet."""
        super().__init__(name=name, id=id, classes=classes)
        self.home = ""
        self._fold_successes = True
        self._show_thinking = False
        self._prompts: Sequence[Prompt] = ()
        self._news = 0
        self._edge: tuple[object, ...] = ()
        self.tells_edges = False
        self.announces_news = True
        self._dragged = False
        self._polishing: Timer | None = None
        self._tell = teller(self)
        self._reader = Reader(Conversation(), self._new_folds(), self.page, self._tell)

    # What is shown

    def show(self, conversation: Conversation, state: SessionState | None = None) -> None:
        """Show a conversation as it is now; `state` adds what waits, and where paths are told from.

        Call it whenever something may have changed. A view that is hidden, or whose last change is not
        painted yet, only remembers that it is late.
        """
        self._prompts = _on_their_way(state) if state is not None and state.prompts else ()
        if self._reader.flow.conversation is not conversation:
            self._reader = Reader(conversation, self._new_folds(), self.page, self._tell)
            self._reader.announces = self.announces_news
        if state is not None:
            self._reader.painter.look_from(Here(state.directory, self.home))
        if self.in_view and self.is_painted:
            self.catch_up()
        else:
            self.be_late()

    @property
    def fold_successes(self) -> bool:
        """Whether calls that went well fold themselves once the turn goes on."""
        return self._fold_successes

    @fold_successes.setter
    def fold_successes(self, value: bool) -> None:
        self._fold_successes = self._reader.folds.fold_successes = value
        self.repaint()

    @property
    def show_thinking(self) -> bool:
        """Whether thinking is unfolded from the start."""
        return self._show_thinking

    @show_thinking.setter
    def show_thinking(self, value: bool) -> None:
        self._show_thinking = self._reader.folds.show_thinking = value
        self.repaint()

    @property
    def following(self) -> bool:
        """Whether the view follows the end."""
        return self._reader.window.follow

    @property
    def new_below(self) -> int:
        """How many entries came or changed below what is read."""
        return len(self._reader.news)

    @property
    def draws(self) -> int:
        """How often an entry of this conversation was drawn so far."""
        return self._reader.painter.draws

    def entry_at(self, row: int) -> Entry | None:
        """The entry a visible row belongs to; None below the last."""
        place = self._reader.place_at(row)
        return place.item.entry if place is not None else None

    @property
    def target(self) -> Entry | None:
        """What a key acts on: the entry pointed at, else the last visible one."""
        item = self._reader.target()
        return item.entry if item is not None else None

    def hold(self) -> None:
        """What is read stays where it is, though there will be more below."""
        self._reader.window.hold()

    def go_to(self, entry_id: int) -> bool:
        """Point at an entry, a little below the upper edge; False if it is not there."""
        self._reader.catch_up(self._prompts)
        found = self._reader.point_at(entry_id)
        self.repaint()
        return found

    def open_at(self, entry_id: int) -> bool:
        """As `go_to`, with the entry and what stands under it unfolded."""
        self._reader.catch_up(self._prompts)
        self._reader.unfold(entry_id)
        return self.go_to(entry_id)

    def go_to_words(self, entry_id: int, words: str) -> bool:
        """As `go_to`, with all of the entry unfolded, and the first row that holds `words` in sight."""
        self._reader.catch_up(self._prompts)
        found = self._reader.point_at_words(entry_id, words)
        self.repaint()
        return found

    # What the person does

    def scroll_lines(self, lines: int) -> None:
        """Read on by some lines, back if negative."""
        self._reader.window.scroll(lines)
        self.repaint()

    def action_scroll_up(self) -> None:
        """Read back a line."""
        self.scroll_lines(-1)

    def action_scroll_down(self) -> None:
        """Read on a line."""
        self.scroll_lines(1)

    def action_page_up(self) -> None:
        """Read back a page, one line of it kept."""
        self.scroll_lines(1 - max(2, self.outer_size.height))

    def action_page_down(self) -> None:
        """Read on a page, one line of it kept."""
        self.scroll_lines(max(2, self.outer_size.height) - 1)

    def action_scroll_home(self) -> None:
        """Read from the first line."""
        self._reader.window.home()
        self.repaint()

    def action_scroll_end(self) -> None:
        """Go to the end and follow it."""
        self._reader.window.end()
        self.repaint()

    def action_move_cursor(self, by: int) -> None:
        """Point at the next (1) or previous (-1) entry."""
        self._reader.move_cursor(by)
        self.repaint()

    def action_fold_toggle(self) -> None:
        """Unfold or fold the entry pointed at, else the last visible one that can be."""
        self._reader.toggle_last()
        self.repaint()

    def action_copy_entry(self) -> None:
        """Copy the entry pointed at, else the last visible one."""
        self.copy_entry()

    def action_copy_code(self) -> None:
        """Copy the code of the entry pointed at, else the newest code."""
        self.copy_code()

    def search(self, words: str) -> int:
        """Mark every place of `words` and go to the newest; "" ends the search. How many places there are."""
        self._reader.search(words)
        self._step_hit(-1)
        return len(self._reader.found.hits) if self._reader.found is not None else 0

    def next_hit(self) -> int:
        """Go to the next place found; the number of the place stood on, 0 if there is none."""
        return self._step_hit(1)

    def previous_hit(self) -> int:
        """Go to the previous place found; the number of the place stood on, 0 if there is none."""
        return self._step_hit(-1)

    def copy_entry(self) -> str:
        """Copy the entry pointed at (else the last visible one) to the clipboard; what was copied."""
        item = self._reader.target()
        return self._copy(text_of(item.entry) if item is not None else "", "entry")

    def copy_code(self) -> str:
        """Copy the last code block of the entry pointed at, else of the newest entry that has one."""
        cursor = self._reader.cursor
        code = code_block_of(cursor.entry) if cursor is not None else newest_code(self._reader.flow.outline)
        return self._copy(code, "code")

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text of a selection, without margins."""
        outline, painter = self._reader.flow.outline, self._reader.painter
        return text_between(outline, painter, selection.start or Offset(0, 0), selection.end), "\n"

    # How it is shown

    def make_rows(self, page: Page, height: int) -> list[Strip]:
        """The visible rows of the conversation."""
        reader = self._reader
        if reader.page is not page:
            reader.turn_page(page)
        rows = reader.rows(height)
        self._tell_news()
        self._tell_edge(height)
        if self._polishing is None and reader.painter.pending:
            self._polishing = self.set_timer(POLISH_S, self._polish)
        return rows

    def first_line(self) -> int:
        """Which line of the conversation the first row is."""
        return self._reader.window.top_line

    def line_count(self) -> int:
        """How many lines the conversation has, as far as it was seen."""
        return self._reader.flow.outline.lines

    def catch_up(self) -> None:
        """Bring in what changed in the conversation."""
        if self._reader.catch_up(self._prompts):
            self.repaint()

    def on_hide(self) -> None:
        """Keep nothing drawn while hidden, and hold nothing."""
        self.release_mouse()
        self._reader.painter.forget()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Textual scrolls by itself while a selection is drawn over the edge."""
        self.scroll_lines(round(new_value) - round(old_value))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Read on."""
        self._wheel(event, WHEEL_LINES)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Read back."""
        self._wheel(event, -WHEEL_LINES)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the thumb."""
        if event.button == 1 and self._reader.on_thumb(event.x):
            event.stop()
            self.screen.clear_selection()  # a drag here marks no text
            self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Move the thumb, once it is held, wherever the mouse goes."""
        if self.app.mouse_captured is self:
            event.stop()
            self._dragged = True
            self._reader.drag(event.y)
            self.repaint()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go of the thumb."""
        if self.app.mouse_captured is self:
            event.stop()
            self.release_mouse()

    def on_click(self, event: events.Click) -> None:
        """Fold or unfold what was clicked, show lines left out, go where the edge says."""
        event.prevent_default()
        dragged, self._dragged = self._dragged, False
        if dragged:
            return
        if self.text_selection is None and self._reader.click(event.x, event.y):
            self.repaint()

    def _wheel(self, event: events.MouseEvent, lines: int) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_lines(lines)

    def _new_folds(self) -> Folds:
        folds = Folds()
        folds.fold_successes, folds.show_thinking = self._fold_successes, self._show_thinking
        return folds

    def _copy(self, text: str, what: str) -> str:
        if text:
            self.app.copy_to_clipboard(text)
            self.post_message(self.Copied(self, text, what))
        return text

    def _step_hit(self, by: int) -> int:
        self._reader.go_to_hit(by)
        self.repaint()
        return self.tell_found()

    def tell_found(self) -> int:
        """Tell where a search stands, also after what is searched has grown; the number stood on."""
        found = self._reader.found
        count = len(found.hits) if found is not None else 0
        position = found.position if found is not None else 0
        self.post_message(self.Found(self, position, count))
        return position

    def _tell_news(self) -> None:
        count = self.new_below
        if count != self._news:
            self._news = count
            self.post_message(self.NewBelow(self, count))

    def _tell_edge(self, height: int) -> None:
        """Once for each state of the conversation: whoever listens brings more, or does not."""
        if not self.tells_edges:
            return
        top = self.first_line() < height
        end = self.line_count() - self.first_line() < 2 * height
        edge = (top, end, self._reader.flow.conversation.revision)
        if edge != self._edge:
            self._edge = edge
            if top or end:
                self.post_message(self.NearEdge(self, top=top, end=end))

    def _polish(self) -> None:
        """Long code that has just been finished gets its exact colours a little at a time."""
        self._polishing = None
        if self.in_view:
            self._reader.painter.polish()
            self.repaint()


def _on_their_way(state: SessionState) -> Sequence[Prompt]:
    return tuple(prompt for prompt in state.prompts if prompt.state != "taken")
