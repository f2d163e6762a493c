"""The deck: fleet list, panes, one prompt box, the keys. It only arranges: commands do, the bridge carries.

Which session is focused is the person's alone: only a key, a click or a command of theirs changes it.
"""

import os
from collections.abc import Awaitable, Sequence
from itertools import dropwhile, islice
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, cast

import anyio
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.notifications import SeverityLevel
from textual.reactive import Reactive
from textual.screen import ModalScreen
from textual.widget import Widget

from core.doubts import doubts
from core.errors import QuarterdeckError
from core.files.finder import Finder
from core.fleet.fleet import Fleet
from core.fleet.inbox import waiting
from core.fleet.news import News
from core.session.state import Budget
from core.settings import Settings
from dashboard import actions
from dashboard.asides import Asides
from dashboard.board import Board
from dashboard.bridge import Bridge
from dashboard.commands import CALLS, completing, screens
from dashboard.commands.answering import answer
from dashboard.commands.broadcasting import mark_one
from dashboard.commands.limits import crossings
from dashboard.commands.working import attach, give_back
from dashboard.drafting import Drafting
from dashboard.drafts import Drafts
from dashboard.launches import Launch
from dashboard.memory import Memory
from dashboard.notifier import Notifier, Outlets, wishes
from dashboard.pane_grid import PaneGrid
from dashboard.prologues import Prologues
from dashboard.room import Room, TooSmall
from dashboard.screens.inbox import InboxScreen
from dashboard.screens.opening import FIRST_KEYS
from dashboard.situation import Situation
from dashboard.troubles import Troubles
from dashboard.typed import typing_in
from widgets.ask_card import AskCard
from widgets.cheap import Kept, Unpainted
from widgets.empty_deck import LOOKING, SENTENCE, EmptyDeck, starting
from widgets.fleet_list import FleetList
from widgets.footer_bar import FooterBar
from widgets.format import plain
from widgets.pane import Pane
from widgets.prompt_box import PromptBox
from widgets.sparing import SparingScreen
from widgets.summary import name_of
from widgets.terminal_view import LEAVE_KEYS, TerminalView
from widgets.transcript_view import TranscriptView

if TYPE_CHECKING:
    from dashboard.app import QuarterdeckApp


class Middle(Horizontal, Unpainted):
    """The list beside the panes, or above them."""


