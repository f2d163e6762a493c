"""The form for a new agent: all is filled in, one Enter starts it. It must not know how one is started."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.suggester import Suggester, SuggestFromList
from textual.widgets import Label, Static

from core.agent.launch import check_directory
from core.errors import QuarterdeckError
from core.fleet.budget import dollars
from widgets import format as fmt
from widgets.footer_bar import key_line
from widgets.line_input import LineInput

MODES = ("default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions")
MODE_HINT = "the CLI's default; or plan, acceptEdits, auto …"
UNTIL_HINT = "a command that must pass before it may stop"
SCREENS = ("own",)
SCREEN_HINT = "none: driven by the deck; or own: the CLI's own screen"
KEYS = (("Enter", "start"), ("↑↓", "fields"), ("→", "complete"), ("Esc", "leave"))


class Draft(Struct, frozen=True):
    """What the form holds; empty means the CLI's own default."""

    directory: str = ""
    host: str = ""
    name: str = ""
    model: str = ""
    mode: str = ""
    effort: str = ""
    budget: str = ""
    until: str = ""
    screen: str = ""


class Offer(Struct, frozen=True):
    """What the form completes while one types."""

    directories: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ()


Complete = Callable[[str], Awaitable[Sequence[str]]]
"""Directories of another machine whose path begins like that. Raises a `QuarterdeckError`."""

FAR_HOME = "~/"


class DirectorySuggester(Suggester):
    """Completes a directory where it is to be: remembered ones here, what there is on another machine."""

    def __init__(self, here: Sequence[str], complete: Callable[[], Complete | None]) -> None:
        """`complete` is the machine chosen now; None is this one."""
        super().__init__(use_cache=False)
        self._here = here
        self._complete = complete

    async def get_suggestion(self, value: str) -> str | None:
        """The first that goes on from `value`."""
        complete = self._complete()
        try:
            offered = self._here if complete is None else await complete(value)
        except QuarterdeckError:
            return None
        return next((path for path in offered if path.casefold().startswith(value.casefold())), None)


class NewAgentScreen(ModalScreen[Draft | None]):
    """Dismissed with the filled form, None where the person left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]

    def __init__(
        self,
        draft: Draft,
        offer: Offer,
        check: Callable[[Path], None] = check_directory,
        far: Mapping[str, Complete] | None = None,
    ) -> None:
        """Start from `draft`; `check` raises a `QuarterdeckError` for a directory that will not do.

        `far` holds the other machines there are.
        """
        super().__init__()
        self._far = far or {}
        self._draft = draft
        self._offer = offer
        self._check = check

    def compose(self) -> ComposeResult:
        """A line a field, the first one focused."""
        with VerticalScroll(classes="sheet", can_focus=False):
            yield Label(Content("New agent"), classes="sheet-title")
            yield from self._field("directory", self._draft.directory, self._offer.directories)
            if self._far:
                yield from self._field("host", self._draft.host, tuple(self._far), "this machine")
            yield from self._field("name", self._draft.name, (), "as the directory")
            yield from self._field("model", self._draft.model, self._offer.models, "the CLI's default")
            yield from self._field("mode", self._draft.mode, MODES, MODE_HINT)
            yield from self._field("effort", self._draft.effort, self._offer.efforts, "the CLI's default")
            yield from self._field("budget", self._draft.budget, (), "dollars; else as the settings say")
            yield from self._field("until", self._draft.until, (), UNTIL_HINT)
            yield from self._field("screen", self._draft.screen, SCREENS, SCREEN_HINT)
            yield Static(classes="sheet-error")
            yield Label(key_line(KEYS), classes="sheet-keys")

    def _field(self, name: str, value: str, offered: Sequence[str], blank: str = "") -> ComposeResult:
        with Horizontal(classes="field"):
            yield Label(Content(name))
            line = LineInput(blank, id=f"field-{name}")
            line.value = value
            if name == "directory":
                line.suggester = DirectorySuggester(offered, lambda: self._far.get(self._value("host")))
            elif offered:
                line.suggester = SuggestFromList(offered, case_sensitive=False)
            yield line

    @on(LineInput.Changed, "#field-host")
    def go_there(self, event: LineInput.Changed) -> None:
        """A directory of this machine means nothing on another one."""
        line = self.query_one("#field-directory", LineInput)
        here, far = self._draft.directory, event.value.strip() in self._far
        if self._draft.host != event.value.strip() and line.value == (here if far else FAR_HOME):
            line.value = FAR_HOME if far else here

    @on(LineInput.Submitted)
    def start(self, event: LineInput.Submitted) -> None:
        """Give the form back if it will do, else say what is wrong."""
        event.stop()
        filled = Draft(**{name: self._value(name) for name in Draft.__struct_fields__})
        if filled.host:
            self._start_there(filled)
            return
        directory = Path(filled.directory or ".").expanduser().absolute().resolve()
        if problem := self._problem(directory, filled):
            self.query_one(".sheet-error", Static).update(Content(fmt.plain(problem)))
            return
        name = filled.name or directory.name or "root"
        self.dismiss(replace(filled, directory=str(directory), name=name))

    def _start_there(self, filled: Draft) -> None:
        """What is wrong with a directory there is said by its session."""
        problem = self._wrong(filled)
        if filled.host not in self._far:
            problem = f"There is no host {filled.host} in the settings. Known: {', '.join(self._far)}."
        if problem:
            self.query_one(".sheet-error", Static).update(Content(fmt.plain(problem)))
            return
        directory = filled.directory or FAR_HOME
        name = filled.name or Path(directory).name.strip("~") or filled.host
        self.dismiss(replace(filled, directory=directory, name=name))

    @on(LineInput.Left)
    def leave(self, event: LineInput.Left) -> None:
        """Nothing is started."""
        event.stop()
        self.dismiss(None)

    def _value(self, name: str) -> str:
        line = self.query(f"#field-{name}").first(LineInput) if self.query(f"#field-{name}") else None
        return line.value.strip() if line is not None else ""

    def _problem(self, directory: Path, filled: Draft) -> str:
        if problem := self._wrong(filled):
            return problem
        try:
            self._check(directory)
        except QuarterdeckError as error:
            return str(error)
        return ""

    def _wrong(self, filled: Draft) -> str:
        if filled.mode and filled.mode not in MODES:
            return f"There is no mode {filled.mode}. Known: {', '.join(MODES)}."
        if filled.budget and not dollars(filled.budget):
            return f"{filled.budget!r} is no amount of money: write a number like 5 or 2.50."
        if filled.screen and filled.screen not in SCREENS:
            return "For the CLI's own screen write own; leave it empty for an agent driven by the deck."
        if filled.screen and (filled.budget or filled.host):
            kept = "keeps to no budget" if filled.budget else "runs on this machine only"
            return f"On its own screen the CLI {kept}: leave one of the two empty."
        return ""
