"""The keys that answer an ask: the same on a card, in its pane, in the inbox.

It must not know what they do.
"""

from textual.binding import Binding

ANSWERS = (
    ("allow", "a", "allow"),
    ("allow-rule", "A", "always…"),
    ("deny", "d", "deny"),
    ("deny-why", "D", "deny, say why"),
    ("deny-interrupt", "ctrl+d", "deny and interrupt"),
    ("edit", "e", "edit"),
    ("outline", "o", "outline first"),
    ("discuss", "t", "discuss"),
    ("comment", "L", "comment on lines"),
)
"""Each way to answer: its name, its key as Textual calls it, and its label."""

LABELS = {name: label for name, _, label in ANSWERS}
"""A way to answer → what it is called."""

PRESSED = {key.replace("ctrl+d", "^D"): name for name, key, _ in ANSWERS}
"""A key as a card shows it → the way to answer."""


def answer_bindings(place: str) -> list[Binding]:
    """The keys for a widget, bound to `answer(name)`; the settings know them as `place.name`."""
    return [
        Binding(key, f"answer('{name}')", label, id=f"{place}.{name}", show=False)
        for name, key, label in ANSWERS
    ]
