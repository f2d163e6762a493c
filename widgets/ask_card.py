"""A request that waits for a person, as a card: what is wanted, why, since when, and the keys that answer.

Its promises (DESIGN §3): keys act only while the card or its pane has the focus; a card that has just
appeared arms after 300 ms; an answer carries the id of the ask it was shown for; nothing is answered twice;
an ask withdrawn while the person types keeps its card until they are done. What it opens to answer with
stands in `openings`. It must not know what becomes of an answer.
"""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from core.session.answers import Allow, Answer, Deny, Postpone
from core.session.state import Ask, Postponement
from widgets import format as fmt
from widgets.answer_keys import PRESSED, answer_bindings
from widgets.arming import ARM_S, Arming
from widgets.ask_body import ask_title
from widgets.ask_face import AskFace
from widgets.ask_guard import AskGuard, Keys, is_same
from widgets.begun import Begun, BegunAnswers
from widgets.cheap import Kept
from widgets.footer_bar import FooterBar
from widgets.in_order import AtOnce
from widgets.openings.opening import Opening

NOTHING = Begun()


class AskCard(Vertical, Kept, AtOnce, can_focus=True):
    """One ask. `show` gives it another; `offered` says which keys answer now.

    `home` is where the keys that open something were pressed, if not here: there one is again after it.
    """

    DEFAULT_CSS = """
    AskCard { height: auto; max-height: 100%; border: round $accent; padding: 0 1; border-title-style: bold;
        border-title-color: $text-accent; border-subtitle-color: $foreground-muted; }
    AskCard.-held { border: heavy $accent; }
    AskCard.-resting { border: round $foreground-muted; border-title-color: $foreground-muted; }
    AskCard > FooterBar { padding: 0; background: transparent; }
    AskCard.-question.-held > FooterBar { display: none; }
    AskCard.-question.-opened.-held > FooterBar { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *answer_bindings("ask"),
        Binding("enter", "enter", show=False),
        Binding("escape", "back", show=False),
        Binding("up", "scroll_body(-1)", show=False),
        Binding("down", "scroll_body(1)", show=False),
        Binding("pageup", "scroll_body(-8)", show=False),
        Binding("pagedown", "scroll_body(8)", show=False),
    ]

    class Answered(Message):
        """The person answered the ask `ask_id` of the session `key`."""

        def __init__(self, key: str, ask_id: str, answer: Answer | Postpone) -> None:
            """Carry the answer."""
            super().__init__()
            self.key = key
            self.ask_id = ask_id
            self.answer = answer

    class Left(Message):
        """The person left the card, or closed one that was withdrawn."""

        def __init__(self, key: str) -> None:
            """`key` is the session's."""
            super().__init__()
            self.key = key

    def __init__(
        self,
        key: str = "",
        *,
        arm_after_s: float = ARM_S,
        begun: BegunAnswers | None = None,
        id: str | None = None,
    ) -> None:
        """A card for the session `key`; it stays hidden until `show`.

        What was begun to answer is kept in `begun`, for this card and others.
        """
        super().__init__(id=id)
        self.key = key
        self._begun = BegunAnswers() if begun is None else begun
        self._taken = NOTHING
        self.here = fmt.Here()
        self.quiet = False
        self.guard = AskGuard()
        self.face = AskFace()
        self.keys = FooterBar()
        self.home: Widget | None = None
        self.display = False
        self.arming = Arming(self, self.arm, arm_after_s)
        self._place = (1, 1)
        self._fitted = (0, 0)
        self._title = ""
        self._ready = False
        self._early: tuple[Ask, float, int, int, str] | None = None
        self._wanted = False

    def compose(self) -> ComposeResult:
        """What is wanted, with what an answer may need, then the keys."""
        yield self.face
        yield self.keys

    def on_mount(self) -> None:
        """Show what was given before there was a place for it."""
        self._ready = True
        if self._early is not None:
            self.show(*self._early)
        if self._wanted:
            self.focus()

    @property
    def typing(self) -> bool:
        """Whether the person is typing into the card: nothing may take it away."""
        return self.face.typing

    @property
    def ask(self) -> Ask | None:
        """The ask shown."""
        return self.guard.ask

    @property
    def offered(self) -> Keys:
        """The (key, label) pairs that answer now, the most important first."""
        return self.guard.offered

    # What is asked

    def show(self, ask: Ask | None, now: float = 0.0, index: int = 1, of: int = 1, asker: str = "") -> None:
        """Show `ask`, the `index`-th `of` so many, as of `now`; None: there is none (any more).

        `asker` is what the subagent that asks works on.
        """
        if ask is None:
            self._early = None
            self._withdraw()
            return
        if not self._ready:
            self._early = (ask, now, index, of, asker)
            return
        if self.ask is not None and not is_same(self.ask, ask) and self._held_back():
            return
        self._place = (index, of)
        if self.ask is not None and not is_same(self.ask, ask):
            self.put_by()
        known = self.ask
        if self.guard.take(ask):
            self._begin(ask, asker)
        elif known is not None and _told(ask) != _told(known):
            self._retell(ask, asker)
        self._say(now)

    def _retell(self, ask: Ask, asker: str) -> None:
        """More is known of what is asked; nobody answers what they had no time to see."""
        self._title = ask_title(ask, asker)
        self.face.retell(ask)
        self._say_title()
        self.guard.armed = False
        self.arming.begin()
        self.refresh(layout=True)

    def _begin(self, ask: Ask, asker: str) -> None:
        """A new ask has appeared: show it, and arm it a little later."""
        held = self.has_focus_within
        self.display = True
        self.set_class(ask.kind == "question", "-question")
        self._title = ask_title(ask, asker)
        self._take(self._begun.of(self.key, ask))
        if held:
            self.focus()
        self.arming.begin()
        self._fit()

    def _say_title(self) -> None:
        """The title says what the person made of it."""
        note = self.face.openings.note
        self.border_title = Content(f"{self._title} · {note}" if note else self._title)

    def turn_to(self, key: str) -> None:
        """Be the card of another session, whose asks may have the ids of this one's."""
        if key != self.key and not self.typing:
            self.put_by()
            self.guard.drop()
            self.key = key

    def on_unmount(self) -> None:
        """What was begun is kept for another card of the same ask."""
        self.put_by()

    def put_by(self) -> None:
        """Keep what was begun to answer the ask shown, until it is shown again, here or elsewhere."""
        if self.ask is not None and not self.guard.settled and not self.guard.withdrawn:
            self._taken = self.face.begun
            self._begun.keep(self.key, self.ask, self._taken)

    def take_up(self) -> None:
        """Show what another card has made of the ask meanwhile."""
        if self.ask is None or self.guard.settled or self.guard.withdrawn:
            return
        begun = self._begun.of(self.key, self.ask)
        if begun is self._taken or not (begun or self._taken):
            return
        held = self.has_focus_within
        self._take(begun)
        self._say_keys()
        self._fit()
        if held:
            self.focus()

    def _take(self, begun: Begun) -> None:
        """Show the ask with what was begun."""
        if self.ask is not None:
            self._taken = begun
            self.face.ask(self.ask, self.here, begun)
            self.remove_class("-opened")
            self._say_title()

    def reopen(self) -> None:
        """The answer could not be sent: the ask can be answered again."""
        self.guard.settled = False
        self._say_keys()

    def hush(self, quiet: bool) -> None:
        """Show the keys as ones that will work once the person has come here, or as ones that do."""
        if quiet != self.quiet:
            self.quiet = quiet
            self._say_keys()

    def arm(self) -> None:
        """From now on keys act."""
        self.guard.armed = True
        self._say_keys()

    def _withdraw(self) -> None:
        """The ask is gone; the card goes too, unless the person types into it."""
        if self.ask is not None and not self._held_back():
            self.guard.drop()
            self.display = False

    def _held_back(self) -> bool:
        """Whether the card must stay although its ask is gone, because the person types into it."""
        if self.guard.settled or not self.typing:
            return False
        if not self.guard.withdrawn:
            self.guard.withdrawn = True
            self.face.openings.orphan()
            self._say_keys()
        return True

    # How it looks

    @property
    def _has_relative_children_height(self) -> bool:
        """No: Textual would give a card with a flexible child all the room there is."""
        return False

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As high as what it shows, as far as its own maximum allows."""
        self._fitted = (width, self._height_at(width))
        return self._fitted[1]

    def _height_at(self, width: int) -> int:
        has_keys = self.face.is_form and not self.face.openings.whole
        return self.face.height_at(width) + (0 if has_keys else 1)

    def _fit(self) -> None:
        """Have it laid out anew, unless it is as high as it was: a layout is of the whole screen."""
        width, height = self._fitted
        if not width or height != self._height_at(width):
            self.refresh(layout=True)

    def _say(self, now: float) -> None:
        """Since when, which of how many, and the keys."""
        if self.ask is None:
            return
        since = f"asks since {fmt.age(now - self.ask.raised_at)}" if now and self.ask.raised_at else "asks"
        index, of = self._place
        subtitle = Content(f"{since} · {index} of {of}" if of > 1 else since)
        if self.border_subtitle != subtitle.markup:
            self.border_subtitle = subtitle
        self._say_keys()

    def _say_keys(self) -> None:
        """The bottom line: keys, or what is waited for."""
        words, style = self.guard.note
        self.set_class(not self.guard.open and not self.guard.unseen, "-resting")
        if words:
            self.keys.note(words, style)
        elif (opened := self.face.openings.current) is not None:
            self.keys.show(opened.keys)
        else:
            self.keys.show(self.offered, quiet=self.quiet)

    @on(Opening.Fitted)
    def fit(self, event: Opening.Fitted) -> None:
        """What is opened wants another height, or offers other keys."""
        event.stop()
        self._say_keys()
        self._fit()

    def watch_has_focus(self, _has_focus: bool) -> None:
        """Show that the focus is here. Textual's own applies the style sheets to all of the card."""
        self._look_held()

    def on_descendant_focus(self) -> None:
        """Something in it has the focus now."""
        self._look_held()

    def on_descendant_blur(self) -> None:
        """The focus may be elsewhere now."""
        self._look_held()

    def _look_held(self) -> None:
        """Look as if keys came here, if they do: no `:focus-within`, for which all of it would be styled."""
        held = self.has_focus_within
        if held == self.has_class("-held"):
            return
        self.set_class(held, "-held", update=self.guard.is_question)
        if not self.guard.is_question:
            self.app.stylesheet.apply(self)

    @property
    def takes_focus(self) -> bool:
        """Whether the card itself takes the focus at once: it has its place, and no form takes it instead."""
        inner = self.guard.is_question or self.face.openings.current is not None
        return self._ready and bool(self.display) and not inner

    def focus(self, scroll_visible: bool = True) -> "AskCard":
        """Focus what answers: what is opened, the form of a question, else the card; as soon as it stands."""
        self._wanted = not self._ready
        if self._wanted:
            return self
        if self.guard.is_question or self.face.openings.current is not None:
            self.face.focus(scroll_visible)
        else:
            super().focus(scroll_visible)
        return self

    # How it is answered

    def action_answer(self, name: str) -> None:
        """Answer, or open what an answer needs; the key of another kind of ask is not ours."""
        if self.guard.unseen:
            raise SkipAction
        if self.guard.missed(name):
            self.arming.begin()
        if not self.face.opens:
            ACTS[name](self)

    @on(FooterBar.Pressed)
    def press(self, event: FooterBar.Pressed) -> None:
        """A key was clicked instead."""
        event.stop()
        if (opened := self.face.openings.current) is not None:
            opened.press(event.key)
        elif event.key in PRESSED:
            self.action_answer(PRESSED[event.key])

    def settle(self, answer: Answer | Postpone) -> None:
        """Give the answer to the ask shown, once, if keys count; what was changed goes with it."""
        if self.ask is None or not self.guard.open:
            return
        self.close()
        self.put_by()  # it may come back unsent
        self.guard.settled = True
        if self.has_focus_within and not self.has_focus:
            super().focus()
        self.post_message(self.Answered(self.key, self.ask.id, self.face.openings.carried(answer)))
        self._say_keys()

    def open(self, opening: Opening) -> None:
        """Open what an answer needs; of an ask that cannot be answered like that the key is not ours.

        A change that is not finished is opened again instead: that is what has to be done first.
        """
        if self.ask is None or not opening.suits(self.ask):
            raise SkipAction
        if not self.guard.open:
            return
        self.close()
        if self.face.openings.unfinished:
            opening = self.face.openings.change
        self.face.open(opening, self.ask)
        self.add_class("-opened")
        self._say_keys()
        self._fit()

    @on(Opening.Decided)
    def decide(self, event: Opening.Decided) -> None:
        """What was opened has an answer; of an ask that is gone it has none."""
        event.stop()
        if self.guard.withdrawn:
            self.action_back()
        else:
            self.settle(event.answer)

    @on(Opening.Left)
    def go_back(self, event: Opening.Left) -> None:
        """Esc in what was opened."""
        event.stop()
        self.action_back()

    def action_back(self) -> None:
        """Leave what was opened, a form, a withdrawn card; then the card."""
        opened = self.close()
        if self.guard.withdrawn:
            self.guard.drop()
            self.display = False
        if opened and self.display:
            (self.home or self).focus()
            self._say_keys()
            self._fit()
        else:
            self.post_message(self.Left(self.key))

    def close(self) -> bool:
        """Close what was opened; what was changed stands on the card. Whether something was open."""
        closed = self.face.close()
        self.remove_class("-opened")
        self._say_title()
        return closed

    def action_enter(self) -> None:
        """Enter on the card of a question goes into its form."""
        if self.guard.is_question:
            self.focus()

    def action_scroll_body(self, by: int) -> None:
        """Scroll what is shown by so many lines."""
        self.face.sheet.scroll_relative(y=by, animate=False, immediate=True)


