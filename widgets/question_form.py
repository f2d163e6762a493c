"""The form of an AskUserQuestion: every question answered by picks, by words, or both; then one reply.

It must not know which request it belongs to. Leaving it answers nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from core.session.answers import Reply
from core.session.state import Option, Question
from widgets import format as fmt
from widgets.begun import Given
from widgets.footer_bar import FooterBar
from widgets.line import Piece, joined
from widgets.line_input import LineInput
from widgets.one_line import OneLine
from widgets.pick_list import Pick, PickList
from widgets.signs import MUTED

OTHER = "other"
PREVIEW_LINES = 8
WAYS: Mapping[tuple[bool, bool], tuple[tuple[str, str], ...]] = {
    (False, False): (),
    (False, True): (("→", "next question"),),
    (True, True): (("← →", "others"),),
    (True, False): (("←", "question before"),),
}
"""Where one can go: whether there are questions before, and after."""

TABS = {"→": "Tab", "← →": "Tab", "←": "Shift+Tab"}
"""What goes there while one types, when the arrows are the text's."""


class QuestionForm(Vertical):
    """Several questions, one at a time: digits and Space pick, Enter goes on, the last Enter replies.

    A skipped question is left out of the reply; the CLI then tells the model of the others alone, or that
    none was answered (2.1.332).
    """

    DEFAULT_CSS = f"""
    QuestionForm {{ height: auto; }}
    QuestionForm > #steps {{ margin-bottom: 1; }}
    QuestionForm > #text {{ height: auto; max-height: 6; scrollbar-size-vertical: 1; }}
    QuestionForm > #text > Static {{ text-style: bold; }}
    QuestionForm > PickList {{ height: 1fr; min-height: 1; }}
    QuestionForm > PickList > .option-list--option-highlighted {{ background: transparent; }}
    QuestionForm > PickList:focus > .option-list--option-highlighted {{ background: $foreground 15%; }}
    QuestionForm > FooterBar {{ padding: 0; background: transparent; display: none; }}
    QuestionForm:focus-within > FooterBar {{ display: block; }}
    QuestionForm.-complaining > FooterBar {{ display: none; }}
    QuestionForm > #complaint {{ display: none; }}
    QuestionForm.-complaining > #complaint {{ display: block; }}
    QuestionForm > #preview {{ height: auto; max-height: {PREVIEW_LINES}; scrollbar-size-vertical: 1;
        color: $text-muted; }}
    QuestionForm > #preview > Static {{ height: auto; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,shift+tab", "step(-1)", "Back", show=False),
        Binding("right,tab", "step(1)", "Next question", show=False),
        Binding("s,ctrl+s", "skip", "Skip", show=False),
        Binding("shift+up", "scroll_preview(-1)", show=False),
        Binding("shift+down", "scroll_preview(1)", show=False),
        Binding("escape", "leave", "Leave", show=False),
    ]

    class Replied(Message):
        """Every question is answered or skipped; `reply` holds the answers in the order of the questions."""

        def __init__(self, reply: Reply) -> None:
            """Carry the reply."""
            super().__init__()
            self.reply = reply

    class Left(Message):
        """The person left the form without answering."""

    class Stepped(Message):
        """Another question is shown: the form may want another height."""

    def __init__(self, questions: Sequence[Question] = (), *, id: str | None = None) -> None:
        """Ask these questions."""
        super().__init__(id=id)
        self.questions = tuple(questions)
        self.given = [Given() for _ in self.questions]
        self.step = 0
        self._ready = self._wanted = False
        self.steps = OneLine(id="steps")
        self.text = Static(markup=False)
        self.picks = PickList()
        self.words = LineInput("your own words; Enter takes them, Esc goes back")
        self.preview = VerticalScroll(id="preview", can_focus=False)
        self.previewed = Static(markup=False)
        self.keys = FooterBar()
        self.complaint = OneLine(id="complaint")

    def compose(self) -> ComposeResult:
        """Steps, question, options, own words, preview, keys."""
        yield self.steps
        with VerticalScroll(id="text", can_focus=False):
            yield self.text
        yield self.picks
        yield self.words
        with self.preview:
            yield self.previewed
        yield self.keys
        yield self.complaint

    def on_mount(self) -> None:
        """Start with the first question."""
        self._ready = True
        self._go(self.step)
        if self._wanted:
            self.focus()

    def ask(self, questions: Sequence[Question], given: Sequence[Given] = (), step: int = 0) -> None:
        """Ask other questions, from the start; or from `step` on, with what was `given` already."""
        self.questions = tuple(questions)
        self.given = list(given) or [Given() for _ in self.questions]
        self.step = step
        if self._ready:
            self._go(step)

    def retell(self, questions: Sequence[Question]) -> None:
        """The same form, of which more is known: what was answered stays, and the question one is at."""
        before = {
            _known_by(question): given for question, given in zip(self.questions, self.given, strict=True)
        }
        at = _known_by(self.questions[self.step]) if self.questions else None
        words = self.words.value if self.typing else None
        self.questions = tuple(questions)
        self.given = [before.get(_known_by(question)) or Given() for question in self.questions]
        self.step = next((n for n, question in enumerate(self.questions) if _known_by(question) == at), 0)
        if self._ready:
            self._go(self.step)
            if words is not None and self.questions:
                self._show_words(True)
                self.words.value, self.words.cursor_position = words, len(words)

    def focus(self, scroll_visible: bool = True) -> "QuestionForm":
        """Focus what answers, as soon as it stands: the options, or the words where there are none."""
        self._wanted = not self._ready
        if self._ready:
            (self.words if self.words.display else self.picks).focus(scroll_visible)
        return self

    def height_at(self, width: int) -> int:
        """How many lines the form wants in a width in cells."""
        if not self.questions:
            return 1
        question = self.questions[self.step]
        text = min(6, Content(_question_text(question)).get_height({}, max(1, width)))
        steps = 2 if len(self.questions) > 1 else 0
        preview = max((_lines(option.preview, width) for option in question.options), default=0)
        return steps + text + max(1, self.picks.height_at(width - 2)) + preview + 1

    @property
    def typing(self) -> bool:
        """Whether own words are being typed."""
        return self.words.has_focus

    def _go(self, step: int) -> None:
        """Show the question at `step`."""
        self.step = max(0, min(len(self.questions) - 1, step))
        if not self.questions:
            return
        question, given = self.questions[self.step], self.given[self.step]
        self.text.update(Content(_question_text(question)))
        marked = given.picked | ({len(question.options)} if given.words else frozenset())
        self.picks.show(
            _offers(question, given), marked, multiple=question.multiple, at=min(marked, default=0)
        )
        self._show_words(not question.options)
        self.post_message(self.Stepped())

    def _show_words(self, shown: bool) -> None:
        """Show or hide the line for own words; it takes over or gives back the focus it was given."""
        held = self.picks.has_focus or self.words.has_focus
        self.words.value = self.given[self.step].words
        self.words.display = shown
        self.picks.display = bool(self.questions[self.step].options)
        if held:
            (self.words if shown else self.picks).focus()
        self._say()

    def _say(self, complaint: str = "") -> None:
        """The steps above, the preview and the keys below."""
        self.steps.display = len(self.questions) > 1
        self.steps.say(joined([self._step_piece(index) for index in range(len(self.questions))], " │ "))
        self.set_class(bool(complaint), "-complaining")
        self.complaint.say([Piece(complaint, "$text-warning", 1, 8)])
        self.keys.show(self.offered)

    @property
    def offered(self) -> list[tuple[str, str]]:
        """The keys that work in the form now."""
        question = self.questions[self.step]
        ways = WAYS[bool(self.step), self.step + 1 < len(self.questions)]
        if self.words.display:
            tabs = [(TABS[key], label) for key, label in ways]
            skip = [] if question.needed else [("^S", "skips it")]
            return [("Enter", "takes them"), *tabs, *skip, ("Esc", "back" if question.options else "leaves")]
        others = (self._done(index) for index in range(len(self.questions)) if index != self.step)
        pick = "Space" if question.multiple else "1–9"
        keys = [(pick, "picks"), ("Enter", "sends" if all(others) else "goes on")]
        skip = [] if question.needed else [("s", "skips it")]
        deny = ("d", "dismisses it" if question.closed else "denies")
        scroll = [("Shift+↓", "scrolls the preview")] if self._overflows else []
        return [*keys, *ways, *skip, ("Esc", "leaves"), deny, *scroll]

    @property
    def _overflows(self) -> bool:
        """Whether an option's preview may be longer than what is in sight of it."""
        options = self.questions[self.step].options
        return any(option.preview.count("\n") >= PREVIEW_LINES for option in options)

    @on(FooterBar.Pressed)
    def press(self, event: FooterBar.Pressed) -> None:
        """A key was clicked instead; the form's holder knows the others."""
        actions: dict[str, Callable[[], None]] = {
            "Space": self.picks.action_mark,
            "Enter": self._enter,
            "Esc": self._escape,
            **dict.fromkeys(("→", "← →", "Tab"), lambda: self.action_step(1)),
            **dict.fromkeys(("←", "Shift+Tab"), lambda: self.action_step(-1)),
            "s": self.action_skip,
            "^S": self.action_skip,
            "Shift+↓": lambda: self.action_scroll_preview(PREVIEW_LINES),
        }
        if event.key != "d":
            event.stop()
        if action := actions.get(event.key):
            action()

    def _enter(self) -> None:
        if self.words.display:
            self.words.post_message(LineInput.Submitted(self.words, self.words.value))
        else:
            self.picks.action_select()

    def _escape(self) -> None:
        (self.words if self.words.display else self).action_leave()

    def _step_piece(self, index: int) -> Piece:
        """A question in the line of steps."""
        name = fmt.shorten(fmt.one_line(self.questions[index].header), 16) or f"question {index + 1}"
        sign = "✓ " if self._answer(index) else "– " if self.given[index].skipped else "· "
        return Piece(sign + name, "bold" if index == self.step else MUTED, 1, 6)

    def _answer(self, index: int) -> str:
        return self.given[index].text(self.questions[index])

    def _done(self, index: int) -> bool:
        return self.given[index].skipped or bool(self._answer(index))

    @on(PickList.Marked)
    def pick(self, event: PickList.Marked) -> None:
        """Pick or unpick an option; the last line of the list is for own words."""
        event.stop()
        question, given = self.questions[self.step], self.given[self.step]
        if event.index == len(question.options):
            self._show_words(True)
            return
        given.skipped = False
        if question.multiple:
            given.picked ^= {event.index}
        else:
            given.picked, given.words = frozenset({event.index}), ""
        self._remark()

    @on(PickList.Chosen)
    def take(self, event: PickList.Chosen) -> None:
        """Enter: take what is picked (of a single choice: what the cursor is on) and go on."""
        event.stop()
        question, given = self.questions[self.step], self.given[self.step]
        own = event.index == len(question.options)
        if own and not given.words:
            self._show_words(True)
            return
        given.skipped = False
        if not question.multiple and not own:
            given.picked, given.words = frozenset({event.index}), ""
        if not self._answer(self.step):
            skip = "" if question.needed else "; s skips the question"
            self._say(f"Pick at least one with Space, then Enter{skip}.")
            return
        self._advance()

    @on(LineInput.Submitted)
    def take_words(self, event: LineInput.Submitted) -> None:
        """Own words: the whole answer of a single choice, one more of a multiple one."""
        event.stop()
        question, given = self.questions[self.step], self.given[self.step]
        given.words, given.skipped = event.value.strip(), False
        if given.words and not question.multiple:
            given.picked = frozenset()
        if not question.options and not given.words:
            self._say("Type an answer, then Enter; Ctrl+S skips the question.")
            return
        if question.options:
            self._show_words(False)
        self._remark()
        if given.words and not question.multiple:
            self._advance()

    @on(LineInput.Left)
    def leave_words(self, event: LineInput.Left) -> None:
        """Esc in the words: back to the options, or out of the form where there are none."""
        event.stop()
        if self.questions[self.step].options:
            self._show_words(False)
        else:
            self.action_leave()

    @on(PickList.OptionHighlighted)
    def show_preview(self, event: PickList.OptionHighlighted) -> None:
        """Show what the option under the cursor would look like."""
        event.stop()
        options: tuple[Option, ...] = self.questions[self.step].options
        preview = options[event.option_index].preview if event.option_index < len(options) else ""
        self.preview.display = any(option.preview for option in options)
        self.previewed.update(Content(fmt.plain(preview)))
        self.preview.scroll_home(animate=False)

    def _remark(self) -> None:
        """Show what is picked now."""
        question, given = self.questions[self.step], self.given[self.step]
        marked = given.picked | ({len(question.options)} if given.words else frozenset())
        self.picks.show(
            _offers(question, given), marked, multiple=question.multiple, at=self.picks.highlighted or 0
        )
        self._say()

    def _advance(self) -> None:
        """Go to the next question that is neither answered nor skipped; reply when there is none."""
        count = len(self.questions)
        order = [(self.step + offset) % count for offset in range(1, count + 1)]
        missing = next((index for index in order if not self._done(index)), None)
        if missing is not None:
            self._go(missing)
            return
        self._say()
        told = [(q.text, self._answer(index)) for index, q in enumerate(self.questions)]
        self.post_message(self.Replied(Reply(tuple(one for one in told if one[1]))))

    def action_step(self, by: int) -> None:
        """Go to another question, answered or not; there is none before the first, nor after the last."""
        if 0 <= self.step + by < len(self.questions):
            self._go(self.step + by)

    def action_skip(self) -> None:
        """Leave this question out, and go on; not one that wants an answer."""
        if self.questions and not self.questions[self.step].needed:
            self.given[self.step].skipped = True
            self._remark()
            self._advance()

    def action_scroll_preview(self, by: int) -> None:
        """Scroll the preview of the option under the cursor."""
        self.preview.scroll_relative(y=by, animate=False, immediate=True)

    def action_leave(self) -> None:
        """Leave without an answer."""
        self.post_message(self.Left())


def _lines(preview: str, width: int) -> int:
    """How many lines of a preview are in sight in a width in cells."""
    if not preview:
        return 0
    return min(PREVIEW_LINES, Content(fmt.plain(preview)).get_height({}, max(1, width - 1)))


def _known_by(question: Question) -> tuple[str, int]:
    """By what a question is known again, wherever it wrapped where it was read."""
    return "".join(question.text.split()), len(question.options)


def _question_text(question: Question) -> str:
    """What is asked; a question without words is known by its header."""
    return fmt.plain(question.text).strip() or fmt.one_line(question.header) or "(a question without words)"


def _offers(question: Question, given: Given) -> list[Pick]:
    """The options, then one line for own words where they would be taken."""
    picks = [
        Pick(str(index), option.label, option.description) for index, option in enumerate(question.options)
    ]
    own = f"other: {given.words}" if given.words else "other …"
    if not question.options or question.closed:
        return picks
    return [*picks, Pick(OTHER, own)]
