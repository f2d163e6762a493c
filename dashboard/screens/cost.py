"""What sessions cost: a bar a day, or by week, project and model. It must not know how costs are found."""

from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType

from core.history.reports import By, Report, Row
from dashboard import actions
from dashboard.archive import Archive, without_catalogue
from dashboard.screens.tabled import TabledScreen
from widgets import format as fmt
from widgets.cost_rows import CostRow, cost_line, cost_title, name_cells
from widgets.line import Line, Piece, joined
from widgets.one_line import OneLine
from widgets.row_list import RowList
from widgets.signs import MUTED

WORDS: dict[By, str] = {"day": "days", "week": "weeks", "project": "projects", "model": "models"}


class CostScreen(TabledScreen):
    """A report of the archive, drawn."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *actions.bindings("cost"),
    ]
    place = "cost"
    DEFAULT_CSS = """
    CostScreen { layout: vertical; }
    CostScreen > #cost-head { background: $panel; padding: 0 1; }
    CostScreen > #cost-columns, CostScreen > #cost-note { padding: 0 1; }
    CostScreen > #cost-rows { scrollbar-gutter: stable; }
    """

    def __init__(self, archive: Archive) -> None:
        """Nothing is asked before the screen is on."""
        super().__init__()
        self.archive = archive
        self._by: By = "day"
        self._rows: dict[str, CostRow] = {}
        self._most = 0.0
        self._names = 0
        self._version = -1
        self.head = OneLine(id="cost-head")
        self.columns = OneLine(id="cost-columns")
        self.rows = RowList(id="cost-rows")
        self.note = OneLine(id="cost-note")

    def compose(self) -> ComposeResult:
        """Head, the bars, what has to be said of them, footer."""
        yield self.head
        yield self.columns
        yield self.rows
        yield self.note
        yield self.footer

    def on_mount(self) -> None:
        """Ask; have the catalogue brought up to date."""
        self.archive.listeners.append(self._follow)
        self.archive.want()
        self.rows.focus()
        self.show_keys()
        self.head.say((Piece("Cost", "bold"),), (Piece("reading …", MUTED),))
        self._ask(self._by)

    def on_unmount(self) -> None:
        """Nobody listens any more."""
        self.archive.listeners.remove(self._follow)

    def _follow(self) -> None:
        if self._version != self.archive.version:
            self._ask(self._by)

    def _ask(self, by: By) -> None:
        self._by, self._version = by, self.archive.version
        self._load(by)

    @work(group="report", exclusive=True, exit_on_error=False)
    async def _load(self, by: By) -> None:
        report = await self.archive.report(by)
        rows = [_row(row, by) for row in report.rows]
        self._rows = {row.key: row for row in rows}
        self._most = max((row.cost_usd for row in rows), default=0.0)
        self._say_columns()
        keys = [row.key for row in rows]
        if by in ("day", "week"):
            keys.reverse()
        self.rows.show(keys, self._describe, at=keys[0] if keys else "")
        self._say(report)

    def _describe(self, key: str, width: int) -> tuple[tuple[Line, Line], ...]:
        return ((cost_line(self._rows[key], width, self._most, self._names), ()),)

    def _say(self, report: Report) -> None:
        total = report.total
        facts = joined(
            [
                Piece("Cost", "bold"),
                Piece(f"by {report.by}", "", 2, 6),
                Piece(f"{fmt.money(total.cost.usd)} in all", "", 1, 12),
                Piece(f"{fmt.tokens(total.tokens.total)} tokens", MUTED, 3, 12),
            ]
        )
        progress = "" if self.archive.progress is None else "still adding up …"
        if self.archive.trouble:
            progress = without_catalogue(self.archive)
        self.head.say(facts, (Piece(progress or f"days: {report.zone}", MUTED, 4, 8),))
        self._say_columns()
        note = "Estimates from list prices, but where the CLI told its own figure."
        if total.cost.unpriced:
            names = ", ".join(fmt.one_line(name) for name in total.cost.unpriced[:4])
            note = f"+ no price is known for {names}; [prices] in the settings can tell one. {note}"
        self.note.say((Piece(note if report.rows else "Nothing is known yet.", MUTED, 1, 10),))

    def on_resize(self) -> None:
        """The columns are others."""
        self._say_columns()

    def _say_columns(self) -> None:
        self._names = name_cells(self._rows.values(), self.size.width - 3)
        self.columns.say(cost_title(self.size.width - 3, WORDS[self._by], self._names))

    # What the person does

    def do_day(self) -> None:
        """By day."""
        self._ask("day")

    def do_week(self) -> None:
        """By week."""
        self._ask("week")

    def do_project(self) -> None:
        """By project."""
        self._ask("project")

    def do_model(self) -> None:
        """By model."""
        self._ask("model")


def _row(row: Row, by: By) -> CostRow:
    home = str(Path.home())
    name = fmt.path(row.key, 0, home) if by == "project" else row.key
    return CostRow(
        row.key, name or "(unknown)", row.cost.usd, row.tokens.total, row.answers, row.cost.partial
    )
