"""Whether an answer given now would count, and which there are: the rules of an ask card without its looks.

Pure state, so that the promises of DESIGN §3 can be tested one by one. It must not know a widget or a clock.
"""

from core.session.state import Ask
from widgets.signs import MUTED, SIGNS

Keys = tuple[tuple[str, str], ...]

DENIALS: Keys = (("d", "deny"), ("D", "why…"), ("^D", "deny + stop"))

UNSEEN = {
    "small": "answered in its pane (z enlarges it)",
    "open": "answered on its screen (i goes into it)",
}
"""What stands in place of keys where it is only known that the session waits."""

DISMISSAL: Keys = (("d", "dismiss"),)
"""A question that takes no words is not denied: it is closed, and its program goes on as if not asked."""

PLAN_KEYS: Keys = (
    ("a", "approve"),
    ("A", "mode…"),
    ("d", "deny"),
    ("o", "outline first"),
    ("t", "discuss"),
    *DENIALS[1:],
)
"""A plan is approved (`A`: and the mode that follows is chosen), denied, or sent back without a decision."""


def is_same(one: Ask, other: Ask) -> bool:
    """Whether two asks are one, as it went on: an id may come again, after a restart or from a broken CLI."""
    if one.id != other.id or one.on_screen:  # what a dialog says may be drawn anew; its id is ours
        return one.id == other.id
    return (one.kind, one.tool, one.input_json) == (other.kind, other.tool, other.input_json)


class AskGuard:
    """The ask a card shows, and what has become of it since it appeared.

    `armed` is False for as long as a key may have been meant for what stood there before, `settled` from the
    person's answer on, `withdrawn` once the ask is gone although its card still stands, `answerable` is
    False for a session somebody else runs, `away` True where its machine cannot be reached.
    """

    def __init__(self) -> None:
        """No ask yet."""
        self.ask: Ask | None = None
        self.armed = False
        self.settled = False
        self.withdrawn = False
        self.answerable = True
        self.away = False
        self._missed = ""

    def take(self, ask: Ask) -> bool:
        """Look after `ask` from now on; True if it is another than before, which nothing may answer yet."""
        before, self.ask = self.ask, ask
        if before is None or not is_same(before, ask) or self.withdrawn:
            self.armed = self.settled = self.withdrawn = False
            self._missed = ""
            return True
        if before.state == "answering" and ask.state == "open":
            self.settled = False
        return False

    def missed(self, name: str) -> bool:
        """Whether the key to answer like that came too early, and no key counts for another while.

        A `D` that was not heard is followed by words, whose letters are keys, too. The same key again is
        only an impatient hand.
        """
        if self.ask is None or self.armed:
            return False
        again, self._missed = name == self._missed, name
        return not again

    def drop(self) -> None:
        """There is no ask any more."""
        self.ask, self.withdrawn = None, False

    @property
    def open(self) -> bool:
        """Whether an answer would count now."""
        asked = self.ask is not None and self.ask.state == "open"
        can = self.answerable and self.armed and not self.settled and not self.withdrawn
        return asked and can and not self.unseen

    @property
    def unseen(self) -> str:
        """What keeps its dialog from being read; nothing here can answer it."""
        return self.ask.unseen if self.ask is not None else ""

    @property
    def is_question(self) -> bool:
        """Whether the ask is answered by a form."""
        return self.ask is not None and self.ask.kind == "question"

    @property
    def is_plan(self) -> bool:
        """Whether the ask is about a plan."""
        return self.ask is not None and self.ask.kind == "plan"

    @property
    def offered(self) -> Keys:
        """The (key, label) pairs that answer now, the most important first."""
        if self.ask is None or not self.open:
            return ()
        match self.ask.kind:
            case "question":
                return (("a", "answer"), *(DISMISSAL if self.ask.wordless else DENIALS))
            case "plan":
                return (*PLAN_KEYS, ("L", "comment")) if self.ask.plan.strip() else PLAN_KEYS
            case _:
                rule = (("A", "always…"),) if self.ask.offers_rules else ()
                edit = () if self.ask.on_screen else (("e", "edit"),)
                return (("a", "allow"), *rule, *edit, *(DENIALS[:1] if self.ask.wordless else DENIALS))

    @property
    def note(self) -> tuple[str, str]:
        """The words (and their style) in place of the keys while none counts; "" while they do."""
        if self.withdrawn:
            return "no longer asked: nothing will be sent. Esc closes", SIGNS["limited"].style
        if self.settled or (self.ask is not None and self.ask.state == "answering"):
            return "sent, waiting for the CLI …", MUTED
        if not self.answerable:
            return (
                "no link: it cannot be answered now" if self.away else "runs elsewhere: answer it there",
                MUTED,
            )
        if self.unseen:
            return UNSEEN[self.unseen], SIGNS["needs-you"].style
        return ("", "") if self.armed else ("…", MUTED)
