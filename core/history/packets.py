"""Answers and sums of a file as the catalogue keeps them: a packet each, as thousands of rows take longer.

Whoever counted a file packs them, in a process of its own where there is much to count; whoever writes them
down need not look into them. This module must not know tables.
"""

from collections.abc import Iterable

from msgspec import msgpack

from core.history.usage import Answer, Spent, spent

_answers = msgpack.Decoder(list[Answer])
_sums = msgpack.Decoder(list[Spent])
_packer = msgpack.Encoder()


def pack(answers: Iterable[Answer]) -> tuple[bytes, bytes]:
    """A file's answers, each there once, and what they used, added up."""
    some = list(answers)
    return _packer.encode(some), _packer.encode(list(spent(some)))


def answers_in(packet: bytes) -> list[Answer]:
    """The answers of a file. Raises `msgspec.MsgspecError` where the packet is damaged."""
    return _answers.decode(packet)


def sums_in(packet: bytes) -> list[Spent]:
    """What a file used. Raises `msgspec.MsgspecError` where the packet is damaged."""
    return _sums.decode(packet)
