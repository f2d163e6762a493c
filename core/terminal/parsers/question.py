"""The form of AskUserQuestion: one question a page, then a page that shows the answers before they are sent.

What follows the options of the agent are the CLI's own: one to type an answer in, one to talk instead.
"""

import re

from msgspec import Struct, structs

from core.session.screen import Screen
from core.terminal.parsers.lines import joined, unwrapped, wraps
from core.terminal.parsers.menu import CHAT, Item, Menu, menu_in
from core.terminal.parsers.panel import Panel, panel

_TAB = re.compile(r"([☐☒☑✔✓]) (.*?)(?=\s+[☐☒☑✔✓→]|\s*$)")
_TYPE = re.compile(r"Type something|Other\b", re.IGNORECASE)
_REVIEW = "Review your answers"
_ANSWERED = re.compile(r"[●•] (.*)")
_BOX = re.compile(r"\S(\s{2,})┌─+┐$")


class Tab(Struct, frozen=True):
    """One question's header, and whether it is answered; the last one sends the form."""

    header: str
    answered: bool = False


class QuestionPage(Struct, frozen=True):
    """One question. The first `own` options are the agent's; `other` is where an answer can be typed.

    `preview` is that of the option that is marked. `submit` ends a question of several answers, `chat`
    declines the form. None where there is no such option.
    """

    question: str
    menu: Menu
    own: int = 0
    header: str = ""
    multiple: bool = False
    tabs: tuple[Tab, ...] = ()
    other: int | None = None
    submit: int | None = None
    chat: int | None = None
    columns: int = 80
    preview: str = ""

    def label(self, index: int) -> str:
        """An option's label: its first line, with what was wrapped of it."""
        return _split(self.menu.items[index], self.columns)[0]

    def description(self, index: int) -> str:
        """What stands below an option."""
        return _split(self.menu.items[index], self.columns)[1]


class ReviewPage(Struct, frozen=True):
    """The answers as they would be sent: (question, answer) pairs; `submit` and `cancel` are options."""

    menu: Menu
    answers: tuple[tuple[str, str], ...] = ()
    submit: int = 0
    cancel: int = 1


def question(screen: Screen) -> QuestionPage | ReviewPage | None:
    """The form's page, if one stands on the screen."""
    found = panel(screen)
    return None if found is None else read_question(found)


def read_question(found: Panel) -> QuestionPage | ReviewPage | None:
    """The page a panel holds, if it is one."""
    found, preview = _without_preview(found)
    labels = [item.label for item in found.menu.items]
    if _REVIEW in found.above and labels[0].startswith("Submit"):
        return ReviewPage(found.menu, _answers(found), 0, len(labels) - 1)
    chat = _place(labels, CHAT)
    submit = next((at for at, label in enumerate(labels) if label in ("Submit", "Next")), None)
    if not found.menu.items[0].number or (chat is None and not _has_tabs(found)):
        return None
    numbered = [at for at, item in enumerate(found.menu.items) if item.number and at != chat]
    typed = chat is not None and found.menu.items[chat].number > 0
    other = numbered[-1] if numbered and (typed or _TYPE.match(labels[numbered[-1]])) else None
    own = other if other is not None else len(numbered)
    return QuestionPage(
        _question(found),
        found.menu,
        own,
        header=_header(_tabs(found)),
        multiple=any(item.checked is not None for item in found.menu.items),
        tabs=_tabs(found),
        other=other,
        submit=submit,
        chat=chat,
        columns=found.columns,
        preview=preview,
    )


def _without_preview(found: Panel) -> tuple[Panel, str]:
    """The panel without the box beside its options, and what stands in that."""
    lines = list(found.lines)
    opened = next((match for line in lines if (match := _BOX.search(line))), None)
    if opened is None:
        return found, ""
    column = opened.end(1)
    inside: list[str] = []
    for row, line in enumerate(lines[: found.menu.end]):
        beside = line[column:]
        if beside[:1] in ("┌", "│", "└") or (beside.strip() and not line[:column].strip()):
            lines[row] = line[:column].rstrip()
        if beside[:1] == "│":
            inside.append(beside.strip("│").rstrip().removeprefix(" "))
    menu = menu_in(lines)
    return (
        (found, "")
        if menu is None
        else (structs.replace(found, lines=tuple(lines), menu=menu), "\n".join(inside))
    )


def _header(tabs: tuple[Tab, ...]) -> str:
    """Which tab is shown is told by colour alone; with one question there is no choice."""
    asked = [tab for tab in tabs if tab.header != "Submit"]
    return asked[0].header if len(asked) == 1 else ""


def _place(labels: list[str], label: str) -> int | None:
    return labels.index(label) if label in labels else None


def _tab_rows(found: Panel) -> list[str]:
    return [line for line in found.lines[: found.menu.top] if _TAB.search(line)][:1]


def _has_tabs(found: Panel) -> bool:
    return any(line.lstrip()[:1] in "←☐☒☑" for line in _tab_rows(found))


def _tabs(found: Panel) -> tuple[Tab, ...]:
    told = [match for line in _tab_rows(found) for match in _TAB.finditer(line)]
    return tuple(Tab(match[2].strip(), match[1] in "☒☑") for match in told)


def _question(found: Panel) -> str:
    """All words between the tabs and the options."""
    lines = list(found.lines[: found.menu.top])
    rows = [row for row, line in enumerate(lines) if _TAB.search(line)]
    return joined(lines[rows[0] + 1 :] if rows else [found.question])


def _answers(found: Panel) -> tuple[tuple[str, str], ...]:
    """`● question` with `→ answer` below, each maybe wrapped."""
    told: list[tuple[list[str], list[str]]] = []
    for line in found.lines[: found.menu.top]:
        words = line.strip()
        asked = _ANSWERED.fullmatch(words)
        if asked:
            told.append(([asked[1]], []))
        elif told and words.startswith("→"):
            told[-1][1].append(words.removeprefix("→").strip())
        elif told and words and words[-1] != "?":
            told[-1][1 if told[-1][1] else 0].append(words)
    return tuple((joined(asked), joined(answer)) for asked, answer in told)


def _split(item: Item, columns: int) -> tuple[str, str]:
    """Label and description: a line that had room for its next word ends the label."""
    margin = "     " + ("    " if item.checked is not None else "")
    label, rest = [margin + item.label], [margin + line for line in item.more]
    while rest and wraps(label[-1], rest[0], columns):
        label.append(rest.pop(0))
    return joined(label), unwrapped(rest, columns).strip().replace("\n" + margin, "\n")
