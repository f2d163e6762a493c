"""What is wanted, on an ask's card, and what a person makes of it: a sheet or a form, and what was opened.

It must not know when an answer counts, nor whose ask it is.
"""

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from core.session.state import Ask
from widgets import format as fmt
from widgets.ask_body import draw_ask, draw_changed
from widgets.begun import Begun
from widgets.cheap import Unpainted
from widgets.openings.opening import Opening
from widgets.openings.openings import Openings
from widgets.question_form import QuestionForm
from widgets.sheet import Sheet

NOTHING = Begun()


class AskFace(Vertical, Unpainted):
    """Shows an ask, and one of the `openings` under it or in its place; a form is one that is always open."""

    DEFAULT_CSS = """
    AskFace { height: 1fr; }
    AskFace > QuestionForm { height: 1fr; }
    """

    def __init__(self) -> None:
        """Nothing is asked."""
        super().__init__()
        self.openings = Openings()
        self.sheet = Sheet()
        self.form = QuestionForm()
        self.form.display = False
        self._asked: Ask | None = None
        self._here = fmt.Here()

    def compose(self) -> ComposeResult:
        """The sheet; the form and what may be opened come when they are needed."""
        yield self.sheet

    @property
    def is_form(self) -> bool:
        """Whether a form is what answers."""
        return self._asked is not None and self._asked.kind == "question"

    @property
    def typing(self) -> bool:
        """Whether the person makes something that must not be taken away."""
        return self.form.typing or self.openings.typing

    def ask(self, ask: Ask, here: fmt.Here, begun: Begun = NOTHING) -> None:
        """Show an ask with what was begun to answer it; paths are told from `here` on."""
        self._asked, self._here = ask, here
        self.openings.renew(ask, begun)
        if self.is_form:
            self.form.ask(ask.questions, begun.given, begun.step)
            if not self.form.is_attached:
                self.mount(self.form, after=self.sheet)
        self._show()

    @property
    def begun(self) -> Begun:
        """What has been begun to answer the ask."""
        if not self.is_form:
            return self.openings.begun
        return replace(self.openings.begun, given=tuple(self.form.given), step=self.form.step)

    def retell(self, ask: Ask) -> None:
        """The ask is the same, and more of it is known."""
        self._asked = ask
        if self.is_form:
            self.form.retell(ask.questions)
        self._show()

    def _show(self) -> None:
        """Show what is asked, as it was changed, where nothing stands in its place; a form shows itself."""
        whole = self.openings.whole
        self.sheet.display, self.form.display = not (self.is_form or whole), self.is_form and not whole
        if self._asked is None or not self.sheet.display:
            return
        ask, here, changed = self._asked, self._here, self.openings.changed
        if changed is not None:
            self.sheet.show(lambda width, palette: draw_changed(ask, changed, width, palette, here))
        else:
            self.sheet.show(lambda width, palette: draw_ask(ask, width, palette, here))

    def open(self, opening: Opening, ask: Ask) -> None:
        """Open what an answer needs, and go into it."""
        if not opening.is_attached:
            self.mount(opening)
        self.openings.open(opening, ask)
        self._show()
        opening.focus()

    @property
    def opens(self) -> bool:
        """Whether what was opened does not stand yet: keys are meant for it, and can only be dropped."""
        return self.openings.current is not None and not self.openings.current.ready

    def close(self) -> bool:
        """Close what was opened; what was changed is shown. Whether something was open."""
        if not self.openings.close():
            return False
        self._show()
        return True

    def focus(self, scroll_visible: bool = True) -> "AskFace":
        """Focus what was opened, or the form."""
        (self.openings.current or self.form).focus(scroll_visible)
        return self

    def height_at(self, width: int) -> int:
        """How many lines it wants in a width in cells; a form's keys are among them."""
        opened = self.openings.height_at(width)
        if self.openings.whole:
            return opened
        return opened + (self.form.height_at(width) if self.is_form else max(1, self.sheet.height_at(width)))

    @on(QuestionForm.Replied)
    def decide(self, event: QuestionForm.Replied) -> None:
        """The form is filled in."""
        event.stop()
        self.post_message(Opening.Decided(event.reply))

    @on(QuestionForm.Stepped)
    def fit(self, event: QuestionForm.Stepped) -> None:
        """Another question has another height."""
        event.stop()
        self.post_message(Opening.Fitted())

    @on(QuestionForm.Left)
    def leave(self, event: Message) -> None:
        """The form was left."""
        event.stop()
        self.post_message(Opening.Left())
