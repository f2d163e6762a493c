"""What an ask wants, drawn as lines: the whole command, the change of a file, the plan, and why it asks.

Nothing is left out and nothing is hidden: control bytes of a command show as symbols. It must not know
how an ask is answered.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct, structs
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from core.session.diff import DiffRow, line_diff
from core.session.edits import changes
from core.session.entries import ToolEntry
from core.session.state import Ask, PermissionUpdate
from core.session.tools import kind_of, read_fields
from widgets import format as fmt
from widgets.render.diff import diff_strips
from widgets.render.markdown import render_markdown
from widgets.render.palette import Palette
from widgets.render.safe import clean, expand_tabs, reveal
from widgets.render.wrap import NO_LEAD, Lead, fold, wrap
from widgets.summary import asked_tool
from widgets.transcript.changes import change_rows

NOWHERE = fmt.Here()

UNSEEN = {
    "small": "It waits for an answer, but its pane is too small for the CLI to show all of its dialog. "
    "Shown alone (z), without the list (f) or in a larger window it can be read, and answered.",
    "open": "It waits for an answer that only its own screen takes: go into it (i), back with Ctrl+].",
}
"""What is told where it is only known that the session waits."""

DESTINATIONS = {
    "session": "this session only",
    "localSettings": "this project, only you (settings.local.json)",
    "projectSettings": "this project, everyone (settings.json)",
    "userSettings": "all your projects (~/.claude/settings.json)",
    "once": "this once: no rule is kept",
}


class CommandInput(Struct, frozen=True):
    """What a shell tool is asked to run."""

    command: str = ""
    description: str = ""
    run_in_background: bool = False
    timeout: float | None = None


def draw_changed(
    ask: Ask, input_json: bytes, width: int, palette: Palette, here: fmt.Here = NOWHERE
) -> list[Strip]:
    """An ask whose input a person changed: what differs, then all of it as it would be."""
    strips: list[Strip] = []
    for name, before, after in changes(ask.input_json, input_json):
        strips += _exact(f"{fmt.one_line(name)}, changed by you:", palette.dim, width)
        strips += diff_strips(line_diff(before, after), width, palette, limit=None)
    return [*strips, *draw_ask(structs.replace(ask, input_json=input_json), width, palette, here)]


def ask_title(ask: Ask, asker: str = "") -> str:
    """The tool an ask is about, and what the subagent that asks works on, if it is one."""
    words = {"question": "asks you", "plan": "plan"}.get(ask.kind) or asked_tool(ask)
    return f"{words} · for: {asker}" if asker else words


def draw_ask(ask: Ask, width: int, palette: Palette, here: fmt.Here = NOWHERE) -> list[Strip]:
    """Everything about an ask, for a width in cells; paths are told from `here` on."""
    if ask.unseen:
        return _words(UNSEEN[ask.unseen], palette.text, width)
    if ask.kind == "plan":
        return [*_plan(ask, width, palette), *_facts(ask, width, palette, here)]
    return [*_wish(ask, width, palette, here), *_facts(ask, width, palette, here)]


def _wish(ask: Ask, width: int, palette: Palette, here: fmt.Here) -> list[Strip]:
    """What would be done: a command in full, a change as a diff, else the input."""
    command = _read_command(ask.input_json)
    if command.command:
        return _command(command, width, palette)
    if kind_of(ask.tool) == "file-change" and (rows := _change(ask)):
        fields = read_fields(ask.input_json)
        path = fields.get("file_path", "") or fields.get("notebook_path", "")
        name = _exact(fmt.relative(path, here), palette.strong, width)
        return [*name, *diff_strips(rows, width, palette, limit=None)]
    return [*_words(ask.title, palette.strong, width), *_input(ask.input_json, width, palette)]


def _input(raw: bytes, width: int, palette: Palette) -> list[Strip]:
    """An input, a field a line; as it came where it is no object."""
    try:
        fields = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        return _exact(_pretty(raw), palette.text, width)
    strips: list[Strip] = []
    for name, value in fields.items():
        lead = NO_LEAD.then(f"{reveal(fmt.one_line(name))}: ", palette.dim)
        strips += _exact(_value(bytes(value)), palette.strong, width, lead, NO_LEAD.then("  "))
    return strips


def _value(raw: bytes) -> str:
    """A text as it is, anything else as JSON."""
    return msgspec.json.decode(raw, type=str) if raw.startswith(b'"') else _pretty(raw) or raw.decode()


def _command(command: CommandInput, width: int, palette: Palette) -> list[Strip]:
    """A command exactly as it would run."""
    lead, rest = NO_LEAD.then("$ ", palette.dim), NO_LEAD.then("  ")
    strips = _exact(command.command.rstrip("\n"), palette.strong, width, lead, rest)
    notes = ["in the background"] if command.run_in_background else []
    if command.timeout:
        notes.append(f"at most {fmt.duration(command.timeout / 1000)}")
    return strips + _words(", ".join(notes), palette.dim, width)


def _change(ask: Ask) -> Sequence[DiffRow]:
    """What a file would lose and get."""
    call = ToolEntry(id=0, call_id="", tool=ask.tool, input_json=ask.input_json, state="waiting")
    return change_rows(call)


def _plan(ask: Ask, width: int, palette: Palette) -> list[Strip]:
    """The plan as Markdown."""
    if not ask.plan.strip():
        return _words("The agent wants to leave plan mode; it wrote no plan down.", palette.text, width)
    return render_markdown(clean(ask.plan), width, palette)


def _facts(ask: Ask, width: int, palette: Palette, here: fmt.Here) -> list[Strip]:
    """Why it asks, what is blocked, what it says it is for."""
    described = _read_command(ask.input_json).description or ask.description
    facts = (
        ("wants to", described if fmt.one_line(described) not in _said(ask) else ""),
        ("because", ask.reason),
        ("held", ask.held),
        ("blocked", fmt.relative(ask.blocked_path, here)),
    )
    strips: list[Strip] = []
    for word, text in facts:
        if line := reveal(fmt.one_line(text)):
            lead = NO_LEAD.then(f"{word}: ", palette.dim)
            strips += wrap([Segment(line, palette.text)], width, lead, NO_LEAD.then("  "))
    return strips


def _said(ask: Ask) -> tuple[str, ...]:
    """What the card says already, so that it need not be said as the purpose, too."""
    fields = read_fields(ask.input_json)
    path = fields.get("file_path", "") or fields.get("notebook_path", "")
    return fmt.one_line(ask.title), fmt.one_line(path), fmt.one_line(path.rsplit("/", 1)[-1])


def rule_text(update: PermissionUpdate) -> tuple[str, str]:
    """A suggested change of permissions in the CLI's words, and where it would be kept."""
    where = DESTINATIONS.get(update.destination, fmt.one_line(update.destination))
    match update.type:
        case "addRules" | "replaceRules" | "removeRules":
            verb = {"addRules": "", "replaceRules": "only ", "removeRules": "no longer "}[update.type]
            rules = ", ".join(reveal(fmt.one_line(str(rule))) for rule in update.rules)
            return f"{verb}{fmt.one_line(update.behavior) or 'allow'} {rules}", where
        case "setMode":
            return f"mode {fmt.one_line(update.mode)}", where
        case "addDirectories" | "removeDirectories":
            verb = "allow" if update.type == "addDirectories" else "no longer allow"
            return f"{verb} directory {', '.join(fmt.one_line(path) for path in update.directories)}", where
        case _:
            return fmt.one_line(update.type), where


