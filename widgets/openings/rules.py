"""Rules that go with an allowance, or with a denial. It must not know what is asked."""

from textual import on
from textual.app import ComposeResult
from textual.widget import Widget

from core.session.answers import Allow, denied_by
from core.session.own_rule import own_rule
from core.session.state import Ask
from widgets.begun import Rules as Made
from widgets.openings.opening import Keys, Opening
from widgets.rule_picker import RulePicker


class Rules(Opening):
    """The rules the CLI suggests, to pick from and to change, and others of the person's own."""

    def __init__(self) -> None:
        """Offer nothing yet."""
        super().__init__()
        self.picker = RulePicker()
        self._fresh = True
        self._kept: Made | None = None

    def compose(self) -> ComposeResult:
        """The picker."""
        yield self.picker

    @property
    def keys(self) -> Keys:
        """What works in it now."""
        return self.picker.keys

    @property
    def typing(self) -> bool:
        """Whether a rule is being written."""
        return self.picker.typing

    @property
    def made(self) -> Made | None:
        """What the person made of them; None where they stand as they were offered."""
        return self._kept if self._fresh else self.picker.made

    @made.setter
    def made(self, made: Made | None) -> None:
        self._kept, self._fresh = made, True

    def suits(self, ask: Ask) -> bool:
        """There is something to pick from, or a rule of one's own can go along."""
        return ask.offers_rules

    def renew(self, ask: Ask) -> None:
        """Other rules are wanted."""
        self._kept, self._fresh = None, True

    def begin(self, ask: Ask) -> None:
        """Offer what is suggested; what was written before it was closed is still there."""
        if self._fresh or not self.picker.updates:
            own = own_rule(ask) if ask.takes_rules else ""
            self.picker.show(ask.suggestions, own, alone=ask.on_screen)
            if self._kept is not None:
                self.picker.take_up(self._kept)
        self._fresh = False

    @property
    def inner(self) -> Widget:
        """The picker."""
        return self.picker

    def height_at(self, width: int) -> int:
        """As many lines as the picker wants."""
        return self.picker.height_at(width)

    def press(self, key: str) -> None:
        """Do what a key means; Esc in the line of a rule only leaves that."""
        if key == "Esc" and not self.picker.line.display:
            super().press(key)
        else:
            self.picker.press(key)

    @on(RulePicker.Chosen)
    def allow(self, event: RulePicker.Chosen) -> None:
        """Allow with the picked rules."""
        event.stop()
        self.post_message(self.Decided(Allow(updates=event.updates)))

    @on(RulePicker.Denied)
    def deny(self, event: RulePicker.Denied) -> None:
        """Deny it, and whatever the picked rules cover."""
        event.stop()
        self.post_message(self.Decided(denied_by(event.updates)))

    @on(RulePicker.Left)
    def leave(self, event: RulePicker.Left) -> None:
        """No rule was written."""
        event.stop()
        self.post_message(self.Left())

    @on(RulePicker.Changed)
    def fit(self, event: RulePicker.Changed) -> None:
        """It has another height, or other keys."""
        event.stop()
        self.post_message(self.Fitted())
