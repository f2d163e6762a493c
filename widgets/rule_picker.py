"""The rules an answer may carry: picked, kept elsewhere, written anew. It must not know an ask.

What the CLI would not take is refused here, while it is written: one wrong update voids all of an answer.
"""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import structs
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message

from core.session.rules import DESTINATIONS
from core.session.state import PermissionUpdate
from core.session.wording import text_of
from widgets import format as fmt
from widgets.ask_body import rule_text
from widgets.begun import Rule as Line
from widgets.begun import Rules as Made
from widgets.line import Piece
from widgets.one_line import OneLine
from widgets.pick_list import Pick, PickList
from widgets.rule_line import ANY, RuleLine
from widgets.rule_line import HEIGHT as LINE_HEIGHT
from widgets.signs import SIGNS

KEYS = (
    ("Space", "picks"),
    ("Enter", "allows"),
    ("Esc", "back"),
    ("←→", "where"),
    ("d", "denies"),
    ("n", "new"),
    ("e", "edit"),
)
"""What works in it, as (key, label) pairs; `n` only where a rule of one's own can go along."""

KEYS_ALONE = (("1–9", "picks"), ("Enter", "allows with it"), ("Esc", "back"))
"""What works where one of them goes along, as it stands."""

ONCE = "once"
"""Where a rule is kept that is not kept at all."""

PLACES = (*DESTINATIONS, ONCE)

MOST = 6
"""How many lines of rules show at once."""