def _exact(text: str, style: Style, width: int, first: Lead = NO_LEAD, rest: Lead = NO_LEAD) -> list[Strip]:
    """Text for judging, line by line, nothing dropped."""
    strips: list[Strip] = []
    for row, line in enumerate(reveal(text.replace("\r\n", "\n")).split("\n")):
        # Between words where that hides no blank, else wherever the width ends.
        cut = fold if "  " in line or "\t" in line else wrap
        strips += cut([Segment(expand_tabs(line), style)], width, first if row == 0 else rest, rest)
    return strips


def _words(text: str, style: Style, width: int) -> list[Strip]:
    """A sentence, if there is one."""
    line = fmt.one_line(text)
    return wrap([Segment(line, style)], width) if line else []


def _read_command(raw: bytes) -> CommandInput:
    """The command of an input; an empty one where it is of another shape."""
    try:
        return msgspec.json.decode(raw, type=CommandInput)
    except (msgspec.DecodeError, RecursionError):
        return CommandInput()


def _pretty(raw: bytes) -> str:
    """An input for reading, one value a line; as it came where it is no JSON."""
    try:
        text = msgspec.json.format(raw, indent=2).decode("utf-8", "replace")
    except (msgspec.DecodeError, RecursionError):
        return raw.decode("utf-8", "replace")
    return "" if text in ("{}", "null") else text
