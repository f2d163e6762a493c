"""What sessions used, in tokens: each answer of the API once, however often it is written.

An answer is several lines, and its lines are copied into resumed and forked files (FACTS §7.1): per
(message id, request id) the line with the largest output counts (cases USE-01, USE-02). Answers are added
up by quarter hours, so that days can be cut in any time zone afterwards (case USE-09). Pure: this module
must not know files, and prices only as a table it is given.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b

from msgspec import Struct

from core.history.prices import FAST, MILLION, Rates, band_of
from core.wire.transcript import LineUsage

QUARTER_S = 900
"""Every time zone of today begins its days at a quarter hour."""

_MOST = 2**40

SYNTHETIC = "<synthetic>"
"""The model name of the CLI's own words, which cost nothing."""


class Tokens(Struct, frozen=True, array_like=True, gc=False):
    """Counts of tokens by what they cost, and of web searches."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0
    web_searches: int = 0

    def __add__(self, other: "Tokens") -> "Tokens":
        """Both together."""
        return Tokens(*(mine + theirs for mine, theirs in zip(self.counts, other.counts, strict=True)))

    @property
    def counts(self) -> tuple[int, ...]:
        """All counts, in the order of the fields."""
        return (
            self.input,
            self.output,
            self.cache_read,
            self.cache_write_5m,
            self.cache_write_1h,
            self.web_searches,
        )

    @property
    def total(self) -> int:
        """All tokens, read or written."""
        return self.context + self.output

    @property
    def context(self) -> int:
        """All that went in."""
        return self.input + self.cache_read + self.cache_write_5m + self.cache_write_1h

    def cost_usd(self, rates: Rates) -> float:
        """What they cost."""
        return (
            self.input * rates.input
            + self.output * rates.output
            + self.cache_read * rates.cache_read
            + self.cache_write_5m * rates.cache_write_5m
            + self.cache_write_1h * rates.cache_write_1h
        ) / MILLION + self.web_searches * rates.web_search


class Answer(Struct, frozen=True, array_like=True, gc=False):
    """One answer of the API: `key` is a number made from its ids, `at` seconds since the epoch.

    `session` is the one it was given in, where a file holds a copy of it; "" is the file's own.
    """

    key: int
    at: float
    model: str
    tokens: Tokens
    fast: bool = False
    session: str = ""

    @property
    def band(self) -> int:
        """In which band of prices its input is."""
        return band_of(self.tokens.context)


Ids = tuple[str | None, str | None]
"""What the lines and copies of one answer share: ids of message and request, or None and that of the line."""


class Written(Struct, frozen=True, gc=False):
    """What one line tells of an answer; `at` is its moment or, if it has none, that of the line before.

    `session` is the one it was copied from, "" where it was not.
    """

    ids: Ids
    model: str | None
    usage: LineUsage
    at: float
    session: str = ""


def answer_of(line: Written) -> Answer:
    """The answer a line tells of."""
    one, other = line.ids
    name = f"{one or ''}\0{other or ''}".encode("utf-8", "replace")
    key = int.from_bytes(blake2b(name, digest_size=8).digest()) >> 1
    fast = line.usage.speed == FAST
    return Answer(key, line.at, line.model or "", tokens_of(line.usage), fast, line.session)


def tokens_of(usage: LineUsage) -> Tokens:
    """The counts of a line, whatever is missing: cache writes of unknown tier are 5-minute ones (USE-04)."""
    tiers, tools, written = usage.cache_creation, usage.server_tool_use, usage.cache_creation_input_tokens
    told = (
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_input_tokens,
        written,
        tiers.ephemeral_5m_input_tokens if tiers is not None else 0,
        tiers.ephemeral_1h_input_tokens if tiers is not None else 0,
        tools.web_search_requests if tools is not None else 0,
    )
    # What can be added up: none is zero, nonsense too
    read, said, cached, total, short, long, searches = [
        number if number is not None and 0 <= number < _MOST else 0 for number in told
    ]
    if written is None:
        total = short + long
    elif long > total:
        long = total
    return Tokens(read, said, cached, total - long, long, searches)


def better(one: Answer, other: Answer) -> Answer:
    """What is known of one answer from two of its lines: the largest output counts."""
    if one.tokens.output == other.tokens.output:
        return one if one.tokens.context >= other.tokens.context else other
    return one if one.tokens.output > other.tokens.output else other


def once(answers: Iterable[Answer]) -> dict[int, Answer]:
    """Each answer once, by key."""
    found: dict[int, Answer] = {}
    for answer in answers:
        known = found.get(answer.key)
        found[answer.key] = answer if known is None else better(known, answer)
    return found


class Spent(Tokens, frozen=True, array_like=True, gc=False):
    """What was used of one model in the quarter hour that begins at `at`, in one band of prices.

    The counts are its own fields: thousands are read and added up for a report, where each object counts.
    """

    at: int = 0
    model: str = ""
    answers: int = 1
    fast: bool = False
    band: int = 0

    @property
    def priced_as(self) -> str:
        """The model as a table of prices knows it."""
        return priced_as(self.model, fast=self.fast)


def priced_as(model: str, *, fast: bool) -> str:
    """A model as a table of prices knows it: fast mode has other prices."""
    return f"{model} ({FAST})" if fast else model


class Used(Struct, frozen=True, gc=False):
    """What a session used: itself, or one of its subagents that has a file of its own (`agent`)."""

    session_id: str
    spent: Sequence[Spent]
    agent: str = ""

    def within(self, since: float, until: float) -> "Used":
        """Only what was used in quarter hours that begin in [since, until)."""
        spent = [one for one in self.spent if since <= one.at < until]
        return Used(self.session_id, spent, self.agent)


def spent(answers: Iterable[Answer]) -> Iterator[Spent]:
    """Answers, each there once, added up."""
    groups: dict[tuple[int, str, bool, int], list[tuple[int, ...]]] = defaultdict(list)
    for answer in answers:
        counts = answer.tokens.counts
        band = band_of(counts[0] + counts[2] + counts[3] + counts[4])
        groups[int(answer.at // QUARTER_S), answer.model, answer.fast, band].append(counts)
    for (quarter, model, fast, band), found in groups.items():
        sums = [sum(column) for column in zip(*found, strict=True)]
        yield spent_of(sums, quarter * QUARTER_S, model, len(found), fast, band)


def spent_of(counts: Sequence[int], at: int, model: str, answers: int, fast: bool, band: int) -> Spent:
    """What was used from its counts, in the order of `Tokens`."""
    read, said, cached, short, long, searches = counts
    return Spent(read, said, cached, short, long, searches, at, model, answers, fast, band)
