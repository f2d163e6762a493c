from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.terminal.emulator import Emulator
from core.terminal.pacing import FIRST_BYTES, LEAST_BYTES, PIECE_S, Pace


class Hearer:
    """Keeps the pieces; each of their bytes takes so long, in seconds."""

    def __init__(self, byte_s: float) -> None:
        self.byte_s = byte_s
        self.now = 0.0
        self.pieces: list[bytes] = []
        self.pace = Pace(self.hear, lambda: self.now)

    def hear(self, data: bytes) -> None:
        self.pieces.append(data)
        self.now += len(data) * self.byte_s

    def sizes(self, data: bytes) -> list[int]:
        self.pieces.clear()
        self.pace.give(data)
        assert b"".join(self.pieces) == data
        return [len(piece) for piece in self.pieces]


def test_what_is_quick_goes_on_in_a_few_pieces() -> None:
    assert len(Hearer(1e-8).sizes(b"x" * 48 * 1024)) <= 4


def test_what_takes_long_goes_on_in_pieces_that_do_not() -> None:
    hearer = Hearer(PIECE_S / 100)
    first, *rest = hearer.sizes(b"x" * 48 * 1024)
    assert first == FIRST_BYTES
    assert max(rest) <= 100
    assert Hearer(1.0).sizes(b"x" * 2048)[1:3] == [LEAST_BYTES, LEAST_BYTES]


def test_the_more_was_quick_the_more_a_chunk_begins_with_until_one_is_slow() -> None:
    hearer, chunk = Hearer(1e-8), b"x" * 48 * 1024
    firsts = [hearer.sizes(chunk)[0] for _ in range(7)]
    assert firsts == [1024, 2048, 4096, 8192, 16384, 32768, len(chunk)]
    hearer.byte_s = PIECE_S * 1.1 / len(chunk)
    hearer.sizes(chunk)
    assert hearer.sizes(chunk)[0] == FIRST_BYTES


def test_little_earns_no_trust() -> None:
    hearer = Hearer(1e-8)
    for _ in range(100):
        hearer.sizes(b"x" * 1000)
    assert hearer.sizes(b"x" * 48 * 1024)[0] == FIRST_BYTES


def test_who_kept_others_waiting_once_is_never_trusted_again() -> None:
    hearer, chunk = Hearer(1e-8), b"x" * 48 * 1024
    for _ in range(7):
        hearer.sizes(chunk)
    hearer.byte_s = PIECE_S
    hearer.sizes(chunk[:100])
    hearer.byte_s = 1e-8
    assert [hearer.sizes(chunk)[0] for _ in range(9)] == [FIRST_BYTES] * 9


def test_no_escape_is_cut_in_two_where_that_can_be_helped() -> None:
    hearer = Hearer(PIECE_S / 100)
    hearer.sizes(b"\x1b[31mred" * 500)
    assert all(piece.startswith(b"\x1b") for piece in hearer.pieces)


@given(st.lists(st.binary(max_size=3000), max_size=5), st.floats(1e-9, 1e-3))
def test_all_of_it_is_given_on_in_order(chunks: list[bytes], byte_s: float) -> None:
    hearer = Hearer(byte_s)
    for chunk in chunks:
        hearer.sizes(chunk)


def test_a_few_bytes_that_ask_for_much_leave_room_for_who_looks() -> None:
    """A repeated repeat (REP): 9 bytes for 65,535 cells. A whole chunk of them held the terminal for seconds."""
    emulator = Emulator(40, 10)
    pieces: list[bytes] = []
    now = 0.0

    def hear(data: bytes) -> None:
        nonlocal now
        pieces.append(data)
        emulator.feed(data)
        now += data.count(b"b") * 0.001

    Pace(hear, lambda: now).give(b"x\x1b[65535b" * 300)
    spans = [piece.count(b"b") for piece in pieces]
    assert sum(spans) == 300
    assert max(spans[1:]) <= PIECE_S / 0.001
    assert all(after <= before * 8 for before, after in pairwise(spans))
    assert set(emulator.screen().text) <= {"x", "\n"}
