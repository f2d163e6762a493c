"""All a card can open to answer with, of which one is open at a time. It must not know the card."""

from msgspec.structs import replace

from core.session.answers import Allow, Answer, Postpone
from core.session.state import Ask
from widgets import format as fmt
from widgets.begun import Begun
from widgets.openings.after_plan import AfterPlan
from widgets.openings.change import Change
from widgets.openings.comments import Comments
from widgets.openings.denial import Denial
from widgets.openings.opening import Opening
from widgets.openings.rules import Rules


class Openings:
    """The openings of one card, as widgets for it to place; `current` is the open one."""

    def __init__(self) -> None:
        """All are closed."""
        self.change, self.denial = Change(), Denial()
        self.rules, self.modes, self.comments = Rules(), AfterPlan(), Comments()
        self.all: tuple[Opening, ...] = (self.change, self.comments, self.modes, self.rules, self.denial)
        self.current: Opening | None = None

    def renew(self, ask: Ask, begun: Begun) -> None:
        """Another ask is shown: close what was made for the one before, and take up what was `begun`."""
        self.close()
        for opening in self.all:
            opening.renew(ask)
        self.change.editor.take_up(ask.input_json, begun.input_json, begun.unfinished)
        self.denial.line.value = begun.words
        self.comments.comments = dict(begun.comments)
        self.rules.made = begun.rules

    def open(self, opening: Opening, ask: Ask) -> None:
        """Open one, instead of what was open."""
        self.close()
        self.current = opening
        opening.display = True
        opening.start(ask)

    def close(self) -> bool:
        """Close what is open, keeping what was made in it; whether something was open."""
        closed, self.current = self.current, None
        if closed is not None:
            closed.end()
            closed.display = False
        return closed is not None

    def orphan(self) -> None:
        """Nobody waits for the ask any more."""
        self.change.editor.orphan()

    @property
    def whole(self) -> bool:
        """Whether what is open stands in place of what is asked."""
        return self.current is not None and self.current.whole

    @property
    def typing(self) -> bool:
        """Whether the person makes something that must not be taken away."""
        return self.current is not None and self.current.typing

    @property
    def changed(self) -> bytes | None:
        """The input as the person changed it; None for one they did not."""
        return self.change.editor.input_json if self.change.editor.changed else None

    @property
    def unfinished(self) -> bool:
        """Whether the person's change is no input yet."""
        return bool(self.change.editor.unfinished)

    @property
    def begun(self) -> Begun:
        """What the person has made of the ask, to be taken up again."""
        if self.current is not None:
            self.current.end()
        return Begun(
            input_json=self.changed,
            unfinished=self.change.editor.begun,
            words=self.denial.line.value,
            comments=dict(self.comments.comments),
            rules=self.rules.made,
        )

    @property
    def note(self) -> str:
        """What the person made of the ask and has not sent yet; "" where that is nothing."""
        if self.unfinished:
            return "unfinished change"
        if self.changed is not None:
            return "changed by you"
        made = len(self.comments.comments)
        return fmt.count(made, "comment") if made else ""

    def height_at(self, width: int) -> int:
        """How many lines what is open wants in a width in cells."""
        return self.current.height_at(width) if self.current is not None else 0

    def carried(self, answer: Answer | Postpone) -> Answer | Postpone:
        """An answer with the person's change, where it allows something."""
        if isinstance(answer, Allow) and self.changed is not None:
            return replace(answer, input_json=self.changed)
        return answer
