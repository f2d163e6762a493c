"""How the person's words, notices and a turn's end are drawn. It must not know tools or Markdown."""

import re

from rich.segment import Segment
from textual.strip import Strip

from core.session.entries import NoticeEntry, PromptEntry, TurnEntry
from core.session.state import TurnSummary
from widgets import format
from widgets.render.safe import clean
from widgets.render.wrap import NO_LEAD, wrap
from widgets.transcript.frame import Drawn, Frame, Level, cut, paragraphs

PROMPT_LINES = 12
"""How many lines of a long prompt are shown before the rest is left out."""


_OUTPUT = re.compile(r"<(local-command-\w+|bash-\w+)>(.*?)</\1>", re.DOTALL)
"""What the CLI puts around the output of a command in its notes."""

_MESSAGE = r"(?:<command-message>[^<]*</command-message>\s*)?"
_COMMAND = re.compile(
    rf"{_MESSAGE}<command-name>\s*([^<]*?)\s*</command-name>\s*{_MESSAGE}"
    r"(?:<command-args>(.*?)</command-args>)?",
    re.DOTALL,
)
"""How it notes that a command was typed: its name and what followed it."""


def draw_prompt(entry: PromptEntry, frame: Frame) -> Drawn:
    """`❯ words`; what has not been taken says so, what the CLI noted itself is dim."""
    look = frame.palette
    style = look.dim if entry.meta or entry.state != "taken" else look.strong
    sign = ("· ", look.dim) if entry.meta else ("❯ ", look.dim if entry.state != "taken" else look.prompt)
    first, rest = NO_LEAD.then(*sign), NO_LEAD.then("  ")
    strips = paragraphs(clean(_words(entry)).rstrip("\n"), style, frame.width, first, rest)
    drawn = cut(strips, PROMPT_LINES, 0, frame)
    notes = _prompt_notes(entry)
    if notes:
        drawn.strips.extend(wrap([Segment(notes, look.dim)], frame.width, rest))
    return drawn


def _words(entry: PromptEntry) -> str:
    if not entry.meta:
        return entry.text
    return _COMMAND.sub(_command, _OUTPUT.sub(r"\2", entry.text)).strip()


def _command(found: re.Match[str]) -> str:
    """As it was typed."""
    return f"{found[1]} {(found[2] or '').strip()}".rstrip()


def _prompt_notes(entry: PromptEntry) -> str:
    notes = [format.count(entry.image_count, "image")] if entry.image_count else []
    names = [format.one_line(image.name) for image in entry.images if image.name]
    if names:
        notes.append(", ".join(names))
    if entry.state != "taken":
        notes.append({"queued": "queued", "sent": "sent, not taken yet"}[entry.state])
    return " · ".join(notes)


def draw_notice(entry: NoticeEntry, frame: Frame) -> Drawn:
    """A line of the deck or the CLI, with its detail under it once unfolded."""
    look = frame.palette
    sign, style = {"info": ("·", look.dim), "warning": ("!", look.warning), "error": ("✗", look.error)}[
        entry.level
    ]
    words = look.dim if entry.level == "info" else look.text
    first, rest = NO_LEAD.then(f"{sign} ", style), NO_LEAD.then("  ")
    strips = paragraphs(clean(entry.text).strip("\n"), words, frame.width, first, rest)
    if entry.detail and frame.level > Level.FOLDED:
        strips += paragraphs(clean(entry.detail).rstrip("\n"), look.dim, frame.width, rest, rest)
    return Drawn(strips)


def draw_turn(entry: TurnEntry, frame: Frame) -> Drawn:
    """The closing line of a turn: how it ended, what it took, what it changed."""
    look, summary = frame.palette, entry.summary
    strips: list[Strip] = []
    sign = {"completed": ("✓ ", look.success), "stopped": ("⊘ ", look.warning), "failed": ("✗ ", look.error)}[
        summary.end
    ]
    if summary.end == "failed" and (text := clean(summary.error).strip()):
        strips += paragraphs(text, look.text, frame.width, NO_LEAD.then(*sign), NO_LEAD.then("  "))
        sign = ("  ", look.dim)
    strips += wrap(
        [Segment(closing_words(summary), look.dim)], frame.width, NO_LEAD.then(*sign), NO_LEAD.then("  ")
    )
    return Drawn(strips)


def closing_words(summary: TurnSummary) -> str:
    """`done in 4m 12s · $0.31 · 3 files changed`, or how else it ended."""
    took = format.duration(summary.duration_s)
    head = {
        "completed": f"done in {took}",
        "stopped": f"stopped by {format.one_line(summary.stopped_by) or 'you'} after {took}",
        "failed": f"failed after {took}",
    }
    parts = [head[summary.end]]
    if summary.error_status:
        parts.append(f"API error {summary.error_status}")
    if summary.cost_usd:
        parts.append(format.money(summary.cost_usd))
    if summary.files_changed:
        parts.append(format.count(summary.files_changed, "file changed", "files changed"))
    return " · ".join(parts)
