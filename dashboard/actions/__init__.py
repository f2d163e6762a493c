"""The one table of what a person can do: keys, words, and when it applies.

Bindings, palette, help screen, footer and the README's key table are all made from `ACTIONS`. It must not
know how anything is done: `call` only names a function of `dashboard.commands`.
"""

from dashboard.actions.action import Action, Place
from dashboard.actions.chosen import wrong_key
from dashboard.actions.footer import TYPED, Footing, footer, footer_key, screen_footer
from dashboard.actions.keys import NO_KEY, bindings, key_names, keymap, readme_table
from dashboard.actions.pressing import pressed
from dashboard.actions.screens import LEAVE
from dashboard.actions.table import ACTIONS, BY_ID, groups, listed, of

__all__ = [
    "ACTIONS", "BY_ID", "LEAVE", "NO_KEY", "TYPED", "Action", "Footing", "Place", "bindings", "footer",
    "footer_key", "groups", "key_names", "keymap", "listed", "of", "pressed", "readme_table", "screen_footer",
    "wrong_key",
]  # fmt: skip
