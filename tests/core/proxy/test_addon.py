"""What the addon reports, without mitmdump: encodings, what is too much, and that no credential is told."""

import asyncio
import gzip
import os
import sys
import zlib
from types import SimpleNamespace
from typing import Any, TypeVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.proxy import addon
from core.proxy.addon import Addon, Following, Undecodable, decoder
from core.proxy.reports import AnyReport, Asked, Broke, Ended, Lost, Piece, Unreadable, decode_report
from tests.fakes.capture import HOST, body
from tests.fakes.lines import DATA

T = TypeVar("T")

SECRET = "sk-ant-api03-do-not-write-me"


class Reader:
    """The pipe, read at once; `full` as told."""

    def __init__(self) -> None:
        self.full = False
        self.lines: list[bytes] = []

    def tell(self, kind: str, **fields: Any) -> None:
        self.lines.append(msgspec.json.encode({"type": kind, "at": 1.0, **fields}))

    @property
    def reports(self) -> list[AnyReport]:
        found = [decode_report(line) for line in self.lines]
        assert None not in found
        return [report for report in found if report is not None]

    def of(self, kind: type[T]) -> list[T]:
        return [report for report in self.reports if isinstance(report, kind)]


def flow(**changes: Any) -> Any:
    """A flow as mitmproxy hands it over."""
    request = SimpleNamespace(
        method="POST",
        pretty_host=HOST,
        port=443,
        path="/v1/messages?beta=true",
        headers={
            "x-api-key": SECRET,
            "authorization": f"Bearer {SECRET}",
            "x-claude-code-request-class": "main",
        },
        get_content=lambda strict: b'{"model": "m"}',
    )
    response = SimpleNamespace(
        status_code=200, headers={"content-type": "text/event-stream", "set-cookie": SECRET}, stream=False
    )
    found = SimpleNamespace(id="f1", request=request, response=response, metadata={}, error=None)
    for name, value in changes.items():
        setattr(
            request if hasattr(request, name) else response if hasattr(response, name) else found, name, value
        )
    return found


def seen(*steps: str, **changes: Any) -> tuple[Reader, Any]:
    reader, passing = Reader(), flow(**changes)
    watching = Addon(frozenset({HOST, "gateway:8443"}), reader)
    for step in ("requestheaders", "request", *steps):
        getattr(watching, step)(passing)
    return reader, passing


def test_a_flow_is_told_from_its_request_to_its_end() -> None:
    reader, passing = seen("responseheaders")
    assert passing.response.stream(b"abc") == b"abc", "what goes on to the agent is what came"
    assert passing.response.stream(b"") == b""
    assert [type(report).__name__ for report in reader.reports] == ["Asked", "Answered", "Piece"]
    (asked,) = reader.of(Asked)
    assert (asked.host, asked.path, asked.body) == (HOST, "/v1/messages", b'{"model": "m"}')
    assert [piece.data for piece in reader.of(Piece)] == [b"abc"]


def test_no_header_with_a_credential_is_told() -> None:
    reader, _ = seen("responseheaders")
    assert not any(SECRET.encode() in line for line in reader.lines)


@pytest.mark.parametrize(
    "changes",
    [
        {"pretty_host": "example.com"},
        {"pretty_host": "gateway", "port": 443},
        {"path": "/api/event_logging/v2/batch"},
        {"path": "/v1/messages/count_tokens"},
    ],
)
def test_what_is_none_of_our_business_passes_untold_and_unbuffered(changes: dict[str, Any]) -> None:
    reader, passing = seen("responseheaders", "response", **changes)
    assert reader.lines == []
    assert passing.response.stream is True


def test_a_gateway_is_known_by_host_and_port() -> None:
    reader, _ = seen(pretty_host="gateway", port=8443, path="/anthropic/v1/messages")
    assert [asked.host for asked in reader.of(Asked)] == ["gateway:8443"]


def test_a_request_that_is_too_long_goes_without_its_body(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addon, "REQUEST_BYTES", 3)
    reader, _ = seen()
    assert [(asked.body, asked.whole) for asked in reader.of(Asked)] == [(b"", False)]


def test_a_reader_that_is_slow_makes_a_gap_and_no_delay() -> None:
    reader, passing = seen("responseheaders")
    passing.response.stream(b"one")
    reader.full = True
    assert passing.response.stream(b"two") == b"two"
    reader.full = False
    assert passing.response.stream(b"three") == b"three"
    assert [type(report) for report in reader.reports[2:]] == [Piece, Lost], "nothing is told after the gap"


@pytest.mark.parametrize(
    ("message", "by_client"),
    [
        ("Client disconnected.", True),
        ("stream reset by client (CANCEL)", True),
        ("peer closed connection without sending complete message body (incomplete chunked read)", False),
        ("Connection reset by peer", False),
    ],
)
def test_who_ended_it(message: str, by_client: bool) -> None:
    reader, _ = seen("responseheaders", "error", error=SimpleNamespace(msg=message))
    assert [(broke.why, broke.by_client) for broke in reader.of(Broke)] == [(message, by_client)]