class RulePicker(Vertical):
    """Updates to pick from; `chosen` are those picked, as they were changed."""

    DEFAULT_CSS = """
    RulePicker { height: auto; background: $boost; }
    RulePicker > PickList { max-height: 6; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "keep(-1)", show=False),
        Binding("right", "keep(1)", show=False),
        Binding("e", "edit", show=False),
        Binding("n", "write", show=False),
        Binding("d", "deny", show=False),
    ]

    class Chosen(Message):
        """Enter on the list: these updates go with the answer."""

        def __init__(self, updates: tuple[PermissionUpdate, ...]) -> None:
            """Carry them."""
            super().__init__()
            self.updates = updates

    class Denied(Message):
        """What is asked is to be denied, and from now on what these cover; with none of them only this."""

        def __init__(self, updates: tuple[PermissionUpdate, ...]) -> None:
            """Carry them."""
            super().__init__()
            self.updates = updates

    class Left(Message):
        """The person wrote no rule, and there is none to pick."""

    class Changed(Message):
        """It needs another height, or offers other keys."""

    def __init__(self, *, id: str | None = None) -> None:
        """Offer nothing."""
        super().__init__(id=id)
        self.updates: list[PermissionUpdate] = []
        self._own = ""
        self._alone = False
        self._offered: tuple[PermissionUpdate, ...] = ()
        self._usual: frozenset[int] = frozenset()
        self._written = False
        self._at: int | None = None
        self.list = PickList()
        self.line = RuleLine()
        self.problem = OneLine()

    def compose(self) -> ComposeResult:
        """The list, then a line to write a rule in, and why something cannot be done."""
        self.problem.display = False
        yield self.list
        yield self.line
        yield self.problem

    def show(self, suggested: Sequence[PermissionUpdate], own: str = "", *, alone: bool = False) -> None:
        """Offer what was suggested, each rule by itself; the first suggestion is picked.

        `own` is what a rule of the person's own begins as, "" where none can go along. With nothing
        suggested it is written at once. `alone`: they are options of which one is taken, as it stands.
        """
        self._alone = alone
        parts = [single(update) for update in suggested]
        self._offered = tuple(update for part in parts for update in part)
        self.updates = list(self._offered)
        self._own = own
        self._usual = frozenset(range(len(parts[0]) if parts else 0))
        self._written = False
        self.line.display = self.problem.display = False
        self.list.show(self._picks(), self._usual, multiple=not alone)
        if own and not self.updates:
            self.action_write()

    @property
    def made(self) -> Made | None:
        """What the person has made of what was offered; None where it stands as it was."""
        at, line = self.list.highlighted or 0, None
        if self.line.display and self.line.input.value != self._begins(self._at):
            line = Line(self._at, self.line.input.value)
        made = Made(tuple(self.updates), self.list.marked, at, self._written, line)
        as_offered = (made.updates, made.marked, line) == (self._offered, self._usual, None)
        return None if as_offered else made

    def take_up(self, made: Made) -> None:
        """Go on with what was made of it before."""
        self.updates, self._written = list(made.updates), made.own
        self.list.show(self._picks(), made.marked, multiple=not self._alone, at=made.at)
        if made.line is not None:
            self._write(made.line.text, made.line.at)
        elif self.updates:
            self.line.close()

    @property
    def typing(self) -> bool:
        """Whether a rule is being written."""
        return self.line.typing

    @property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """What works now."""
        if self.line.display:
            return self.line.keys
        if self._alone:
            return KEYS_ALONE
        return KEYS if self._own else tuple(pair for pair in KEYS if pair[0] != "n")

    def focus(self, scroll_visible: bool = True) -> "RulePicker":
        """Focus the list, or the rule that is written."""
        (self.line if self.line.display else self.list).focus(scroll_visible)
        return self

    def height_at(self, width: int) -> int:
        """How many lines it wants in a width in cells."""
        below = LINE_HEIGHT * int(self.line.display) + int(self.problem.display)
        return min(MOST, self.list.height_at(width)) + below

    def press(self, key: str) -> None:
        """Do what a key of `keys` means; Esc is for whoever holds the picker, but in the line."""
        match key:
            case "Space" | "1–9":
                self.list.action_mark()
            case "←→":
                self.action_keep(1)
            case "e":
                self.action_edit()
            case "d":
                self.action_deny()
            case "n":
                self.action_write()
            case _ if self.line.display:
                self.line.press(key)
            case "Enter":
                self.list.action_select()

    def action_keep(self, by: int) -> None:
        """Keep the rule under the cursor at the next destination, or the one before."""
        at = self.list.highlighted
        if at is None or self._alone or self.line.display or self.updates[at].type == "setMode":
            return
        update = self.updates[at]
        place = PLACES.index(update.destination) + by if update.destination in PLACES else 0
        self._put(at, structs.replace(update, destination=PLACES[place % len(PLACES)]))

    def action_edit(self) -> None:
        """Word the rule, mode or directory under the cursor anew; several together stay as they are."""
        at = self.list.highlighted
        if at is not None and not self.line.display and (text := self._begins(at)) is not None:
            self._write(text, at)

    def action_write(self) -> None:
        """Write a rule of one's own."""
        if not self.line.display and (text := self._begins(None)):
            self._write(text, None)

    def _begins(self, at: int | None) -> str | None:
        """The text one begins with who words what is at `at` anew, or a new rule; None for what has none."""
        text = self._own if at is None else text_of(self.updates[at])
        return None if text is None else fmt.one_line(text)

    def _write(self, text: str, at: int | None) -> None:
        """Write in place of what is at `at`, or a new rule."""
        self._at = at
        self.problem.display = False
        self.line.open(ANY if at is None else self.updates[at], text, keep=at is not None)
        self.post_message(self.Changed())

    @on(PickList.Marked)
    def mark(self, event: PickList.Marked) -> None:
        """Pick or unpick."""
        event.stop()
        self.list.mark(frozenset({event.index}) if self._alone else self.list.marked ^ {event.index})

    @on(PickList.Chosen)
    def choose(self, event: PickList.Chosen) -> None:
        """Those picked, but for those that are not kept; where one is taken, that under the cursor."""
        event.stop()
        if self._alone:
            self.post_message(self.Chosen((self.updates[event.index],)))
            return
        kept = tuple(update for update in self._picked() if update.destination != ONCE)
        self.post_message(self.Chosen(kept))

    def action_deny(self) -> None:
        """Deny what the picked rules cover; what is no rule cannot be denied."""
        if self.line.display or self._alone:
            return
        picked = [update for update in self._picked() if update.rules]
        if picked:
            kept = tuple(update for update in picked if update.destination != ONCE)
            self.post_message(self.Denied(kept))
        else:
            self._complain("only a rule can be denied: this changes a mode or directories")

    def _picked(self) -> list[PermissionUpdate]:
        """The updates picked; with none picked, the one under the cursor is meant."""
        picked = sorted(self.list.marked) or [self.list.highlighted or 0][: len(self.updates)]
        return [self.updates[index] for index in picked]

    @on(RuleLine.Written)
    def take(self, event: RuleLine.Written) -> None:
        """Something was written: offer it, picked."""
        event.stop()
        self._close()
        if event.update is None:
            return
        if self._at is not None:
            self._put(self._at, event.update)
            return
        if self.list.marked == self._usual and not self._written:
            self.list.mark(frozenset())  # picked by nobody: who writes a rule means that one
        self._written = True
        self.updates.append(event.update)
        self._put(len(self.updates) - 1, self.updates[-1])

    @on(RuleLine.Left)
    def leave_line(self, event: RuleLine.Left) -> None:
        """It stays as it was."""
        event.stop()
        self._close()
        if not self.updates:
            self.post_message(self.Left())

    def _complain(self, problem: str) -> None:
        self.problem.say([Piece(f"✗ {fmt.one_line(problem)}", SIGNS["failed"].style, 1, 12)])
        self.problem.display = True
        self.post_message(self.Changed())

    def _put(self, at: int, update: PermissionUpdate) -> None:
        """Offer a changed update in place of one, picked: who changes it wants it."""
        self.updates[at] = update
        self.list.show(self._picks(), self.list.marked | {at}, multiple=True, at=at)
        self.post_message(self.Changed())

    def _picks(self) -> list[Pick]:
        return [Pick("", *rule_text(update)) for update in self.updates]

    def _close(self) -> None:
        """Back to the list."""
        self.problem.display = False
        self.line.close()
        self.list.focus()
        self.post_message(self.Changed())


def single(update: PermissionUpdate) -> tuple[PermissionUpdate, ...]:
    """An update that adds several things as one for each, so that each can be picked by itself."""
    if update.type == "addRules" and len(update.rules) > 1:
        return tuple(structs.replace(update, rules=(rule,)) for rule in update.rules)
    if update.type == "addDirectories" and len(update.directories) > 1:
        return tuple(structs.replace(update, directories=(path,)) for path in update.directories)
    return (update,)
