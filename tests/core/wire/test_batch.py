"""Joining neighbouring deltas changes nothing but their number."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.session.entries import Entry, SpeechEntry, ToolEntry
from core.session.session import Session
from core.session.state import SessionState
from core.sources.stream import StreamSource
from core.wire.batch import decode_batch
from core.wire.codec import Record, decode, encode
from core.wire.framing import Oversized
from core.wire.records import KeepAliveRecord, StreamRecord
from core.wire.stream import BlockDelta, InputPiece, Piece, SignaturePiece, TextPiece, ThinkingPiece
from tests.fakes.lines import RECORDED, recorded


def batch(lines: Sequence[bytes]) -> list[Record]:
    return [record for record in decode_batch(lines) if not isinstance(record, Oversized)]


def delta(piece: Piece, index: int = 0, parent: str | None = None) -> StreamRecord:
    return StreamRecord(BlockDelta(index, piece), parent)


def read_of(entry: Entry) -> tuple[object, ...]:
    match entry:
        case SpeechEntry():
            return (entry.thinking, entry.text)
        case ToolEntry():
            return (entry.tool, entry.input_json, entry.result, entry.state)
    return (type(entry),)


def told(records: Sequence[Record]) -> tuple[SessionState, list[tuple[object, ...]]]:
    source, session = StreamSource(), Session(SessionState(key="k"))
    for record in records:
        for event in source.events(record, 0):
            session.apply(event)
    threads = session.conversation.threads
    return session.state, [read_of(entry) for name in threads for entry in session.conversation.entries(name)]


@pytest.mark.parametrize("name", RECORDED)
def test_a_session_is_the_same_either_way(name: str) -> None:
    records = [record for record in map(decode, recorded(name)) if record is not None]
    fewer = batch(recorded(name))
    assert len(fewer) <= len(records)
    assert told(fewer) == told(records)


pieces = st.one_of(
    st.builds(TextPiece, st.text(max_size=3)),
    st.builds(ThinkingPiece, st.text(max_size=3)),
    st.builds(InputPiece, st.text(max_size=3)),
)
streams = st.lists(st.builds(delta, pieces, st.integers(0, 1), st.sampled_from([None, "T1"])))


def spelled(records: Sequence[Record]) -> list[tuple[str, int, type, str]]:
    """Each character with where it belongs, in order."""
    found = []
    for record in records:
        assert isinstance(record, StreamRecord)
        assert isinstance(record.event, BlockDelta)
        piece = record.event.delta
        text = getattr(piece, piece.__struct_fields__[0])
        parent = record.parent_tool_use_id or ""
        found += [(parent, record.event.index, type(piece), character) for character in text]
    return found


@given(streams)
def test_no_character_moves(records: list[StreamRecord]) -> None:
    fewer = batch([encode(record) for record in records])
    assert spelled(fewer) == spelled(records)
    places = [(r.parent_tool_use_id, r.event.index, type(r.event.delta)) for r in fewer]  # type: ignore[union-attr]
    assert all(before != after for before, after in pairwise(places))


def test_anything_between_keeps_its_place() -> None:
    between = KeepAliveRecord()
    a, b, c = (delta(TextPiece(text)) for text in "abc")
    lines = [encode(a), encode(between), encode(b), b"", encode(c)]
    assert batch(lines) == [a, between, delta(TextPiece("bc"))]


def test_pieces_that_cannot_be_joined_are_not() -> None:
    assert len(batch([encode(delta(SignaturePiece()))] * 2)) == 2


def test_a_line_that_was_too_long_passes_at_its_place() -> None:
    dropped = Oversized(10, b"head")
    assert decode_batch([encode(delta(TextPiece("a"))), dropped]) == [delta(TextPiece("a")), dropped]


def test_a_delta_alone_stays_the_record_it_is() -> None:
    line = encode(delta(TextPiece("one")))
    assert batch([line]) == [decode(line)]
    assert batch([line, encode(KeepAliveRecord()), line]) == [decode(line), KeepAliveRecord(), decode(line)]
