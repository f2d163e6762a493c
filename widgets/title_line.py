"""The title line of a pane: name, model, mode, state and the time in it. It must not know a conversation."""

from collections.abc import Callable
from typing import ClassVar

from textual.reactive import reactive
from textual.style import Style as VisualStyle

from core.session.state import CaptureState, Choice, SessionState
from widgets import format as fmt
from widgets.line import Line, Piece, joined
from widgets.one_line import OneLine
from widgets.signs import MUTED, is_elsewhere, sign_of
from widgets.summary import name_of

NAME_CELLS = 28
"""A longer name is shortened before it takes the place of anything else."""


CAPTURES: dict[CaptureState, str] = {"": "", "on": "captured", "lost": "capture lost"}
"""What a person must see of a session whose API stream is read along, in as few words as do."""


class TitleLine(OneLine):
    """`▌1 ◆ api-auth   opus 5.5 · default     needs you  0:42`; bright while its pane is the active one."""

    DEFAULT_CSS = """
    TitleLine { background: $surface; color: $foreground-muted; padding: 0; }
    TitleLine > .title-line--active { background: $primary 18%; color: $foreground; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"title-line--active"}

    active: reactive[bool] = reactive(False)

    def show(
        self, state: SessionState, now: float, number: int = 0, active: bool = False, whole: bool = False
    ) -> None:
        """Show `state` as of `now` (seconds since the epoch).

        `number` 0 shows none; `whole`: there is room for the model's whole name.
        """
        self.active = active
        left, right = title_pieces(state, now, number, active, whole)
        self.say(left, (*right, Piece(" ", "", 0, 1)))

    @property
    def visual_style(self) -> VisualStyle:
        """Its looks, of the active pane the bright ones: to apply style sheets for it takes a key's time."""
        style = super().visual_style
        return style + self.get_visual_style("title-line--active") if self.active else style


def title_pieces(
    state: SessionState, now: float, number: int, active: bool, whole: bool = False
) -> tuple[Line, Line]:
    """The left and the right half of a title line; effort and model give way first, then the mode.

    The mode `default` is told only where there is room for everything.
    """
    sign, name = sign_of(state), name_of(state)
    colour = sign.style if sign.style != MUTED or not active else ""
    model = choice_text(state.model, str if whole else fmt.model)
    effort, mode = choice_text(state.effort), choice_text(state.mode)
    told = (
        _fact(f"@{fmt.one_line(state.host)}" if state.host else "", 3),
        _fact(model, 2),
        _fact(effort, 1),
        _fact(mode if whole or mode != "default" else "", 3),
        _fact(CAPTURES[state.capture], 4),
    )
    facts = joined(told, " · ", "")
    shown = f"{number} " if number else ""
    left = (
        Piece("▌" if active else " ", "$primary"),
        Piece(shown, "bold" if active else ""),
        Piece(sign.shape + " ", colour),
        Piece(name if whole else fmt.shorten(name, NAME_CELLS), "bold", 4, 8, stays=True),
        *((Piece("   ", "", 0, -1), *facts) if facts else ()),
    )
    since = fmt.pad_left(fmt.age(now - state.since), 5) if state.since else ""
    time = Piece(f" {since}", "", 5, 6) if since else Piece("")
    word = f"read-only · {sign.word} elsewhere" if is_elsewhere(state) else sign.word
    right = (Piece(word, colour, 6, len(sign.word)), time)
    return left, right


def _fact(text: str, gives: int) -> Piece:
    """A model, an effort or a mode: whole or not at all, unless it is very long."""
    return Piece(text, "", gives, min(Piece(text).cells, 16))


def choice_text(choice: Choice, name: Callable[[str], str] = str) -> str:
    """A value the CLI owns: what it confirmed; what was asked for since, if it has not answered yet.

    `name` says how a value is written.
    """
    value, wanted = name(fmt.one_line(choice.value)), name(fmt.one_line(choice.wanted))
    match choice.confirmation:
        case "pending":
            return f"{value or '–'} → {wanted} …"
        case "unknown":
            return f"{wanted or value}?"
        case _:
            return value
