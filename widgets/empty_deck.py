"""What the deck shows while there is no agent: one sentence and the keys that lead on."""

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from widgets.signs import KEY, MUTED

SENTENCE = "No agents yet. Start one and it will work here, beside the others you start."
LOOKING = "Looking for agents that still run …"
NOTE = "To see it at work first, with no account: quarterdeck demo"


def starting(names: Sequence[str]) -> str:
    """What is said while agents with these names are started."""
    return f"Starting {', '.join(names)} …"


class EmptyDeck(Widget):
    """The first minute."""

    DEFAULT_CSS = """
    EmptyDeck { content-align: center middle; text-align: left; width: 1fr; height: 1fr; padding: 0 2; }
    """

    def __init__(
        self,
        keys: Sequence[tuple[str, str]] = (("n", "new agent"), ("?", "help"), ("q", "quit")),
        sentence: str = SENTENCE,
        *,
        id: str | None = None,
    ) -> None:
        """Offer these (key, what it does) pairs under `sentence`."""
        super().__init__(id=id)
        self._keys = tuple(keys)
        self._sentence = sentence

    def say(self, sentence: str) -> None:
        """Say something else."""
        if sentence != self._sentence:
            self._sentence = sentence
            self.refresh()

    def render(self) -> Content:
        """The sentence, one key a line, and how to see more."""
        width = max((cell_len(key) for key, _ in self._keys), default=0)
        lines = [Content(self._sentence), Content("")]
        for key, label in self._keys:
            cells = key + " " * (width - cell_len(key))
            lines.append(Content.assemble((f"  {cells}", KEY), (f"  {label}", "")))
        lines += [Content(""), Content.styled(NOTE, MUTED)]
        return Content("\n").join(lines)
