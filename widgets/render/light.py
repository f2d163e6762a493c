"""A line as it is shown: a strip that keeps nothing it was once made into.

Textual's own begins with seven caches, which take more time and room than the line itself; of a line that is
written as it stands, and soon followed by another, none is ever asked. It must not know what the line says.
"""

from typing import Any

from rich.segment import Segment
from textual.cache import FIFOCache
from textual.strip import Strip


class _Nothing(FIFOCache[Any, Any]):
    """Keeps nothing: one for all."""

    def set(self, key: object, value: object) -> None:
        """Let go of it."""

    __setitem__ = set


_NOTHING = _Nothing(1)


class LightStrip(Strip):
    """Segments, which are not to be changed any more, and how many cells they take."""

    __slots__ = ()

    def __init__(self, segments: list[Segment], cell_length: int) -> None:
        """Take over the list."""
        self._segments = segments
        self._cell_length = cell_length
        self._divide_cache = self._crop_cache = self._style_cache = self._filter_cache = _NOTHING
        self._line_length_cache = self._crop_extend_cache = self._offsets_cache = _NOTHING
        self._render_cache = None
        self._link_ids = None
        self._cell_count = None
