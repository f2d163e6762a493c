"""A request that waits for a person, as a card: what is wanted, why, since when, and the keys that answer.

Its promises (DESIGN §3): keys act only while the card or its pane has the focus; a card that has just
appeared arms after 300 ms; an answer carries the id of the ask it was shown for; nothing is answered twice;
an ask withdrawn while the person types keeps its card until they are done. It must not know what becomes
of an answer.
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
from textual.timer import Timer

from core.session.answers import DENIED, Allow, Answer, Deny, Postpone
from core.session.plans import MODES_AFTER, mode_update
from core.session.state import Ask, Postponement
from widgets import format as fmt
from widgets.ask_body import ask_title, draw_ask, draw_changed
from widgets.ask_guard import AskGuard, Keys
from widgets.footer_bar import FooterBar
from widgets.input_editor import KEYS as EDIT_KEYS
from widgets.input_editor import EditArea, InputEditor
from widgets.line import Piece
from widgets.line_input import LineInput
from widgets.one_line import OneLine
from widgets.pick_list import Pick, PickList
from widgets.question_form import QuestionForm
from widgets.reason_line import ReasonLine
from widgets.rule_picker import RulePicker
from widgets.sheet import Sheet

ARM_S = 0.3
"""How long a card that has just appeared takes no key: what is typed now was meant for what stood there."""

MODE_WORDS = {
    "default": "ask before each edit and command",
    "acceptEdits": "accept edits, ask before commands",
    "auto": "let claude judge what is safe",
}

MODE_PICKS = tuple(Pick(mode, MODE_WORDS[mode], mode) for mode in MODES_AFTER)
"""What may follow a plan's approval, as picks."""

MODES_KEYS = (("Enter", "approves with this mode"), ("Esc", "goes back"))


