"""What a person can do on the screens of past sessions: the list, the reader, the cost."""

from dashboard.actions.action import Action, on_screen

_past = on_screen("list", "In the list of past sessions")
_read = on_screen("reader", "Reading a past session")
_cost = on_screen("cost", "On the cost screen")

SESSIONS: tuple[Action, ...] = (
    _past("open", "enter", "read", "Read the session, or open it at what was found.", footer=1),
    _past("resume", "r", "resume", "Go on with it in a pane.", footer=2),
    _past("fork", "F", "fork", "Go on from it in a pane, in a session of its own.", footer=3),
    _past("search", "slash", "search", "Search in all that was ever said.", footer=4, shown="/"),
    _past(
        "filter", "f", "filter", "Show only those with these words in title, directory or branch.", footer=5
    ),
    _past("project", "p", "project", "Only the sessions of this directory, or all.", footer=6),
    _past("sort", "s", "sort", "Sort by age, cost, size, turns or title.", footer=8),
    _past("rename", "R", "rename", "Give the session a name: the CLI itself writes it down."),
    _past("export", "e", "export", "Write it to a file: Markdown, HTML or JSON.", footer=9),
    _past("copy-id", "y", "copy id", "Copy the session's id."),
    _past("path", "P", "file", "Say where its file is, and copy the path."),
    _past("help", "question_mark", "help", "Show the keys of this screen.", footer=10, shown="?"),
    _past("close", "escape,q,h", "back", "Leave search, filter, list.", footer=7),
    _read("resume", "r,enter", "resume", "Go on with it in a pane.", footer=1),
    _read("fork", "F", "fork", "Go on from it in a pane, in a session of its own.", footer=2),
    _read("outline", "o", "outline", "List its prompts, and jump to one.", footer=3),
    _read("find", "slash", "find", "Find words in the whole session.", footer=4, shown="/"),
    _read("raw", "v", "raw", "Show the records the entry was made of.", footer=5),
    _read("unknown", "u", "unknown", "Show the lines of its file that were not understood."),
    _read("export", "e", "export", "Write it to a file: Markdown, HTML or JSON.", footer=6),
    _read(
        "fold", "space", "fold", "Unfold or fold the entry pointed at, else the last one in sight.", footer=8
    ),
    _read("previous-entry", "left_square_bracket", "entry before", "Point at the entry before.", shown="["),
    _read("next-entry", "right_square_bracket", "next entry", "Point at the next entry.", shown="]"),
    _read("copy", "y", "copy", "Copy the entry pointed at, else the last one in sight.", footer=9),
    _read("copy-code", "Y", "copy code", "Copy its code, else the newest code."),
    _read("copy-id", "c", "copy id", "Copy the session's id."),
    _read("path", "P", "file", "Say where its file is, and copy the path."),
    _read("top", "home", "first", "Go to its very beginning."),
    _read("end", "end", "last", "Go to its end."),
    _read("help", "question_mark", "help", "Show the keys of this screen.", footer=10, shown="?"),
    _read("close", "escape,q", "back", "Back to the list.", footer=7),
    _cost("day", "d", "days", "By day.", footer=1),
    _cost("week", "w", "weeks", "By week.", footer=2),
    _cost("project", "p", "projects", "By project, the dearest first.", footer=3),
    _cost("model", "m", "models", "By model, the dearest first.", footer=4),
    _cost("help", "question_mark", "help", "Show the keys of this screen.", footer=6, shown="?"),
    _cost("close", "escape,q,C", "back", "Back.", footer=5),
)
"""In the order help and README show it."""
