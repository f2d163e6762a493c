"""What a call changed in a file, as a diff. It must not know the line above it.

The CLI's own patch is shown where there is one; before that, what the input says will change.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from core.session.diff import DiffRow, Hunk, line_diff, patch_rows
from core.session.entries import ToolEntry
from widgets.render.diff import diff_strips
from widgets.render.safe import clean
from widgets.render.wrap import NO_LEAD
from widgets.transcript.frame import Drawn, Frame, Level, paragraphs
from widgets.transcript.inputs import read

FOLDED_ROWS = 16
"""How many rows of a diff are shown before the rest is left out."""


class Edit(Struct, frozen=True):
    """One replacement; a `Write` gives `content` instead, a notebook `new_source`."""

    old_string: str = ""
    new_string: str = ""
    content: str = ""
    new_source: str = ""


class Edits(Edit, frozen=True):
    """The input of any call that changes a file."""

    edits: tuple[Edit, ...] = ()


class PatchHunk(Struct, frozen=True, rename="camel"):
    """A hunk of the CLI's patch."""

    old_start: int = 1
    new_start: int = 1
    lines: tuple[str, ...] = ()


class Patch(Struct, frozen=True, rename="camel"):
    """What the CLI says became of a file."""

    structured_patch: tuple[PatchHunk, ...] = ()


def draw_change(entry: ToolEntry, frame: Frame) -> Drawn:
    """The diff of a file change, and why it failed where it did."""
    rows = change_rows(entry)
    limit = None if frame.level is Level.FULL else FOLDED_ROWS
    strips = diff_strips(rows, frame.width, frame.palette, limit=limit)
    more = len(strips) - 1 if limit is not None and len(rows) > limit + 1 else -1
    if entry.state in ("failed", "denied"):
        words = clean(entry.result).strip()
        strips = [*strips, *paragraphs(words, frame.palette.text, frame.width, NO_LEAD, NO_LEAD)]
    return Drawn(strips, more)


def change_rows(entry: ToolEntry) -> Sequence[DiffRow]:
    """The rows of a call's diff; none while its input still streams."""
    hunks = read(Patch, entry.detail_json).structured_patch
    if hunks:
        return patch_rows(Hunk(hunk.old_start, hunk.new_start, hunk.lines) for hunk in hunks)
    if entry.state == "input":
        return ()
    asked = read(Edits, entry.input_json)
    rows: list[DiffRow] = []
    for edit in asked.edits or (asked,):
        if rows:
            rows.append(DiffRow("gap"))
        rows += _asked_rows(edit)
    return rows


def _asked_rows(edit: Edit) -> list[DiffRow]:
    """What one replacement will change; where in the file it stands is not known, so it has no numbers."""
    if edit.content:
        return list(line_diff("", edit.content))
    found = line_diff(edit.old_string, edit.new_string or edit.new_source)
    return [msgspec.structs.replace(row, old_line=0, new_line=0) for row in found]