class AskCard(Vertical, can_focus=True):
    """One ask. `show` gives it another; `offered` says which keys answer now."""

    DEFAULT_CSS = """
    AskCard { height: auto; max-height: 100%; border: round $accent; padding: 0 1; border-title-style: bold;
        border-title-color: $text-accent; border-subtitle-color: $foreground-muted; }
    AskCard:focus-within, AskCard:focus { border: heavy $accent; }
    AskCard.-resting { border: round $foreground-muted; border-title-color: $foreground-muted; }
    AskCard > PickList { max-height: 6; background: $boost; }
    AskCard > QuestionForm, AskCard > InputEditor { height: 1fr; }
    AskCard > FooterBar { padding: 0; background: transparent; }
    AskCard.-noted > FooterBar { display: none; }
    AskCard > #note { display: none; }
    AskCard.-noted > #note { display: block; }
    AskCard.-question:focus-within > FooterBar { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "allow", "allow", id="ask.allow", show=False),
        Binding("A", "allow_rule", "always…", id="ask.allow-rule", show=False),
        Binding("d", "deny", "deny", id="ask.deny", show=False),
        Binding("D", "deny_why", "deny, say why", id="ask.deny-why", show=False),
        Binding("ctrl+d", "deny_interrupt", "deny and interrupt", id="ask.deny-interrupt", show=False),
        Binding("e", "edit", "edit", id="ask.edit", show=False),
        Binding("o", "postpone('outline')", "outline first", id="ask.outline", show=False),
        Binding("t", "postpone('discuss')", "discuss", id="ask.discuss", show=False),
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

    def __init__(self, key: str = "", *, arm_after_s: float = ARM_S, id: str | None = None) -> None:
        """A card for the session `key`; it stays hidden until `show`."""
        super().__init__(id=id)
        self.key = key
        self.here = fmt.Here()
        self.quiet = False
        self.guard = AskGuard()
        self._arm_after_s = arm_after_s
        self._timer: Timer | None = None
        self._place = (1, 1)
        self._title = ""
        self._ready = False
        self._early: tuple[Ask, float, int, int, str] | None = None
        self._wanted = False
        self.sheet = Sheet()
        self.form = QuestionForm()
        self.editor = InputEditor()
        self.modes = PickList()
        self.rules = RulePicker()
        self.why = ReasonLine()
        self.keys = FooterBar()
        self.note = OneLine(id="note")
        self.display = False

    def compose(self) -> ComposeResult:
        """What is wanted, then what an answer may need, then the keys."""
        for opened in (self.form, self.editor, self.modes, self.rules, self.why):
            opened.display = False
        yield self.sheet
        yield self.form
        yield self.editor
        yield self.modes
        yield self.rules
        yield self.why
        yield self.keys
        yield self.note

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
        return self.why.has_focus or self.form.typing or self.rules.typing or self.editor.area.has_focus

    @property
    def ask(self) -> Ask | None:
        """The ask shown."""
        return self.guard.ask

    @property
    def offered(self) -> Keys:
        """The (key, label) pairs that answer now, the most important first."""
        return self.guard.offered

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
        if self.ask is not None and self.ask.id != ask.id and self._held_back():
            return
        self._place = (index, of)
        if self.guard.take(ask):
            self._begin(ask, asker)
        self._say(now)

    def _begin(self, ask: Ask, asker: str) -> None:
        """A new ask has appeared: show it, and arm it a little later."""
        self.modes.display = self.rules.display = self.why.display = self.editor.display = False
        self.why.value = ""
        self.editor.take_up(ask.input_json)
        held = self.has_focus_within
        self.display = True
        asks = self.guard.is_question
        self.sheet.display, self.form.display = not asks, asks
        self.set_class(asks, "-question")
        self._title = ask_title(ask, asker)
        if asks:
            self.form.ask(ask.questions)
        self._draw(ask)
        if held:
            self.focus()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(self._arm_after_s, self.arm)
        self.refresh(layout=True)

    def _draw(self, ask: Ask) -> None:
        """What is wanted, or what the person made of it; the title says which."""
        here, changed = self.here, self.editor.input_json
        if self.guard.is_question:
            pass  # its form shows it
        elif self.editor.changed:
            self.sheet.show(lambda width, palette: draw_changed(ask, changed, width, palette, here))
        else:
            self.sheet.show(lambda width, palette: draw_ask(ask, width, palette, here))
        word = " · changed by you" if self.editor.changed else ""
        word = " · unfinished change" if self.editor.unfinished else word
        self.border_title = Content(self._title + word)

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
        if self.guard.settled or not (self.typing or self.editor.display):
            return False
        if not self.guard.withdrawn:
            self.guard.withdrawn = True
            self.editor.orphan()
            self._say_keys()
        return True

    @property
    def _has_relative_children_height(self) -> bool:
        """No: Textual would give a card with a flexible child all the room there is."""
        return False

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As high as what it shows, as far as its own maximum allows."""
        if self.form.display:
            return self.form.height_at(width) + (1 if self.why.display else 0)
        if self.editor.display:
            return self.editor.height_at(width) + 1
        body = max(1, self.sheet.height_at(width))
        rules = self.rules.height_at(width) if self.rules.display else 0
        rules += min(6, self.modes.height_at(width)) if self.modes.display else 0
        return body + rules + (1 if self.why.display else 0) + 1

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
        self.set_class(not self.guard.open, "-resting")
        self.set_class(bool(words), "-noted")
        if words:
            self.note.say([Piece(words, style, 1, 1)])
        elif self.editor.display:
            self.keys.show(EDIT_KEYS)
        elif self.rules.display:
            self.keys.show(self.rules.keys)
        elif self.modes.display:
            self.keys.show(MODES_KEYS)
        elif self.why.display:
            self.keys.show((("Enter", "denies"), ("^D", "denies and stops"), ("Esc", "goes back")))
        else:
            self.keys.show(self.offered, quiet=self.quiet)

    @on(FooterBar.Pressed)
    def press(self, event: FooterBar.Pressed) -> None:
        """A key was clicked instead."""
        event.stop()
        match event.key:
            case key if self.rules.display and (key != "Esc" or self.rules.line.display):
                self.rules.press(key)
            case "Enter" if self.why.display:
                self._answer(Deny(self.why.value.strip() or DENIED))
            case "Enter":
                self.modes.action_select()
            case "Esc" if not self.editor.display:
                self.action_back()
            case key if key in EDITOR_CLICKS:
                self.editor.press(EDITOR_CLICKS[key])
            case key:
                CLICKS[key](self)

    def focus(self, scroll_visible: bool = True) -> "AskCard":
        """Focus what answers: the form of a question, else the card itself; as soon as it stands."""
        self._wanted = not self._ready
        if self._wanted:
            return self
        if self.guard.is_question:
            self.form.focus(scroll_visible)
        elif self.editor.display:
            self.editor.focus(scroll_visible)
        else:
            super().focus(scroll_visible)
        return self

    def _answer(self, answer: Answer | Postpone) -> None:
        """Settle the ask shown, once, if keys count."""
        if self.ask is None or not self.guard.open:
            return
        self.guard.settled = True
        self._close()
        if self.has_focus_within and not self.has_focus:
            super().focus()
        self.post_message(self.Answered(self.key, self.ask.id, answer))
        self._say_keys()

    def action_allow(self) -> None:
        """Allow; of a question: go into its form."""
        if self.guard.is_question:
            self.focus()
        elif not self._reopens():
            self._answer(Allow(self._changed))

    def action_allow_rule(self) -> None:
        """Offer the suggested rules; of a plan: the modes that may follow it."""
        if self.ask is None or not self.guard.open:
            return
        if self._reopens():
            return
        opened: PickList | RulePicker = self.modes if self.guard.is_plan else self.rules
        if self.guard.is_plan:
            self.modes.show(MODE_PICKS)
        elif self.ask.suggestions:
            self.rules.show(self.ask.suggestions)
        else:
            return
        opened.display = True
        opened.focus()
        self.fit()

    @on(RulePicker.Changed)
    def fit(self) -> None:
        """What was opened has another height, or other keys."""
        self._say_keys()
        self.refresh(layout=True)

    @on(RulePicker.Chosen)
    def allow_with_rules(self, event: RulePicker.Chosen) -> None:
        """Allow with the picked rules."""
        event.stop()
        self._answer(Allow(self._changed, event.updates))

    @on(PickList.Marked)
    @on(PickList.Chosen)
    def approve(self, event: PickList.Marked | PickList.Chosen) -> None:
        """Approve a plan with the mode picked: one is all there can be."""
        event.stop()
        if self.guard.is_plan:
            self._answer(Allow(updates=(mode_update(MODES_AFTER[event.index]),)))

    @property
    def _changed(self) -> bytes | None:
        """The input as the person changed it; None for one they did not."""
        return self.editor.input_json if self.editor.changed else None

    def _reopens(self) -> bool:
        """Whether a change is not finished: then that is what has to be done first."""
        if self.editor.display:
            self.editor.take()
        if self.editor.unfinished and self.guard.open:
            self.action_edit()
        return bool(self.editor.unfinished)

    def action_edit(self) -> None:
        """Open what is asked in the editor, with what was changed before; a question or a plan has none."""
        if self.guard.is_question or self.guard.is_plan:
            raise SkipAction
        if self.guard.open:
            self._close()
            self.sheet.display, self.editor.display = False, True
            self.editor.open()
            self.editor.focus()
            self._say_keys()
            self.refresh(layout=True)

    @on(InputEditor.Done)
    def allow_changed(self, event: InputEditor.Done) -> None:
        """Allow with what was written."""
        event.stop()
        self.action_allow()

    @on(EditArea.Changed)
    def make_room(self, event: EditArea.Changed) -> None:
        """The text has more lines, or fewer."""
        event.stop()
        if self.editor.display and self.editor.height_at(self.size.width) + 1 != self.size.height:
            self.refresh(layout=True)

    def action_postpone(self, how: Postponement) -> None:
        """Send a plan back without a decision on it; of anything else the key is not ours."""
        if not self.guard.is_plan:
            raise SkipAction
        self._answer(Postpone(how))

    def action_deny(self) -> None:
        """Deny, with the usual words."""
        self._answer(Deny())

    def action_deny_interrupt(self) -> None:
        """Deny, with the words typed if there are some, and end the turn."""
        self._answer(Deny(self.why.value.strip() or DENIED, interrupt=True))

    def action_deny_why(self) -> None:
        """Ask for the words of a denial."""
        if self.guard.open:
            self.why.display = True
            self.why.focus()
            self._say_keys()
            self.refresh(layout=True)

    @on(ReasonLine.Stopped)
    def deny_and_stop(self, event: ReasonLine.Stopped) -> None:
        """Deny with what was typed, and end the turn."""
        event.stop()
        self.action_deny_interrupt()

    @on(LineInput.Submitted)
    def deny_with_words(self, event: LineInput.Submitted) -> None:
        """Deny with what was typed."""
        event.stop()
        if self.guard.withdrawn:
            self.action_back()
        else:
            self._answer(Deny(event.value.strip() or DENIED))

    @on(QuestionForm.Replied)
    def reply(self, event: QuestionForm.Replied) -> None:
        """Answer with the form's reply."""
        event.stop()
        self._answer(event.reply)

    @on(InputEditor.Left)
    @on(LineInput.Left)
    @on(QuestionForm.Left)
    def go_back(self, event: Message) -> None:
        """Esc in what was opened."""
        event.stop()
        self.action_back()

    def action_back(self) -> None:
        """Leave what was opened: the words, the rules, the form, a withdrawn card."""
        opened = self.modes.display or self.rules.display or self.why.display or self.editor.display
        self._close()
        if self.guard.withdrawn:
            self.guard.drop()
            self.display = False
        if opened and self.display:
            super().focus()
            self._say_keys()
        else:
            self.post_message(self.Left(self.key))

    def _close(self) -> None:
        """Close what was opened; what was changed stands on the card."""
        self.modes.display = self.rules.display = self.why.display = False
        if self.editor.display:
            self.editor.take()
            self.editor.display, self.sheet.display = False, True
            if self.ask is not None:
                self._draw(self.ask)

    def action_enter(self) -> None:
        """Enter on the card of a question goes into its form."""
        if self.guard.is_question:
            self.focus()

    def action_scroll_body(self, by: int) -> None:
        """Scroll what is shown by so many lines."""
        self.sheet.scroll_relative(y=by, animate=False)


CLICKS: dict[str, Callable[[AskCard], None]] = {
    "a": AskCard.action_allow,
    "A": AskCard.action_allow_rule,
    "e": AskCard.action_edit,
    "o": lambda card: card.action_postpone("outline"),
    "t": lambda card: card.action_postpone("discuss"),
    "d": AskCard.action_deny,
    "D": AskCard.action_deny_why,
    "^D": AskCard.action_deny_interrupt,
}
"""What a click on a key does."""

EDITOR_CLICKS = {"^S": "ctrl+s", "^R": "ctrl+r", "Tab": "tab", "Esc": "escape"}
"""The keys of the editor as they are shown → as they are pressed."""
