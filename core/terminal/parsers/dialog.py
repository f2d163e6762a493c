"""The dialog that waits on the screen, whichever it is; one nobody knows is told with its options, too."""

import re
from collections.abc import Callable

from msgspec import Struct

from core.session.screen import Screen
from core.terminal.parsers.furniture import View, view
from core.terminal.parsers.menu import Menu
from core.terminal.parsers.panel import Panel, read_panel
from core.terminal.parsers.permission import PermissionPrompt, read_permission
from core.terminal.parsers.plan import PlanApproval, read_plan
from core.terminal.parsers.question import QuestionPage, ReviewPage, read_question
from core.terminal.parsers.resume import SEARCH, ResumePicker, ResumePrompt, read_resume
from core.terminal.parsers.trust import TrustDialog, read_trust


class OtherDialog(Struct, frozen=True):
    """A dialog of another kind: what the person opened (`/model`, `/config` …), or what the CLI asks besides.

    `submit` is the option that sends the boxes above it; None where there are none. `cut`: the screen is too
    small, and some options are left out.
    """

    menu: Menu
    title: str = ""
    text: str = ""
    opened: bool = False
    submit: int | None = None
    cut: bool = False


Dialog = (
    TrustDialog
    | PermissionPrompt
    | QuestionPage
    | ReviewPage
    | PlanApproval
    | ResumePrompt
    | ResumePicker
    | OtherDialog
)


_DIGITS = re.compile(r"\d+")
_LEFT_OUT = re.compile(r"[↑↓] \d+ more lines?")


def identity(told: Dialog) -> str:
    """By what a dialog is known again: what it asks, not which option is marked, ticked or written in."""
    kind = type(told).__name__
    match told:
        case TrustDialog(kind=which, path=path):
            return f"{kind} {which} {_bare(path)}"
        case PermissionPrompt():
            return f"{kind} {_bare(told.title, told.note, told.body, told.question)} {len(told.menu.items)}"
        case QuestionPage():
            return f"{kind} {_bare(told.question, *(item.whole for item in told.menu.items[: told.own]))}"
        case ReviewPage():
            return f"{kind} {_bare(*(part for pair in told.answers for part in pair))}"
        case PlanApproval():
            return f"{kind} {_bare(told.plan)}"
        case ResumePrompt():
            return f"{kind} {_bare(told.name)}"
        case ResumePicker():
            return kind
        case OtherDialog(opened=True):
            return f"{kind} {_bare(told.title)}"
        case OtherDialog():
            return f"{kind} {_DIGITS.sub('', _bare(told.text))}"  # it may count the seconds


def _bare(*parts: str) -> str:
    """Without white space, which another width changes."""
    return "|".join("".join(part.split()) for part in parts)


_READERS: tuple[Callable[[Panel], Dialog | None], ...] = (
    read_trust,
    read_resume,
    read_plan,
    read_question,
    read_permission,
)
"""In this order: a plan's approval would pass for a permission."""


def dialog(screen: Screen) -> Dialog | None:
    """What waits for an answer on the screen; None also while it is painted in part."""
    return read_dialog(view(screen))


def read_dialog(seen: View) -> Dialog | None:
    """As `dialog`."""
    found = read_panel(seen)
    if found is None:
        return None
    for read in _READERS:
        told = read(found)
        if told is not None:
            return told
    if not found.hint:
        return None  # more of it may be painted yet
    return _other(found)


def _other(found: Panel) -> OtherDialog:
    boxes = any(item.checked is not None for item in found.menu.items)
    submit = len(found.menu.items) - 1 if boxes and found.menu.items[-1].checked is None else None
    opened = found.opened or any(SEARCH in line for line in found.lines)
    cut = any(_LEFT_OUT.fullmatch(line.strip()) for line in found.lines[found.menu.top :])
    return OtherDialog(found.menu, found.title, found.above, opened, submit, cut)
