import itertools
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.wire.framing import LineSplitter, Oversized

pieces = st.lists(
    st.sampled_from([b"a", b"bc", b"\n", b"\r", b"\r\n", b"\x85", "\u2028".encode(), b"x" * 30])
)


def lines_of(chunks: list[bytes], limit: int) -> list[bytes | Oversized]:
    splitter = LineSplitter(limit)
    lines = [line for chunk in chunks for line in splitter.feed(chunk)]
    return lines + splitter.flush()


def chunks_of(stream: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    return [stream[start:end] for start, end in itertools.pairwise(edges)]


@given(pieces.map(b"".join), st.lists(st.integers(0, 300)), st.sampled_from([5, 29, 100, 10_000]))
def test_any_chunking_gives_the_same_lines(stream: bytes, cuts: list[int], limit: int) -> None:
    assert lines_of(chunks_of(stream, cuts), limit) == lines_of([stream], limit)


@given(pieces.map(b"".join))
def test_lines_are_what_split_at_newline_says(stream: bytes) -> None:
    expected = stream.split(b"\n")
    if not expected[-1]:
        expected.pop()
    assert lines_of([stream], 10_000) == [line.removesuffix(b"\r") for line in expected]


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (b"", []),
        (b"\n", [b""]),
        (b"\r\n", [b""]),
        (b"a\r\r\nb", [b"a\r", b"b"]),
        (b"a\rb\n", [b"a\rb"]),
        ("a\u2028b\x85c\n".encode(), ["a\u2028b\x85c".encode()]),
        (b'{"half":', [b'{"half":']),
        (b"one\n\ntwo\n", [b"one", b"", b"two"]),
    ],
)
def test_only_newline_ends_a_line(stream: bytes, expected: list[bytes]) -> None:
    assert lines_of([stream], 100) == expected


def test_a_line_over_the_limit_is_dropped_and_the_next_is_whole() -> None:
    big = b"B" * 1000
    assert lines_of([b"one\n" + big, big + b"\ntwo\n"], 999) == [b"one", Oversized(2000, b"B" * 200), b"two"]


def test_the_limit_is_per_line_not_for_the_stream() -> None:
    assert lines_of([b"12345\n"] * 50, 5) == [b"12345"] * 50


def test_a_dropped_line_keeps_only_its_head_in_memory() -> None:
    splitter = LineSplitter(1000)
    for _ in range(100):
        splitter.feed(b"x" * 10_000)
    assert splitter.pending == 1_000_000
    assert sys.getsizeof(splitter._open) < 2000


def test_memory_returns_after_a_large_line() -> None:
    splitter = LineSplitter()
    for _ in range(100):
        splitter.feed(b"x" * 100_000)
    splitter.feed(b"\n")
    assert sys.getsizeof(splitter._open) < 100


def test_a_line_at_the_limit_in_pipe_sized_chunks_is_linear() -> None:
    def seconds(size: int) -> float:
        splitter, chunk, start = LineSplitter(), b"x" * 65_536, time.process_time()
        for _ in range(size // len(chunk)):
            assert splitter.feed(chunk) == []
        (line,) = splitter.feed(b"\n")
        assert isinstance(line, bytes)
        assert len(line) == size
        return time.process_time() - start

    small, large = min(seconds(4 << 20) for _ in range(3)), seconds(64 << 20)
    assert large < 1 or large / small < 100  # quadratic would be 256 times
