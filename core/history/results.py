"""Tells the results of tools, most of what a transcript holds, without copying or decoding them."""

_CALL_ID = b'"tool_use_id":'
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
        self._told_at = 0

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
            told = chunk.startswith(_CALL_ID, begin + self._told_at) or stop - begin > _SHORT
            if not told or not self._passes(chunk, begin, stop):
                found.append(chunk[begin:stop])
            begin = stop + 1
        return found

    def _passes(self, chunk: bytes, begin: int, end: int) -> bool:
        """Whether a line is a tool's result and nothing else.

        Told by keys, as within a string no quote is bare. Where two lines were glued together, the second
        may be an answer: that would end with its usage.
        """
        head = min(begin + _HEAD, end)
        call = chunk.find(_CALL_ID, begin, head)
        if (
            call < 0
            or chunk.find(b'"type":"user"', begin, head) < 0
            or chunk.find(b'"usage"', max(begin, end - _END), end) >= 0
        ):
            return False
        self._last, self._told_at = (chunk, begin, end), call - begin
        return True
