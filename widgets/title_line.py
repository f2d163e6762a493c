"""The title line of a pane: name, model, mode, state and the time in it. It must not know a conversation."""

from core.session.state import Choice, SessionState
from widgets import format as fmt
from widgets.line import Line, OneLine, Piece, joined
from widgets.signs import sign_of
from widgets.summary import name_of


class TitleLine(OneLine):
    """`1 ◆ api-auth   opus · default          needs you  0:42`; bright while its pane is the active one."""

    DEFAULT_CSS = """
    TitleLine { background: $panel; color: $text-muted; padding: 0 1; }
    TitleLine.-active { background: $primary; color: $text; text-style: bold; }
    """

    def show(self, state: SessionState, now: float, number: int = 0, active: bool = False) -> None:
        """Show `state` as of `now` (seconds since the epoch); `number` 0 shows none."""
        self.set_class(active, "-active")
        self.say(*title_pieces(state, now, number, active))


def title_pieces(state: SessionState, now: float, number: int, active: bool) -> tuple[Line, Line]:
    """The left and the right half of a title line; names give way first, then models, then times."""
    sign = sign_of(state)
    colour = "" if active else sign.style
    model, effort, mode = (choice_text(choice) for choice in (state.model, state.effort, state.mode))
    told = (Piece(model, gives=2, least=6), Piece(effort, gives=2, least=4), Piece(mode, gives=3, least=6))
    facts = joined(told, " · ", "")
    shown = f"{number} " if number else ""
    left = (
        Piece(shown + sign.shape + " ", colour),
        Piece(name_of(state), "bold" if active else "bold $foreground", 1, 8, stays=True),
        *((Piece("   ", "", 2, -1), *facts) if facts else ()),
    )
    since = fmt.pad_left(fmt.age(now - state.since), 5) if state.since else ""
    time = Piece(f" {since}", "", 4, 6) if since else Piece("")
    right = (Piece(sign.word, colour, 5, len(sign.word)), time)
    return left, right


def choice_text(choice: Choice) -> str:
    """A value the CLI owns: what it confirmed; what was asked for since, if it has not answered yet."""
    value = fmt.one_line(choice.value)
    match choice.confirmation:
        case "pending":
            return f"{value or '–'} → {fmt.one_line(choice.wanted)} …"
        case "unknown":
            return f"{fmt.one_line(choice.wanted) or value}?"
        case _:
            return value