class DeckScreen(SparingScreen[None], Kept):
    """The one screen a person lives in."""

    BINDINGS: ClassVar[list[BindingType]] = [*actions.bindings()]
    AUTO_FOCUS = ""

    # Textual's own paints the whole screen anew for it: 15 ms between a key and what it did.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    def __init__(self, fleet: Fleet, settings: Settings, memory: Memory, directory: Path) -> None:
        """`directory` is where new agents work unless told otherwise."""
        super().__init__(classes="-empty -no-panes")
        self.fleet = fleet
        self.settings = settings
        self.memory = memory
        self.asides = Asides()
        self.files = Finder()
        self.directory = directory
        self.board = Board(fleet, fold_successes=settings.fold_successes)
        self.board.grid.leave_keys = settings.keys_of(actions.LEAVE) or LEAVE_KEYS
        self.bridge = Bridge(fleet, self)
        self.removed: list[str] = []
        self.type_for = ""
        self.go_to = ""
        self.prologues = Prologues(memory.folder, fleet)
        self.left_at = 0.0
        self.footer = FooterBar(id="footer")
        self.footing = actions.Footing(settings.keys_of)
        self.inbox: InboxScreen | None = None
        self._budgets: Sequence[Budget] = ()
        self.drafting = Drafting(fleet, self.board.prompt, Drafts(memory.folder))
        self.troubles = Troubles(fleet, self._say_trouble, lambda *told: self.quarterdeck.tell_broken(*told))
        self.notifier = Notifier(wishes(settings), self._outlets(), os.environ)
        self.room = Room(self)
        self._was_covered = False

    def _outlets(self) -> Outlets:
        return Outlets(
            ring=lambda: self.app.bell(),
            write=lambda text: self.quarterdeck.write_terminal(text),
            carry=lambda work: self.carry(work),
            complain=lambda text: self.say(text, severity="warning", timeout_s=8.0),
        )

    def compose(self) -> ComposeResult:
        """Header, list beside panes, prompt box, footer."""
        yield self.board.header
        with Middle(id="middle"):
            yield self.board.fleet_list
            yield self.board.grid
            yield EmptyDeck(FIRST_KEYS, LOOKING)
        yield self.board.prompt
        yield self.footer
        yield TooSmall()

    def on_mount(self) -> None:
        """Follow the clock once a second; the core is started by the app."""
        self.set_interval(1.0, self._tick)
        self.show_summary()

    def _tick(self) -> None:
        if self._is_covered:
            self._was_covered = True
        else:
            self.board.tick()

    @property
    def _is_covered(self) -> bool:
        """Whether nothing of the deck is to be seen: what goes on there is not drawn for nobody."""
        above = dropwhile(lambda screen: screen is not self, self.app.screen_stack)
        return any(not isinstance(screen, ModalScreen) for screen in islice(above, 1, None))

    async def run_core(self, launches: Sequence[Launch]) -> None:
        """Own everything the core starts, until the app ends."""
        async with anyio.create_task_group() as tasks:
            await tasks.start(self.fleet.run)
            if self.quarterdeck.archive is not None:
                self.fleet.price = self.quarterdeck.archive.price_of
                tasks.start_soon(self.quarterdeck.archive.run)
            await self._start(launches)
            if self.quarterdeck.elsewhere is not None:  # after the kept ones are back: those are ours
                tasks.start_soon(self.quarterdeck.elsewhere.run)

    async def _start(self, launches: Sequence[Launch]) -> None:
        """The core runs: follow it, and start the agents of the command line."""
        self.app.run_worker(self.bridge.run(), name="bridge", exit_on_error=False)
        await self.fleet.gather()
        names = [launch.spec.name for launch in launches]
        empty = self.query_one(EmptyDeck)
        empty.say(starting(names) if names else SENTENCE)
        self.drafting.begin()
        self.prologues.forget()
        self.set_interval(1.0, self.drafting.keep)
        for launch in launches:
            if launch.on_screen:
                screens.paint(self, self.fleet.open_screen(launch.spec, prompt=launch.prompt))
            else:
                await self.fleet.launch(launch.spec, launch.prompt or None, argv=launch.command)
        empty.say(SENTENCE)
        self.show_summary()
        for doubt in doubts(self.settings):
            self.say(doubt, severity="warning", timeout_s=12.0)

    def farewell(self) -> str:
        """What is said in the terminal when the agents go on."""
        self.drafting.keep()
        own = self.board.own_states
        alive = [name_of(state) for state in own if not state.exit and self.fleet.outlives(state.key)]
        if not alive:
            return ""
        return f"{len(alive)} still running: {', '.join(alive)}. `quarterdeck` shows them again."

    @property
    def quarterdeck(self) -> "QuarterdeckApp":
        """The app, as what it is."""
        return cast("QuarterdeckApp", self.app)

    # What is focused

    @property
    def focused_key(self) -> str:
        """The session all keys are about."""
        return self.board.focused_key

    def situation(self) -> Situation:
        """What the keys depend on now."""
        pane = self.board.pane
        return Situation(
            typing=typing_in(self.focused),
            session=self.board.state,
            ask=pane.card.ask if pane and pane.card else None,
            in_pane=pane is not None and pane.has_focus_within,
            on_card=pane is not None and pane.card is not None and pane.card.has_focus_within,
            in_list=self.board.fleet_list.has_focus,
            waiting=len(waiting(self.fleet.sessions)),
            sessions=len(self.fleet.sessions),
            undoable=len(self.removed),
            marked=len(self.board.marked),
        )

    def focus_session(self, key: str, *, to_ask: bool = False) -> None:
        """Go to a session; `to_ask`: to its first card, else to its conversation."""
        if key not in self.fleet.sessions:
            return
        self.board.turn_to(key)
        self.remove_class("-no-panes")
        self.go_to = ""
        if (pane := self.board.pane) and pane.is_mounted:
            (pane.focus_ask if to_ask else pane.focus)()
        else:
            self.go_to = key
        self.show_footer()

    # What the bridge pushes

    @property
    def shown_keys(self) -> tuple[str, ...]:
        """The sessions whose panes are on screen; none while another screen covers the deck."""
        return () if self._is_covered else self.board.grid.shown

    @property
    def row_count(self) -> int:
        """In how many rows the panes stand."""
        return self.board.grid.row_count

    def row_of(self, key: str) -> int:
        """The row a shown session's pane stands in."""
        return self.board.grid.rows[key]

    def show_session(self, key: str) -> None:
        """Push one session into its pane."""
        if self.prologues.get(key) is not None and (pane := self.board.grid.panes.get(key)):
            pane.transcript.tells_edges = True
        self.board.show_session(key)
        if key == self.focused_key:
            self.show_footer()

    @on(TranscriptView.NearEdge)
    def bring_older(self, event: TranscriptView.NearEdge) -> None:
        """What was said before the session was gone on with comes as it is read."""
        event.stop()
        pane = next((pane for pane in self.board.grid.panes.values() if pane.transcript is event.view), None)
        if event.top and pane is not None:
            self.carry(self.prologues.bring_older(pane.key))

    def show_summary(self) -> None:
        """Push all states into header and list; a session that came or went changes the panes."""
        self._restore_prompts()
        before = self.board.keys
        instead = self.board.show_list()
        if self.board.keys != before:
            self.drafting.restore()
            self._fit()
        self.troubles.look()
        self._tell_budgets()
        for key in self.prologues.take_missing():
            self.carry(self.prologues.bring(key))
        self.set_class(not self.board.keys, "-empty")
        self.set_class(not self.board.pane_keys, "-no-panes")
        if instead:
            self.focus_session(instead)
        self.board.show_header()
        self._show_waiting()
        self.show_footer()
        if self.inbox is not None:
            self.inbox.follow()

    def _tell_budgets(self) -> None:
        """Say that a limit was passed, where no agent's conversation does: none is driven."""
        before, self._budgets = self._budgets, self.fleet.budgets
        if not any(state.kind == "driven" and state.exit is None for state in self.board.states):
            for text, level in crossings(before, self._budgets):
                self.say(text, severity=level, timeout_s=8.0)

    def _restore_prompts(self) -> None:
        """Words that were withdrawn, by whomever, return to the draft of their session."""
        for key in self.board.own_keys:
            for prompt in self.fleet.agent(key).take_given_back():
                self.board.prompt.restore(key, prompt.text, prompt.images)

    def show_broken(self, key: str, error: Exception) -> None:
        """A session ("": header and list) could not be drawn."""
        self.troubles.cannot_draw(key, error)

    def _say_trouble(self, text: str, warning: bool) -> None:
        self.say(text, severity="warning" if warning else "information", timeout_s=8.0 if warning else 4.0)

    def show_footer(self) -> None:
        """The keys that work now."""
        situation = self.situation()
        keys = self.footing.keys(situation)
        kept = int(situation.typing in ("", "editor"))  # help, and the way back
        self.footer.show(keys, "typing" if situation.typing else "deck", kept=kept)

    def _show_waiting(self) -> None:
        """How many asks wait, in the terminal's title; what is new is told where the person wants it."""
        self.quarterdeck.terminal_title.show(len(waiting(self.fleet.sessions)))
        if self.notifier.see(self.board.own_states):
            self.set_timer(self.notifier.window_s, self._notify)

    def _notify(self) -> None:
        self.notifier.flush(self.fleet.sessions, self._looks_at)

    def _looks_at(self, item: News) -> bool:
        """Whether the person has it before them: in the focused pane, or in the inbox."""
        if not self.app.app_focus:
            return False
        if self.app.screen is self:
            return item.key == self.focused_key
        return self.inbox is not None and self.app.screen is self.inbox and item.kind == "needs_you"

    def _fit(self) -> None:
        self.set_class(self.board.fold_list(self.size.width, self.size.height), "-narrow")
        self.board.arrange()

    # What the person does

    def action_act(self, action_id: str) -> None:
        """Do an action of the table, or say why it cannot be done now."""
        action = actions.BY_ID[action_id]
        if refusal := action.why_not(self.situation()):
            self.say(refusal)
            return
        try:
            CALLS[action.call](self, action.argument)
        except Exception as error:  # a key that breaks must not end the deck, and all agents with it
            self.quarterdeck.tell_broken(f"`{action.label}` did not work.", error)
        self.show_footer()

    def say(self, text: str, *, severity: SeverityLevel = "information", timeout_s: float = 4.0) -> None:
        """A word that needs no answer, at the edge."""
        self.app.notify(plain(text), severity=severity, timeout=timeout_s, markup=False)

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

    @on(FleetList.Left)
    @on(PromptBox.Left)
    def go_back(self) -> None:
        """Esc left the list or the box: back to the conversation."""
        self.focus_session(self.focused_key)

    @on(FleetList.Marked)
    def mark(self, event: FleetList.Marked) -> None:
        """A session was marked in the list."""
        mark_one(self, event.key)
        self.show_footer()

    @on(Pane.Entered)
    def follow_into(self, event: Pane.Entered) -> None:
        """The person went into a pane by Tab or mouse: its session is the focused one.

        Not into one that is not shown: Textual, whose focus was hidden with it, looks for another in there.
        """
        if event.key != self.focused_key and event.key in self.shown_keys:
            self.board.turn_to(event.key)

    @on(PromptBox.Submitted)
    def send_prompt(self, event: PromptBox.Submitted) -> None:
        """A prompt is on its way; words that cannot be sent stay with the person."""
        try:
            self.fleet.agent(event.key).send_prompt(event.text, event.images)
        except (QuarterdeckError, KeyError) as error:
            self.board.prompt.restore(event.key, event.text, event.images)
            self.say(str(error), severity="error", timeout_s=8.0)

    @on(TerminalView.Typed)
    @on(TerminalView.Pasted)
    @on(TerminalView.Pointed)
    @on(TerminalView.Sized)
    def pass_on(self, event: TerminalView.ForProgram) -> None:
        """What was done at a screen is for its program."""
        event.stop()
        screens.pass_on(self, event)

    @on(TerminalView.Switched)
    def tell_way_back(self) -> None:
        """While one types at a screen, the footer tells the one key that leads back."""
        self.show_footer()

    @on(PromptBox.TakeBackRequested)
    def take_back(self, event: PromptBox.TakeBackRequested) -> None:
        """A queued prompt is wanted back."""
        self.carry(give_back(self, event.key, event.prompt_id))

    @on(PromptBox.FilesWanted)
    def find_files(self, event: PromptBox.FilesWanted) -> None:
        """A path is being typed."""
        self.carry(completing.offer_files(self, event.key, event.query))

    @on(PromptBox.HistoryWanted)
    def look_back(self, event: PromptBox.HistoryWanted) -> None:
        """Something said before is looked for."""
        completing.look_back(self, event.key)

    @on(PromptBox.ImageRequested)
    def read_image(self, event: PromptBox.ImageRequested) -> None:
        """An image goes with a prompt."""
        self.carry(attach(self, event.key, event.path))

    @on(AskCard.Answered)
    def answer_ask(self, event: AskCard.Answered) -> None:
        """An ask was answered."""
        self.carry(answer(self, event.key, event.ask_id, event.answer))

    @on(FooterBar.Pressed)
    def press(self, event: FooterBar.Pressed) -> None:
        """A key of the footer was clicked."""
        self.quarterdeck.press_key(event.key)

    @on(PaneGrid.Ready)
    def show_new_pane(self, event: PaneGrid.Ready) -> None:
        """A pane has been made: show its session; go to one the person just started, or to the first."""
        self.show_session(event.key)
        if event.key == self.type_for:
            self.type_for = ""
            self.board.turn_to(event.key)  # the pane one came from may be gone, the focus with a neighbour
            if self.fleet.interactive(event.key) is None:
                self.board.prompt.focus()
            elif (pane := self.board.pane) is not None:
                pane.enter_screen()
        elif event.key == self.focused_key and (self.focused is None or event.key == self.go_to):
            self.focus_session(event.key)

    @on(PaneGrid.Resized)
    def arrange_again(self) -> None:
        """There is more or less room for panes."""
        self.board.arrange()

    def on_descendant_focus(self) -> None:
        """The keys that work now may be others."""
        self.show_footer()

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        """A text field was left: the Esc that did it must not interrupt."""
        if typing_in(event.widget):
            self.left_at = monotonic()

    def on_screen_resume(self) -> None:
        """Something on top was closed: what it covered is brought up to date."""
        self.left_at = monotonic()
        if self._was_covered:
            self._was_covered = False
            self.board.tick()
            for key in self.board.grid.shown:
                self.show_session(key)

    def on_screen_suspend(self) -> None:
        """Something came on top."""
        self._was_covered = self._was_covered or self._is_covered

    def on_resize(self, event: events.Resize) -> None:
        """Fit to the terminal."""
        self.room.fit(event.size)
        self._fit()
