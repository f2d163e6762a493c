"""The deck: fleet list, panes, one prompt box, the keys. It only arranges: commands do, the bridge carries.

Which session is focused is the person's alone: only a key, a click or a command of theirs changes it.
"""

import time
from collections.abc import Awaitable, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.widgets import Input, Static, TextArea

from core.errors import QuarterdeckError
from core.fleet.fleet import Fleet
from core.fleet.inbox import waiting
from core.session.state import SessionState
from core.settings import Settings
from dashboard import actions
from dashboard.arrangement import SMALLEST, fits
from dashboard.bridge import Bridge
from dashboard.commands import CALLS
from dashboard.commands.working import attach, give_back
from dashboard.launches import Launch
from dashboard.memory import Memory
from dashboard.pane_grid import PaneGrid
from widgets.ask_card import AskCard
from widgets.empty_deck import EmptyDeck
from widgets.fleet_list import FleetList
from widgets.footer_bar import FooterBar
from widgets.format import plain
from widgets.header_bar import HeaderBar
from widgets.pane import Pane
from widgets.prompt_box import PromptBox
from widgets.summary import name_of

if TYPE_CHECKING:
    from dashboard.app import QuarterdeckApp

NARROW = 100
"""Below this width the fleet list stands above the panes, one line an agent."""

FIRST_KEYS = (("n", "new agent"), ("?", "all keys"), ("Ctrl+P", "palette"), ("q", "quit"))
TOO_SMALL = (
    f"quarterdeck needs at least {SMALLEST[0]}×{SMALLEST[1]} cells.\n"
    "Make the window larger, or the type smaller."
)


