"""Keys as Textual wants them and as people read them: bindings, keymap, names, the README's table."""

from collections.abc import Callable, Mapping
from functools import cache

from textual.binding import Binding

from dashboard.actions.action import Action, Place
from dashboard.actions.table import ACTIONS, groups, listed

NO_KEY = "no-key"
"""Stands for "taken away": Textual's keymap has no word for an action without a key."""

ON_CARD: Mapping[str, str] = {
    "allow": "allow",
    "allow-rule": "allow-rule",
    "deny": "deny",
    "deny-message": "deny-why",
    "edit": "edit",
    "outline": "outline",
    "discuss": "discuss",
    "comment": "comment",
}
"""Actions whose key a focused pane or card hears first → what their own bindings call it."""

NAMES = {
    "escape": "Esc",
    "enter": "Enter",
    "backspace": "⌫",
    "question_mark": "?",
    "slash": "/",
    "greater_than_sign": ">",
    "less_than_sign": "<",
}


def bindings(place: Place = "deck") -> list[Binding]:
    """The table of a screen as Textual bindings; each runs `act` with the action's id."""
    return [
        Binding(",".join(action.keys), f"act('{action.id}')", action.label, id=action.id, show=False)
        for action in ACTIONS
        if action.place == place
    ]


def keymap(keys_of: Callable[[str], tuple[str, ...] | None]) -> dict[str, str]:
    """What the person's settings change in the bindings, as Textual's keymap."""
    changed = {
        action.id: ",".join(keys) or NO_KEY for action in ACTIONS if (keys := keys_of(action.id)) is not None
    }
    inside = {
        f"{place}.{ON_CARD[action]}": keys
        for action, keys in changed.items()
        if action in ON_CARD
        for place in ("pane", "ask", "inbox")
    }
    return changed | inside


def key_names(action: Action, keys: tuple[str, ...] | None = None) -> tuple[str, ...]:
    """An action's keys as people read them; `keys` are those of the person's settings."""
    if keys is None and action.shown:
        return (action.shown,)
    return tuple(_key_name(key) for key in (action.keys if keys is None else keys))


@cache
def _key_name(key: str) -> str:
    *modifiers, last = key.split("+")
    named = NAMES.get(last) or (last.upper() if modifiers and len(last) == 1 else last)
    return "+".join([*(word.capitalize() for word in modifiers), named if len(named) == 1 else _title(named)])


def _title(word: str) -> str:
    return word[:1].upper() + word[1:]


def readme_table() -> str:
    """The key table of the README, in Markdown."""
    rows = [row for group in groups() for row in (f"| | **{group}** |", *_rows(group))]
    return "\n".join(["| Key | What it does |", "|---|---|", *rows])


def _rows(group: str) -> list[str]:
    return [f"| {_code(action)} | {action.help} |" for action in listed(group)]


def _code(action: Action) -> str:
    return ", ".join(f"`{key}`" for key in key_names(action))
