"""What a session that still runs has used so far, subagents included: each look reads only what was added.

Everything here blocks: it is for a worker thread. This module must not know prices.
"""

from pathlib import Path

from core.history.counting import count
from core.history.locate import agent_files
from core.history.tally import Counts
from core.history.usage import Answer, Spent, better, spent


class Spending:
    """The usage of the session whose own file is `path`."""

    def __init__(self, path: Path) -> None:
        """Nothing is read yet."""
        self.path = path
        self._read: dict[Path, tuple[int, Counts]] = {}
        self._answers: dict[int, Answer] = {}

    def poll(self) -> tuple[Spent, ...] | None:
        """All of it, None where nothing was added since the last look."""
        added = [self._look(file) for file in (self.path, *agent_files(self.path))]
        return tuple(spent(self._answers.values())) if any(added) else None

    def _look(self, file: Path) -> bool:
        try:
            size = file.stat().st_size
            end, counts = self._read.get(file, (0, Counts()))
            if size < end:
                end, counts = 0, Counts()  # another file: its answers are told by their own ids
            if size == end:
                return False
            counted = count(str(file), end, counts)
        except OSError:
            return False
        self._read[file] = (counted.end, counted.counts)
        for answer in counted.answers:
            known = self._answers.get(answer.key)
            self._answers[answer.key] = answer if known is None else better(known, answer)
        return bool(counted.answers)
