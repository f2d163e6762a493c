"""One past session to read: opened at its end or at a hit, and read on from there in both directions.

It must not know the list it was opened from.
"""

import time
from collections.abc import Awaitable, Callable
from typing import ClassVar

import anyio
import anyio.to_thread
from msgspec.structs import replace
from textual import on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from core.history.outline import Heading, headings
from core.history.read import PastSession, open_session
from core.history.search import Hit
from core.history.whereabouts import line_of_agent
from core.session.entries import Entry
from core.session.state import SessionState
from dashboard import actions, going_on
from dashboard.past import Wanted
from dashboard.screens.picker import PickerScreen
from dashboard.screens.raw import RawScreen, not_understood
from dashboard.screens.tabled import TabledScreen
from widgets import format as fmt
from widgets.line import Piece, joined
from widgets.one_line import OneLine
from widgets.pane import Pane
from widgets.pick_list import Pick
from widgets.signs import MUTED
from widgets.transcript_view import TranscriptView


class ReaderScreen(TabledScreen):
    """The reader of one session."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(binding for binding in actions.bindings("reader") if binding.key not in ("home", "end")),
        Binding("home", "go_to_edge('reader-top')", id="reader-top", show=False, priority=True),
        Binding("end", "go_to_edge('reader-end')", id="reader-end", show=False, priority=True),
    ]
    place = "reader"
    DEFAULT_CSS = """
    ReaderScreen { layout: vertical; }
    ReaderScreen ActivityLine { display: none; }
    ReaderScreen > #reader-head { background: $panel; padding: 0 1; }
    """

    def __init__(
        self, wanted: Wanted, hit: Hit | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        """Read `wanted` where `hit` is, None for its end."""
        super().__init__()
        self.wanted = wanted
        self.past: PastSession | None = None
        self._hit = hit
        self._clock = clock
        self._lock = anyio.Lock()
        self._doing = ""
        self.head = OneLine(id="reader-head")
        self.pane = Pane("past")

    def compose(self) -> ComposeResult:
        """Head, the pane, footer."""
        yield self.head
        yield self.pane
        yield self.footer

    def on_mount(self) -> None:
        """Open it."""
        self.pane.transcript.tells_edges = True
        self.pane.transcript.announces_news = False
        self.pane.focus()
        self.show_keys()
        self._say()
        self._work(self._open(None) if self._hit is None else self._open_at(self._hit))

    def _work(self, work: Awaitable[None]) -> None:
        self.quarterdeck.deck.carry(self._alone(work))

    async def _alone(self, work: Awaitable[None]) -> None:
        """One look into the file after the other; what cannot be read is said."""
        try:
            async with self._lock:
                await work
        except OSError as error:
            self.quarterdeck.deck.say(f"{self.wanted.path} cannot be read: {error}", severity="error")

    # What is read

    async def _open(self, at: int | None) -> None:
        """Open at a byte, or at the end."""
        self.past = past = await open_session(self.wanted.path, "past", at=at)
        self._show()
        if at is not None:
            self.call_after_refresh(self._point, past, at)
        await past.load_agents()
        self._show()

    async def _open_at(self, hit: Hit) -> None:
        """Open where words were found, in the file of a subagent, too: under the call that started it."""
        own = hit.path == self.wanted.path
        at = hit.offset if own else await anyio.to_thread.run_sync(line_of_agent, self.wanted.path, hit.path)
        await self._open(at)
        if self.past is not None:
            self.call_after_refresh(self._point_at, self.past, hit)

    def _point_at(self, past: PastSession, hit: Hit) -> None:
        entry_id = past.entry_at(hit.offset, hit.path)
        words = hit.passage[slice(*hit.marks[0])] if hit.marks else ""
        if not self.is_mounted:
            return
        found = entry_id is not None and self.pane.transcript.go_to_words(entry_id, words)
        if not found and hit.agent:
            self.quarterdeck.deck.say("It was said by a subagent whose call is not in the session.")

    def _point(self, past: PastSession, at: int) -> None:
        entry_id = past.entry_at(at)
        if entry_id is not None and self.is_mounted:
            self.pane.transcript.go_to(entry_id)

    def _show(self) -> None:
        if self.past is not None and self.is_mounted:
            session = self.past.session
            self.pane.active = True
            self.pane.show(self._known(session.state), session.conversation, self._clock())
            self._say()

    def _known(self, state: SessionState) -> SessionState:
        """With what the list knows: its title, and an estimate where the CLI has not told what it cost."""
        cost_usd = state.usage.cost_usd or self.wanted.cost_usd
        title = self.wanted.title or state.title
        return replace(state, title=title, usage=replace(state.usage, cost_usd=cost_usd))

    @on(TranscriptView.NearEdge)
    def bring_more(self, event: TranscriptView.NearEdge) -> None:
        """There is little left to read on one side: bring in what comes next."""
        event.stop()
        if self.past is not None:
            if event.top and not self.past.at_start:
                self._work(self._older(self.past))
            elif event.end and not self.past.at_end:
                self._work(self._newer(self.past))

    async def _older(self, past: PastSession) -> None:
        if past is self.past and await past.load_older():
            await past.load_agents()
            self._show()

    async def _newer(self, past: PastSession) -> None:
        if past is self.past and await past.load_newer():
            self.pane.transcript.hold()
            await past.load_agents()
            self._show()

    async def _all(self, past: PastSession) -> None:
        """All of it, for a search; until the search is closed."""
        while past is self.past and self.pane.has_class("-searching"):
            self.pane.transcript.hold()
            if not (await past.load_older() or await past.load_newer()):
                break
            self._doing = f"reading all of it: {fmt.share(past.share).strip()}"
            self._show()
            self.pane.transcript.tell_found()
        self._doing = ""
        self._say()

    def _say(self) -> None:
        past = self.past
        read = "" if past is None else "whole" if past.at_start and past.at_end else "part of it read"
        size = fmt.size(past.size) if past is not None else "reading …"
        title = fmt.one_line(self.wanted.title) or self.wanted.session_id
        facts = (Piece(self.wanted.counted_in, MUTED, 2, 20), Piece(size, MUTED, 3, 6))
        left = joined([Piece("Past session", "bold"), Piece(title, "", 1, 10), *facts])
        said = self._doing or read
        self.head.say(left, (Piece(said, MUTED, 2, len(said)),))

    # Keys

    def show_keys(self) -> None:
        """The keys that work now."""
        typing = isinstance(self.focused, Input)
        if typing:
            self.footer.show((("Enter ↓", "next"), ("↑", "previous"), ("Esc", "close")), "typing")
        else:
            self.footer.show(self.keys, kept=1)

    def action_go_to_edge(self, action_id: str) -> None:
        """Home and End, which are a text's own while one types."""
        if isinstance(self.focused, Input):
            raise SkipAction
        self.action_act(action_id)

    def do_fold(self) -> None:
        """Unfold or fold an entry."""
        self.pane.transcript.action_fold_toggle()

    def do_previous_entry(self) -> None:
        """Point at the entry before."""
        self.pane.transcript.action_move_cursor(-1)

    def do_next_entry(self) -> None:
        """Point at the next one."""
        self.pane.transcript.action_move_cursor(1)

    def do_copy(self) -> None:
        """Copy an entry."""
        self.pane.transcript.action_copy_entry()

    def do_copy_code(self) -> None:
        """Copy code."""
        self.pane.transcript.action_copy_code()

    def do_resume(self) -> None:
        """Go on with it in a pane."""
        going_on.go_on(self.quarterdeck, self.wanted)

    def do_fork(self) -> None:
        """Go on from it, in a session of its own."""
        going_on.go_on(self.quarterdeck, self.wanted, fork=True)

    def do_export(self) -> None:
        """Write it to a file."""
        going_on.export(self.quarterdeck, self.wanted)

    def do_copy_id(self) -> None:
        """Copy its id."""
        going_on.copy_id(self.quarterdeck, self.wanted)

    def do_path(self) -> None:
        """Say where its file is."""
        going_on.copy_path(self.quarterdeck, self.wanted)

    def do_find(self) -> None:
        """Find words, in what is not read yet, too."""
        self.pane.search()
        if self.past is not None and not (self.past.at_start and self.past.at_end):
            self._work(self._all(self.past))

    def do_top(self) -> None:
        """Its very first line; a large file is opened there anew."""
        if self.past is not None and not self.past.at_start:
            self._work(self._open(0))
        else:
            self.pane.transcript.action_scroll_home()

    def do_end(self) -> None:
        """Its very last line."""
        if self.past is not None and not self.past.at_end:
            self._work(self._open(None))
        else:
            self.pane.transcript.action_scroll_end()

    def do_raw(self) -> None:
        """The records of the entry pointed at, else of the last visible one."""
        entry = self.pane.transcript.target
        if self.past is not None and entry is not None:
            self._work(self._raw(self.past, _recorded(self.past, entry)))

    async def _raw(self, past: PastSession, entry_id: int) -> None:
        records = await past.raw(entry_id)
        if records:
            self.app.push_screen(RawScreen(records))
        else:
            self.quarterdeck.deck.say("No record stands behind this line: it was worked out.")

    def do_unknown(self) -> None:
        """The lines that were not understood, of what was read so far."""
        session = self.past.session if self.past is not None else None
        if session is not None and session.state.unknown_count:
            self.app.push_screen(not_understood(session, "this session"))
        else:
            self.quarterdeck.deck.say("Every line that was read of it was understood.")

    def do_outline(self) -> None:
        """All prompts, to jump to one."""
        self._work(self._outline())

    async def _outline(self) -> None:
        found = await anyio.to_thread.run_sync(lambda: tuple(headings(self.wanted.path)))
        if not found:
            self.quarterdeck.deck.say("There are no prompts in it.")
            return
        picks = [Pick(str(heading.offset), heading.text, _when(heading)) for heading in found]
        picker = PickerScreen("Prompts", picks, self._nearest(found), by_value=False)
        self.app.push_screen(picker, self._jump)

    def _nearest(self, found: tuple[Heading, ...]) -> str:
        """The prompt that stands before what is pointed at."""
        entry = self.pane.transcript.target
        if self.past is None or entry is None:
            return ""
        offset = _offset(self.past, entry)
        before = [heading.offset for heading in found if heading.offset <= offset]
        return str(before[-1]) if before else ""

    def _jump(self, chosen: str | None) -> None:
        if chosen is None or self.past is None:
            return
        if self.past.entry_at(int(chosen)) is not None:
            self._point(self.past, int(chosen))
        else:
            self._work(self._open(int(chosen)))


def _recorded(past: PastSession, entry: Entry) -> int:
    """An entry, or the one before it where nothing is written of it: the end of a turn is worked out."""
    thread = past.session.conversation.entries(entry.parent)
    place = next((at for at, other in enumerate(thread) if other is entry), len(thread))
    known = [other.id for other in thread[: place + 1] if other.id in past.places]
    return (known or [entry.id])[-1]


def _offset(past: PastSession, entry: Entry) -> int:
    """Where an entry stands in the session's own file; one of a subagent's where its call does."""
    while entry.parent and (call := past.session.conversation.call(entry.parent)) is not None:
        entry = call
    places = past.places.get(_recorded(past, entry), ())
    return min((place.offset for place in places if place.path == past.path), default=0)


def _when(heading: Heading) -> str:
    return fmt.weekday_clock(heading.at) if heading.at else ""
