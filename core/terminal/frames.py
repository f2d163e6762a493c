"""The emulator's frame: what is to be seen of a terminal, read out row by row, only what changed.

A frame is a copy the library makes, so it can stand while the program draws the next one. It must not know
bytes nor modes.
"""

from typing import Any

from core.session.screen import Cursor, Row
from core.terminal.cells import CellReader, Columns, cluster_text
from core.terminal.library import Library

CELL_BYTES = 8
"""A cell is one number of 64 bits; one that was never written on is 0."""


class Frame:
    """The last frame that was captured of the terminal `handle`."""

    def __init__(self, library: Library, handle: Any, reader: CellReader) -> None:
        """Capture nothing yet."""
        self._library = library
        self._handle = handle
        self._reader = reader
        made, ffi = library.made, library.ffi
        self._state = made("GhosttyRenderState", "ghostty_render_state_new")
        self._rows = made("GhosttyRenderStateRowIterator", "ghostty_render_state_row_iterator_new")
        self._columns = _FrameColumns(library)
        self._cursor = library.sized("GhosttyRenderStateCursor")
        self._cells = ffi.new("GhosttyCellsView*")
        self._number = ffi.new("int*")
        self._y = ffi.new("uint16_t*")
        self._raw = ffi.new("uint64_t*")
        self._flag = ffi.new("bool*")
        self._read: list[Row] = []

    def capture(self) -> None:
        """Take what the terminal shows now."""
        self._library.lib.ghostty_render_state_update(self._state[0], self._handle)

    def rows(self) -> tuple[tuple[Row, ...], bool]:
        """The rows, those that did not change as the same objects as before, and whether any did."""
        lib, state = self._library.lib, self._state[0]
        dirty = self._get(lib.GHOSTTY_RENDER_STATE_DATA_DIRTY, self._number)
        if dirty == lib.GHOSTTY_RENDER_STATE_DIRTY_FALSE and self._read:
            return tuple(self._read), False
        lib.ghostty_render_state_get(state, lib.GHOSTTY_RENDER_STATE_DATA_ROW_ITERATOR, self._rows)
        if dirty == lib.GHOSTTY_RENDER_STATE_DIRTY_FULL or not self._read:
            self._read_all()
        else:
            while lib.ghostty_render_state_row_iterator_next_dirty(self._rows[0], self._y):
                self._read[self._y[0]] = self._row(self._read[self._y[0]])
        lib.ghostty_render_state_clean(state)
        return tuple(self._read), True

    def cursor(self) -> Cursor:
        """Where the cursor stands in it."""
        self._get(self._library.lib.GHOSTTY_RENDER_STATE_DATA_CURSOR, self._cursor)
        cursor = self._cursor
        if not cursor.viewport_has_value:
            return Cursor(visible=False)
        return Cursor(cursor.viewport_x, cursor.viewport_y, cursor.visible)

    def free(self) -> None:
        """Give the library's memory back."""
        self._columns.free()
        self._library.lib.ghostty_render_state_row_iterator_free(self._rows[0])
        self._library.lib.ghostty_render_state_free(self._state[0])

    def _read_all(self) -> None:
        before, self._read = self._read, []
        while self._library.lib.ghostty_render_state_row_iterator_next(self._rows[0]):
            y = len(self._read)
            self._read.append(self._row(before[y] if y < len(before) else None))

    def _row(self, before: Row | None) -> Row:
        """The iterator's row; one that looks as before is the same object."""
        lib, rows = self._library.lib, self._rows[0]
        lib.ghostty_render_state_row_get(rows, lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS_RAW, self._cells)
        lib.ghostty_render_state_row_get(rows, lib.GHOSTTY_RENDER_STATE_ROW_DATA_RAW, self._raw)
        lib.ghostty_row_get(self._raw[0], lib.GHOSTTY_ROW_DATA_WRAP, self._flag)
        self._columns.turn_to(rows)
        numbers = self._library.ffi.unpack(self._cells.ptr, self._written())
        row = self._reader.row(numbers, self._columns, bool(self._flag[0]))
        return before if before is not None and before == row else row

    def _written(self) -> int:
        """The row's cells up to the last one anything was done to: most rows are short."""
        raw = self._library.ffi.buffer(self._cells.ptr, self._cells.len * CELL_BYTES)[:]
        return -(-len(raw.rstrip(b"\0")) // CELL_BYTES)

    def _get(self, key: int, out: Any) -> int:
        self._library.lib.ghostty_render_state_get(self._state[0], key, out)
        return int(out[0]) if out is self._number else 0


class _FrameColumns(Columns):
    """The columns of the row a frame's iterator stands at."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._cells = library.made("GhosttyRenderStateRowCells", "ghostty_render_state_row_cells_new")
        self._style = library.sized("GhosttyStyle")
        self._length = library.ffi.new("uint32_t*")

    def turn_to(self, rows: Any) -> None:
        lib = self._library.lib
        lib.ghostty_render_state_row_get(rows, lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS, self._cells)

    def style(self, x: int) -> Any:
        self._get(x, self._library.lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_STYLE, self._style)
        return self._style

    def cluster(self, x: int) -> str:
        lib, ffi = self._library.lib, self._library.ffi
        self._get(x, lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_GRAPHEMES_LEN, self._length)
        if not self._length[0]:
            return " "
        codes = ffi.new("uint32_t[]", self._length[0])
        self._get(x, lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_GRAPHEMES_BUF, codes)
        return cluster_text(bytes(ffi.buffer(codes)))

    def free(self) -> None:
        self._library.lib.ghostty_render_state_row_cells_free(self._cells[0])

    def _get(self, x: int, key: int, out: Any) -> None:
        lib = self._library.lib
        lib.ghostty_render_state_row_cells_select(self._cells[0], x)
        lib.ghostty_render_state_row_cells_get(self._cells[0], key, out)
