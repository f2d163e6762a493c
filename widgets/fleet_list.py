"""The list of all sessions, grouped by what they need; one Line-API widget, whatever their number.

Only lines whose text changed are painted again. It must not know who decides what is focused.
"""

from collections.abc import Iterable, Mapping
from operator import is_
from typing import ClassVar, Literal

from msgspec import Struct
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from core.session.state import SessionState
from widgets import format as fmt
from widgets.fleet_rows import (
    compact_line,
    doing_line,
    doing_lines,
    group_of,
    heading,
    name_line,
    place_line,
)
from widgets.in_order import AtOnce
from widgets.line import Line, Piece, spread
from widgets.paint import paint
from widgets.rowed import Rowed
from widgets.summary import MOVING, name_of

Form = Literal["roomy", "short", "compact"]
"""Three, two or one line a session; the focused one keeps its third line in the short form."""

Lines = list[tuple[Line, Line]]

MARK = "✚"

WIDE = 60
"""From this width on one line holds everything."""


class Row(Struct, frozen=True):
    """One line of the list: whose it is ("" for a heading) and its two halves."""

    key: str
    left: Line
    right: Line = ()
    focused: bool = False
    cursor: bool = False
    marked: bool = False


class FleetList(Rowed, AtOnce, can_focus=True):
    """All sessions: up and down move a cursor, Enter or a click chooses, Space marks, Esc leaves."""

    DEFAULT_CSS = """
    FleetList { width: 1fr; height: 1fr; scrollbar-size-vertical: 1; overflow-x: hidden; }
    FleetList > .fleet-list--focused { background: $primary 16%; }
    FleetList > .fleet-list--cursor { background: $block-cursor-background; color: $block-cursor-foreground; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"fleet-list--focused", "fleet-list--cursor"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("home", "move(-1000)", "First", show=False),
        Binding("end", "move(1000)", "Last", show=False),
        Binding("enter", "choose", "Go to", show=False),
        Binding("space", "mark", "Mark", show=False),
        Binding("escape", "leave", "Back", show=False),
    ]
    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (("Enter", "go to it"), ("Space", "mark"), ("Esc", "back"))
    """What its keys do, for a footer."""

    sessions: reactive[tuple[SessionState, ...]] = reactive((), init=False, repaint=False, always_update=True)
    focused_key: reactive[str] = reactive("", init=False, repaint=False)
    now: reactive[float] = reactive(0.0, init=False, repaint=False)
    compact: reactive[bool | None] = reactive(None, init=False, repaint=False)
    numbers: reactive[Mapping[str, int]] = reactive({}, init=False, repaint=False)
    marked: reactive[frozenset[str]] = reactive(frozenset(), init=False, repaint=False)
    home: reactive[str] = reactive("", init=False, repaint=False)

    class Chosen(Message):
        """The person chose a session."""

        def __init__(self, key: str) -> None:
            """`key` is the session's."""
            super().__init__()
            self.key = key

    class Marked(Message):
        """The person marked a session, or took its mark away."""

        def __init__(self, key: str) -> None:
            """`key` is the session's."""
            super().__init__()
            self.key = key

    class Left(Message):
        """The person goes back to where they were."""

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        """Start empty."""
        super().__init__(name=name, id=id, classes=classes)
        self.cursor_key = ""
        self.rows: tuple[Row, ...] = ()
        self._name_cells = 0
        self._known: dict[str, tuple[SessionState, tuple[object, ...], Lines]] = {}
        self._strips: dict[Row, Strip] = {}
        self._strips_for: tuple[object, ...] = ()

    @property
    def form(self) -> Form:
        """How many lines a session gets: what `compact` says, else what fits."""
        if self.compact:
            return "compact"
        groups = self._groups
        if 3 * len(self.sessions) + groups <= self.size.height:
            return "roomy"
        if self.compact is None and 2 * len(self.sessions) + groups + 1 > self.size.height >= 1:
            return "compact" if self.size.width >= WIDE else "short"
        return "short"

    @property
    def _groups(self) -> int:
        """How many groups there are."""
        return len({group_of(state) for state in self.sessions})

    @property
    def _airy(self) -> bool:
        """Whether there is room for a blank line between groups, too."""
        return 3 * len(self.sessions) + 2 * self._groups <= self.size.height

    def update_rows(self) -> None:
        """Build the lines again and repaint those that differ; called when an attribute changed."""
        if not self.size.width:
            return
        rows = tuple(self._rows())
        old, self.rows = self.rows, rows
        if len(rows) != len(old) or self.virtual_size.height != len(rows):
            self.virtual_size = Size(self.scrollable_content_region.width, len(rows))
            self.refresh()
            return
        top, width = self.scroll_offset.y, self.size.width
        changed = [y - top for y, (row, was) in enumerate(zip(rows, old, strict=True)) if row != was]
        visible = [Region(0, y, width, 1) for y in changed if 0 <= y < self.size.height]
        if visible:
            self.refresh(*visible)

    def look_again(self) -> None:
        """Time moved on: most often no line says anything else for it."""
        known = self._known
        if any(
            (line := known.get(state.key)) is None
            or line[0] is not state
            or line[1][0] != self._moment(state)
            for state in self.sessions
        ):
            self.update_rows()

    def _moment(self, state: SessionState) -> object:
        """What the lines of a session say of the time: in many states its age only."""
        return self.now if state.status in MOVING else fmt.age(self.now - state.since) if state.since else ""

    watch_now = look_again

    def watch_sessions(self, before: tuple[SessionState, ...], after: tuple[SessionState, ...]) -> None:
        """They are told again and again while something streams: mostly they are what they were."""
        same = len(before) == len(after) and all(map(is_, before, after))
        (self.look_again if same else self.update_rows)()

    watch_compact = watch_numbers = watch_marked = watch_home = lambda self: self.update_rows()

    def watch_focused_key(self) -> None:
        """Another session has the person's focus: the cursor starts from there."""
        self.cursor_key = self.focused_key
        self.update_rows()

    def on_resize(self) -> None:
        """The form and every width may change."""
        self.update_rows()

    def _rows(self) -> Iterable[Row]:
        """All lines, headings included."""
        form = self.form
        ordered = sorted(self.sessions, key=group_of)
        keys = [state.key for state in ordered]
        for gone in self._known.keys() - set(keys):
            del self._known[gone]
        self._place_cursor(keys)
        if self.size.width >= WIDE:
            self._name_cells = min(16, max((Piece(name_of(state)).cells for state in ordered), default=0))
        else:
            self._name_cells = 0
        for index, state in enumerate(ordered):
            group = group_of(state)
            if form != "compact" and (index == 0 or group != group_of(ordered[index - 1])):
                if index and self._airy:
                    yield Row("", ())
                count = sum(1 for other in ordered if group_of(other) == group)
                yield Row("", *heading(group, count))
            focused = state.key == self.focused_key
            cursor = self.has_focus and state.key == self.cursor_key
            marked = state.key in self.marked
            for left, right in self._known_lines(state, form, focused):
                yield Row(state.key, left, right, focused, cursor, marked)
                marked = False  # its first line says it

    def _known_lines(self, state: SessionState, form: Form, focused: bool) -> Lines:
        """The lines of one session, worked out again only if something of them may differ."""
        asked = (
            self._moment(state),
            form,
            focused,
            self.numbers,
            self.size.width,
            self.home,
            self._name_cells,
        )
        known = self._known.get(state.key)
        if known is None or known[0] is not state or known[1] != asked:
            known = self._known[state.key] = (state, asked, self._lines(state, form, focused))
        return known[2]

    def _lines(self, state: SessionState, form: Form, focused: bool) -> Lines:
        """The lines of one session in that form."""
        number = self.numbers.get(state.key, 0)
        if form == "compact":
            return [compact_line(state, self.now, number, self._name_cells, self.size.width, self.home)]
        name = name_line(state, self.now, number)
        if form == "short" and not focused:
            return [name, doing_line(state, self.now, self.home)]
        width = self.size.width - 2
        doing = doing_lines(state, self.now, self.home, width)
        return [name, *doing] if len(doing) > 1 else [name, *doing, place_line(state, self.home, width)]

    def rows_at(self, top: int, bottom: int, width: int) -> list[Strip]:
        """The lines in sight, each drawn once per text, width and theme."""
        if (drawn_for := (width, self.visual_style, self.app.theme)) != self._strips_for or len(
            self._strips
        ) > 512:
            self._strips.clear()
            self._strips_for = drawn_for
        strips = []
        for row in self.rows[top:bottom]:
            if row not in self._strips:
                self._strips[row] = self._draw(row, width)
            strips.append(self._strips[row])
        return strips

    def _draw(self, row: Row, width: int) -> Strip:
        """Fit and paint one line."""
        style = self.visual_style
        if row.cursor or row.focused:
            style += self.get_visual_style(f"fleet-list--{'cursor' if row.cursor else 'focused'}")
        edge = Piece("▌" if row.focused else " ", "" if row.cursor else "$primary")
        mark = Piece(MARK, "bold $primary") if row.marked else Piece(" ")
        line = (edge, *spread(row.left, row.right, width - 2), mark)
        if row.cursor:
            line = tuple(Piece(piece.text) for piece in line)
        return paint(line, style, self.app.stylesheet.parse_style).adjust_cell_length(width, style.rich_style)

    def on_focus(self) -> None:
        """Show the cursor, on the focused session first."""
        self.update_rows()

    def _place_cursor(self, keys: list[str]) -> None:
        """Put a cursor that stands nowhere on the focused session, else on the first."""
        if not self.has_focus or self.cursor_key not in keys:
            self.cursor_key = self.focused_key if self.focused_key in keys else next(iter(keys), "")

    def on_blur(self) -> None:
        """Hide the cursor; the list is back at those who need somebody, however far one went down."""
        self.update_rows()
        self.scroll_to(y=0, animate=False, force=True)

    def action_move(self, by: int) -> None:
        """Move the cursor by so many sessions, and keep it in sight."""
        keys = self._keys()
        if not keys:
            return
        at = keys.index(self.cursor_key) + by
        self.cursor_key = keys[max(0, min(len(keys) - 1, at))]
        self.update_rows()
        own = [y for y, row in enumerate(self.rows) if row.key == self.cursor_key]
        if own:
            region = Region(0, own[0], 1, len(own))
            self.scroll_to_region(region, animate=False, force=True)

    def action_choose(self) -> None:
        """Choose the session under the cursor."""
        if self.cursor_key:
            self.post_message(self.Chosen(self.cursor_key))

    def action_mark(self) -> None:
        """Mark the session under the cursor, or take its mark away."""
        if self.cursor_key:
            self.post_message(self.Marked(self.cursor_key))

    def action_leave(self) -> None:
        """Back."""
        self.post_message(self.Left())

    def on_click(self, event: events.Click) -> None:
        """Choose the session that was clicked."""
        y = event.get_content_offset_capture(self).y + self.scroll_offset.y
        if 0 <= y < len(self.rows) and self.rows[y].key:
            self.cursor_key = self.rows[y].key
            self.post_message(self.Chosen(self.cursor_key))

    def _keys(self) -> list[str]:
        """The sessions in the order shown."""
        return list(dict.fromkeys(row.key for row in self.rows if row.key))
