"""What a call changed in a file, as a diff. It must not know the line above it."""

from core.session.entries import ToolEntry
from widgets.transcript.frame import Drawn, Frame


def draw_change(entry: ToolEntry, frame: Frame) -> Drawn:
    """The diff of a file change."""
    return Drawn([])
