"""Reads the texts of a file for the index, as rows that are ready to be put in.

A text's number is made from its moment, so that the order of numbers is the order of time. This module must
not know the catalogue nor queries.
"""

from collections.abc import Iterator
from functools import lru_cache
from io import FileIO

from msgspec import Struct

from core.history.lines import lines
from core.history.texts import ROLES, Role, Said, parts_in, searchable

MOST_CALLS = 256
"""Of how many calls without a result the tool is remembered until the file grows."""

_CHUNK = 2**20
_ROLE = {role: number for number, role in enumerate(ROLES)}
_SEQUENCES, _FILES = 1 << 8, 1 << 12
_TIMES = _SEQUENCES * _FILES
"""A number is a moment in ms, then a file, then a count: none twice, and in the order of time."""
_LATEST_S = 2**63 // _TIMES // 1000 - 1  # SQLite's numbers have 64 bits: it is in 2248


def first_number(at: float) -> int:
    """The smallest number of a text that was said at a moment (seconds since the epoch) or later."""
    return int(min(max(at, 0.0), _LATEST_S) * 1000) * _TIMES


def moment(number: int) -> float:
    """When a text was said, in seconds since the epoch."""
    return number // _TIMES / 1000


def facet(kind: str, name: str) -> str:
    """The word a property of a text is found by: letters and digits only."""
    return kind + name.lower().encode("utf-8", "replace").hex()


class Unread(Struct, frozen=True):
    """A part of the file `name` whose texts are wanted; `id` is the catalogue's.

    `calls` are the tools of calls without a result so far, by the call's id. Texts without a time have that
    of the one before, the first `at`; none is later than `now`.
    """

    id: int
    name: str
    start: int
    end: int
    calls: dict[str, str]
    at: float
    now: float

    @property
    def to_read(self) -> int:
        """How much it is, in bytes."""
        return self.end - self.start


class Row(Struct, frozen=True, gc=False):
    """A text, where its line stands, and the words its properties are found by."""

    number: int
    file: int
    offset: int
    length: int
    part: int
    role: int
    tool: str
    model: str
    error: bool
    text: str
    facets: str


class Harvest(Struct, frozen=True):
    """The texts of an `Unread`, with `chars` together; `calls` as there. None where it could not be read."""

    unread: Unread
    rows: list[Row] | None
    calls: dict[str, str] = {}
    chars: int = 0


def harvest(unread: Unread) -> Harvest:
    """Read the texts. Blocks."""
    calls = dict(unread.calls)
    try:
        rows = list(_rows(unread, calls))
    except OSError:
        return Harvest(unread, None)  # gone: the next run takes it out
    chars = sum(len(row.text) for row in rows)
    return Harvest(unread, rows, dict(list(calls.items())[-MOST_CALLS:]), chars)


def _rows(unread: Unread, calls: dict[str, str]) -> Iterator[Row]:
    at, sequence = unread.at, unread.start
    with FileIO(unread.name) as file:
        for line in lines(file, unread.start, unread.end, _CHUNK):
            for part, told, said in parts_in(line.raw):
                at = told or at
                sequence += 1
                number = first_number(min(at, unread.now)) + _place(unread.id, sequence)
                yield _row(number, unread.id, (line.offset, len(line.raw), part), said, _tool(said, calls))


def _place(file: int, sequence: int) -> int:
    return file % _FILES * _SEQUENCES + sequence % _SEQUENCES


def _tool(said: Said, calls: dict[str, str]) -> str:
    """The tool of a call, and of a result the one that was called."""
    if said.role == "tool":
        calls[said.call_id] = said.tool
        return said.tool
    return calls.pop(said.call_id, "") if said.role == "result" else ""


def _row(number: int, file: int, place: tuple[int, int, int], said: Said, tool: str) -> Row:
    offset, length, part = place
    facets = _facets(said.role, tool, said.model, said.error)
    text, role = searchable(said.text), _ROLE[said.role]
    return Row(number, file, offset, length, part, role, tool, said.model, said.error, text, facets)


@lru_cache(maxsize=1024)
def _facets(role: Role, tool: str, model: str, error: bool) -> str:
    facets = [facet("r", role)]
    if tool:
        facets.append(facet("t", tool))
    if model:
        facets.append(facet("m", model))
    if error:
        facets.append("e1")
    return " ".join(facets)
