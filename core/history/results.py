"""Tells the results of tools, most of what a transcript holds, without copying or decoding them."""

_CALL_ID = b'"tool_use_id":'
_HEAD = 768
"""How many bytes from its beginning a line tells that it is the result of a tool."""

_END = 2048


class Results:
    """Passes over the results of tools."""

    def __init__(self) -> None:
        """None was passed over yet."""
        self._last: tuple[bytes, int, int] = (b"", 0, 0)

    @property
    def last(self) -> bytes:
        """The last line that was passed over."""
        chunk, begin, end = self._last
        return chunk[begin:end]

    def others(self, chunk: bytes, end: int) -> list[bytes]:
        """The lines of a chunk up to `end`, where one ends, that are anything else; without their ends."""
        found, begin, find = list[bytes](), 0, chunk.find
        while begin < end:
            stop = find(b"\n", begin)
            call = find(_CALL_ID, begin, begin + _HEAD)  # nearly all that are none are told by this alone
            if call < 0 or call >= stop or not self.skip(chunk, begin, stop):
                found.append(chunk[begin:stop])
            begin = stop + 1
        return found

    def skip(self, chunk: bytes, begin: int, end: int) -> bool:
        """Whether a line is a tool's result and nothing else.

        Told by keys, as within a string no quote is bare. Where two lines were glued together, the second
        may be an answer: that would end with its usage.
        """
        head = min(begin + _HEAD, end)
        if (
            chunk.find(_CALL_ID, begin, head) < 0
            or chunk.find(b'"type":"user"', begin, head) < 0
            or chunk.find(b'"usage"', max(begin, end - _END), end) >= 0
        ):
            return False
        self._last = (chunk, begin, end)
        return True
