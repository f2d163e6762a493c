"""Neighbouring pieces of one block, joined into one before they become events.

An agent that floods its stdout, or a reader that comes late, finds hundreds of deltas in one chunk: folding
each alone would be most of the work, and nobody could see the difference. The order of records stays as it
is. This module must not know what a piece means.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, overload

from core.wire import stream as api
from core.wire.codec import Record
from core.wire.framing import Oversized
from core.wire.records import StreamRecord


@overload
def joined(records: Iterable[Record | None]) -> Iterator[Record]: ...
@overload
def joined(records: Iterable[Record | Oversized | None]) -> Iterator[Record | Oversized]: ...
def joined(records: Iterable[Record | Oversized | None]) -> Iterator[Record | Oversized]:
    """The records, blank lines left out, runs of deltas of the same block and kind made one."""
    first: StreamRecord | None = None
    run: list[Any] = []
    for record in records:
        if type(record) is StreamRecord and type(record.event) is api.BlockDelta:
            if first is not None and _continues(first, record):
                run.append(record.event.delta)
                continue
            if first is not None:
                yield _whole(first, run)
            first, run = record, [record.event.delta]
        elif record is not None:
            if first is not None:
                yield _whole(first, run)
                first = None
            yield record
    if first is not None:
        yield _whole(first, run)


def _continues(first: StreamRecord, record: StreamRecord) -> bool:
    before, after = first.event, record.event
    return (
        before.index == after.index  # type: ignore[union-attr]
        and type(before.delta) is type(after.delta)  # type: ignore[union-attr]
        and type(after.delta) in _JOIN  # type: ignore[union-attr]
        and first.parent_tool_use_id == record.parent_tool_use_id
    )


def _whole(first: StreamRecord, run: list[Any]) -> StreamRecord:
    if len(run) == 1:
        return first
    event = first.event
    assert isinstance(event, api.BlockDelta)
    piece = _JOIN[type(event.delta)](run)
    return StreamRecord(api.BlockDelta(event.index, piece), first.parent_tool_use_id)


_JOIN: dict[type, Callable[[list[Any]], api.Piece]] = {
    api.TextPiece: lambda run: api.TextPiece("".join([piece.text for piece in run])),
    api.ThinkingPiece: lambda run: api.ThinkingPiece("".join([piece.thinking for piece in run])),
    api.InputPiece: lambda run: api.InputPiece("".join([piece.partial_json for piece in run])),
}
"""Which kinds of piece can be joined, and how."""
