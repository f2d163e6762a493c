"""A terminal line as programs overwrite it: write, go back, erase; must not know how bytes are parsed."""

from itertools import groupby

from rich.segment import Segment
from rich.style import Style

from widgets.render.cells import graphemes, one_cell_each

MAX_COLUMN = 4096
"""How far right a movement may go; text itself may be longer."""

_TAB = 8
_WIDE = ""  # the second cell of a wide character


class Row:
    """Cells with their styles and a column to write at."""

    def __init__(self) -> None:
        """Start empty, at the first column."""
        self._texts: list[str] = []
        self._styles: list[Style] = []
        self._column = 0

    def write(self, text: str, style: Style) -> None:
        """Put `text` (no control bytes) at the column, over what is there."""
        cells = list(text) if one_cell_each(text) else _cells(text)
        start, end = self._column, self._column + len(cells)
        self._reach(start)
        self._split_wide(start)
        self._split_wide(end)
        self._texts[start:end] = cells
        self._styles[start:end] = [style] * len(cells)
        self._column = end

    def move(self, key: str) -> None:
        r"""Act on a "\r", "\b" or "\t"."""
        match key:
            case "\r":
                self._column = 0
            case "\b":
                self._column = max(0, self._column - 1)
            case _:
                self._go(self._column + _TAB - self._column % _TAB)

    def control(self, final: str, params: str) -> None:
        """Act on the CSI sequences that stay inside a line: CUF, CUB, CHA and EL; ignore all others."""
        count = int(params) if params.isascii() and params.isdigit() and len(params) < 6 else 0
        match final:
            case "C":
                self._go(self._column + max(1, count))
            case "D":
                self._column = max(0, self._column - max(1, count))
            case "G":
                self._go(max(1, count) - 1)
            case "K":
                self._erase(count)

    def segments(self) -> list[Segment]:
        """What the line shows, neighbours of one style joined."""
        runs = groupby(zip(self._texts, self._styles, strict=True), key=lambda cell: cell[1])
        return [Segment("".join([text for text, _ in run]), style) for style, run in runs]

    def _go(self, column: int) -> None:
        self._column = max(self._column, min(column, MAX_COLUMN)) if column > self._column else column

    def _reach(self, column: int) -> None:
        missing = column - len(self._texts)
        if missing > 0:
            self._texts.extend(" " * missing)
            self._styles.extend([Style.null()] * missing)

    def _split_wide(self, column: int) -> None:
        """Leave no half of a wide character behind when writing begins or ends in its middle."""
        if 0 < column < len(self._texts) and self._texts[column] == _WIDE:
            self._texts[column - 1] = self._texts[column] = " "

    def _erase(self, part: int) -> None:
        start = 0 if part else self._column
        end = len(self._texts) if part != 1 else min(self._column + 1, len(self._texts))
        self._split_wide(start)
        self._split_wide(end)
        if part == 1:
            self._texts[start:end] = [" "] * (end - start)
            self._styles[start:end] = [Style.null()] * (end - start)
        else:
            del self._texts[start:], self._styles[start:]


def _cells(text: str) -> list[str]:
    """`text` cell by cell; what takes no cell stays with the character before it."""
    cells: list[str] = []
    for start, end, size in graphemes(text):
        if size == 0 and cells:
            cells[-1] += text[start:end]
        else:
            cells.append(text[start:end])
            cells.extend([_WIDE] * (size - 1))
    return cells
