"""The one table of what a person can do: keys, words, and when it applies.

Bindings, palette, help screen, footer and the README's key table are all made from `ACTIONS`. It must not
know how anything is done: `call` only names a function of `dashboard.commands`.
"""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct
from textual.binding import Binding

from core.session.state import AskKind
from dashboard import situation as when
from dashboard.situation import Rule, Situation, Typing

NO_KEY = "no-key"
"""Stands for "taken away": Textual's keymap has no word for an action without a key."""


Place = Literal["deck", "list", "reader", "cost"]
"""On which screen a key acts: the deck, the list of past sessions, one of them, what they cost."""


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


def _pane(number: int) -> Action:
    return Action(
        id=f"pane-{number}",
        keys=(str(number),),
        label="pane",
        help="Go to the agent with that number (the fleet list reaches those beyond 9).",
        group="Moving",
        call="focus_number",
        argument=str(number),
        why_not=when.session,
        shown="1–9",
        listed=number == 1,
    )


def _on_screen(place: Place, group: str) -> Callable[..., Action]:
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


_past = _on_screen("list", "In the list of past sessions")
_read = _on_screen("reader", "Reading a past session")
_cost = _on_screen("cost", "On the cost screen")

_SETTLED = "cannot be changed now."
_ENDED = "takes no prompts: it has ended (r restarts it)."

