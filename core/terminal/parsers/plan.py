"""The approval of a plan: the plan as drawn, and the ways to go on that the CLI offers."""

import re

from msgspec import Struct

from core.session.screen import Screen
from core.terminal.parsers.menu import Menu
from core.terminal.parsers.panel import Panel, panel

_ASKS = re.compile(r"Would you like to proceed\?|Ready to code\?|Exit plan mode\?")
_ENDS = re.compile(r"\s*(Claude has written up|Would you like to proceed)")
_YES = re.compile(r"Yes\b")
_NO = re.compile(r"(No\b|Tell Claude what to change)")
_TITLE = re.compile(r"Ready to code\?|Exit plan mode\?|Here is Claude's plan:?")


class PlanApproval(Struct, frozen=True):
    """`yes` are the options that approve, by what follows; `no` sends the plan back, `tells` with words."""

    menu: Menu
    plan: str
    yes: tuple[int, ...]
    no: int
    tells: bool = False


def plan(screen: Screen) -> PlanApproval | None:
    """The approval, if it stands on the screen."""
    found = panel(screen)
    return None if found is None else read_plan(found)


def read_plan(found: Panel) -> PlanApproval | None:
    """The approval a panel holds, if it is one."""
    labels = [item.label for item in found.menu.items]
    yes = tuple(at for at, label in enumerate(labels) if _YES.match(label))
    no = next((at for at in reversed(range(len(labels))) if at not in yes and at == len(labels) - 1), None)
    if not yes or no is None or not _ASKS.search(found.above):
        return None
    takes_words = not _YES.match(labels[no]) and labels[no] != "No"
    return PlanApproval(found.menu, _plan(found), yes, no, takes_words)


def _is_drawn(line: str) -> bool:
    return bool(line.strip()) and not line.strip().strip("─╌┄━▔")


def _plan(found: Panel) -> str:
    """The words of the plan: between the title and what asks for approval."""
    lines = list(found.lines[: found.menu.top])
    end = next((row for row, line in enumerate(lines) if _ENDS.match(line)), len(lines))
    told = [line for line in lines[:end] if not _TITLE.search(line) and not _is_drawn(line)]
    margin = min((len(line) - len(line.lstrip()) for line in told if line.strip()), default=0)
    return "\n".join(line[margin:] for line in told).strip("\n")
