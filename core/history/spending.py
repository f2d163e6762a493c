"""What a session that still runs has used so far, subagents included: each look reads only what was added.

Everything here blocks: it is for a worker thread. This module must not know where prices come from.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from core.history.counting import count
from core.history.locate import agent_files
from core.history.reports import NO_MODEL, Cost
from core.history.tail import mark_before
from core.history.tally import Counts
from core.history.usage import Answer, better

PriceOf = Callable[[Answer], float | None]
"""What an answer cost by list prices, in US dollars; None where its model has none."""


class Priced(Struct, frozen=True, gc=False):
    """An answer and what it cost, in US dollars; `usd` None: its `model` has no price.

    `key` is that of the answer, `session_id` the session it was given in, `at` seconds since the epoch.
    """

    key: int
    session_id: str
    at: float
    usd: float | None
    model: str = ""


class Found(Struct, frozen=True):
    """What was found in the file of a session that runs: `answers` that are new, or of which more is known.

    `key` is its place on the deck; its process works on the session `session_id` since `since` (0: not told).
    """

    key: str
    session_id: str
    since: float
    answers: tuple[Priced, ...]


Tell = Callable[[Sequence[Found]], None]
"""Told what sessions cost that are not driven from here."""


class Spending:
    """The usage of the session whose own file is `path`."""

    def __init__(self, path: Path, price: PriceOf) -> None:
        """Nothing is read yet."""
        self.path = path
        self._price = price
        self._read: dict[Path, tuple[int, bytes, Counts]] = {}
        self._answers: dict[int, Answer] = {}
        self._usd = 0.0
        self._unpriced: dict[str, None] = {}

    @property
    def cost(self) -> Cost:
        """The estimate for all that was read, on whatever day, copies included."""
        return Cost(self._usd, unpriced=tuple(self._unpriced))

    def poll(self) -> tuple[Priced, ...]:
        """The answers that are new, or of which more is known, since the last look."""
        found: dict[int, Priced] = {}
        for file in (self.path, *agent_files(self.path)):
            for answer in self._look(file):
                if (priced := self._take(answer)) is not None:
                    found[answer.key] = priced
        return tuple(found.values())

    def _look(self, file: Path) -> tuple[Answer, ...]:
        end, mark, counts = self._read.get(file, (0, b"", Counts()))
        try:
            size = file.stat().st_size
            if size == end:
                return ()
            with file.open("rb") as opened:
                if size < end or mark_before(opened, end) != mark:
                    end, counts = 0, Counts()  # another file: its answers are told by their own ids
                counted = count(str(file), end, counts)
                mark = mark_before(opened, counted.end)
        except OSError:
            return ()
        self._read[file] = (counted.end, mark, counted.counts)
        return counted.answers

    def _take(self, answer: Answer) -> Priced | None:
        """Count an answer; None where no more of it is known than before."""
        known = self._answers.get(answer.key)
        best = answer if known is None else better(known, answer)
        if best is known:
            return None
        usd, model = self._price(best), best.model or NO_MODEL
        self._usd += (usd or 0.0) - ((self._price(known) or 0.0) if known is not None else 0.0)
        if usd is None:
            self._unpriced[model] = None
        self._answers[best.key] = best
        return Priced(best.key, best.session or self.path.stem, best.at, usd, model)
