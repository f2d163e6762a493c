"""The inbox: all that waits for the person, over all agents, and the card of one of them with its keys.

Whoever opened it is where they were once they leave. An answer goes out by `answer`; the next request takes
its place, and is deaf for as long as every card that has just appeared. It must not know how an answer
travels.
"""

import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.timer import Timer
from textual.widgets import Static

from core.fleet.inbox import KINDS, Kind
from core.session.answers import Answer, Postpone
from core.session.session import Session
from dashboard import actions
from dashboard.inbox import Inbox, row_id
from dashboard.room import Room, TooSmall
from dashboard.screens.tabled import TabledScreen
from dashboard.typed import typing_in
from widgets import format as fmt
from widgets.answer_keys import LABELS, answer_bindings
from widgets.arming import ARM_S
from widgets.ask_card import AskCard
from widgets.begun import BegunAnswers
from widgets.cheap import Unpainted
from widgets.hues import Hues
from widgets.inbox_rows import InboxRow, draw_said, last_words, long_lines, short_lines, who_line
from widgets.line import Line, Piece, joined
from widgets.one_line import OneLine
from widgets.row_list import RowList
from widgets.sheet import Sheet
from widgets.signs import MUTED, SIGNS
from widgets.summary import asking_task

WIDE = 120
"""From this width on, in cells, the card stands beside the list."""

TALL = 30
"""From this height on, in lines, there is room for what the agent said last."""

SAID_AFTER_S = 0.1
"""So long one points at a request before what was said before it is drawn: who walks on waits for none."""

INSIDE = (("Esc", "to the list"),)
"""What the footer says of the keys while the person is in the card."""

ABOUT_ONE = ("inbox-go", "inbox-scroll")
"""What is done with the request one points at."""

LISTED = 6
"""How many requests are in sight above the card where they stand above each other."""

WORDS: Mapping[Kind, tuple[str, str]] = {
    "permission": ("permission", "permissions"),
    "question": ("question", "questions"),
    "plan": ("plan", "plans"),
    "other": ("message", "messages"),
}
"""What is waited for, one and several; `other` are messages from agent to agent."""

Send = Callable[[str, str, Answer | Postpone], None]


class Beside(Container, Unpainted):
    """The list beside the card, or above it."""


class One(Vertical, Unpainted):
    """Who asks, the card, what was said before."""