# Encodings (case PXY-05)


def unpacked(encoding: str, pieces: list[bytes]) -> tuple[bytes, list[AnyReport]]:
    reader = Reader()
    following = Following(reader, 1)
    following.head(200, {"content-encoding": encoding})
    for piece in pieces:
        following.piece(piece)
    following.end()
    return b"".join(piece.data for piece in reader.of(Piece)), reader.reports


GZIP = (DATA / "cases" / "PXY-05.sse.gz").read_bytes()
BARE = zlib.compressobj(wbits=-zlib.MAX_WBITS)
PACKED = {
    "": body("PXY-01"),
    "identity": body("PXY-01"),
    "gzip": GZIP,
    "GZIP ": gzip.compress(body("PXY-01")[:100]) + gzip.compress(body("PXY-01")[100:]),
    "x-gzip": GZIP,
    "deflate": zlib.compress(body("PXY-01")),
}


@pytest.mark.parametrize("encoding", PACKED)
@given(cuts=st.lists(st.integers(0, 900), max_size=4))
def test_an_encoding_is_undone_however_it_is_cut(encoding: str, cuts: list[int]) -> None:
    packed = PACKED[encoding]
    edges = [0, *sorted(min(cut, len(packed)) for cut in cuts), len(packed)]
    text, reports = unpacked(encoding, [packed[edges[n] : edges[n + 1]] for n in range(len(edges) - 1)])
    assert text == body("PXY-01")
    assert reports[-1] == Ended(flow=1, at=1.0, truncated=False)


def test_case_pxy_05_gzip_in_three_chunks() -> None:
    third = len(GZIP) // 3
    assert unpacked("gzip", [GZIP[:third], GZIP[third : 2 * third], GZIP[2 * third :]])[0] == body("PXY-01")


def test_deflate_without_its_header() -> None:
    packed = BARE.compress(body("PXY-01")) + BARE.flush()
    assert unpacked("deflate", [packed])[0] == body("PXY-01")


def test_a_compressed_stream_that_breaks_off_is_told_to() -> None:
    text, reports = unpacked("gzip", [GZIP[:-40]])
    assert body("PXY-01").startswith(text)
    assert reports[-1] == Ended(flow=1, at=1.0, truncated=True)


@pytest.mark.parametrize(
    ("encoding", "data", "why"),
    [("zz", b"abc", "not known"), ("gzip", b"no gzip at all", "broken"), ("gzip, br", b"x", "not known")],
)
def test_what_cannot_be_undone_is_said_once_and_never_guessed(encoding: str, data: bytes, why: str) -> None:
    text, reports = unpacked(encoding, [data, data])
    assert text == b""
    (told,) = [report for report in reports if isinstance(report, Unreadable)]
    assert why in told.why


@pytest.mark.parametrize(("encoding", "library"), [("br", "brotli"), ("zstd", "zstandard")])
def test_a_library_that_is_not_there_is_said_to_be_missing(
    encoding: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(Undecodable, match="library"):
        decoder(encoding)


def test_a_chunk_that_unpacks_to_too_much() -> None:
    bomb = gzip.compress(b"\0" * (addon.INFLATED_BYTES + 1))
    text, reports = unpacked("gzip", [bomb])
    assert text == b""
    assert [report.why for report in reports if isinstance(report, Unreadable)] == [
        "unpacks to more than can be followed"
    ]


def test_many_small_ones_in_a_chunk_are_too_much_together() -> None:
    bombs = gzip.compress(b"\0" * (addon.INFLATED_BYTES // 2)) * 40
    with pytest.raises(Undecodable, match="more than can be followed"):
        decoder("gzip").feed(bombs)


def test_a_library_without_a_limit_is_fed_in_bites() -> None:
    fed = list[int]()

    def unpack(data: bytes) -> bytes:
        fed.append(len(data))
        return bytes(2**20)

    with pytest.raises(Undecodable, match="more than can be followed"):
        addon.Foreign(unpack, lambda: False).feed(b"x" * 2**20)
    assert len(fed) == addon.INFLATED_BYTES // 2**20 + 1
    assert max(fed) == addon.BITE_BYTES


def test_what_follows_the_end_of_a_body_is_nobodys() -> None:
    once = addon.Foreign(bytes, lambda: True)
    assert once.feed(b"x" * 200) == b"x" * addon.BITE_BYTES


async def test_the_pipe_keeps_what_its_reader_has_not_taken_and_says_when_that_is_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(addon, "BUFFER_BYTES", 1000)
    read, write = os.pipe()
    ended = asyncio.Event()
    pipe = addon.Pipe(write, ended.set)
    assert pipe.full, "nothing can be told before it is open"
    await pipe.open()
    for _ in range(100):
        pipe.tell("piece", flow=1, data=b"x" * 2000)
    assert pipe.full
    os.close(read)
    await asyncio.wait_for(ended.wait(), 5)