ACTIONS: tuple[Action, ...] = (
    Action("new", ("n",), "new", "Start a new agent.", "Agents", "new_agent", footer=20),
    Action(
        "new-like",
        ("N",),
        "like this",
        "Start one like the focused agent: same directory, model and mode.",
        "Agents",
        "new_like",
        when.session,
    ),
    Action(
        "fork",
        ("F",),
        "fork",
        "Fork: go on from this conversation apart.",
        "Agents",
        "fork_agent",
        when.forkable,
    ),
    Action(
        "stop",
        ("x",),
        "stop",
        "Stop the agent's process; what was said stays to be read.",
        "Agents",
        "stop_agent",
        when.can("stop", "does not run."),
    ),
    Action(
        "restart",
        ("r",),
        "restart",
        "Start an ended agent again, with the same conversation.",
        "Agents",
        "restart_agent",
        when.can("restart", "need not be restarted: it runs."),
        footer=6,
    ),
    Action(
        "remove",
        ("X",),
        "remove",
        "Take the agent off the deck; u brings it back for 30 seconds.",
        "Agents",
        "remove_agent",
        when.present,
    ),
    Action(
        "rename",
        ("R",),
        "rename",
        "Give the session another name.",
        "Agents",
        "rename_agent",
        when.can("configure", "cannot be renamed now."),
    ),
    Action(
        "undo",
        ("u",),
        "undo",
        "Bring back the agent removed last.",
        "Agents",
        "undo",
        when.undoable,
        footer=2,
    ),
    Action(
        "next-waiting",
        ("w",),
        "next",
        "Go to the next agent that needs you, the longest waiting first.",
        "Moving",
        "next_waiting",
        when.waiting,
        footer=1,
    ),
    Action(
        "previous-waiting",
        ("W",),
        "back",
        "Go back to the one before.",
        "Moving",
        "previous_waiting",
        when.waiting,
    ),
    *(_pane(number) for number in range(1, 10)),
    Action(
        "next-agent",
        ("greater_than_sign",),
        "next agent",
        "Go to the next agent in the list.",
        "Moving",
        "next_agent",
        when.several,
        shown=">",
    ),
    Action(
        "previous-agent",
        ("less_than_sign",),
        "previous agent",
        "Go to the agent before it in the list.",
        "Moving",
        "previous_agent",
        when.several,
        shown="<",
    ),
    Action(
        "zoom",
        ("z",),
        "zoom",
        "Show the focused agent alone, or all again.",
        "Moving",
        "zoom",
        when.session,
        footer=12,
    ),
    Action(
        "more-panes",
        ("plus", "equals_sign"),
        "more panes",
        "Show one pane more at once.",
        "Moving",
        "more_panes",
        when.several,
        shown="+",
    ),
    Action(
        "fewer-panes",
        ("minus",),
        "fewer panes",
        "Show one pane less at once.",
        "Moving",
        "fewer_panes",
        when.several,
        shown="-",
    ),
    Action(
        "fleet",
        ("f",),
        "list",
        "Show or hide the fleet list.",
        "Moving",
        "toggle_fleet",
        when.session,
        footer=15,
    ),
    Action("to-fleet", ("l",), "to the list", "Go into the fleet list.", "Moving", "to_fleet", when.session),
    Action(
        "type",
        ("i", "enter"),
        "prompt",
        "Type a prompt for the agent; Esc leaves.",
        "Working",
        "type_prompt",
        when.can("prompt", _ENDED),
        footer=8,
    ),
    Action(
        "take-back",
        ("backspace",),
        "take back",
        "Take the prompt queued last back.",
        "Working",
        "take_back",
        when.queued,
        footer=9,
    ),
    Action(
        "interrupt",
        ("escape",),
        "interrupt",
        "Interrupt the turn; again: by force.",
        "Working",
        "interrupt",
        when.working,
        footer=10,
    ),
    Action(
        "interrupt-anywhere",
        ("ctrl+c",),
        "interrupt",
        "Interrupt from anywhere, a prompt box too; where text is selected, copy it.",
        "Working",
        "copy_or_interrupt",
    ),
    Action(
        "allow",
        ("a",),
        "allow",
        "Allow what is asked; into the form of a question.",
        "Answering",
        "allow",
        when.asked,
        footer=3,
    ),
    Action(
        "allow-rule",
        ("A",),
        "always…",
        "Allow it, with rules the agent suggests; a plan: and choose the mode that follows.",
        "Answering",
        "allow_with_rule",
        when.rule,
        footer=5,
    ),
    Action("deny", ("d",), "deny", "Deny what is asked.", "Answering", "deny", when.asked, footer=4),
    Action(
        "deny-message",
        ("D",),
        "deny, say why",
        "Deny it with words that reach the agent.",
        "Answering",
        "deny_with_message",
        when.asked,
        footer=7,
    ),
    Action(
        "edit",
        ("e",),
        "edit",
        "Change the command, the path, any field of the input, then allow it.",
        "Answering",
        "edit_ask",
        when.permission,
    ),
    Action(
        "outline",
        ("o",),
        "outline first",
        "Send a plan back: it is to be written out step by step first.",
        "Answering",
        "outline_first",
        when.plan,
    ),
    Action(
        "discuss",
        ("t",),
        "discuss",
        "Send a plan back: it is to be talked over first.",
        "Answering",
        "discuss",
        when.plan,
    ),
    Action(
        "model",
        ("m",),
        "model",
        "Choose the agent's model.",
        "Configuring",
        "pick_model",
        when.can("configure", _SETTLED),
        footer=11,
    ),
    Action(
        "mode",
        ("shift+tab",),
        "mode",
        "Go to the agent's next permission mode.",
        "Configuring",
        "cycle_mode",
        when.can("configure", _SETTLED),
        footer=13,
    ),
    Action(
        "effort",
        ("E",),
        "effort",
        "Choose how hard the agent thinks.",
        "Configuring",
        "pick_effort",
        when.can("configure", _SETTLED),
    ),
    Action("mcp", ("M",), "MCP", "See the agent's MCP servers.", "Configuring", "mcp_board", when.present),
    Action(
        "context",
        ("c",),
        "context",
        "Measure how full its context window is.",
        "Configuring",
        "measure_context",
        when.can("configure", _SETTLED),
    ),
    Action(
        "search",
        ("slash",),
        "search",
        "Search in the conversation.",
        "Reading",
        "search",
        when.session,
        shown="/",
    ),
    Action(
        "previous-entry",
        ("left_square_bracket",),
        "entry before",
        "Point at the entry before.",
        "Reading",
        "previous_entry",
        when.session,
        shown="[",
    ),
    Action(
        "next-entry",
        ("right_square_bracket",),
        "next entry",
        "Point at the next entry.",
        "Reading",
        "next_entry",
        when.session,
        shown="]",
    ),
    Action(
        "fold",
        ("space",),
        "unfold",
        "Unfold or fold the entry pointed at, else the last one in sight.",
        "Reading",
        "fold_entry",
        when.session,
    ),
    Action(
        "copy",
        ("y",),
        "copy",
        "Copy the entry pointed at, else the last one in sight.",
        "Reading",
        "copy_entry",
        when.session,
    ),
    Action(
        "copy-code",
        ("Y",),
        "copy code",
        "Copy its code, else the newest code.",
        "Reading",
        "copy_code",
        when.session,
    ),
    Action(
        "past",
        ("h",),
        "past sessions",
        "Past sessions: read, search, go on.",
        "Deck",
        "past_sessions",
        footer=18,
    ),
    Action(
        "cost",
        ("C",),
        "cost",
        "What sessions cost, by day, project, model.",
        "Deck",
        "show_cost",
    ),
    Action(
        "palette",
        ("ctrl+p",),
        "palette",
        "Find any action, agent or theme by name.",
        "Deck",
        "palette",
        footer=16,
    ),
    Action("help", ("question_mark",), "help", "Show all keys.", "Deck", "show_help", shown="?", footer=17),
    Action("quit", ("q",), "quit", "Quit; asks once while agents run.", "Deck", "leave", footer=21),
    _past("open", "enter", "read", "Read the session, or open it at what was found.", footer=1),
    _past("resume", "r", "resume", "Go on with it in a pane.", footer=2),
    _past("fork", "F", "fork", "Go on from it in a pane, in a session of its own.", footer=3),
    _past("search", "slash", "search", "Search in all that was ever said.", footer=4, shown="/"),
    _past(
        "filter", "f", "filter", "Show only those with these words in title, directory or branch.", footer=5
    ),
    _past("project", "p", "project", "Only the sessions of this directory, or all.", footer=6),
    _past("sort", "s", "sort", "Sort by age, cost, size, turns or title.", footer=7),
    _past("export", "e", "export", "Write it to a file: Markdown, HTML or JSON.", footer=9),
    _past("copy-id", "y", "copy id", "Copy the session's id."),
    _past("path", "P", "file", "Say where its file is, and copy the path."),
    _past("help", "question_mark", "help", "Show the keys of this screen.", footer=10, shown="?"),
    _past("close", "escape,q,h", "back", "Leave search, filter, list.", footer=8),
    _read("resume", "r,enter", "resume", "Go on with it in a pane.", footer=1),
    _read("fork", "F", "fork", "Go on from it in a pane, in a session of its own.", footer=2),
    _read("outline", "o", "outline", "List its prompts, and jump to one.", footer=3),
    _read("find", "slash", "find", "Find words in the whole session.", footer=4, shown="/"),
    _read("raw", "v", "raw", "Show the records the entry was made of.", footer=5),
    _read("export", "e", "export", "Write it to a file: Markdown, HTML or JSON.", footer=6),
    _read("copy-id", "c", "copy id", "Copy the session's id."),
    _read("path", "P", "file", "Say where its file is, and copy the path."),
    _read("top", "home", "first", "Go to its very beginning."),
    _read("end", "end", "last", "Go to its end."),
    _read("help", "question_mark", "help", "Show the keys of this screen.", footer=8, shown="?"),
    _read("close", "escape,q", "back", "Back to the list.", footer=7),
    _cost("day", "d", "days", "By day.", footer=1),
    _cost("week", "w", "weeks", "By week.", footer=2),
    _cost("project", "p", "projects", "By project, the dearest first.", footer=3),
    _cost("model", "m", "models", "By model, the dearest first.", footer=4),
    _cost("close", "escape,q,C", "back", "Back.", footer=5),
)
"""All of it, in the order help and README show it."""

