"""The text area of the prompt box: Enter sends, and a paste never does. It must not know a session."""

from collections.abc import Callable

from textual import events
from textual.actions import SkipAction
from textual.message import Message
from textual.widgets import TextArea

from widgets.cheap import Kept
from widgets.in_order import AtOnce, do_at_once
from widgets.prompt_draft import Draft, mention, normalised, pasted_image

NEW_LINE = ("shift+enter", "ctrl+j", "alt+enter", "ctrl+enter")


def _not_steered(key: str) -> bool:
    return False


class PromptArea(TextArea, Kept, AtOnce):
    """A `TextArea` on a `Draft`; keys that mean more than text become messages.

    `steer` hears each key first, and says whether it was meant for something beside the text.
    """

    DEFAULT_CSS = """
    PromptArea { height: auto; max-height: 8; border: none; padding: 0; background: transparent; width: 1fr;
        scrollbar-size-vertical: 1; }
    PromptArea:focus { border: none; }
    """

    class Entered(Message):
        """Enter was pressed on this text (as shown; folded pastes are in the draft)."""

        def __init__(self, text: str) -> None:
            """Carry the text."""
            super().__init__()
            self.text = text

    class Left(Message):
        """Escape was pressed."""

    class Emptied(Message):
        """Backspace was pressed where nothing was left to delete."""

    class HistoryWanted(Message):
        """Ctrl+R was pressed: something said before is looked for."""

    class ImagePasted(Message):
        """The path of an image was pasted; its mention stands in the text."""

        def __init__(self, path: str) -> None:
            """Carry the path."""
            super().__init__()
            self.path = path

    def __init__(self, *, id: str | None = None) -> None:
        """Start on an empty draft."""
        super().__init__(
            id=id, soft_wrap=True, show_line_numbers=False, highlight_cursor_line=False, compact=True
        )
        self.draft = Draft()
        self.accepts = True
        self.steer: Callable[[str], bool] = _not_steered

    def work_on(self, draft: Draft) -> None:
        """Put the text away into its draft and go on with another."""
        written = self.draft.text = self.text
        self.draft = draft
        if draft.text == written == "":  # to set a text is to lay it out anew
            self.history.clear()
        else:
            self.write(draft.text)

    def write(self, text: str) -> None:
        """Replace all text; the cursor stands at its end."""
        self.text = text
        self.move_cursor(self.document.end)

    async def _on_key(self, event: events.Key) -> None:
        """Keys that are not text; all others are Textual's."""
        if self._acts(event.key):
            event.prevent_default()
            event.stop()
        else:
            await do_at_once(self, event)

    def _acts(self, key: str) -> bool:
        """Do what a key means beyond text; False where it means nothing more."""
        if self.steer(key):
            return True
        match key:
            case "enter":
                self._enter()
            case "escape":
                self.post_message(self.Left())
            case "backspace" if not self.text:
                self.post_message(self.Emptied())
            case "ctrl+r":
                self.post_message(self.HistoryWanted())
            case "up" if self.cursor_at_first_line:
                return self._recall(self.draft.older(self.text))
            case "down" if self.cursor_at_last_line:
                return self._recall(self.draft.newer())
            case _ if key in NEW_LINE:
                self.insert("\n")
            case _:
                return False
        return True

    def _enter(self) -> None:
        """Send what is written; it leaves the area at once, so that nothing typed after it goes along."""
        text = self.text
        if text.strip():
            self.post_message(self.Entered(text))
            if self.accepts:
                self.text = ""

    def _recall(self, text: str | None) -> bool:
        """Show a text of the history, if there is one."""
        if text is not None:
            self.write(text)
        return text is not None

    async def _on_paste(self, event: events.Paste) -> None:
        """Keep every line (case UIX-06), fold what is huge, notice images."""
        event.prevent_default()
        event.stop()
        if path := pasted_image(normalised(event.text)):
            self.replace(mention(path), *self.selection)
            self.post_message(self.ImagePasted(path))
        else:
            self.replace(self.draft.fold(normalised(event.text)), *self.selection)

    def action_copy(self) -> None:
        """Copy the selection; without one the key is not ours."""
        if not self.selected_text:
            raise SkipAction
        super().action_copy()