class DeckScreen(Screen[None]):
    """The one screen a person lives in; it stands in for the view the bridge writes to."""

    BINDINGS: ClassVar[list[BindingType]] = [*actions.bindings()]
    AUTO_FOCUS = ""

    def __init__(self, fleet: Fleet, settings: Settings, memory: Memory, directory: Path) -> None:
        """`directory` is where new agents work unless told otherwise."""
        super().__init__(classes="-empty")
        self.fleet = fleet
        self.settings = settings
        self.memory = memory
        self.directory = directory
        self.bridge = Bridge(fleet, self)
        self.keys: tuple[str, ...] = ()
        self.focused_key = ""
        self.zoomed = False
        self.removed: list[str] = []
        self.broken: set[str] = set()
        self.left_at = 0.0
        self.header = HeaderBar(id="header")
        self.fleet_list = FleetList(id="fleet")
        self.grid = PaneGrid(id="deck")
        self.prompt = PromptBox(id="prompt")
        self.footer = FooterBar(id="footer")

    def compose(self) -> ComposeResult:
        """Header, list beside panes, prompt box, footer."""
        yield self.header
        with Horizontal(id="middle"):
            yield self.fleet_list
            yield self.grid
            yield EmptyDeck(FIRST_KEYS)
        yield self.prompt
        yield self.footer
        yield Static(TOO_SMALL, id="too-small")

    def on_mount(self) -> None:
        """Follow the clock once a second; the core is started by the app."""
        self.set_interval(1.0, self.tick)
        self.show_summary()

    async def start(self, launches: Sequence[Launch]) -> None:
        """The core runs: follow it, and start the agents of the command line."""
        self.app.run_worker(self.bridge.run(), name="bridge", exit_on_error=False)
        for launch in launches:
            await self.fleet.launch(launch.spec, launch.prompt or None, argv=launch.command)
        self.show_summary()

    async def leave(self) -> None:
        """End all agents, then the app."""
        self.say("Ending all agents …")
        await self.quarterdeck.leave()

    @property
    def quarterdeck(self) -> "QuarterdeckApp":
        """The app, as what it is."""
        return cast("QuarterdeckApp", self.app)

    # What is focused

    @property
    def state(self) -> SessionState | None:
        """The focused session's state."""
        session = self.fleet.sessions.get(self.focused_key)
        return session.state if session else None

    @property
    def pane(self) -> Pane | None:
        """The focused session's pane."""
        return self.grid.panes.get(self.focused_key)

    @property
    def shown_keys(self) -> tuple[str, ...]:
        """The sessions whose panes are on screen."""
        return self.grid.shown

    @property
    def typing(self) -> bool:
        """Whether keys are text now."""
        return isinstance(self.focused, Input | TextArea)

    def situation(self) -> actions.Situation:
        """What the keys depend on now."""
        return actions.Situation(
            typing=self.typing,
            session=self.state,
            ask=card.ask if (card := self.pane.card if self.pane else None) else None,
            in_pane=self.pane is not None and self.pane.has_focus_within,
            waiting=len(waiting(self.fleet.sessions)),
            sessions=len(self.fleet.sessions),
            undoable=len(self.removed),
        )

    def focus_session(self, key: str, *, to_ask: bool = False) -> None:
        """Go to a session; `to_ask`: to its first card, else to its conversation."""
        if key not in self.fleet.sessions:
            return
        self.turn_to(key)
        if pane := self.pane:
            pane.focus()
            if to_ask:
                pane.focus_ask()
        self.show_footer()

    def turn_to(self, key: str) -> None:
        """Make a session the focused one, without taking the keyboard anywhere."""
        self.focused_key = key
        self.fleet_list.focused_key = key
        self.arrange_panes()
        if state := self.state:
            self.prompt.show(state)

    def arrange_panes(self) -> None:
        """Give the panes their places; what becomes visible by it is pushed whole."""
        for key in self.grid.arrange_panes(tuple(self.fleet.sessions), self.focused_key, self.zoomed):
            self.show_session(key)

    # What is shown

    def show_session(self, key: str) -> None:
        """Push one session into its pane."""
        session, pane = self.fleet.sessions.get(key), self.grid.panes.get(key)
        if session and pane:
            pane.show(session.state, session.conversation, time.time())
        if session and key == self.focused_key:
            self.prompt.show(session.state)
            self.show_footer()

    def show_broken(self, key: str, error: Exception) -> None:
        """A session could not be drawn: say it once, the others go on."""
        if key not in self.broken:
            self.broken.add(key)
            session = self.fleet.sessions.get(key)
            name = name_of(session.state) if session else "a session"
            self.quarterdeck.tell_broken(f"The pane of {name} cannot be drawn.", error)

    def show_summary(self) -> None:
        """Push all states into header, list and footer; a session that came or went changes the panes."""
        keys = tuple(self.fleet.sessions)
        states = tuple(session.state for session in self.fleet.sessions.values())
        if keys != self.keys:
            self._sessions_changed(keys)
        self.fleet_list.sessions = states
        self.show_header(states)
        self.show_footer()

    def _sessions_changed(self, keys: tuple[str, ...]) -> None:
        """Sessions came or went: a pane for each, and if the focused one went, its neighbour is focused."""
        before, self.keys = self.keys, keys
        self.set_class(not keys, "-empty")
        self.fleet_list.numbers = {key: number for number, key in enumerate(keys[:9], 1)}
        if self.focused_key not in keys:
            place = before.index(self.focused_key) if self.focused_key in before else 0
            self.focus_session(keys[min(place, len(keys) - 1)]) if keys else self.turn_to("")
        self._fold_list()
        self.arrange_panes()

    def _fold_list(self) -> None:
        """In a narrow terminal the list is as high as it must be, and never the better part of the screen."""
        narrow = self.size.width < NARROW
        self.set_class(narrow, "-narrow")
        self.fleet_list.compact = True if narrow else None
        least = max(3, self.size.height // 4)
        self.fleet_list.styles.height = min(len(self.keys), least) if narrow else "1fr"

    def show_header(self, states: tuple[SessionState, ...]) -> None:
        """Counts, money, limits, time; and the count of asks in the terminal's title."""
        now = time.time()
        self.header.show(states, now, self.fleet.ledger.today_usd)
        self.quarterdeck.terminal_title.show(len(waiting(self.fleet.sessions)))

    def show_footer(self) -> None:
        """The keys that work now."""
        situation = self.situation()
        keys = actions.footer(situation, self.settings.keys_of)
        self.footer.show(keys, "typing" if situation.typing else "deck")

    def tick(self) -> None:
        """Once a second, for all that shows a time; nothing else runs by itself."""
        now = time.time()
        self.fleet_list.now = now
        self.show_header(tuple(session.state for session in self.fleet.sessions.values()))
        for key in self.shown_keys:
            self.grid.panes[key].tick(now)

    def say(self, text: str, *, severity: SeverityLevel = "information", timeout_s: float = 4.0) -> None:
        """A word that needs no answer, at the edge."""
        self.app.notify(plain(text), severity=severity, timeout=timeout_s, markup=False)

    # What the person does

    def action_act(self, action_id: str) -> None:
        """Do an action of the table, or say why it cannot be done now."""
        action = actions.BY_ID[action_id]
        if refusal := action.why_not(self.situation()):
            self.say(refusal)
            return
        CALLS[action.call](self, action.argument)
        self.show_footer()

    def carry(self, work: Awaitable[object]) -> None:
        """Have the fleet do something that may take its time; what goes wrong is said."""
        self.app.run_worker(self._carry(work), name="command", exit_on_error=False)

    async def _carry(self, work: Awaitable[object]) -> None:
        try:
            await work
        except QuarterdeckError as error:
            self.say(str(error), severity="error", timeout_s=8.0)

    # What widgets tell

    @on(FleetList.Chosen)
    def go_to_chosen(self, event: FleetList.Chosen) -> None:
        """A session was chosen in the list."""
        self.focus_session(event.key)

    @on(PromptBox.Submitted)
    def send_prompt(self, event: PromptBox.Submitted) -> None:
        """A prompt is on its way; words that cannot be sent stay with the person."""
        try:
            self.fleet.send_prompt(event.key, event.text, event.images)
        except (QuarterdeckError, KeyError) as error:
            self.prompt.restore(event.key, event.text, event.images)
            self.say(str(error), severity="error", timeout_s=8.0)

    @on(PromptBox.Left)
    def leave_prompt(self) -> None:
        """Esc left the box: back to the conversation, and no interrupt by the same Esc."""
        self.left_at = monotonic()
        self.focus_session(self.focused_key)

    @on(AskCard.Answered)
    def answer_ask(self, event: AskCard.Answered) -> None:
        """An ask was answered."""
        self.carry(self.fleet.answer(event.key, event.ask_id, event.answer))

    @on(FooterBar.Pressed)
    def press(self, event: FooterBar.Pressed) -> None:
        """A key of the footer was clicked."""
        for action in actions.ACTIONS:
            if event.key == actions.footer_key(action, self.settings.keys_of(action.id)):
                self.action_act(action.id)
                return

    @on(PromptBox.TakeBackRequested)
    def take_back(self, event: PromptBox.TakeBackRequested) -> None:
        """A queued prompt is wanted back."""
        prompts = self.fleet.sessions[event.key].state.prompts
        for prompt in (prompt for prompt in prompts if prompt.id == event.prompt_id):
            self.carry(give_back(self, event.key, prompt))

    @on(PromptBox.ImageRequested)
    def read_image(self, event: PromptBox.ImageRequested) -> None:
        """An image goes with a prompt."""
        self.carry(attach(self, event.key, event.path))

    @on(Pane.Entered)
    def follow_into(self, event: Pane.Entered) -> None:
        """The person went into a pane by Tab or mouse: its session is the focused one."""
        if event.key != self.focused_key:
            self.turn_to(event.key)
        self.show_footer()

    def on_descendant_focus(self) -> None:
        """The keys that work now may be others."""
        self.show_footer()

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        """A text field was left: the Esc that did it must not interrupt."""
        if isinstance(event.widget, Input | TextArea):
            self.left_at = monotonic()

    def on_screen_resume(self) -> None:
        """Something on top was closed: the Esc that did it must not interrupt."""
        self.left_at = monotonic()

    def on_resize(self, event: events.Resize) -> None:
        """Arrange anew for the room there is."""
        self.set_class(not fits(event.size.width, event.size.height), "-too-small")
        self._fold_list()
        self.call_after_refresh(self.arrange_panes)
