"""Server-Sent Events come out the same, however the bytes were cut."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.proxy.sse import EventSplitter, ServerEvent
from tests.fakes.capture import body, chunks

PIECES = [
    b"data: x",
    b"data:",
    b"event: e",
    b":note",
    b"\n",
    b"\r",
    b"\r\n",
    b"id: 1",
    "本".encode(),
    b"\xef\xbb\xbf",
]
streams = st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join)


def records_of(pieces: list[bytes], limit: int = 10_000) -> tuple[list[ServerEvent], int]:
    splitter = EventSplitter(limit)
    found = [record for piece in pieces for record in splitter.feed(piece)]
    return [*found, *splitter.flush()], splitter.oversized


def cut(stream: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    return [stream[start:end] for start, end in itertools.pairwise(edges)]


@given(streams, st.lists(st.integers(0, 120)), st.sampled_from([8, 20, 10_000]))
def test_any_chunking_gives_the_same_records(stream: bytes, cuts: list[int], limit: int) -> None:
    whole, byte_by_byte = records_of([stream], limit), records_of([bytes([one]) for one in stream], limit)
    assert records_of(cut(stream, cuts), limit) == whole == byte_by_byte


@given(streams)
def test_the_kind_of_line_end_never_shows(stream: bytes) -> None:
    plain = stream.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    assert (
        records_of([plain])
        == records_of([plain.replace(b"\n", b"\r\n")])
        == records_of([plain.replace(b"\n", b"\r")])
    )


@pytest.mark.parametrize(
    ("stream", "records"),
    [
        (b"event: ping\ndata: {}\n\n", [ServerEvent(b"{}", b"ping")]),
        (b"data: {}\n\n", [ServerEvent(b"{}")]),
        (b"data:{}\n\n", [ServerEvent(b"{}")]),
        (b"data:  two\n\n", [ServerEvent(b" two")]),
        (b"data: a\ndata: b\n\n", [ServerEvent(b"a\nb")]),
        (b"data: b\nevent: after\nid: 3\nretry: 4\n\n", [ServerEvent(b"b", b"after")]),
        (b": a comment\n\n\n\ndata: x\n\n", [ServerEvent(b"x")]),
        (b"event: no data\n\n", []),
        (b"data\n\n", [ServerEvent(b"")]),
        (b"\xef\xbb\xbfdata: x\n\n", [ServerEvent(b"x")]),
        (b"data: left open\n", [ServerEvent(b"left open")]),
        ("data: a\u2028b\x85c\n\n".encode(), [ServerEvent("a\u2028b\x85c".encode())]),
    ],
)
def test_what_is_a_record(stream: bytes, records: list[ServerEvent]) -> None:
    assert records_of([stream])[0] == records


def test_a_record_over_the_limit_costs_only_itself() -> None:
    stream = b"data: 1\n\ndata: " + b"x" * 100 + b"\n\ndata: 2\n\n"
    for pieces in ([stream], [bytes([one]) for one in stream]):
        assert records_of(pieces, 50) == ([ServerEvent(b"1"), ServerEvent(b"2")], 1)


def test_case_pxy_01_however_it_is_cut() -> None:
    """The handed chunks cut inside 本, inside 🚀 and inside the word "event"."""
    whole = records_of([body("PXY-01")])[0]
    handed = chunks("PXY-01")
    assert b"".join(handed) == body("PXY-01"), "what the client gets is what upstream sent"
    assert records_of(handed)[0] == records_of([bytes([one]) for one in body("PXY-01")])[0] == whole
    assert json.loads(whole[3].data)["delta"]["text"] == "日本🚀"