BY_ID: Mapping[str, Action] = {action.id: action for action in ACTIONS}

ON_CARD: Mapping[str, str] = {
    "allow": "allow",
    "allow-rule": "allow-rule",
    "deny": "deny",
    "deny-message": "deny-why",
    "edit": "edit",
    "outline": "outline",
    "discuss": "discuss",
}
"""Actions whose key a focused pane or card hears first → what their own bindings call it."""

ANSWER_LABELS: Mapping[tuple[str, AskKind], str] = {
    ("allow", "question"): "answer",
    ("allow", "plan"): "approve",
    ("allow-rule", "plan"): "mode…",
}
"""What answering is called in the footer where it is not a permission that is asked for."""

TYPING_FOOTER = (("Enter", "send"), ("Shift+Enter", "new line"), ("Esc", "leave"), ("Ctrl+C", "interrupt"))
"""What works while a prompt is typed."""

EDIT_FOOTER = (("Ctrl+S", "allow as changed"), ("Tab", "next field"), ("Ctrl+R", "as asked"), ("Esc", "back"))
"""What works while an input is edited."""

LINE_FOOTER = (("Enter", "take"), ("Esc", "leave"), ("Ctrl+C", "interrupt"))
"""What works while a line of a form is typed."""

TYPED: Mapping[Typing, tuple[tuple[str, str], ...]] = {
    "prompt": TYPING_FOOTER,
    "line": LINE_FOOTER,
    "editor": EDIT_FOOTER,
}

