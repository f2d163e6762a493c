"""What fills an agent's context window, part by part, on a sheet. It must not know how it is measured."""

from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label

from core.session.context import Context
from widgets.context_rows import ContextRow, context_line, context_rows, head_line, name_cells, whole_line
from widgets.footer_bar import key_line
from widgets.line import Line
from widgets.one_line import OneLine
from widgets.row_list import RowList

Measure = Callable[[], Awaitable[Context]]


class ContextScreen(ModalScreen[None]):
    """Open until the person leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,c", "dismiss(None)", show=False),
        Binding("r", "measure", show=False),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]
    DEFAULT_CSS = """
    ContextScreen .sheet { height: 90%; }
    ContextScreen RowList { margin: 1 0 0 0; }
    """

    def __init__(
        self, title: str, context: Context, measure: Measure, carry: Callable[[Awaitable[None]], None]
    ) -> None:
        """Show `context`; `carry` has `measure` done again."""
        super().__init__()
        self._title = title
        self._found = context
        self._again = measure
        self._carry = carry
        self._rows: dict[str, ContextRow] = {}
        self.head = OneLine()
        self.whole = OneLine()
        self.rows = RowList()

    def compose(self) -> ComposeResult:
        """How full, one bar, the parts, keys."""
        with Vertical(classes="sheet wide"):
            yield Label(Content(self._title), classes="sheet-title")
            yield self.head
            yield self.whole
            yield self.rows
            keys = (("↑↓", "read"), ("r", "measure again"), ("Esc", "close"))
            yield Label(key_line(keys), classes="sheet-keys")

    def on_mount(self) -> None:
        """Show what was measured."""
        self.rows.focus()
        self.call_after_refresh(self._show)

    def on_resize(self) -> None:
        """The bars have another length."""
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        self._rows = {str(at): row for at, row in enumerate(context_rows(self._found))}
        self.head.say(head_line(self._found))
        self.whole.say(whole_line(self._found, self.whole.size.width))
        self.rows.show(list(self._rows), self._describe)

    def _describe(self, key: str, width: int) -> list[tuple[Line, Line]]:
        names = name_cells(list(self._rows.values()), width)
        return [(context_line(self._rows[key], self._found, width, names), ())]

    def action_measure(self) -> None:
        """Measure again."""
        self._carry(self._measure_again())

    async def _measure_again(self) -> None:
        self._found = await self._again()
        if self.is_attached:
            self._show()
