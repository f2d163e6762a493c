"""Rows that have scrolled off the top of the terminal, read out where somebody wants to see them.

Reading goes by references to cells and leaves the terminal's marks of what changed alone, which a frame
needs: a second frame would take them away from the first. It must not know bytes nor modes.
"""

from typing import Any

from core.session.screen import Row
from core.terminal.cells import CODE_BYTES, CellReader, Columns, cluster_text
from core.terminal.library import Library

CLUSTER = 32
"""The most characters that stand in one cell."""


class History:
    """What scrolled off the terminal `handle`."""

    def __init__(self, library: Library, handle: Any, reader: CellReader) -> None:
        """Read nothing yet."""
        from pyghostty._ffi import union_fn

        self._library = library
        self._handle = handle
        self._reader = reader
        ffi = library.ffi
        # cffi passes no union by value: the package has a twin of the point's type for this one call.
        self._find = union_fn(
            "ghostty_terminal_grid_ref", "GhosttyResult(*)(GhosttyTerminal, GhosttyPointS, GhosttyGridRef*)"
        )
        self._point = ffi.new("GhosttyPointS*")
        self._point.tag = library.lib.GHOSTTY_POINT_TAG_HISTORY
        self._ref = library.sized("GhosttyGridRef")
        self._cell = ffi.new("GhosttyCell*")
        self._raw = ffi.new("GhosttyRow*")
        self._flag = ffi.new("bool*")
        self._columns = _RefColumns(library, self._ref)

    def row(self, y: int, columns: int) -> Row:
        """The row `y`, 0 is the oldest, of a terminal `columns` wide."""
        lib, ref = self._library.lib, self._ref
        self._point.value.y = y
        if self._find(self._handle, self._point[0], ref):
            return Row()
        lib.ghostty_grid_ref_row(ref, self._raw)
        lib.ghostty_row_get(self._raw[0], lib.GHOSTTY_ROW_DATA_WRAP, self._flag)
        return self._reader.row([self._number(x) for x in range(columns)], self._columns, bool(self._flag[0]))

    def _number(self, x: int) -> int:
        self._ref.x = x
        # Rows that were written before the terminal became wider have fewer cells.
        failed = self._library.lib.ghostty_grid_ref_cell(self._ref, self._cell)
        return 0 if failed else int(self._cell[0])


class _RefColumns(Columns):
    """The columns of the row a reference stands in."""

    def __init__(self, library: Library, ref: Any) -> None:
        self._library = library
        self._ref = ref
        self._style = library.sized("GhosttyStyle")
        self._codes = library.ffi.new("uint32_t[]", CLUSTER)
        self._length = library.ffi.new("size_t*")

    def style(self, x: int) -> Any:
        self._ref.x = x
        self._library.lib.ghostty_grid_ref_style(self._ref, self._style)
        return self._style

    def cluster(self, x: int) -> str:
        self._ref.x = x
        lib = self._library.lib
        failed = lib.ghostty_grid_ref_graphemes(self._ref, self._codes, CLUSTER, self._length)
        length = 0 if failed else int(self._length[0])
        return (
            cluster_text(bytes(self._library.ffi.buffer(self._codes, length * CODE_BYTES))) if length else " "
        )
