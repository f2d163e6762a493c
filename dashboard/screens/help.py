"""The help screen: every key, from the one table of actions, in as many columns as there is room for."""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from dashboard import actions
from widgets.line import wrapped
from widgets.signs import KEY, SIGNS

KeysOf = Callable[[str], tuple[str, ...] | None]

INTRO = (
    "In deck mode keys act, in typing mode they are text: Enter or i types, Esc leaves. "
    "Nothing moves the focus but you."
)
KEY_CELLS = 12
GAP = 3
TWO_FROM, THREE_FROM = 96, 140
"""From these widths on, in cells, there are two columns, and three."""


class HelpScreen(ModalScreen[None]):
    """All keys of a screen, by group."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark", "dismiss(None)", "close"),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]

    def __init__(self, keys_of: KeysOf, place: actions.Place = "deck") -> None:
        """`keys_of` gives the keys of the person's settings, None where an action has its own."""
        super().__init__()
        self._place: actions.Place = place
        self._keys_of = keys_of
        self._legend = Static(classes="sheet-text")
        self._table = Static()

    def compose(self) -> ComposeResult:
        """The modes, the signs, then the groups."""
        with VerticalScroll(classes="sheet widest") as sheet:
            sheet.border_title, sheet.border_subtitle = "the keys", "Esc closes"
            yield Static(Content(INTRO))
            yield self._legend
            yield self._table

    def on_resize(self) -> None:
        """Lay the table out for the width there is."""
        self.call_after_refresh(self._lay_out)

    def _lay_out(self) -> None:
        self._legend.update(legend(self._legend.size.width))
        self._table.update(self.table(self._table.size.width))

    def table(self, width: int) -> Content:
        """Each action with its keys, in `width` cells."""
        columns = 1 + (width >= TWO_FROM) + (width >= THREE_FROM)
        cells = (width - GAP * (columns - 1)) // columns
        blocks = [self._block(group, cells) for group in actions.groups(self._place)]
        rows = zip_longest(*map(_stacked, _in_columns(blocks, columns)), fillvalue=Content())
        return Content("\n").join(_beside(row, cells) for row in rows)

    def _block(self, group: str, cells: int) -> list[Content]:
        """A group's heading and its lines."""
        lines = [Content.styled(group, "bold")]
        for action in actions.listed(group):
            keys = ", ".join(actions.key_names(action, self._keys_of(action.id))) or "–"
            first, *rest = wrapped(action.help, cells - KEY_CELLS) or [""]
            lines.append(Content.assemble((f"{keys:<{KEY_CELLS - 1}} ", KEY), first))
            lines += [Content(" " * KEY_CELLS + more) for more in rest]
        return lines


def _stacked(blocks: list[list[Content]]) -> list[Content]:
    """Blocks below each other, a blank line between."""
    return [line for block in blocks for line in (*block, Content())][:-1]


def _in_columns(blocks: list[list[Content]], count: int) -> list[list[list[Content]]]:
    """Blocks in so many columns, each where there is the most room left."""
    columns: list[list[list[Content]]] = [[] for _ in range(count)]
    for block in blocks:
        min(columns, key=lambda column: sum(len(other) + 1 for other in column)).append(block)
    return columns


def _beside(row: Sequence[Content], cells: int) -> Content:
    """A line of each column, each column so many cells wide."""
    *before, last = row
    padded = (piece for one in before for piece in (one, " " * (cells + GAP - one.cell_length)))
    return Content.assemble(*padded, last)


def legend(width: int) -> Content:
    """Every state's shape and word, in lines of `width` cells that part no shape from its word."""
    lines: list[list[Content]] = [[]]
    for sign in SIGNS.values():
        said = Content.assemble((sign.shape, sign.style), f" {sign.word}")
        if sum(one.cell_length + GAP for one in lines[-1]) + said.cell_length > width:
            lines.append([])
        lines[-1].append(said)
    return Content("\n").join(Content(" " * GAP).join(line) for line in lines)
