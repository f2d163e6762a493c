"""Questions on the side and their answers, drawn as lines. It must not know who asks nor who answers."""

from collections.abc import Sequence

from msgspec import Struct
from rich.segment import Segment
from textual.strip import Strip

from widgets import format as fmt
from widgets.render.markdown import render_markdown
from widgets.render.palette import Palette
from widgets.render.safe import clean
from widgets.render.wrap import NO_LEAD, wrap

INDENT = 2


class Aside(Struct):
    """A question to an agent that stays out of its conversation; it waits until one of the others is set."""

    question: str
    asked_at: float
    answer: str = ""
    error: str = ""

    @property
    def pending(self) -> bool:
        """Whether nothing has come of it yet."""
        return not self.answer and not self.error


def draw_asides(asides: Sequence[Aside], now: float, width: int, palette: Palette) -> list[Strip]:
    """All of them, the oldest first, for a width in cells."""
    strips: list[Strip] = []
    for aside in asides:
        strips += [Strip([])] if strips else []
        lead = NO_LEAD.then("❯ ", palette.prompt)
        question = [Segment(fmt.one_line(aside.question), palette.strong)]
        strips += wrap(question, width, lead, NO_LEAD.then("  "))
        strips += _outcome(aside, now, width, palette)
    return strips


def _outcome(aside: Aside, now: float, width: int, palette: Palette) -> list[Strip]:
    edge = NO_LEAD.then(" " * INDENT)
    if aside.error:
        text = f"✗ {fmt.one_line(aside.error)}"
        return wrap([Segment(text, palette.error)], width, edge, edge)
    if aside.pending:
        text = f"asking … {fmt.age(now - aside.asked_at)}"
        return wrap([Segment(text, palette.dim)], width, edge, edge)
    drawn = render_markdown(clean(aside.answer), max(8, width - INDENT), palette)
    return [Strip([Segment(" " * INDENT), *strip]) for strip in drawn]
