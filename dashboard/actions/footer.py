"""The keys that work now, the most useful first: what the footer shows."""

from collections.abc import Callable, Collection, Mapping
from typing import Literal

from core.session.state import Ask, AskKind
from dashboard.actions.action import Action, Place
from dashboard.actions.keys import key_names
from dashboard.actions.screens import LEAVE
from dashboard.actions.table import BY_ID, of
from dashboard.situation import Situation, Typing
from widgets.fleet_list import FleetList

ANSWER_LABELS: Mapping[tuple[str, AskKind | Literal["choice"]], str] = {
    ("allow", "choice"): "answer",
    ("deny", "choice"): "dismiss",
    ("allow", "question"): "answer",
    ("allow", "plan"): "approve",
    ("allow-rule", "plan"): "mode…",
}
"""What answering is called in the footer where it is not a permission that is asked for.

A choice is a question that takes no words: its card says the same.
"""

TYPING_FOOTER = (
    *(("Enter", "send"), ("Shift+Enter", "new line"), ("Esc", "leave"), ("Ctrl+C", "interrupt")),
    *(("@", "file"), ("/", "command"), ("Ctrl+R", "said before")),
)
"""What works while a prompt is typed."""

EDIT_FOOTER = (
    ("Ctrl+S", "allow as changed"),
    ("Tab", "next field"),
    ("Ctrl+G", "your editor"),
    ("Ctrl+R", "as asked"),
    ("Esc", "back"),
)
"""What works while an input is edited."""

LINE_FOOTER = (("Enter", "take"), ("Esc", "leave"), ("Ctrl+C", "interrupt"))
"""What works while a line of a form is typed."""

SEARCH_FOOTER = (("Enter", "next"), ("↑", "previous"), ("Esc", "close"), ("Ctrl+C", "interrupt"))
"""What works while words are searched in a conversation."""

TYPED: Mapping[Typing, tuple[tuple[str, str], ...]] = {
    "prompt": TYPING_FOOTER,
    "line": LINE_FOOTER,
    "search": SEARCH_FOOTER,
    "editor": EDIT_FOOTER,
}


class Footing:
    """A footer that is worked out again only where what the keys depend on differs."""

    def __init__(self, keys_of: Callable[[str], tuple[str, ...] | None]) -> None:
        """`keys_of`: the keys a person chose for an action, None where they are its own."""
        self._keys_of = keys_of
        self._situation: Situation | None = None
        self._keys: tuple[tuple[str, str], ...] = ()

    def keys(self, situation: Situation) -> tuple[tuple[str, str], ...]:
        """What `footer` says."""
        if situation != self._situation:
            self._keys = footer(situation, self._keys_of)
            self._situation = situation
        return self._keys


def footer(
    situation: Situation, keys_of: Callable[[str], tuple[str, ...] | None] = lambda action: None
) -> tuple[tuple[str, str], ...]:
    """The keys that work now, the most useful first and help last, each as (key, label)."""
    if situation.typing == "screen":
        return ((footer_key(BY_ID[LEAVE], keys_of(LEAVE) or None), BY_ID[LEAVE].label),)
    if situation.typing:
        return TYPED[situation.typing]
    shown = sorted(
        (action for action in of("deck") if action.footer and not action.why_not(situation)),
        key=lambda action: action.footer,
    )
    if situation.on_card or situation.in_list:  # there Esc leaves
        shown = [action for action in shown if action.id != "interrupt"]
    kind = _kind(situation.ask)
    if situation.on_card and kind in ("question", "choice"):  # one is in its form already
        shown = [action for action in shown if action.id != "allow"]
    shown.sort(key=lambda action: action.id == "help")
    keyed = (
        (footer_key(action, keys_of(action.id)), ANSWER_LABELS.get((action.id, kind), action.label))
        for action in shown
    )
    own = FleetList.KEYS if situation.in_list else ()
    return (*own, *((key, label) for key, label in keyed if key))


def _kind(ask: Ask | None) -> AskKind | Literal["choice"]:
    if ask is None:
        return "permission"
    return "choice" if ask.kind == "question" and ask.wordless else ask.kind


def screen_footer(
    place: Place,
    keys_of: Callable[[str], tuple[str, ...] | None] = lambda action: None,
    *,
    without: Collection[str] = (),
) -> tuple[tuple[str, str], ...]:
    """The keys of a screen other than the deck, the most useful first, each as (key, label).

    `without` are the ids of actions that have nothing to act on now.
    """
    told = (action for action in of(place) if action.footer and action.id not in without)
    shown = sorted(told, key=lambda action: action.footer)
    keyed = ((footer_key(action, keys_of(action.id)), action.label) for action in shown)
    return tuple((key, label) for key, label in keyed if key)


def footer_key(action: Action, keys: tuple[str, ...] | None) -> str:
    """The one key of an action the footer names."""
    return next(iter(key_names(action, keys)), "")
