"""Many lines at once → records, with neighbouring pieces of one block joined.

An agent that floods its stdout, or a reader that comes late, finds hundreds of deltas in one chunk: folding
each alone would be most of the work, and nobody could see the difference. The order of records stays as it
is. This module must not know what a piece means.
"""

from collections.abc import Callable, Iterable
from typing import Any

from core.wire import stream as api
from core.wire.codec import Record, decode
from core.wire.framing import Oversized
from core.wire.records import StreamRecord


def decode_batch(lines: Iterable[bytes | Oversized]) -> list[Record | Oversized]:
    """What some lines say, blank ones left out; runs of deltas of the same block and kind are made one."""
    told: list[Record | Oversized] = []
    run: list[Any] = []
    kind: type = api.UnknownPiece
    index, parent = -1, None
    record: Any
    first: Any = None
    for line in lines:
        record = decode(line) if type(line) is bytes else line
        # Written out in one place: this is done once for each delta of a flood.
        if type(record) is StreamRecord and type(record.event) is api.BlockDelta:
            event = record.event
            piece = event.delta
            if run and type(piece) is kind and event.index == index and record.parent_tool_use_id == parent:
                run.append(piece)
                continue
            if run:
                told += _whole(first, run)
            first, run = record, [piece]
            kind, index, parent = type(piece), event.index, record.parent_tool_use_id
        elif record is not None:
            if run:
                told += _whole(first, run)
                run = []
            told.append(record)
    if run:
        told += _whole(first, run)
    return told


def _whole(first: StreamRecord, run: list[Any]) -> list[StreamRecord]:
    """A run of pieces, the first of them in the record it came in, as few records."""
    if len(run) == 1:  # so it is while an agent only streams
        return [first]
    assert isinstance(first.event, api.BlockDelta)
    index, parent = first.event.index, first.parent_tool_use_id
    join = _JOIN.get(type(run[0]))
    pieces = run if join is None else [join(run)]
    return [StreamRecord(api.BlockDelta(index, piece), parent) for piece in pieces]


_JOIN: dict[type, Callable[[list[Any]], api.Piece]] = {
    api.TextPiece: lambda run: api.TextPiece("".join([piece.text for piece in run])),
    api.ThinkingPiece: lambda run: api.ThinkingPiece("".join([piece.thinking for piece in run])),
    api.InputPiece: lambda run: api.InputPiece("".join([piece.partial_json for piece in run])),
}
"""Which kinds of piece can be joined, and how."""
