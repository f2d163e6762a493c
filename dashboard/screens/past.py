"""All past sessions: a list that is there at once, a filter, and a search in all that was ever said.

It only arranges: the archive answers, `commands.past` goes on with a session. It must not know files.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import anyio
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from core.history.catalogue import Listed
from core.history.query import wanted_by
from core.history.search import Found, Hit
from dashboard import actions, going_on
from dashboard.archive import Archive, on_the_way, to_do, without_catalogue
from dashboard.past import Wanted, row, wanted
from dashboard.screens.reader import ReaderScreen
from dashboard.screens.tabled import TabledScreen
from dashboard.selection import SORTS, filtered, searched
from widgets import format as fmt
from widgets.line import Line, Piece, joined
from widgets.line_input import LineInput
from widgets.one_line import OneLine
from widgets.row_list import RowList
from widgets.session_rows import HitRow, Mark, heading, hit_lines, session_line
from widgets.signs import MUTED

LOOK_S = 4.0
"""How often the marks of those that run are looked up while the list is open."""

PAUSE_S = 0.08
"""So long nobody must type before a search begins."""

SEARCH_HELP = 'words, "a phrase", begin*, project: tool: model: role: after: before: error:'


class PastScreen(TabledScreen):
    """The list of past sessions."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *actions.bindings("list"),
        Binding("down", "to_rows", show=False),
    ]
    place = "list"
    DEFAULT_CSS = """
    PastScreen { layout: vertical; }
    PastScreen > #past-head { background: $panel; padding: 0 1; }
    PastScreen > #past-columns { padding: 0 1; }
    PastScreen > #rows { scrollbar-gutter: stable; }
    PastScreen > LineInput, PastScreen > #hits { display: none; }
    PastScreen.-filtering > #filter, PastScreen.-searching > #words { display: block; }
    PastScreen.-searching > #hits { display: block; }
    PastScreen.-searching > #rows, PastScreen.-searching > #past-columns { display: none; }
    """

    def __init__(self, archive: Archive, clock: Callable[[], float] = time.time) -> None:
        """Nothing is asked before the screen is on."""
        super().__init__()
        self.archive = archive
        self._clock = clock
        self._listed: dict[str, Listed] = {}
        self._by_id: dict[str, Listed] = {}
        self._texts: dict[str, str] = {}
        self._marks: dict[str, Mark] = {}
        self._hits: dict[str, Hit] = {}
        self._sort = "age"
        self._project = ""
        self._version = -1
        self._found: tuple[str, Found] | None = None
        self._warned = ""
        self.head = OneLine(id="past-head")
        self.columns = OneLine(id="past-columns")
        self.rows = RowList(id="rows")
        self.hits = RowList(3, id="hits")
        self.filter = LineInput("filter: words in title, directory, branch; Esc clears", id="filter")
        self.words = LineInput(f"search: {SEARCH_HELP}", id="words")

    def compose(self) -> ComposeResult:
        """Head, columns, list or hits, the line that is typed in, footer."""
        yield self.head
        yield self.columns
        yield self.rows
        yield self.hits
        yield self.filter
        yield self.words
        yield self.footer

    def on_mount(self) -> None:
        """Show what is known; have the catalogue brought up to date."""
        self.archive.listeners.append(self._follow)
        self.archive.want()
        self.rows.focus()
        self._say()
        self._warn()
        self.show_keys()
        self._reload()
        self.set_interval(LOOK_S, self._look)

    def on_unmount(self) -> None:
        """Nobody listens any more."""
        self.archive.listeners.remove(self._follow)

    # What there is

    def _follow(self) -> None:
        if self._version != self.archive.version:
            self._reload()
        self._say()
        self._warn()

    def _warn(self) -> None:
        """Say what to do where nothing can be searched, once for each trouble."""
        if self.archive.trouble and self.archive.trouble != self._warned:
            self.quarterdeck.deck.say(to_do(self.archive), severity="warning", timeout_s=8.0)
        self._warned = self.archive.trouble

    def _reload(self) -> None:
        self._version = self.archive.version
        self._load()

    @work(group="load", exclusive=True, exit_on_error=False)
    async def _load(self) -> None:
        """First the newest, then all; what a person types meanwhile stays."""
        if not self._listed:
            self._take(await self.archive.newest())
        self._take(await self.archive.all())
        self._look_up()

    def _take(self, found: tuple[Listed, ...]) -> None:
        self._listed = {one.card.name: one for one in found}
        self._by_id = {one.card.session_id: one for one in found}
        self._texts = {one.card.session_id: searched(one) for one in found}
        self._show()
        if self.has_class("-searching") and self.words.value:
            self._search(self.words.value)

    def _look(self) -> None:
        self._look_up()

    @work(group="look", exclusive=True, exit_on_error=False)
    async def _look_up(self) -> None:
        """Which of them run now, and where."""
        found: dict[str, Mark] = {one.session_id: "elsewhere" for one in await self.archive.running()}
        for session in self.quarterdeck.fleet.sessions.values():
            if session.state.kind != "mirrored" and session.state.exit is None and session.state.session_id:
                found[session.state.session_id] = "here"
        if found != self._marks:
            self._marks = found
            self._show()

    # What is shown

    def _show(self) -> None:
        found = list(self._listed.values())
        if self._project:
            found = [one for one in found if self._project in (one.project, *one.card.directories)]
        if self.filter.value:
            found = filtered(found, self.filter.value, self._texts)
        if self._sort != "age":
            found.sort(key=SORTS[self._sort])
        self.rows.show([one.card.name for one in found], self._describe)
        self._say()

    def _describe(self, key: str, width: int) -> tuple[tuple[Line, Line], ...]:
        one = self._listed[key]
        mark = self._marks.get(one.card.session_id, "")
        return ((session_line(row(one, mark), width, self._clock(), str(Path.home())), ()),)

    def _describe_hit(self, key: str, width: int) -> tuple[tuple[Line, Line], ...]:
        hit = self._hits[key]
        one = self._by_id.get(hit.session_id)
        shown = HitRow(
            key,
            one.card.title if one else hit.session_id,
            hit.passage,
            hit.marks,
            hit.tool or hit.role,
            hit.project,
            hit.at,
        )
        return hit_lines(shown, width, self._clock(), str(Path.home()))

    def _say(self) -> None:
        count = len(self.rows.keys)
        where = fmt.path(self._project, 40, str(Path.home())) if self._project else "all projects"
        said = self._said()
        shown = fmt.count(count, "session") if self._listed or said else "reading …"
        facts = [
            Piece("Past sessions", "bold"),
            Piece(where, "", 2, 12),
            Piece(shown, "", 3, 8),
            Piece(f"by {self._sort}" if self._sort != "age" else "newest first", MUTED, 1, 4),
        ]
        self.head.say(joined(facts), (Piece(said or self._progress(), MUTED, 4, 8),))
        self.columns.say(heading(self.size.width - 3))

    def _said(self) -> str:
        """How many were found."""
        if self._found is None or (self.archive.trouble and not self._found[1].hits):
            return ""
        return _found_text(*self._found, on_the_way(self.archive))

    def _progress(self) -> str:
        if self.archive.trouble:
            return without_catalogue(self.archive)
        return on_the_way(self.archive)

    def on_resize(self) -> None:
        """The columns are others."""
        self._say()

    def show_keys(self) -> None:
        """The keys that work now."""
        typing = isinstance(self.focused, LineInput)
        keys = (("Enter", "take"), ("↓", "to the list"), ("Esc", "leave")) if typing else self.keys
        self.footer.show(keys, "typing" if typing else "", kept=0 if typing else 1)

    # What the person does

    def action_to_rows(self) -> None:
        """From a line that is typed in to the list."""
        (self.hits if self.has_class("-searching") else self.rows).focus()

    @on(RowList.Chosen)
    def open_chosen(self, event: RowList.Chosen) -> None:
        """Enter on a row."""
        event.stop()
        self.do_open()

    @property
    def chosen(self) -> Wanted | None:
        """The session the cursor stands on, also by one of its hits."""
        if not self.has_class("-searching"):
            one = self._listed.get(self.rows.cursor_key)
        else:
            hit = self._hits.get(self.hits.cursor_key)
            one = self._by_id.get(hit.session_id) if hit else None
        return wanted(one, self._by_id.get(one.counted_in)) if one else None

    def do_open(self) -> None:
        """Read the session, at the hit where there is one."""
        hit = self._hits.get(self.hits.cursor_key) if self.has_class("-searching") else None
        if past := self.chosen:
            self.app.push_screen(ReaderScreen(past, hit))

    def do_resume(self) -> None:
        """Go on with it in a pane."""
        if past := self.chosen:
            going_on.go_on(self.quarterdeck, past)

    def do_fork(self) -> None:
        """Go on from it, in a session of its own."""
        if past := self.chosen:
            going_on.go_on(self.quarterdeck, past, fork=True)

    def do_export(self) -> None:
        """Write it to a file."""
        if past := self.chosen:
            going_on.export(self.quarterdeck, past)

    def do_rename(self) -> None:
        """Give it a name."""
        if past := self.chosen:
            going_on.rename(self.quarterdeck, past)

    def do_copy_id(self) -> None:
        """Copy its id."""
        if past := self.chosen:
            going_on.copy_id(self.quarterdeck, past)

    def do_path(self) -> None:
        """Say where its file is."""
        if past := self.chosen:
            going_on.copy_path(self.quarterdeck, past)

    def do_project(self) -> None:
        """Only the directory of this session, or all."""
        one = self._listed.get(self.rows.cursor_key)
        self._project = "" if self._project or one is None else one.project
        self._show()

    def do_sort(self) -> None:
        """The next order."""
        names = list(SORTS)
        self._sort = names[(names.index(self._sort) + 1) % len(names)]
        self._show()
        self.rows.move_to(0)

    def do_close(self) -> None:
        """Leave the search, the filter, then the screen."""
        if self.has_class("-searching"):
            self.remove_class("-searching")
            self._found = None
            self.rows.focus()
            self._say()
        elif self.filter.value or self.has_class("-filtering"):
            self.filter.value = ""
            self.remove_class("-filtering")
            self.rows.focus()
        else:
            self.dismiss(None)

    # Filter and search

    def do_filter(self) -> None:
        """Type a filter."""
        self.remove_class("-searching")
        self.add_class("-filtering")
        self.filter.focus()

    def do_search(self) -> None:
        """Type a search."""
        self.add_class("-searching")
        self.words.focus()

    @on(LineInput.Changed, "#filter")
    def narrow(self, event: LineInput.Changed) -> None:
        """Filter as one types."""
        event.stop()
        self._show()

    @on(LineInput.Changed, "#words")
    def look_for(self, event: LineInput.Changed) -> None:
        """Search as one types."""
        event.stop()
        self._search(event.value)

    @on(LineInput.Submitted)
    def take(self, event: LineInput.Submitted) -> None:
        """Enter: to what was found."""
        event.stop()
        self.action_to_rows()

    @on(LineInput.Left)
    def leave(self, event: LineInput.Left) -> None:
        """Esc in a line leaves it, with what it did."""
        event.stop()
        self.do_close()

    @work(group="search", exclusive=True, exit_on_error=False)
    async def _search(self, words: str) -> None:
        await anyio.sleep(PAUSE_S)
        found = await self.archive.search(words)
        self._hits = {str(number): hit for number, hit in enumerate(found.hits)}
        self.hits.show(list(self._hits), self._describe_hit, at="0")
        self._found = words, found
        self._say()


def _found_text(words: str, found: Found, on_the_way: str) -> str:
    if not words.strip():
        return ""
    if found.unread and not found.hits:
        return f"nothing found: {found.unread[0].partition(':')[0]}: takes {wanted_by(found.unread[0])}"
    hits = fmt.count(len(found.hits), "hit") if found.hits else "nothing found"
    if found.complete:
        return hits
    return f"{hits} so far; {on_the_way}" if on_the_way else f"{hits}; there may be more"
