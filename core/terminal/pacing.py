"""What a program prints, given on in pieces that are quickly done with: between them it can be looked at.

Nine bytes can ask a terminal for ten thousand cells (REP, a reset, a screen filled), so that how long a piece
takes says nothing of the next. A chunk begins with little, and goes on with more as long as that is quick.
The more was quick, the more the next one begins with, for each piece costs a turn at Python's lock; a slow
piece takes that back, a very slow one for good. This module must not know what the bytes mean, but where a
piece is best cut: before an escape.
"""

import time
from collections.abc import Callable

FIRST_BYTES = 1024
MOST_BYTES = 128 * 1024
"""What a chunk begins with if nothing is known, and if many before it were quick."""

LEAST_BYTES = 32
GROWTH = 8

PIECE_S = 0.02
"""How long a piece should take: what is to be seen is taken between them, and keys wait no longer."""

ABUSE_S = 0.1
"""A program with a piece as slow as this is never trusted with more than a little again."""

ESCAPE = b"\x1b"


class Pace:
    """Gives chunks on, in pieces."""

    def __init__(self, heard: Callable[[bytes], None], clock: Callable[[], float] = time.thread_time) -> None:
        """`heard` gets every piece, in order; what it takes is told by `clock`, in seconds.

        Of processor time: a thread that waits for the app to draw is not slow.
        """
        self._heard = heard
        self._clock = clock
        self._first, self._most = FIRST_BYTES, MOST_BYTES

    def give(self, data: bytes) -> None:
        """Give all of it on before this returns."""
        size, at, count = self._first, 0, len(data)
        if count >= size:
            self._first = min(2 * size, self._most)
        while at < count:
            end = _cut(data, at, at + size)
            began = self._clock()
            self._heard(data[at:end])
            took = max(self._clock() - began, 1e-6)
            if took > PIECE_S:
                self._first = FIRST_BYTES
            if took > ABUSE_S:
                self._most = FIRST_BYTES
            size = max(LEAST_BYTES, min(GROWTH * size, int((end - at) * PIECE_S / took)))
            at = end


def _cut(data: bytes, start: int, end: int) -> int:
    """Where a piece that should end at `end` does."""
    if end >= len(data):
        return len(data)
    escape = data.rfind(ESCAPE, start + 1, end)
    return end if escape < 0 else escape
