"""The permission rules that count in one session: what each does, where it comes from, and taking one back.

It only asks; what is shown changes when it is told so. It must not know how a rule is taken back.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from core.session.rules import StandingRule
from widgets import format as fmt
from widgets.line import wrapped
from widgets.render.safe import reveal
from widgets.signs import MUTED, SIGNS

SOURCES = {
    "session": "this session",
    "flagSettings": "this process",
    "localSettings": "this project, only you (settings.local.json)",
    "projectSettings": "this project, everyone (settings.json)",
    "userSettings": "all your projects (~/.claude/settings.json)",
    "policySettings": "your organisation",
    "cliArg": "its command line",
    "command": "a slash command",
}
"""Where a rule comes from, in words; the CLI's own word for all others."""

STYLES = {"allow": "$text-success", "deny": "$text-error", "ask": SIGNS["limited"].style}
NOTHING = "No rule counts here: everything is asked as the mode says."
INDENT = 4
"""By how many cells all lines of a rule but its first begin further in."""

LEAVES = {
    "allow": "taken back: asks again; it leaves with the next thing you allow",
    "deny": "taken back: it denies until it leaves with the next thing you allow",
}
KEPT = "with the next thing you allow it is kept for {}"


class RuleBoard(OptionList):
    """A rule each; `x` takes back the one under the cursor, `u` has it count again."""

    DEFAULT_CSS = """
    RuleBoard { height: auto; max-height: 100%; border: none; padding: 0; background: transparent;
        scrollbar-size-vertical: 1; }
    RuleBoard:focus { border: none; background-tint: initial; }
    RuleBoard > .option-list--option-highlighted, RuleBoard:focus > .option-list--option-highlighted {
        color: $foreground; background: $foreground 15%; text-style: none; }
    RuleBoard > .option-list--option-disabled { color: $foreground-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x,delete", "take_back", "Take back", show=False),
        Binding("u", "give_again", "Count again", show=False),
    ]
    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (("x", "take back"), ("u", "have it count again"))

    class TakenBack(Message):
        """The person wants this rule to count no more (`again`: to count again)."""

        def __init__(self, rule: StandingRule, *, again: bool = False) -> None:
            """Say which."""
            super().__init__()
            self.rule = rule
            self.again = again

    class Kept(Message):
        """The rule under the cursor cannot be changed from here."""

        def __init__(self, rule: StandingRule) -> None:
            """Say which."""
            super().__init__()
            self.rule = rule

    def __init__(self, rules: Sequence[StandingRule] = (), *, id: str | None = None) -> None:
        """Show these."""
        super().__init__(id=id, markup=False)
        self.rules: tuple[StandingRule, ...] = ()
        self.show(rules)

    def show(self, rules: Sequence[StandingRule]) -> None:
        """Show the rules as they are now, session by session's own first; the cursor stays on its rule."""
        at = self._current()
        order = list(SOURCES)
        self.rules = tuple(
            sorted(rules, key=lambda rule: order.index(rule.source) if rule.source in order else len(order))
        )
        if not self.rules:
            self.set_options([Option(Content(NOTHING), disabled=True)])
            return
        self.set_options([Option(self._prompt(rule)) for rule in self.rules])
        same = [index for index, rule in enumerate(self.rules) if at and _is(rule, at)]
        self.highlighted = same[0] if same else 0

    def on_resize(self) -> None:
        """Lines break elsewhere."""
        self.show(self.rules)

    def _prompt(self, rule: StandingRule) -> Content:
        """What it does and covers; under it where it comes from, and the CLI's reading of it."""
        room = max(20, (self.size.width or 80) - INDENT - 1)  # its scrollbar may come
        behavior = fmt.one_line(rule.behavior)
        text = reveal(fmt.one_line(rule.text))
        first, *rest = wrapped(text, room + INDENT - len(behavior) - 1) or [""]
        where = SOURCES.get(rule.source, fmt.one_line(rule.source))
        facts = " · ".join(part for part in (where, reveal(fmt.one_line(rule.words))) if part)
        below = [(line, "bold") for line in rest]
        for words, style in ((facts, MUTED), *_marks(rule)):
            below += [(line, style) for line in wrapped(words, room)]
        return Content.assemble(
            (f"{behavior} ", STYLES.get(rule.behavior, "")),
            (first, "bold"),
            *((f"\n{' ' * INDENT}{line}", style) for line, style in below),
        )

    def _current(self) -> StandingRule | None:
        at = self.highlighted
        return self.rules[at] if at is not None and at < len(self.rules) else None

    def action_take_back(self) -> None:
        """Ask for the rule under the cursor to count no more."""
        rule = self._current()
        if rule is not None and not rule.taken_back:
            asked = self.TakenBack(rule) if rule.can_be_taken_back else self.Kept(rule)
            self.post_message(asked)

    def action_give_again(self) -> None:
        """Ask for one that was taken back to count again."""
        rule = self._current()
        if rule is not None and rule.taken_back:
            self.post_message(self.TakenBack(rule, again=True))


def _marks(rule: StandingRule) -> Iterator[tuple[str, str]]:
    """What became of it, and how that looks."""
    if rule.taken_back:
        yield LEAVES[rule.behavior], SIGNS["limited"].style
    if rule.kept_in:
        yield KEPT.format(SOURCES[rule.kept_in]), MUTED


def _is(rule: StandingRule, other: StandingRule) -> bool:
    return (rule.text, rule.behavior, rule.source) == (other.text, other.behavior, other.source)
