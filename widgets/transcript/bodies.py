"""What stands under the line of a tool call, by its kind.

A body is drawn from the call's input and result; long output is cut and says by how much. It must not
know the line above it, nor the thread of a subagent below it.
"""

from collections.abc import Callable

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from core.session.entries import ToolEntry
from core.session.tools import in_words, read_fields
from widgets import format
from widgets.render.cells import width as cells_of
from widgets.render.markdown import render_markdown
from widgets.render.safe import ansi, clean, expand_tabs, reveal
from widgets.render.wrap import NO_LEAD, Lead
from widgets.transcript.changes import draw_change
from widgets.transcript.frame import Drawn, Frame, Level, cut, folded, paragraphs
from widgets.transcript.inputs import (
    AgentInput,
    CommandInput,
    PlanInput,
    QuestionInput,
    QuestionResult,
    TodoInput,
    pretty,
    read,
)

INDENT = 4
"""How far a body stands to the right of its line."""

OUTPUT_TAIL = 10
OUTPUT_HEAD = 10
COMMAND_LINES = 12
READ_BYTES = 200_000
"""More of a result than this is not drawn even when all is asked for; it can be copied."""

TODO_SIGNS = {"completed": ("✓", "success"), "in_progress": ("◐", "marker")}


def draw_body(entry: ToolEntry, frame: Frame) -> Drawn:
    """The body of a call in a frame `INDENT` narrower than its line's; folded, only what it does just now."""
    if frame.level is Level.FOLDED:
        return Drawn(_doing(entry, frame))
    body = _BODIES.get(entry.tool) or _KINDS.get(entry.kind, _other)
    strips, more = body(entry, frame)
    doing = _doing(entry, frame)
    return Drawn([*doing, *strips, *_notes(entry, frame)], more + len(doing) if more >= 0 else -1)


def _command(entry: ToolEntry, frame: Frame) -> Drawn:
    """The command where the line above could not hold it, and the end of its output."""
    command = read(CommandInput, entry.input_json).command
    shown: list[Strip] = []
    if "\n" in command.strip() or cells_of(format.one_line(command)) > frame.width - 24:
        lead, rest = NO_LEAD.then("$ ", frame.palette.dim), NO_LEAD.then("  ")
        lines = _exact(command.rstrip("\n"), frame, frame.palette.text, lead, rest)
        shown = cut(lines, COMMAND_LINES, 0, frame).strips
    output = _result(entry, frame, head=0, tail=OUTPUT_TAIL)
    return Drawn([*shown, *output.strips], output.more + len(shown) if output.more >= 0 else -1)


def _todos(entry: ToolEntry, frame: Frame) -> Drawn:
    """A checklist."""
    look, strips = frame.palette, list[Strip]()
    for todo in read(TodoInput, entry.input_json).todos:
        sign, role = TODO_SIGNS.get(todo.status, ("○", "dim"))
        style: Style = getattr(look, role)
        words = {"completed": look.dim, "in_progress": look.strong}.get(todo.status, look.text)
        lead = NO_LEAD.then(f"{sign} ", style)
        strips += paragraphs(format.one_line(todo.content), words, frame.width, lead, NO_LEAD.then("  "))
    return Drawn(strips or _result(entry, frame).strips)


def _plan(entry: ToolEntry, frame: Frame) -> Drawn:
    """The plan as Markdown."""
    plan = read(PlanInput, entry.input_json).plan
    if not plan:
        return _result(entry, frame)
    return Drawn(render_markdown(clean(plan), frame.width, frame.palette))


def _questions(entry: ToolEntry, frame: Frame) -> Drawn:
    """Every question and what was answered."""
    look, strips = frame.palette, list[Strip]()
    answers = read(QuestionResult, entry.detail_json).answers
    for question in read(QuestionInput, entry.input_json).questions:
        text = clean(question.question)
        strips += paragraphs(text, look.text, frame.width, NO_LEAD.then("? ", look.dim), NO_LEAD.then("  "))
        answer = answers.get(question.question)
        if answer:
            lead = NO_LEAD.then("  ❯ ", look.prompt)
            strips += paragraphs(clean(answer), look.strong, frame.width, lead, NO_LEAD.then("    "))
    return Drawn(strips) if answers else Drawn([*strips, *_result(entry, frame).strips])


