"""The help screen: every key, from the one table of actions."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label, Static

from dashboard import actions

KeysOf = Callable[[str], tuple[str, ...] | None]

INTRO = (
    "Two modes: in deck mode keys act, in typing mode they are text. Enter or i types, Esc leaves. "
    "Nothing moves the focus but you."
)
SIGNS = "◆ needs you   ● working   ○ idle   ⏸ limited   ◔ starting   ✗ failed   ✓ ended"


class HelpScreen(ModalScreen[None]):
    """All keys, by group."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark", "dismiss(None)", "close"),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]

    def __init__(self, keys_of: KeysOf) -> None:
        """`keys_of` gives the keys of the person's settings, None where an action has its own."""
        super().__init__()
        self._keys_of = keys_of

    def compose(self) -> ComposeResult:
        """The modes, then the groups, then the signs."""
        with VerticalScroll(classes="sheet wide"):
            yield Label(Content("Quarterdeck: the keys"), classes="sheet-title")
            yield Static(Content(INTRO), classes="sheet-text")
            yield Static(self.table())
            yield Static(Content(f"\n{SIGNS}"), classes="sheet-text")
            yield Label(Content("Esc close"), classes="sheet-keys")

    def table(self) -> Content:
        """Each action with its keys."""
        lines = [Content()]
        for group in actions.groups():
            lines.append(Content.styled(f"\n{group}", "bold $text-primary"))
            lines += [self._line(action) for action in actions.listed(group)]
        return Content("\n").join(lines[1:])

    def _line(self, action: actions.Action) -> Content:
        keys = actions.key_text(action, self._keys_of(action.id)) or "–"
        return Content.assemble((f"  {keys:<14}", "bold $text-accent"), action.help)
