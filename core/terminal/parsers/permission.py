"""The permission prompt: what a tool wants to do, and the CLI's own options, found by their text.

There are three or four options, the last is `No`; what stands between differs by tool and release.
"""

import re

from msgspec import Struct, structs

from core.session.screen import Screen
from core.terminal.parsers.lines import is_rule, unwrapped
from core.terminal.parsers.menu import Menu
from core.terminal.parsers.panel import Panel, panel

_QUESTION = re.compile(r"Do you want to |Would you like to |Allow ", re.IGNORECASE)
_YES = re.compile(r"(Yes|Allow|Approve)\b")
_NO = re.compile(r"(No|Deny|Reject)\b")
_TELL = re.compile(r"(No|Deny)\b.*\btell claude\b", re.IGNORECASE)
_ASKER = re.compile(r" (\s*)· from the (.*)")
_HIDDEN = re.compile(r"↑ (\d{1,6}) more line")
_SIDE = re.compile(r"^\s*[│┃] ?")
_DASHES = "╌┄┈"


class PermissionPrompt(Struct, frozen=True):
    """`title` says what kind of call (`Bash command`), `body` what it would do, `note` what it is for.

    `asker` is the subagent that asks, "" for the session itself. `yes` and `no` are options of the menu, the
    plain ones. `amendable`: Tab opens the marked option for words; `tells`: after `no` words can be said.
    `hidden`: so many lines of it stand above the screen's edge, its title among them.
    """

    menu: Menu
    question: str
    yes: int
    no: int
    title: str = ""
    asker: str = ""
    note: str = ""
    body: str = ""
    amendable: bool = False
    tells: bool = False
    hidden: int = 0

    @property
    def wider(self) -> tuple[str, ...]:
        """The options that allow more than this one call, as the CLI words them."""
        labels = self.menu.labels
        return tuple(label for at, label in enumerate(labels) if at != self.yes and _YES.match(label))


def permission(screen: Screen) -> PermissionPrompt | None:
    """The prompt, if it stands on the screen."""
    found = panel(screen)
    return None if found is None else read_permission(found)


def read_permission(found: Panel) -> PermissionPrompt | None:
    """The prompt a panel holds, if it is one."""
    labels, question = found.menu.labels, _question(found)
    yes = next((at for at, label in enumerate(labels) if _YES.match(label)), None)
    no = next((at for at, label in reversed(list(enumerate(labels))) if _NO.match(label)), None)
    if yes is None or no is None or not question:
        return None
    hidden = _HIDDEN.search(found.hint)
    found, asker = _without_asker(found)
    title, note, body = _parts(found) if hidden is None else ("", *_rest(found))
    tells = bool(_TELL.match(labels[no])) and found.menu.selected != no
    amendable = "tab to amend" in found.hint.lower()
    lines = int(hidden[1]) if hidden is not None else 0
    return PermissionPrompt(found.menu, question, yes, no, title, asker, note, body, amendable, tells, lines)


def _without_asker(found: Panel) -> tuple[Panel, str]:
    """The panel without who asks: that stands beside the title, where it is narrow in its own column."""
    lines = list(found.lines)
    for row, line in enumerate(lines[: found.menu.top]):
        told = _ASKER.search(line)
        if told is None:
            continue
        column, asker = told.end(1), told[2]
        lines[row] = line[:column].rstrip()
        below = lines[row + 1]
        if told[1] and below[:column].strip() and not below[column - 2 : column].strip():
            lines[row] = f"{line[:column].rstrip()} {below[:column].strip()}"
            lines[row + 1], asker = "", f"{asker} {below[column:].strip()}"
        return structs.replace(found, lines=tuple(lines)), asker.strip()
    return found, ""


def _question(found: Panel) -> str:
    """The question above the options: its words may be wrapped, and other words may stand right above."""
    text = found.question
    begins = [match.start() for match in _QUESTION.finditer(text)]
    asked = text[begins[-1] :] if begins else ""
    return asked if asked.endswith("?") else ""


def _parts(found: Panel) -> tuple[str, str, str]:
    """Title, note and body: the body stands between dashed lines, or (older) in the lines after the title."""
    lines = [line for line in found.lines[: found.menu.top] if not is_rule(line)]
    dashed = [row for row, line in enumerate(lines) if line.strip() and not line.strip().strip(_DASHES)]
    head, body = lines, list[str]()
    if len(dashed) >= 2:
        head, body = lines[: dashed[0]], lines[dashed[0] + 1 : dashed[-1]]
    filled = _without_tips(head, found.columns)
    title = filled[0] if filled else ""
    if dashed:
        return title, "\n".join(filled[1:]), _text(body, found.columns)
    above = [line for line in filled[1:] if not _QUESTION.match(line)]
    return title, "", "\n".join(above)


def _rest(found: Panel) -> tuple[str, str]:
    """Note and body of a call whose beginning does not show: the body's dashes above it may, or not."""
    lines = [_SIDE.sub("", line) for line in found.lines[: found.menu.top]]
    dashed = [row for row, line in enumerate(lines) if line.strip() and not line.strip().strip(_DASHES)]
    if len(dashed) < 2:
        return "", _text(lines[: dashed[-1]] if dashed else [], found.columns)
    note = _without_tips(lines[: dashed[0]], found.columns)
    return "\n".join(note), _text(lines[dashed[0] + 1 : dashed[-1]], found.columns)


def _without_tips(head: list[str], columns: int) -> list[str]:
    """What stands above a body, a paragraph each; what the CLI would have a person try is not of the call."""
    told = unwrapped([line for line in head if line.strip()], columns).splitlines()
    return [line.strip() for line in told if not line.strip().startswith("Tip:")]


def _text(body: list[str], columns: int) -> str:
    margin = min((len(line) - len(line.lstrip()) for line in body if line.strip()), default=0)
    return unwrapped([line[margin:] for line in body], columns - margin).strip("\n")
