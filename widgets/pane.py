"""One session on screen: title, conversation, what it asks, what it does, its figures.

A pane is pushed states and conversations and shows them; keys that answer act on its card while the focus
is anywhere inside it. It must not know the other panes, nor what becomes of an answer.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.reactive import reactive

from core.session.conversation import Conversation
from core.session.screen import Screen, Scrollback
from core.session.state import Ask, SessionState
from widgets import format as fmt
from widgets.activity_line import ActivityLine
from widgets.answer_keys import answer_bindings
from widgets.arming import ARM_S
from widgets.ask_card import AskCard
from widgets.begun import BegunAnswers
from widgets.cheap import Unpainted
from widgets.line import Piece
from widgets.line_input import LineInput
from widgets.meters import Meters
from widgets.one_line import OneLine
from widgets.summary import asking_task
from widgets.terminal_view import LEAVE_KEYS, TerminalView
from widgets.title_line import TitleLine
from widgets.transcript_view import TranscriptView

CLOCK_S = 1.0
"""How often the times of a session that stays as it is move on."""


class Pane(Vertical, Unpainted):
    """The pane of the session `key`."""

    DEFAULT_CSS = """
    Pane { width: 1fr; height: 1fr; }
    Pane > TranscriptView { height: 1fr; min-height: 1; }
    Pane > AskCard { max-height: 65%; }
    Pane > AskCard.-question.-held { max-height: 85%; }
    Pane > #searching { display: none; height: 1; }
    Pane > #searching > OneLine { width: 16; text-align: right; color: $foreground-muted; padding: 0 1; }
    Pane.-searching > #searching { display: block; }
    Pane.-asking > ActivityLine { display: none; }
    Pane.-away > ActivityLine { display: block; }
    Pane > TerminalView { display: none; }
    Pane.-screen > TerminalView { display: block; }
    Pane.-screen > TranscriptView, Pane.-screen > ActivityLine { display: none; }
    Pane.-screen.-over > ActivityLine { display: block; }
    /* Over the screen, not beside it: another size would have the program draw its dialog anew. */
    Pane { layers: below above; }
    Pane.-screen > AskCard { layer: above; dock: bottom; }
    Pane.-typing > AskCard { visibility: hidden; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *answer_bindings("pane"),
        Binding("down", "next_found(1)", show=False),
        Binding("up", "next_found(-1)", show=False),
    ]

    active: reactive[bool] = reactive(False, init=False, repaint=False)
    alone: reactive[bool] = reactive(False, init=False, repaint=False)
    number: reactive[int] = reactive(0, init=False, repaint=False)

    class Entered(Message):
        """The focus came into the pane."""

        def __init__(self, key: str) -> None:
            """`key` is the session's."""
            super().__init__()
            self.key = key

    def __init__(
        self,
        key: str,
        *,
        arm_after_s: float = ARM_S,
        begun: BegunAnswers | None = None,
        id: str | None = None,
    ) -> None:
        """A pane that waits for its first `show`; `begun` is for its card."""
        super().__init__(id=id)
        self.key = key
        self.home = ""
        self.state = SessionState(key)
        self.now = 0.0
        self.card: AskCard | None = None
        self.terminal: TerminalView | None = None
        self.leave_keys: tuple[str, ...] = LEAVE_KEYS
        self._type_at_once = False
        self._arm_after_s = arm_after_s
        self._begun = begun
        self.title_line = TitleLine()
        self.transcript = TranscriptView()
        self.search_line = LineInput("search: Enter or ↓ next, ↑ previous, Esc closes", id="search")
        self.found = OneLine()
        self.activity = ActivityLine()
        self.meters = Meters()

    def compose(self) -> ComposeResult:
        """From the title down; the card comes with the first ask."""
        yield self.title_line
        yield self.transcript
        with Horizontal(id="searching"):
            yield self.search_line
            yield self.found
        yield self.activity
        yield self.meters

    def on_mount(self) -> None:
        """The card of an ask that was shown before can stand now."""
        self._show_ask()

    def show(self, state: SessionState, conversation: Conversation, now: float) -> None:
        """Show a session as it is at `now` (seconds since the epoch); call it as often as you like."""
        self.transcript.home = self.home
        self.transcript.show(conversation, state)
        if state is not self.state or now - self.now >= CLOCK_S:
            self.state = state
            self.tick(now)

    # The screen of an interactive session

    @property
    def shows_screen(self) -> bool:
        """Whether a program's screen stands where the conversation is elsewhere."""
        return self.has_class("-screen")

    def show_screen(self, screen: Screen, history: Scrollback) -> None:
        """Show a program's screen as it is now; the first one takes the conversation's place."""
        if self.terminal is None:
            self.terminal = TerminalView()
            self.terminal.leave_keys = self.leave_keys
            held = self.has_focus_within
            self.add_class("-screen")
            self.mount(self.terminal, before=self.activity)
            if self._type_at_once:
                self.enter_screen()
            elif held:
                self.focus()  # at once: after the next refresh the person may be elsewhere
        if self.shows_screen:
            self.terminal.show(screen, history)
        self.set_class(self.state.exit is not None, "-over")

    def toggle_screen(self) -> None:
        """The conversation instead of the screen, or the screen again."""
        if self.terminal is not None:
            held = self.has_focus_within
            self.toggle_class("-screen")
            if held:
                self.focus()  # at once, as above

    @on(TerminalView.Switched)
    def make_way(self, event: TerminalView.Switched) -> None:
        """While one types at the screen, its dialog is answered there: the card does not cover it."""
        self.set_class(event.typing, "-typing")

    def enter_screen(self) -> None:
        """Give the program the keyboard, at once or with the first screen: what comes next is for it.

        Nobody types at what they do not see: a screen that was turned over is shown again.
        """
        self._type_at_once = self.terminal is None
        if self.terminal is not None:
            self.add_class("-screen")
            self.terminal.enter()

    # What it says of itself

    def tick(self, now: float) -> None:
        """Let only the times move on."""
        self.now = now
        self._say_title()
        self.activity.show(self.state, now, self.home)
        self.set_class(self.state.away is not None, "-away")
        self.meters.show(self.state)
        self._show_ask()

    watch_active = watch_number = watch_alone = lambda self: self._say_title()

    def _say_title(self) -> None:
        self.title_line.show(self.state, self.now, self.number, self.active, self.alone)

    def _show_ask(self) -> None:
        """Show the ask that is next, on the card it already has if it has one."""
        asks = self.state.asks
        if self.card is None:
            if not asks or not self.activity.is_attached:
                return
            self.card = AskCard(self.key, arm_after_s=self._arm_after_s, begun=self._begun)
            self._hush()
            self.mount(self.card, before=self.activity)
        held = self.card.has_focus_within
        ask = next_ask(asks, self.card.ask.id if self.card.ask else "")
        if ask is None:
            self.card.show(None)
        else:
            self.card.guard.answerable = self.state.can.answer
            self.card.guard.away = self.state.away is not None
            self.card.here = fmt.Here(self.state.directory, self.home)
            asker = asking_task(ask, self.state.tasks)
            self.card.show(ask, self.now, asks.index(ask) + 1, len(asks), asker)
        self.set_class(self.card.display or ask is not None, "-asking")
        if held and not self.card.display:
            self.focus()

    @property
    def offered(self) -> tuple[tuple[str, str], ...]:
        """The (key, label) pairs that answer the pane's ask now."""
        return self.card.offered if self.card is not None else ()

    @property
    def typing(self) -> bool:
        """Whether the person types inside the pane: a reason, an answer, a search."""
        return self.search_line.has_focus or (self.card is not None and self.card.typing)

    def focus(self, scroll_visible: bool = True) -> "Pane":
        """Focus the conversation, where reading keys work, or the screen in its place."""
        shown = self.terminal if self.terminal is not None and self.shows_screen else self.transcript
        shown.focus(scroll_visible)
        return self

    def focus_ask(self) -> None:
        """Focus the card, or the form of a question; the conversation where there is none, or not yet.

        The focus moves once, not by way of the conversation: each move has style sheets applied.
        """
        asking = self.card is not None and self.has_class("-asking")
        if self.card is None or not asking or not self.card.takes_focus:
            self.focus()
        if self.card is not None and asking:
            self.card.focus()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Tell the deck where the person is."""
        self._hush()
        self.post_message(self.Entered(self.key))

    def on_descendant_blur(self) -> None:
        """The person may have gone elsewhere."""
        self._hush()

    def _hush(self) -> None:
        """The keys of the card act only while the focus is in here, and look like it."""
        if self.card is not None:
            self.card.hush(not self.has_focus_within)

    def on_click(self) -> None:
        """A click beside everything focusable goes into the pane, too."""
        if not self.has_focus_within:
            self.focus()

    @on(AskCard.Left)
    def leave_card(self, event: AskCard.Left) -> None:
        """The card was left: back to the conversation."""
        event.stop()
        self._show_ask()
        self.focus()

    def action_answer(self, name: str) -> None:
        """Answer what is asked, or open what an answer needs; where no card stands, the deck says why."""
        if self.card is None or self.card.ask is None:
            raise SkipAction
        self.card.action_answer(name)

    def search(self) -> None:
        """Open the search line; what is searched is the conversation."""
        self.remove_class("-screen")
        self.add_class("-searching")
        self.search_line.focus()

    @on(LineInput.Changed, "#search")
    def find(self, event: LineInput.Changed) -> None:
        """Search while one types."""
        event.stop()
        self.transcript.search(event.value)

    @on(LineInput.Submitted, "#search")
    def find_next(self, event: LineInput.Submitted) -> None:
        """Go to the next place."""
        event.stop()
        self.action_next_found(1)

    def action_next_found(self, by: int) -> None:
        """Go to the next place found, or the one before."""
        if self.search_line.has_focus:
            self.transcript.next_hit() if by > 0 else self.transcript.previous_hit()

    @on(TranscriptView.Found)
    def say_found(self, event: TranscriptView.Found) -> None:
        """Say where the search stands."""
        event.stop()
        nothing = "nothing found" if self.search_line.value else ""
        self.found.say((), [Piece(f"{event.position} of {event.count}" if event.count else nothing)])

    @on(LineInput.Left, "#search")
    def close_search(self, event: LineInput.Left) -> None:
        """Close the search line; what was found stays in sight."""
        event.stop()
        self.remove_class("-searching")
        self.transcript.search("")
        self.focus()


def next_ask(asks: Sequence[Ask], current: str) -> Ask | None:
    """Which ask the card shows: the current one while it is open, the oldest open one, one being answered."""
    unanswered = [ask for ask in asks if ask.state == "open"]
    for group in (unanswered, list(asks)):
        if group:
            return next((ask for ask in group if ask.id == current), group[0])
    return None
