"""Tells the results of tools, most of what a transcript holds, without copying or decoding them."""

_CALL_ID = b'"tool_use_id":'
_USER = b'"type":"user"'
_HEAD = 768
"""How many bytes from its beginning a line tells that it is the result of a tool."""

_END = 2048
_SHORT = 2048
"""A line up to this size, in bytes, is decoded about as quickly as it is looked through."""


class Results:
    """Passes over the results of tools."""

    def __init__(self) -> None:
        """None was passed over yet."""
        self._last: tuple[bytes, int, int] = (b"", 0, 0)
        self._call_at = self._user_at = 0

    @property
    def last(self) -> bytes:
        """The last line that was passed over."""
        chunk, begin, end = self._last
        return chunk[begin:end]

    def others(self, chunk: bytes, end: int) -> list[bytes]:
        """The lines of a chunk up to `end`, where one ends, without those that were passed over.

        Most results tell what they are where the one before did; of others only the long ones are looked
        through: a short one may be among what is found.
        """
        found, begin = list[bytes](), 0
        while begin < end:
            stop = chunk.find(b"\n", begin)
            told = chunk.startswith(_CALL_ID, begin + self._call_at, stop)
            if not (told or stop - begin > _SHORT) or not self._passes(chunk, begin, stop):
                found.append(chunk[begin:stop])
            begin = stop + 1
        return found

    def _passes(self, chunk: bytes, begin: int, end: int) -> bool:
        """Whether a line is a tool's result and nothing else.

        Where two lines were glued together, the second may be an answer: that would end with its usage.
        """
        if not self._is_told(chunk, begin, end) or chunk.find(b'"usage"', max(begin, end - _END), end) >= 0:
            return False
        self._last = (chunk, begin, end)
        return True

    def _is_told(self, chunk: bytes, begin: int, end: int) -> bool:
        """Whether a line tells in its head that it is one: by keys, as within a string no quote is bare."""
        call_at, user_at = begin + self._call_at, begin + self._user_at
        if chunk.startswith(_CALL_ID, call_at, end) and chunk.startswith(_USER, user_at, end):
            return True
        head = min(begin + _HEAD, end)
        call, user = chunk.find(_CALL_ID, begin, head), chunk.find(_USER, begin, head)
        if call < 0 or user < 0:
            return False
        self._call_at, self._user_at = call - begin, user - begin
        return True
