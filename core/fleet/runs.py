"""Who worked on a session when: the CLI tells what it costs where it is driven, and nobody does elsewhere.

A session may be driven, go on in a terminal, and be driven again: each answer in its transcript belongs to
the process that was started last before it. Pure; it must not know money.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct


class Run(Struct, frozen=True, array_like=True):
    """A process worked on a session from `at` on (seconds since the epoch); `driven`: by a dashboard."""

    at: float
    driven: bool


def is_driven(runs: Sequence[Run], at: float) -> bool:
    """Whether an answer given at that moment was one of a driven agent; `runs` are in order of time."""
    return next((run.driven for run in reversed(runs) if run.at <= at), False)


def joined(one: Iterable[Run], other: Iterable[Run]) -> tuple[Run, ...]:
    """What two dashboards know together, in order of time: who drives a process knows it, others do not."""
    found: dict[float, bool] = {}
    for run in (*one, *other):
        found[run.at] = found.get(run.at, False) or run.driven
    return tuple(Run(at, found[at]) for at in sorted(found))
