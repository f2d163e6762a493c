"""The one line of a tool call: fold mark, kind, name, subject, how long it took, what came of it.

It must not know what stands under the line.
"""

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from core.session.entries import ToolEntry
from core.session.state import ToolKind, ToolState
from core.session.tools import name_of
from widgets import format
from widgets.render.cells import width as cells_of
from widgets.render.palette import Palette
from widgets.render.safe import reveal
from widgets.render.wrap import truncate
from widgets.transcript.frame import Frame, Level

KIND_SIGNS: dict[ToolKind, str] = {
    "command": "$",
    "file-change": "±",
    "read": "≡",
    "search": "?",
    "web": "↗",
    "note": "✎",
    "agent": "◇",
    "mcp": "⊞",
    "other": "·",
}

OUTCOMES: dict[ToolState, tuple[str, str, str]] = {
    "input": ("…", "", "dim"),
    "waiting": ("◆", "", "dim"),
    "running": ("●", "", "success"),
    "done": ("✓", "", "success"),
    "failed": ("✗", "", "error"),
    "denied": ("⊘", "denied", "warning"),
    "interrupted": ("⊘", "stopped", "dim"),
}
"""A state's shape, the word that goes with it where the shape alone does not tell, and its look."""

_PATHS = frozenset({"Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "NotebookRead", "LS"})
_TOLD = ("allowed by your rule", "denied by your rule", "denied at once", "changed by you", "your change was")
"""How a note begins that stands on the call's own line; all others stand unfolded only."""
TOLD_FROM_S = 0.05
"""A shorter call took no time worth telling."""

_TIME_CELLS = 7
_SUBJECT_LEAST = 12


def draw_card(entry: ToolEntry, frame: Frame) -> Strip:
    """The one line of a call, as wide as the frame; the subject gives way first."""
    look = frame.palette
    left = [
        Segment("▸ " if frame.level is Level.FOLDED else "▾ ", look.dim),
        Segment(f"{KIND_SIGNS[entry.kind]} ", look.marker),
        Segment(format.one_line(name_of(entry.tool)), look.strong),
        Segment("  ", look.dim),
    ]
    used = sum(cells_of(segment.text) for segment in left)
    right = _right(entry, look, frame.width - used - _SUBJECT_LEAST)
    room = frame.width - used - sum(cells_of(segment.text) for segment in right)
    subject = _subject(entry, frame.here, room)
    gap = " " * max(0, room - cells_of(subject))
    line = [*left, Segment(subject, look.text), Segment(gap, look.text), *right]
    if entry.state == "waiting":  # its ask card says the same, loudly
        line = [Segment(segment.text, look.dim) for segment in line]
    return truncate([segment for segment in line if segment.text], frame.width)


def _subject(entry: ToolEntry, here: format.Here, room: int) -> str:
    """What the call is about, in `room` cells; of a path the end is kept, of all else the beginning."""
    title = format.one_line(reveal(entry.title))
    if not title and entry.state == "input" and entry.input_size:
        title = f"writing its input, {entry.input_size:,} bytes"
    if room <= 0:
        return ""
    if entry.tool in _PATHS:
        return format.path(title, room, here.home, here.directory)
    if entry.kind != "command":  # a command is told as it ran
        title = format.with_paths(title, here)
    return format.shorten(title, room)


def _right(entry: ToolEntry, look: Palette, room: int) -> list[Segment]:
    """Duration and outcome; the duration goes first where there is no room."""
    shape, word, role = OUTCOMES[entry.state]
    style: Style = getattr(look, role)
    if entry.background and entry.task_state == "running":
        shape, word, style = "●", "in background", look.success
    seconds = entry.ended_at - entry.started_at if entry.ended_at and entry.started_at else 0.0
    took = format.duration(seconds) if seconds >= TOLD_FROM_S else ""
    parts = [Segment(f" {shape}", style)]
    if room >= _TIME_CELLS + 2:
        parts.insert(0, Segment(f"{took:>{_TIME_CELLS}} ", look.dim))
    if word and room >= _TIME_CELLS + len(word) + 4:
        parts.insert(0, Segment(f" {word}{' ' * (len(took) >= _TIME_CELLS)}", style))
    if entry.note.startswith(_TOLD) and room >= _TIME_CELLS + len(word) + 14:
        words = format.shorten(format.one_line(reveal(entry.note)), room - _TIME_CELLS - len(word) - 6)
        parts.insert(0, Segment(f"  {words}", look.dim))
    return parts
