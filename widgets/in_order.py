"""Keys of a text field in the order they were pressed. It must not know what a field is for.

Textual inserts a character at once, but lets a key with a binding (Backspace, an arrow) travel up to the app
before it does anything: pressed quickly, Backspace then deletes what was typed after it.
"""

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