def _agent(entry: ToolEntry, frame: Frame) -> Drawn:
    """What a subagent was told, and what it answered; its thread stands below."""
    look = frame.palette
    prompt = clean(read(AgentInput, entry.input_json).prompt).strip()
    strips: list[Strip] = []
    if prompt:
        lead, rest = NO_LEAD.then("❯ ", look.dim), NO_LEAD.then("  ")
        strips = cut(paragraphs(prompt, look.dim, frame.width, lead, rest), 3, 0, frame).strips
    if entry.result and not (frame.children and entry.background):
        answer = render_markdown(clean(entry.result[:READ_BYTES]), frame.width, frame.palette)
        shown = cut(answer, OUTPUT_HEAD, 0, frame)
        return Drawn([*strips, *shown.strips], shown.more + len(strips) if shown.more >= 0 else -1)
    return Drawn(strips)


def _other(entry: ToolEntry, frame: Frame) -> Drawn:
    """The input as JSON and the beginning of the result: for tools nobody knows, and MCP servers."""
    look = frame.palette
    fields = read_fields(entry.input_json)
    strips: list[Strip] = []
    if entry.state != "input" and (len(fields) > 1 or "\n" in "".join(fields.values())):
        strips = _exact(pretty(entry.input_json), frame, look.dim, NO_LEAD, NO_LEAD)
        strips = cut(strips, COMMAND_LINES, 0, frame).strips
    result = _result(entry, frame)
    return Drawn([*strips, *result.strips], result.more + len(strips) if result.more >= 0 else -1)


def _result(entry: ToolEntry, frame: Frame, head: int = OUTPUT_HEAD, tail: int = 0) -> Drawn:
    """What a call returned, as a program's output: colours act, everything else of a terminal does not."""
    text = entry.result
    notes: list[str] = []
    if len(text) > READ_BYTES:
        notes.append(f"{len(text) - READ_BYTES:,} more characters can be copied")
        text = text[-READ_BYTES:] if tail else text[:READ_BYTES]
    look = frame.palette
    lines = (
        ansi(text.rstrip("\n"), look.text if entry.state == "failed" else look.dim) if text.strip() else []
    )
    if entry.result_images:
        notes.append(format.count(entry.result_images, "image"))
    if entry.state == "done" and not lines and not notes:
        notes.append("no output")
    drawn = cut(folded(lines, frame.width), head, tail, frame)
    return Drawn([*drawn.strips, *(Strip([Segment(note, look.dim)]) for note in notes)], drawn.more)


def _doing(entry: ToolEntry, frame: Frame) -> list[Strip]:
    """What a subagent or a background command does now; nothing once it has ended."""
    if entry.task_state != "running" or not entry.doing:
        return []
    look = frame.palette
    lead = NO_LEAD.then("↳ ", look.success)
    words = format.with_paths(in_words(format.one_line(entry.doing)), frame.here)
    words = format.shorten(words, frame.width - lead.cells)
    return paragraphs(words, look.dim, frame.width, lead, NO_LEAD)


def _notes(entry: ToolEntry, frame: Frame) -> list[Strip]:
    """Who decided on the call, where a person's words went with it."""
    if not entry.note:
        return []
    return paragraphs(
        clean(entry.note), frame.palette.dim, frame.width, NO_LEAD.then("· "), NO_LEAD.then("  ")
    )


def _exact(text: str, frame: Frame, style: Style, first: Lead, rest: Lead) -> list[Strip]:
    """Text of which every character counts: nothing hidden, broken where the width ends."""
    lines = [[Segment(expand_tabs(reveal(row)), style)] for row in text.split("\n")]
    strips: list[Strip] = []
    for place, line in enumerate(lines):
        lead = first if place == 0 else rest
        strips += folded([line], frame.width, lead, rest)
    return strips


Body = Callable[[ToolEntry, Frame], Drawn]

_KINDS: dict[str, Body] = {
    "command": _command,
    "file-change": draw_change,
    "read": _result,
    "search": _result,
    "web": _result,
    "agent": _agent,
}
_BODIES: dict[str, Body] = {
    "TodoWrite": _todos,
    "ExitPlanMode": _plan,
    "AskUserQuestion": _questions,
}
