"""What the inbox says about one request that waits: who asks, what, and for how long.

Pure functions of a state, an ask and the time. This module must not know a list.
"""

from collections.abc import Sequence

from msgspec import Struct
from rich.segment import Segment
from textual.strip import Strip

from core.session.entries import Entry, SpeechEntry
from core.session.state import Ask, SessionState
from core.session.tools import title_of
from widgets import format as fmt
from widgets.line import Line, Piece, joined, whole
from widgets.render.markdown import render_markdown
from widgets.render.palette import Palette
from widgets.render.safe import clean
from widgets.render.wrap import wrap
from widgets.signs import MUTED, SIGNS
from widgets.summary import ask_text, asked_tool, asking_task, name_of

NAME_CELLS = 16
"""How wide the column of names is where a request has one line."""


MOST_SAID = 1200
"""How many characters of an agent's last words are shown at most."""


class InboxRow(Struct, frozen=True):
    """A request in the inbox. `gone`: it was withdrawn while the person types into it; `back`: not sent."""

    state: SessionState
    ask: Ask
    hue: str = ""
    gone: bool = False
    back: bool = False


def what_text(ask: Ask, here: fmt.Here) -> str:
    """What is wanted, in one line: a tool with its subject, a question, a plan's title; paths as from `here`.

    What is about the session's own folder, or tells nothing else, names that folder.
    """
    folder = fmt.path(here.directory, 0, here.home)
    if ask.kind != "permission" or ask.unseen:
        text = fmt.with_paths(ask_text(ask), here)
        told = any(question.text or question.header for question in ask.questions)
        return f"{text}  in {folder}" if ask.kind == "question" and folder and not told else text
    tool, subject = asked_tool(ask), fmt.one_line(title_of(ask.tool, ask.input_json))
    short = fmt.with_paths(subject, here)
    if short and short != tool:
        return f"{tool}  {fmt.path(subject, 0, here.home) if short == '.' else short}"
    text = fmt.with_paths(ask_text(ask), here)
    return f"{tool}  in {folder}" if folder and text in (tool, f"{tool} · .") else text


def short_lines(row: InboxRow, now: float, home: str = "") -> tuple[tuple[Line, Line], ...]:
    """A request in one line."""
    name = fmt.pad(fmt.shorten(name_of(row.state), NAME_CELLS), NAME_CELLS)
    left = (Piece("▌ ", row.hue), Piece(f"{name}  ", "bold"), _what(row, home))
    return ((left, (*_mark(row), _age(row.ask, now))),)


def long_lines(row: InboxRow, now: float, home: str = "") -> tuple[tuple[Line, Line], ...]:
    """A request in two lines."""
    facts = (Piece(name_of(row.state), "bold", 3, 10), *_asker(row), _branch(row.state))
    first = (Piece("▌ ", row.hue), *joined(facts, " · "))
    second = (Piece("▌ ", row.hue), _what(row, home))
    return (first, (_age(row.ask, now),)), (second, _mark(row))


def who_line(row: InboxRow, home: str = "") -> tuple[Line, Line]:
    """Who asks: name, subagent, directory, branch; at the right the mode it works in."""
    state = row.state
    facts = (
        Piece(name_of(state), "bold", 5, 10),
        *_asker(row),
        Piece(fmt.path(state.directory, 60, home), MUTED, 3, 12),
        _branch(state),
    )
    mode = Piece(fmt.one_line(state.mode.value), MUTED, 1, 8)
    return (Piece("▌ ", row.hue), *joined(facts, " · ")), (mode,)


def last_words(entries: Sequence[Entry]) -> str:
    """What the agent said last, its end where it is long; "" where it said nothing in this turn."""
    for entry in reversed(entries):
        if isinstance(entry, SpeechEntry) and not entry.thinking and entry.text.strip():
            return entry.text[-MOST_SAID:]
    return ""


def draw_said(text: str, width: int, palette: Palette) -> list[Strip]:
    """An agent's last words, as they stand in its conversation, under a line that says so."""
    if not text:
        return []
    lead = wrap([Segment("before it asked:", palette.dim)], width)
    return [*lead, *render_markdown(clean(text), width, palette)]


def _what(row: InboxRow, home: str) -> Piece:
    text = what_text(row.ask, fmt.Here(row.state.directory, home))
    return Piece(text, MUTED if row.gone else "", 2, 12)


def _asker(row: InboxRow) -> Line:
    """The subagent that asks."""
    task = asking_task(row.ask, row.state.tasks)
    return (Piece(f"for: {task}", "", 2, 12),) if task else ()


def _branch(state: SessionState) -> Piece:
    return Piece(fmt.one_line(state.branch), MUTED, 1, 8)


def _age(ask: Ask, now: float) -> Piece:
    return whole(fmt.pad_left(fmt.age(now - ask.raised_at), 6), SIGNS["needs-you"].style)


def _mark(row: InboxRow) -> Line:
    """What became of it."""
    if row.gone:
        return (whole(" withdrawn", SIGNS["limited"].style, 1),)
    return (whole(" not sent", SIGNS["failed"].style, 1),) if row.back else ()
