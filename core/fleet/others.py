"""What sessions cost that are not driven from here: estimates, answer by answer, each counted once.

An answer stands in its session's transcript and, copied, in those of its forks: it belongs to the session it
was given in. What a driven agent was answered is told by the CLI itself and is not estimated as well. It
must not know files, limits, nor where prices come from.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from core.fleet.runs import Run, is_driven

if TYPE_CHECKING:
    from core.history.spending import Found, Priced


class Estimate(Struct, frozen=True):
    """US dollars by list prices, without what the models `unpriced` cost; `answers` says of how many.

    Answers of a driven agent are among the `answers`, not in the money: who has seen more knows better.
    """

    usd: float = 0.0
    answers: int = 0
    unpriced: tuple[str, ...] = ()

    def __add__(self, other: "Estimate") -> "Estimate":
        """Both together."""
        names = dict.fromkeys((*self.unpriced, *other.unpriced))
        return Estimate(self.usd + other.usd, self.answers + other.answers, tuple(names))


class _Home(Struct, frozen=True):
    """The session of a file: its `key` on the deck, and since when its process works on it."""

    key: str
    since: float


class _Known(Struct):
    """An answer, and the sessions in whose files it stands; `sure` that it is no copy of unknown origin."""

    answer: "Priced"
    sure: bool
    homes: set[str]


class Basis(Struct, frozen=True):
    """What is counted: the day from `begin` until before `end`, and what the sessions on the deck cost.

    `since` has these, and the moments their processes started. `runs` tells which answers were driven ones.
    """

    begin: float
    end: float
    since: Mapping[str, float] = {}
    runs: Mapping[str, tuple[Run, ...]] = {}


class Counted(Struct, frozen=True):
    """What one session has cost on the `day`, and what of it those on the `deck` did."""

    day: Estimate = Estimate()
    deck: Estimate = Estimate()


class Others:
    """The answers of all sessions that were seen and are not driven from here."""

    def __init__(self) -> None:
        """None was seen."""
        self._known: dict[int, _Known] = {}
        self._given_in: dict[str, set[int]] = defaultdict(set)
        self._homes: dict[str, _Home] = {}
        self._basis = Basis(0.0, 0.0)
        self._counted: dict[str, Counted] = {}
        self._stale: set[str] = set()

    def add(self, found: "Found", begin: float) -> None:
        """Take in what was found in a session's file; the day began at `begin`.

        What is older than that and than its process counts nowhere.
        """
        before = self._homes.get(found.session_id)
        since = min(found.since, before.since) if before is not None else found.since
        self._homes[found.session_id] = _Home(found.key, since)
        for answer in found.answers:
            if answer.at >= min(since, begin):
                sure = answer.session_id != found.session_id or answer.at >= since
                self._take(answer, found.session_id, sure=sure)

    def _take(self, answer: "Priced", home: str, *, sure: bool) -> None:
        known = self._known.setdefault(answer.key, _Known(answer, sure, set()))
        known.homes.add(home)
        if sure and not known.sure:
            self._given_in[known.answer.session_id].discard(answer.key)
            self._stale.add(known.answer.session_id)
            known.answer, known.sure = answer, True
        elif (answer.usd or 0.0) > (known.answer.usd or 0.0):
            known.answer = replace(answer, session_id=known.answer.session_id)
        self._given_in[known.answer.session_id].add(answer.key)
        self._stale.add(known.answer.session_id)

    def on_deck(self, keys: Collection[str]) -> dict[str, float]:
        """The sessions that stand on the deck as one of `keys`, and since when their processes work."""
        return {home: place.since for home, place in self._homes.items() if place.key in keys}

    def count(self, basis: Basis) -> Mapping[str, Counted]:
        """What each session has cost; only those of which something is new are added up again."""
        stale = self._stale if basis == self._basis else set(self._given_in)
        self._basis, self._stale = basis, set()
        for session_id in stale:
            self._counted[session_id] = self._count(session_id)
        return self._counted

    def _count(self, session_id: str) -> Counted:
        basis, runs = self._basis, self._basis.runs.get(session_id, ())
        known = [self._known[key] for key in self._given_in[session_id]]
        today = (one.answer for one in known if basis.begin <= one.answer.at < basis.end)
        here = (one.answer for one in known if _is_since(one, basis.since))
        return Counted(_sum(today, runs), _sum(here, runs))

    def forget(self, keys: Collection[str], begin: float) -> None:
        """Another day began at `begin`: what counted for the one before only, is let go."""
        self._homes = {home: place for home, place in self._homes.items() if place.key in keys}
        oldest = min([begin, *(place.since for place in self._homes.values())])
        self._known = {key: known for key, known in self._known.items() if known.answer.at >= oldest}
        self._given_in.clear()
        for key, known in self._known.items():
            self._given_in[known.answer.session_id].add(key)
        self._basis, self._counted = Basis(0.0, 0.0), {}


def _is_since(known: _Known, since: Mapping[str, float]) -> bool:
    """Whether one of the processes that work since these moments was given the answer."""
    return any(known.answer.at >= since[home] for home in known.homes if home in since)


def _sum(answers: Iterable["Priced"], runs: Sequence[Run]) -> Estimate:
    usd, count, unpriced = 0.0, 0, dict[str, None]()
    for answer in answers:
        count += 1
        if is_driven(runs, answer.at):
            continue
        if answer.usd is None:
            unpriced[answer.model] = None
        else:
            usd += answer.usd
    return Estimate(usd, count, tuple(unpriced))
