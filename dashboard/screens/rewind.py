"""What a rewind of files would change, before it is done. It must not know how it is done."""

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Label

from core.fleet.requests import Rewind
from widgets import format as fmt
from widgets.footer_bar import key_line
from widgets.render.palette import Palette
from widgets.sheet import Sheet

LIMITS = (
    "Only what the agent's own edits changed comes back, not what its commands did. The conversation stays "
    "as it is. This cannot be undone."
)


class RewindScreen(ModalScreen[bool]):
    """Dismissed with True where the person said yes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", show=False),
        Binding("n,escape,q", "dismiss(False)", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
        Binding("pagedown,space", "scroll(10)", show=False),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]
    DEFAULT_CSS = """
    RewindScreen .sheet { height: 80%; }
    RewindScreen .sheet-title { width: 1fr; }
    RewindScreen Sheet { margin: 1 0; }
    """

    def __init__(self, prompt: str, rewind: Rewind, warning: str, here: fmt.Here) -> None:
        """`rewind` is what would change back to before `prompt`; paths are told from `here` on."""
        super().__init__()
        self._prompt = prompt
        self._rewind = rewind
        self._warning = warning
        self._here = here
        self.page = Sheet(self._draw)

    def compose(self) -> ComposeResult:
        """What, which files, what it does not do, keys."""
        found = self._rewind
        with Vertical(classes="sheet wide"):
            title = f"Put files back to before “{fmt.shorten(fmt.one_line(self._prompt), 60)}”?"
            yield Label(Content(title), classes="sheet-title")
            lines = f"+{found.insertions:,} −{found.deletions:,} lines"
            yield Label(Content(f"{fmt.count(len(found.files), 'file')} would change, {lines}:"))
            yield self.page
            yield Label(Content(f"{self._warning} {LIMITS}".strip()), classes="sheet-text")
            keys = (("y", "put them back"), ("↑↓", "read"), ("n or Esc", "leave them"))
            yield Label(key_line(keys), classes="sheet-keys")

    def _draw(self, width: int, palette: Palette) -> Sequence[Strip]:
        home, directory = self._here.home, self._here.directory
        shown = (fmt.path(path, width - 2, home, directory) for path in self._rewind.files)
        return [Strip([Segment(f"  {path}", palette.text)]) for path in shown]

    def action_scroll(self, by: int) -> None:
        """Read on."""
        self.page.scroll_relative(y=by, animate=False)