class InboxScreen(TabledScreen):
    """All that waits; `follow` it whenever something may have changed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *actions.bindings("inbox"),
        *answer_bindings("inbox"),
    ]
    place = "inbox"
    DEFAULT_CSS = """
    InboxScreen { layout: vertical; }
    InboxScreen > #inbox-head { background: $panel; padding: 0 1; }
    InboxScreen #inbox-beside { layout: vertical; height: 1fr; width: 1fr; }
    InboxScreen #inbox-rows { height: auto; }
    InboxScreen #inbox-one { height: 1fr; width: 1fr; }
    InboxScreen #inbox-who { dock: top; background: $surface; padding: 0 1 0 0; }
    InboxScreen #inbox-said { display: none; padding: 1 1 0 2; }
    InboxScreen #inbox-nothing { display: none; height: 1fr; content-align: center middle;
        text-align: center; color: $foreground-muted; }
    InboxScreen.-wide #inbox-beside { layout: horizontal; }
    InboxScreen.-wide #inbox-rows { height: 1fr; width: 38%; margin-right: 1; }
    InboxScreen.-tall #inbox-said { display: block; }
    InboxScreen.-tall AskCard { max-height: 70%; }
    InboxScreen.-nothing #inbox-beside { display: none; }
    InboxScreen.-nothing #inbox-nothing { display: block; }
    """

    def __init__(
        self,
        sessions: Mapping[str, Session],
        answer: Send,
        go_to: Callable[[str], None],
        hues: Hues,
        *,
        clock: Callable[[], float] = time.time,
        arm_after_s: float = ARM_S,
        begun: BegunAnswers | None = None,
    ) -> None:
        """`answer` sends one, `go_to` shows a session's own pane once the inbox is left.

        `begun` are what was begun to answer in an inbox that was left before.
        """
        super().__init__()
        self.inbox = Inbox(sessions, hues)
        self.room = Room(self)
        self.rows = RowList(id="inbox-rows")
        self.rows.pointed = self.show_pointed
        self.card = AskCard(arm_after_s=arm_after_s, begun=begun)
        self._sessions = sessions
        self._answer = answer
        self._go_to = go_to
        self._clock = clock
        self._home = str(Path.home())
        self._shown = ""
        self._saying: Timer | None = None
        self._listed: tuple[object, ...] = ()
        self._height = 0
        self.head = OneLine(id="inbox-head")
        self.who = OneLine(id="inbox-who")
        self.said = Sheet(id="inbox-said")

    def compose(self) -> ComposeResult:
        """Head, the list beside the one it points at, footer."""
        yield self.head
        with Beside(id="inbox-beside"):
            yield self.rows
            with One(id="inbox-one"):
                yield self.who
                yield self.card
                yield self.said
        yield Static("Nothing waits for you.\n\nEsc goes back to where you were.", id="inbox-nothing")
        yield self.footer
        yield TooSmall()

    def on_mount(self) -> None:
        """Point at the oldest; let the times move on."""
        self.rows.focus()
        self.show_keys()
        self.set_interval(1.0, self.follow)
        self.follow()

    def on_resize(self, event: events.Resize) -> None:
        """Beside each other where there is room, and two lines a request there."""
        self.room.fit(event.size)
        wide = event.size.width >= WIDE
        self.set_class(wide, "-wide")
        self.set_class(event.size.height >= TALL, "-tall")
        self.rows.row_height = 2 if wide else 1
        self._listed = ()
        self.follow()

    # What waits

    def follow(self) -> None:
        """Show what waits now. Nothing moves but what is gone."""
        if not self.is_mounted:
            return
        self.inbox.look(self._shown if self.card.typing else "")
        listed = (int(self._clock()), self.inbox.kind, *self.inbox.marks)
        if listed != self._listed:
            self._listed = listed
            self._list()
        self._show_card()

    def _list(self) -> None:
        rows = self.inbox.rows
        self.rows.show(tuple(rows), self._describe)
        height = 0 if self.has_class("-wide") else max(1, min(LISTED, len(rows)))
        if height != self._height:  # to set it is to lay out anew
            self._height, self.rows.styles.height = height, height or None
        if self.has_class("-nothing") == bool(rows):
            self.set_class(not rows, "-nothing")
            self.show_keys()
        self._say_head()

    def _describe(self, row: str, width: int) -> tuple[tuple[Line, Line], ...]:
        lines = long_lines if self.rows.row_height > 1 else short_lines
        return lines(self.inbox.rows[row], self._clock(), self._home)

    def _say_head(self) -> None:
        """How many wait, of which kind, how many were answered; at the right how long the oldest waits."""
        inbox = self.inbox
        count = sum(inbox.counts.values())
        kinds = [self._kind_piece(kind) for kind in KINDS if inbox.counts[kind] or inbox.kind == kind]
        facts = [
            Piece("Inbox", "bold"),
            Piece(f"{count} wait" if count != 1 else "1 waits", SIGNS["needs-you"].style if count else MUTED),
            *(kinds if len(kinds) > 1 or inbox.kind else ()),
            Piece(f"{inbox.answered} answered" if inbox.answered else "", MUTED, 2, 4),
        ]
        first = next(iter(inbox.rows.values()), None)
        oldest = f"oldest {fmt.age(self._clock() - first.ask.raised_at)}" if first else ""
        self.head.say(joined(facts), (Piece(oldest, MUTED, 1, 4),))

    def _kind_piece(self, kind: Kind) -> Piece:
        """A kind with its count; the one that is listed alone stands out."""
        alone = self.inbox.kind == kind
        text = fmt.count(self.inbox.counts[kind], *WORDS[kind])
        return Piece(text, "bold reverse" if alone else MUTED, 3, 6)

    @property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """Those that work: where nothing waits there is nothing to scroll, and no pane to go to."""
        idle = () if self.inbox.rows else ABOUT_ONE if self.inbox.kind else (*ABOUT_ONE, "inbox-filter")
        return actions.screen_footer(self.place, self.quarterdeck.settings.keys_of, without=idle)

    def show_keys(self) -> None:
        """The keys that work where the person is: the card tells its own."""
        if typing := typing_in(self.focused):
            self.footer.show(actions.TYPED[typing], "typing")
        elif self.card.has_focus_within:
            self.footer.show(INSIDE, "deck")
        else:
            self.footer.show(self.keys, "deck", kept=1)

    # The one pointed at

    def show_pointed(self, key: str) -> None:
        """The person points at another; not away from one they type into."""
        if key == self._shown:
            return
        if self.card.typing and self._shown in self.inbox.rows:
            self.rows.move_to(tuple(self.inbox.rows).index(self._shown))
        else:
            self._show_card()

    def _show_card(self) -> None:
        """The card of the row the cursor is on."""
        name = self.rows.cursor_key
        row = self.inbox.rows.get(name)
        if row is None or row.gone:
            self.card.show(None)
            return
        if name != self._shown:
            self._shown = name
            if self._saying is not None:
                self._saying.stop()
            self._saying = self.set_timer(SAID_AFTER_S, partial(self._say_last, row))
        state = row.state
        self.who.say(*who_line(row, self._home))
        self.card.turn_to(state.key)
        self.card.here = fmt.Here(state.directory, self._home)
        self.card.guard.answerable = state.can.answer
        place = self.rows.cursor + 1
        asker = asking_task(row.ask, state.tasks)
        self.card.show(row.ask, self._clock(), place, len(self.inbox.rows), asker)

    def _say_last(self, row: InboxRow) -> None:
        """What the agent said before it asked, its end in sight; unless another is pointed at by now."""
        if row_id(row.state.key, row.ask) != self._shown or row.state.key not in self._sessions:
            return
        conversation = self._sessions[row.state.key].conversation
        tasks = row.state.tasks if row.ask.agent_id else ()
        own = next((task.tool_use_id for task in tasks if task.id == row.ask.agent_id), "")
        text = last_words(conversation.entries(own)) or last_words(conversation.entries())
        self.said.show(lambda width, palette: draw_said(text, width, palette))
        self.said.call_after_refresh(self.said.scroll_end, animate=False)

    # What the person does

    @property
    def pointed_key(self) -> str:
        """The session of the request pointed at; "" where there is none."""
        row = self.inbox.rows.get(self.rows.cursor_key)
        return row.state.key if row is not None else ""

    def action_answer(self, name: str) -> None:
        """Answer the one pointed at, or open what an answer needs."""
        if self.card.ask is None:
            return
        if self.room.lacks:
            self.app.notify(
                "The window is too small to see what is asked: nothing is answered here.",
                markup=False,
                timeout=3,
            )
            return
        if self.card.guard.unseen:
            where = "This is answered on its own screen: g goes to its pane."
            self.app.notify(where, markup=False, timeout=3)
            return
        if not self.card.typing:
            self.card.home = self.rows if self.rows.has_focus else None
        try:
            self.card.action_answer(name)
        except SkipAction:
            self.app.notify(f"`{LABELS[name]}` is not for this request.", markup=False, timeout=3)

    @on(RowList.Chosen)
    def go_into(self, event: RowList.Chosen) -> None:
        """Enter on a row goes into its card."""
        event.stop()
        self.card.home = None
        self.card.focus()

    @on(AskCard.Left)
    def leave_card(self, event: AskCard.Left) -> None:
        """Back to the list."""
        event.stop()
        self.rows.focus()
        self.follow()

    @on(AskCard.Answered)
    def send(self, event: AskCard.Answered) -> None:
        """One is answered: the next takes its place."""
        event.stop()
        at = self.rows.cursor
        self.inbox.sent(f"{event.key} {event.ask_id}")
        self._answer(event.key, event.ask_id, event.answer)
        self.rows.focus()  # before: the next card must not find the focus in it
        self.follow()
        if at >= len(self.inbox.rows):
            self.rows.move_to(0)

    def give_back(self, key: str, ask_id: str) -> None:
        """An answer could not be sent: it can be given again."""
        self.inbox.came_back(f"{key} {ask_id}")
        if self.card.key == key and self.card.ask is not None and self.card.ask.id == ask_id:
            self.card.reopen()
        self.follow()

    def do_filter(self) -> None:
        """List the next kind, or all again."""
        self.inbox.cycle()
        self.follow()

    def do_scroll(self) -> None:
        """See more of what is asked."""
        self.card.action_scroll_body(max(1, self.card.size.height - 4))

    def do_scroll_back(self) -> None:
        """See what stood before."""
        self.card.action_scroll_body(-max(1, self.card.size.height - 4))

    def do_go(self) -> None:
        """To the pane of the agent that asks."""
        key = self.pointed_key
        self.dismiss(None)
        if key:
            self._go_to(key)
