"""The form for a new agent: all is filled in, one Enter starts it. It must not know how one is started."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

from msgspec import Struct, structs
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Label, Static

from core.agent.launch import check_directory
from core.errors import QuarterdeckError
from core.fleet.budget import dollars
from widgets.footer_bar import key_line
from widgets.line_input import LineInput

MODES = ("default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions")
MODE_HINT = "the CLI's default; or plan, acceptEdits, auto …"
KEYS = (("Enter", "start"), ("↑↓", "fields"), ("→", "complete"), ("Esc", "leave"))


class Draft(Struct, frozen=True):
    """What the form holds; empty means the CLI's own default."""

    directory: str = ""
    name: str = ""
    model: str = ""
    mode: str = ""
    effort: str = ""
    budget: str = ""


class Offer(Struct, frozen=True):
    """What the form completes while one types."""

    directories: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ()


class NewAgentScreen(ModalScreen[Draft | None]):
    """Dismissed with the filled form, None where the person left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]

    def __init__(self, draft: Draft, offer: Offer, check: Callable[[Path], None] = check_directory) -> None:
        """Start from `draft`; `check` raises a `QuarterdeckError` for a directory that will not do."""
        super().__init__()
        self._draft = draft
        self._offer = offer
        self._check = check

    def compose(self) -> ComposeResult:
        """A line a field, the first one focused."""
        with VerticalScroll(classes="sheet", can_focus=False):
            yield Label(Content("New agent"), classes="sheet-title")
            yield from self._field("directory", self._draft.directory, self._offer.directories)
            yield from self._field("name", self._draft.name, (), "as the directory")
            yield from self._field("model", self._draft.model, self._offer.models, "the CLI's default")
            yield from self._field("mode", self._draft.mode, MODES, MODE_HINT)
            yield from self._field("effort", self._draft.effort, self._offer.efforts, "the CLI's default")
            yield from self._field("budget", self._draft.budget, (), "dollars; else as the settings say")
            yield Static(classes="sheet-error")
            yield Label(key_line(KEYS), classes="sheet-keys")

    def _field(self, name: str, value: str, offered: Sequence[str], blank: str = "") -> ComposeResult:
        with Horizontal(classes="field"):
            yield Label(Content(name))
            suggester = SuggestFromList(offered, case_sensitive=False) if offered else None
            line = LineInput(blank, id=f"field-{name}")
            line.value, line.suggester = value, suggester
            yield line

    @on(LineInput.Submitted)
    def start(self, event: LineInput.Submitted) -> None:
        """Give the form back if it will do, else say what is wrong."""
        event.stop()
        filled = Draft(**{name: self._value(name) for name in Draft.__struct_fields__})
        directory = Path(filled.directory or ".").expanduser().absolute().resolve()
        if problem := self._problem(directory, filled):
            self.query_one(".sheet-error", Static).update(Content(problem))
            return
        name = filled.name or directory.name or "root"
        self.dismiss(structs.replace(filled, directory=str(directory), name=name))

    @on(LineInput.Left)
    def leave(self, event: LineInput.Left) -> None:
        """Nothing is started."""
        event.stop()
        self.dismiss(None)

    def _value(self, name: str) -> str:
        return self.query_one(f"#field-{name}", LineInput).value.strip()

    def _problem(self, directory: Path, filled: Draft) -> str:
        if filled.mode and filled.mode not in MODES:
            return f"There is no mode {filled.mode}. Known: {', '.join(MODES)}."
        if filled.budget and not dollars(filled.budget):
            return f"{filled.budget!r} is no amount of money: write a number like 5 or 2.50."
        try:
            self._check(directory)
        except QuarterdeckError as error:
            return str(error)
        return ""
