"""Packets: what is kept of a file's answers is what was counted, and what they used added up."""

import msgspec
import pytest

from core.history.packets import answers_in, pack, sums_in
from core.history.usage import QUARTER_S, Answer, Spent, Tokens

ANSWERS = (
    Answer(1, 10.5, "m", Tokens(1, 2, 3, 4, 5, 6)),
    Answer(2, 20.0, "m", Tokens(10, 20, 30, 40, 50, 60), session="s"),
    Answer(3, 20.0, "m", Tokens(1), fast=True),
    Answer(4, 20.0, "m", Tokens(150_000)),
    Answer(5, QUARTER_S + 1.0, "", Tokens(output=9)),
)


def test_answers_come_out_as_they_went_in() -> None:
    assert tuple(answers_in(pack(ANSWERS)[0])) == ANSWERS
    assert answers_in(pack(())[0]) == []
    assert sums_in(pack(())[1]) == []


def test_sums_are_by_quarter_hour_model_mode_and_band() -> None:
    assert sums_in(pack(ANSWERS)[1]) == [
        Spent(11, 22, 33, 44, 55, 66, at=0, model="m", answers=2),
        Spent(1, at=0, model="m", fast=True),
        Spent(150_000, at=0, model="m", band=100_000),
        Spent(output=9, at=QUARTER_S),
    ]


@pytest.mark.parametrize("read", [answers_in, sums_in])
def test_a_damaged_packet_says_so(read: object) -> None:
    assert callable(read)
    with pytest.raises(msgspec.MsgspecError):
        read(pack(ANSWERS)[0][:-3])
