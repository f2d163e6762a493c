"""What a person can do in the inbox, beside answering, which has the keys it has everywhere."""

from dashboard.actions.action import Action, on_screen

_inbox = on_screen("inbox", "In the inbox")

INBOX: tuple[Action, ...] = (
    _inbox("filter", "f", "kinds", "Only permissions, only questions, only plans …, or all again.", footer=2),
    _inbox("go", "g", "its pane", "Leave, and go to the pane of the agent that asks.", footer=3),
    _inbox("scroll", "space", "scroll", "See more of what is asked.", footer=4),
    _inbox("scroll-back", "backspace", "scroll back", "See what stood before it."),
    _inbox("help", "question_mark", "help", "Show the keys of this screen.", footer=6, shown="?"),
    _inbox("close", "escape,I,q", "back", "Back to where you were.", footer=5),
)
"""In the order help and README show it."""