def _told(ask: Ask) -> tuple[object, ...]:
    """What of an ask the card shows, and may get to know later."""
    return ask.tool, ask.input_json, ask.questions, ask.plan, ask.title, ask.description, ask.reason


def _allow(card: AskCard) -> None:
    """Allow; of a question: go into its form. A change that is not finished is opened again instead.

    While rules are picked it is their Enter: who picks some wants them.
    """
    opened = card.face.openings.current
    if opened is not None and opened is card.face.openings.rules:
        opened.press("Enter")
        return
    card.close()
    if card.guard.is_question:
        card.focus()
    elif card.face.openings.unfinished:
        card.open(card.face.openings.change)
    else:
        card.settle(Allow())


def _grant(card: AskCard) -> None:
    """Offer the rules that may go with an allowance; of a plan: the modes that may follow it."""
    card.open(card.face.openings.modes if card.guard.is_plan else card.face.openings.rules)


def _postpone(how: Postponement) -> Callable[[AskCard], None]:
    """Send a plan back without a decision on it; of anything else the key is not ours."""

    def act(card: AskCard) -> None:
        if not card.guard.is_plan:
            raise SkipAction
        card.settle(Postpone(how))

    return act


def _deny_and_stop(card: AskCard) -> None:
    if card.ask is not None and card.ask.wordless:
        raise SkipAction
    card.settle(Deny(card.face.openings.denial.words, interrupt=True))


ACTS: dict[str, Callable[[AskCard], None]] = {
    "allow": _allow,
    "allow-rule": _grant,
    "deny": lambda card: card.settle(Deny()),
    "deny-why": lambda card: card.open(card.face.openings.denial),
    "deny-interrupt": _deny_and_stop,
    "edit": lambda card: card.open(card.face.openings.change),
    "comment": lambda card: card.open(card.face.openings.comments),
    "outline": _postpone("outline"),
    "discuss": _postpone("discuss"),
}
"""What each way to answer does."""
