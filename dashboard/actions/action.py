"""What an action is: keys, words, and when it applies. It must not know one."""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from dashboard import situation as when
from dashboard.situation import Rule

Place = Literal["deck", "inbox", "list", "reader", "cost"]
"""On which screen a key acts: the deck, the inbox, the list of past sessions, one of them, what they cost."""


class Action(Struct, frozen=True):
    """One thing a person can do.

    `keys` are Textual's key names, `shown` replaces them where people read them. `footer` is its place in
    the footer (0: not there), `listed` whether help, palette and README name it.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    help: str
    group: str
    call: str
    why_not: Rule = when.always
    argument: str = ""
    shown: str = ""
    footer: int = 0
    listed: bool = True
    place: Place = "deck"


def on_screen(place: Place, group: str) -> Callable[..., Action]:
    """Makes actions of a screen: `call` names a method of the screen."""

    def make(name: str, keys: str, label: str, told: str, *, footer: int = 0, shown: str = "") -> Action:
        return Action(
            id=f"{place}-{name}",
            keys=tuple(keys.split(",")),
            label=label,
            help=told,
            group=group,
            call=f"do_{name.replace('-', '_')}",
            footer=footer,
            shown=shown,
            place=place,
        )

    return make
