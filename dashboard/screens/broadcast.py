"""One prompt to several agents: who would get it, the prompt, and what became of it at each.

It must not know how a prompt is sent.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label

from core.session.state import SessionState
from widgets import format as fmt
from widgets.footer_bar import key_line
from widgets.line import Line, Piece, whole
from widgets.one_line import OneLine
from widgets.prompt_area import PromptArea
from widgets.prompt_draft import Draft
from widgets.row_list import RowList
from widgets.signs import MUTED, sign_of
from widgets.summary import name_of

Send = Callable[[Sequence[str], str], Mapping[str, str]]
"""Sends a text to the sessions with these keys; why it was refused, by key, for those that refused it."""

KEYS = (("Enter", "send to all"), ("Shift+Enter", "new line"), ("Esc", "leave, text kept"))
MOST_ROWS, REST_ROWS = 10, 11
"""So many targets are in sight at once, if there are as many lines; so many are kept for all else."""


class BroadcastScreen(ModalScreen[Sequence[str] | None]):
    """Dismissed with the keys of those it was sent to, None where the person left."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "app.copy_or_interrupt", show=False)]
    DEFAULT_CSS = """
    BroadcastScreen RowList { height: auto; margin: 0 0 1 0; }
    BroadcastScreen PromptArea { background: $boost; max-height: 6; padding: 0 1; }
    """

    def __init__(self, states: Sequence[SessionState], draft: Draft, send: Send) -> None:
        """To these, in that order; `draft` outlives the screen."""
        super().__init__()
        self._states = {state.key: state for state in states}
        self._refused: dict[str, str] = {}
        self._sent: list[str] = []
        self._send = send
        self._draft = draft
        self.rows = RowList()
        self.rows.can_focus = False
        self.said = OneLine()
        self.area = PromptArea()

    def compose(self) -> ComposeResult:
        """Title, the targets, the prompt, keys."""
        with Vertical(classes="sheet wide"):
            yield Label(
                Content(f"One prompt to {fmt.count(len(self._states), 'agent')}"), classes="sheet-title"
            )
            yield self.rows
            yield self.area
            yield self.said
            yield Label(key_line(KEYS), classes="sheet-keys")

    def on_mount(self) -> None:
        """Write at once."""
        self.area.work_on(self._draft)
        self.area.focus()
        self._show()

    def on_resize(self) -> None:
        """There is more or less room for them."""
        self._show()

    def on_unmount(self) -> None:
        """What is not sent is there again next time."""
        self._draft.text = self.area.text

    def _show(self) -> None:
        room = max(1, self.size.height - REST_ROWS)
        self.rows.styles.height = min(len(self._states), MOST_ROWS, room)
        self.rows.show(list(self._states), self._describe)

    def _describe(self, key: str, width: int) -> list[tuple[Line, Line]]:
        state = self._states[key]
        sign = sign_of(state)
        name = (Piece(f"{sign.shape} ", sign.style), Piece(name_of(state), "bold", 2, 8))
        return [((*name, whole(f"  {sign.word}", sign.style, 1)), (self._outlook(state),))]

    def _outlook(self, state: SessionState) -> Piece:
        """What will become of the prompt there, or has."""
        if state.key in self._refused:
            return Piece(fmt.one_line(self._refused[state.key]), "$text-error", 3, 12)
        if not state.can.prompt:
            return Piece("takes no prompts now", "$text-warning", 1, 8)
        return Piece("queued until its next step" if state.turn else "", MUTED, 1, 8)

    @on(PromptArea.Entered)
    def send(self, event: PromptArea.Entered) -> None:
        """Send it to all; those that refused it stay, and so does the text."""
        event.stop()
        refused = self._send(list(self._states), self._draft.whole(event.text))
        self._sent += [key for key in self._states if key not in refused]
        if not refused:
            self._draft.sent(event.text)
            self.dismiss(self._sent)
            return
        self._refused = dict(refused)
        self._states = {key: state for key, state in self._states.items() if key in refused}
        self.area.write(event.text)
        told = f"{len(self._sent)} sent, {len(refused)} refused it. Enter tries those again."
        self.said.say((Piece(told, "$text-warning"),))
        self._show()

    @on(PromptArea.Left)
    def leave(self, event: PromptArea.Left) -> None:
        """Back to the deck; some may have it already."""
        event.stop()
        self.dismiss(self._sent or None)

    @on(PromptArea.ImagePasted)
    @on(PromptArea.Emptied)
    def ignore(self, event: PromptArea.ImagePasted | PromptArea.Emptied) -> None:
        """A path is only text here, and nothing is queued yet."""
        event.stop()
