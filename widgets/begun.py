"""What a person has begun to answer and not sent: kept for each request, whichever card shows it.

It must not know a widget, nor when an answer counts.
"""

from collections import OrderedDict
from collections.abc import Mapping

from msgspec import Struct, field

from core.session.state import Ask, PermissionUpdate, Question
from widgets.ask_guard import is_same

KEPT = 64
"""Of how many requests what was begun is kept; the ones left longest ago go first."""


class Given:
    """What has been answered to one question so far; `skipped`: the person does not want to answer it."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.picked: frozenset[int] = frozenset()
        self.words = ""
        self.skipped = False

    def text(self, question: Question) -> str:
        """The answer as the CLI wants it: labels, then own words, joined by ", "; "" while there is none."""
        if self.skipped:
            return ""
        labels = [question.options[index].label for index in sorted(self.picked)]
        return ", ".join([*labels, *([self.words] if self.words else [])])

    def __bool__(self) -> bool:
        """Whether anything was done about the question."""
        return bool(self.picked or self.words or self.skipped)


class Unfinished(Struct, frozen=True):
    """A text that is no input yet: of which field it is (its place), and why."""

    at: int
    text: str
    why: str


class Rule(Struct, frozen=True):
    """A rule that is being written: in place of the one at `at`, or a new one."""

    at: int | None
    text: str


class Rules(Struct, frozen=True):
    """What was made of the rules on offer: all of them, which are `marked`, where the cursor stands.

    `own`: the person wrote one; `line` is the one they write just now.
    """

    updates: tuple[PermissionUpdate, ...]
    marked: frozenset[int] = frozenset()
    at: int = 0
    own: bool = False
    line: Rule | None = None


class Begun(Struct, frozen=True):
    """What was begun. `input_json` None: the input stands as asked; `rules` None: they do.

    `step` is the question one was at.
    """

    input_json: bytes | None = None
    unfinished: Unfinished | None = None
    words: str = ""
    comments: Mapping[int, str] = field(default_factory=dict)
    rules: Rules | None = None
    given: tuple[Given, ...] = ()
    step: int = 0

    def __bool__(self) -> bool:
        """Whether there is anything to lose."""
        changed = self.input_json is not None or self.rules is not None
        return bool(changed or self.unfinished or self.words or self.comments or any(self.given))


class BegunAnswers:
    """What was begun, by session and request."""

    def __init__(self) -> None:
        """Nothing was begun."""
        self._kept: OrderedDict[tuple[str, str], tuple[Ask, Begun]] = OrderedDict()

    def keep(self, key: str, ask: Ask, begun: Begun) -> None:
        """Keep what was begun; nothing is kept of a request nothing was begun for."""
        self._kept.pop((key, ask.id), None)
        if begun:
            self._kept[key, ask.id] = (ask, begun)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def of(self, key: str, ask: Ask) -> Begun:
        """What was begun of a request; of another one with its id that is nothing."""
        begun_for, begun = self._kept.get((key, ask.id), (ask, Begun()))
        return begun if is_same(begun_for, ask) else Begun()
