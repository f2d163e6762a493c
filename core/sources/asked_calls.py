"""Which call a dialog asks about: what it shows is cut and drawn, the call itself is whole.

The transcript tells the call, sooner or later than the screen its dialog; they are known by their words, for
a dialog has no id. This module must not know where either comes from.
"""

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from core.session.events import ToolInputFinalized
from core.session.rules import EDIT_TOOLS
from core.session.state import Ask, Question
from core.sources.asks import read_form
from core.terminal.parsers.dialog import Dialog
from core.terminal.parsers.permission import PermissionPrompt
from core.terminal.parsers.plan import PlanApproval
from core.terminal.parsers.question import QuestionPage, Tab
from core.wire.codec import BAD


class _Input(Struct, frozen=True):
    command: str = ""
    description: str = ""
    file_path: str = ""
    notebook_path: str = ""
    url: str = ""
    plan: str = ""
    content: str = ""
    new_string: str = ""
    new_source: str = ""


def with_call(ask: Ask, dialog: Dialog, calls: tuple[ToolInputFinalized, ...]) -> Ask:
    """The ask with its call, if exactly one of the open `calls` is meant; else as it is.

    Its id stays out of it: what settles the ask is that its dialog is gone, not a result.
    """
    found = [call for call in calls if _is_meant(ask, dialog, call)]
    if len(found) != 1:
        return ask
    call = found[0]
    match dialog:
        case PermissionPrompt():
            return replace(
                ask,
                tool=call.tool,
                input_json=call.input_json,
                description=ask.description or _read(call).description,
                reason=asked_by(dialog),
            )
        case PlanApproval():
            return replace(ask, plan=_read(call).plan or ask.plan)
        case QuestionPage():
            return replace(ask, questions=_unanswered(dialog, read_form(call.input_json)))
    return ask


def _unanswered(page: QuestionPage, questions: tuple[Question, ...]) -> tuple[Question, ...]:
    """The questions of a form that are still to be answered: that on the screen, and those without a mark.

    On a screen none of them is passed over.
    """
    tabs = [tab for tab in page.tabs if tab.header != "Submit"]
    told = tabs if len(tabs) == len(questions) else [Tab("")] * len(questions)
    return tuple(
        replace(question, needed=True)
        for question, tab in zip(questions, told, strict=True)
        if not tab.answered or _bare(question.text) == _bare(page.question)
    )


def asked_by(dialog: PermissionPrompt) -> str:
    """Who asks, if it is a subagent."""
    return f"the {dialog.asker} asks for it" if dialog.asker else ""


def _is_meant(ask: Ask, dialog: Dialog, call: ToolInputFinalized) -> bool:
    match dialog:
        case PlanApproval():
            return call.tool == "ExitPlanMode"
        case QuestionPage():
            asked = [_bare(question.text) for question in read_form(call.input_json)]
            return call.tool == "AskUserQuestion" and _bare(dialog.question) in asked
        case PermissionPrompt():
            return _is_of(ask, dialog, call)
    return False


def _is_of(ask: Ask, dialog: PermissionPrompt, call: ToolInputFinalized) -> bool:
    """Whether what shows of a call is of this one; where the beginning does not show, its end must."""
    given = _read(call)
    if call.tool == "Bash":
        shown, whole = _bare(dialog.body), _bare(given.command)
        fits = whole.endswith(shown) if dialog.hidden else whole == shown
        return ask.tool in ("Bash", "Permission") and bool(shown) and fits
    path = given.file_path or given.notebook_path
    told = _bare(f"{dialog.question} {dialog.note} {dialog.body}")
    if path and call.tool in EDIT_TOOLS:
        is_edit = ask.tool in (*EDIT_TOOLS, "Permission")
        return is_edit and _bare(path.rsplit("/", 1)[-1]) in told and _shows(given, dialog)
    subject = path or given.url
    return ask.tool in (call.tool, "Permission") and bool(subject) and _bare(subject) in told


def _shows(given: _Input, dialog: PermissionPrompt) -> bool:
    """Whether a line that would be written shows: two edits of one file are told apart."""
    written = given.content or given.new_string or given.new_source
    lines = [bare for line in written.splitlines() if (bare := _bare(line))]
    shown = _bare(dialog.body)
    return not lines or any(line in shown for line in lines)


def _read(call: ToolInputFinalized) -> _Input:
    try:
        return msgspec.json.decode(call.input_json, type=_Input)
    except BAD:
        return _Input()


def _bare(text: str) -> str:
    return "".join(text.split())