_NAMES = {
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
        for place in ("pane", "ask")
    }
    return changed | inside


def key_text(action: Action, keys: tuple[str, ...] | None = None) -> str:
    """An action's keys as people read them; `keys` are those of the person's settings."""
    if keys is None and action.shown:
        return action.shown
    return " or ".join(_key_name(key) for key in (action.keys if keys is None else keys))


def _key_name(key: str) -> str:
    *modifiers, last = key.split("+")
    named = _NAMES.get(last) or (last.upper() if modifiers and len(last) == 1 else last)
    return "+".join([*(word.capitalize() for word in modifiers), named if len(named) == 1 else _title(named)])


def _title(word: str) -> str:
    return word[:1].upper() + word[1:]


def footer(
    situation: Situation, keys_of: Callable[[str], tuple[str, ...] | None] = lambda action: None
) -> tuple[tuple[str, str], ...]:
    """The keys that work now, the most useful first, each as (key, label)."""
    if situation.typing:
        return TYPED[situation.typing]
    shown = sorted(
        (action for action in of("deck") if action.footer and not action.why_not(situation)),
        key=lambda action: action.footer,
    )
    if situation.on_card:
        shown = [action for action in shown if action.id != "interrupt"]
    kind = situation.ask.kind if situation.ask else "permission"
    keyed = (
        (footer_key(action, keys_of(action.id)), ANSWER_LABELS.get((action.id, kind), action.label))
        for action in shown
    )
    return tuple((key, label) for key, label in keyed if key)


def screen_footer(
    place: Place, keys_of: Callable[[str], tuple[str, ...] | None] = lambda action: None
) -> tuple[tuple[str, str], ...]:
    """The keys of a screen other than the deck, the most useful first, each as (key, label)."""
    shown = sorted((action for action in of(place) if action.footer), key=lambda action: action.footer)
    keyed = ((footer_key(action, keys_of(action.id)), action.label) for action in shown)
    return tuple((key, label) for key, label in keyed if key)


def of(place: Place) -> tuple[Action, ...]:
    """The actions of one screen."""
    return tuple(action for action in ACTIONS if action.place == place)


def footer_key(action: Action, keys: tuple[str, ...] | None) -> str:
    """The one key of an action the footer names."""
    return key_text(action, keys).split(" or ")[0]


def listed(group: str = "") -> tuple[Action, ...]:
    """The actions that are named to people, all or those of one group."""
    return tuple(action for action in ACTIONS if action.listed and group in ("", action.group))


def groups(place: Place | None = None) -> tuple[str, ...]:
    """The groups in their order, of all screens or of one."""
    return tuple(dict.fromkeys(action.group for action in ACTIONS if place in (None, action.place)))


def readme_table() -> str:
    """The key table of the README, in Markdown."""
    rows = [f"| {_code(action)} | {action.help} |" for group in groups() for action in listed(group)]
    return "\n".join(["| Key | What it does |", "|---|---|", *rows])


def _code(action: Action) -> str:
    return ", ".join(f"`{key}`" for key in key_text(action).split(" or "))
