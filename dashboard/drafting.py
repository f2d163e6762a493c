"""What is written and not sent: from the prompt box into the file that outlives the terminal, and back.

It must not know a key or a screen.
"""

from core.fleet.fleet import Fleet
from dashboard.drafts import EVERYBODY, Drafts
from widgets.prompt_box import PromptBox
from widgets.prompt_draft import Draft


class Drafting:
    """The drafts of the prompt box, and the one of what several agents are to be told (`everybody`)."""

    def __init__(self, fleet: Fleet, prompt: PromptBox, drafts: Drafts) -> None:
        """`drafts` has what was kept last; nothing of it is shown before `begin`."""
        self.everybody = Draft()
        self._fleet = fleet
        self._prompt = prompt
        self._drafts = drafts
        self._waiting = dict(drafts.kept)

    def begin(self) -> None:
        """The agents that live are known: each has its own again."""
        self.everybody.text = self._waiting.pop(EVERYBODY, "")
        self.restore()

    def restore(self) -> None:
        """What was written before is there again with its agent; those far away come when they come."""
        for key in [key for key in self._waiting if key in self._fleet.sessions]:
            self._prompt.restore(key, self._waiting.pop(key))

    def keep(self) -> None:
        """What is written and not sent must outlive the terminal, as its agent does. Blocking, a few KB."""
        written = {key: text for key, text in self._prompt.drafts.items() if self._fleet.outlives(key)}
        everybody = self.everybody.whole(self.everybody.text)
        self._drafts.keep({**self._waiting, **written, EVERYBODY: everybody})
