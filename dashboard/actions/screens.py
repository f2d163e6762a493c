"""What a person can do with sessions that have a screen of their own."""

from dashboard import situation as when
from dashboard.actions.action import Action

LEAVE = "leave-screen"
"""The one key that is not the program's while one types at its screen."""

SCREENS: tuple[Action, ...] = (
    Action(
        "new-screen",
        ("O",),
        "new screen",
        "Start an interactive session: the CLI on its own screen, in a pane.",
        "Screens",
        "new_on_screen",
    ),
    Action(
        "attach",
        ("j",),
        "join",
        "Open the screen of a background session; the session goes on when you leave.",
        "Screens",
        "attach_session",
        when.attachable,
        footer=8,
    ),
    Action(
        "screen",
        ("V",),
        "screen",
        "Change between an interactive session's screen and its conversation.",
        "Screens",
        "toggle_screen",
        when.interactive,
        footer=7,
    ),
    Action(
        "account",
        ("K",),
        "how known",
        "See how an interactive session is known: who speaks, each decision, what was left out.",
        "Screens",
        "show_account",
        when.interactive,
    ),
    Action(
        LEAVE,
        ("ctrl+right_square_bracket",),
        "back to the deck",
        "Stop typing at a session's screen: until then every other key is the session's.",
        "Screens",
        "leave_screen",
        when.on_deck,
        shown="Ctrl+]",
    ),
)
