"""Keys in the order they were pressed, each where the person was by then. It must not know what a key means.

Textual gives a widget the focus in the app's next turn only: till then keys go, and all that is drawn looks
as if the focus was, where it was before.

Textual inserts a character at once, but lets a key with a binding (Backspace, an arrow) travel up to the app
before it does anything: pressed quickly, Backspace then deletes what was typed after it.
"""

from typing import Self

from textual import events
from textual.widget import Widget


async def do_at_once(widget: Widget, event: events.Key) -> bool:
    """Do what a key means by the widget's own bindings, before the next key is looked at; whether it does."""
    for binding in widget._bindings.key_to_bindings.get(event.key, ()):
        if await widget.app.run_action(binding.action, widget):
            event.prevent_default()
            event.stop()
            return True
    return False


class AtOnce(Widget):
    """Has the focus as soon as it is told to. Name it after a class of Textual's, as `cheap.Kept`."""

    def focus(self, scroll_visible: bool = True) -> Self:
        """Take the focus; a widget that is only just coming to be takes it then."""
        if not self.is_attached:
            return super().focus(scroll_visible)
        self.screen.set_focus(self, scroll_visible=scroll_visible)
        return self
