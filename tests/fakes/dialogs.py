"""A program with a dialog on its screen: it draws options, takes keys, and tells what was chosen.

Drawn as 2.1.332 draws them (tests/data/screens), for answers typed without a process.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from core.session.screen import Screen
from tests.fakes.screens import written

COMPOSER = f"● Done.\n\n{'─' * 80}\n❯ \n{'─' * 80}\n  ⏸ manual mode on"

PERMISSION = """\
{rule}
 Bash command
 Run it
{dash}
 {command}
{dash}
 Do you want to proceed?
{options}

 Esc to cancel{amend}
"""
TRUST = """\
{rule}
 Accessing workspace:

 /srv/demo

{options}

 Enter to confirm · Esc to cancel
"""
QUESTION = """\
{rule}
←  ☐ Suites  ✔ Submit  →

Which suites should run?

{options}
{rule}
  {chat}. Chat about this

Enter to select · Esc to cancel
"""
RESTED = """\
{rule}
  Resume this conversation?

  This conversation has been inactive for 5m and is 19.5k tokens long.

{options}

  ↑/↓ to pick a row first · Enter to confirm · Esc to dismiss
"""
REVIEW = """\
{rule}
←  ☒ Suites  ✔ Submit  →

Review your answers

 ● Which suites should run?
   → unit

{options}
"""


@dataclass
class FakeProgram:
    """One dialog. `chosen` is the label Enter was pressed on, `typed` every write as it came."""

    layout: str = PERMISSION
    labels: list[str] = field(default_factory=lambda: ["Yes", "Yes, and never ask again", "No"])
    marked: int = 0
    command: str = "touch made.txt"
    numbered: bool = True
    amendable: bool = True
    deaf: int = 0
    """How many Enters and Escs are not heard."""
    shy: bool = False
    """No Enter is heard before the mark was moved."""
    ticks: dict[str, bool] = field(default_factory=dict)
    writable: frozenset[str] = frozenset({"Type something"})
    then: "FakeProgram | None" = None
    before_key: Callable[["FakeProgram"], None] | None = None
    chosen: str = ""
    words: str = ""
    gone: bool = False
    typed: list[bytes] = field(default_factory=list)

    def screen(self) -> Screen:
        """What it shows."""
        if self.gone and self.exit is None:
            return self.then.screen() if self.then is not None else written(COMPOSER)
        amend = (
            " · Tab to amend"
            if self.amendable and not self.words and self.labels[self.marked] in ("Yes", "No")
            else ""
        )
        return written(
            self.layout.format(
                rule="─" * 80,
                dash="╌" * 80,
                command=self.command,
                options="\n".join(self._option(index) for index in range(len(self.labels))),
                amend=amend,
                chat=len(self.labels),
            )
        )

    @property
    def exit(self) -> object | None:
        """It ends with "No, exit", and leaves what was on its screen."""
        return self.chosen if self.chosen == "No, exit" else None

    def write(self, data: bytes) -> None:
        """Take keys, one after the other."""
        if self.gone and self.then is not None:
            self.then.write(data)
            return
        self.typed.append(data)
        if self.before_key is not None:
            self.before_key(self)
        for key in _keys(data.decode()):
            self._press(key)

    def _press(self, key: str) -> None:
        label = self.labels[self.marked]
        match key:
            case "\x1b[A" | "\x1b[B":
                self.marked = (self.marked + (1 if key == "\x1b[B" else -1)) % len(self.labels)
                self.shy = False
            case "\r" if self.shy:
                pass
            case "\r" | "\x1b" if self.deaf:
                self.deaf -= 1
            case "\r":
                self.chosen, self.gone = label, True
            case "\x1b":
                self.chosen, self.gone = "Esc", True
            case "\t" if self.amendable:
                self.labels[self.marked] = f"{label}, and tell Claude what to do differently"
            case " " if label in self.ticks:
                self.ticks[label] = not self.ticks[label]
            case _ if label in self.writable or ", and tell" in label or self.words:
                self.words += key

    def _option(self, index: int) -> str:
        label = self.labels[index]
        indent = " " if self.layout in (PERMISSION, TRUST) else ""
        mark = f"{indent}❯ " if index == self.marked else f"{indent}  "
        if label == "Submit":
            return f"{mark}   Submit"
        shown = f"{label.split(',')[0]}, {self.words}" if self.words and ", and tell" in label else label
        if self.words and label in self.writable:
            shown = self.words
        ticked = self.ticks.get(label, bool(self.words)) if self.ticks else None
        box = "" if ticked is None else f"[{'✔' if ticked else ' '}] "
        number = f"{index + 1}. " if self.numbered else ""
        return f"{mark}{number}{box}{shown}"


def _keys(text: str) -> list[str]:
    keys: list[str] = []
    while text:
        size = 3 if text.startswith("\x1b[") else 1
        keys.append(text[:size])
        text = text[size:]
    return keys


def form(**given: object) -> FakeProgram:
    """A question of several answers, and the page that shows them."""
    page = FakeProgram(REVIEW, ["Submit answers", "Cancel"])
    ticks = {"unit": False, "api": True}
    labels = ["unit", "api", "Type something", "Submit"]
    return FakeProgram(QUESTION, labels, ticks=ticks, then=page, **given)  # type: ignore[arg-type]


def two_pages() -> FakeProgram:
    """Two questions, one answer each and several, and the page that shows both answers."""
    later = form()
    later.layout = QUESTION.replace("←", "←  ☒ Database")
    assert later.then is not None
    later.then.layout = REVIEW.replace(" ● Which suites", " ● Which database?\n   → SQLite\n ● Which suites")
    first = QUESTION.replace("←", "←  ☐ Database").replace("Which suites should run?", "Which database?")
    return FakeProgram(first, ["SQLite", "PostgreSQL", "Type something"], then=later)
