"""The lines of a damaged file, forwards and backwards."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.history import lines as module
from core.history.lines import PADDED, TOO_LONG, Line, Lines, lines, lines_backwards, side_by_side

SMALL = st.lists(st.binary(max_size=12).map(lambda raw: raw.replace(b"\n", b"")), max_size=12).map(b"\n".join)


def forwards(data: bytes) -> list[Line]:
    return list(lines(io.BytesIO(data)))


def backwards(data: bytes) -> list[Line]:
    return list(lines_backwards(io.BytesIO(data), len(data)))


def test_offsets_padding_and_the_torn_end() -> None:
    data = b"\xef\xbb\xbfone\r\n\n" + b"\0" * 9 + b"\n\0\0two\nthr"
    assert forwards(data) == [
        Line(0, b"one"),
        Line(9, b"", damage=PADDED),
        Line(19, b"two"),
        Line(25, b"thr", whole=False),
    ]


def test_a_line_separator_of_unicode_ends_no_line() -> None:
    data = "one\u2028two\x85\n".encode()
    assert [line.raw for line in forwards(data)] == ["one\u2028two\x85".encode()]


def test_a_part_of_a_file() -> None:
    assert [line.raw for line in lines(io.BytesIO(b"a\nb\nc\n"), 2, 4)] == [b"b"]


@pytest.mark.parametrize("read", [lambda data: forwards(data), lambda data: backwards(data)[::-1]])
def test_of_a_line_over_the_limit_only_its_place_is_told(
    read: Callable[[bytes], list[Line]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LINE_LIMIT", 10)
    monkeypatch.setattr(module, "CHUNK", 4)
    found = read(b"a\n" + b"x" * 40 + b"\nb\n" + b"y" * 11)
    assert [(line.offset, line.raw, line.damage) for line in found] == [
        (0, b"a", ""),
        (2, b"", TOO_LONG),
        (43, b"b", ""),
        (45, b"", TOO_LONG),
    ]


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 64])
@given(data=SMALL)
def test_backwards_is_forwards_reversed(chunk: int, data: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK", chunk)
        there = forwards(data)
        back = backwards(data)
    assert back == there[::-1]


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 64])
@given(data=SMALL)
def test_side_by_side_stand_the_same_lines(
    tmp_path_factory: pytest.TempPathFactory, chunk: int, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "side-by-side"
    path.write_bytes(data)
    found = list[Line]()
    with io.FileIO(path) as file:
        for piece in side_by_side(file, 0, len(data), chunk):
            if isinstance(piece, Lines):
                assert piece.chunk[: piece.end].endswith(b"\n")
                # As they stand, with padding: what is read alone is cleaned as ever
                found += [Line(0, line.raw) for line in forwards(piece.chunk[: piece.end])]
            else:
                found.append(Line(0, piece.raw, piece.whole))
    plain = [Line(0, line.raw, line.whole) for line in forwards(data)]
    assert [one for one in found if one.raw] == [one for one in plain if one.raw]


def test_a_file_that_shrinks_meanwhile_ends_where_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"one\ntwo\n")
    with io.FileIO(path) as file:
        assert list(side_by_side(file, 0, 100, 64)) == [Lines(b"one\ntwo\n", 8)]
