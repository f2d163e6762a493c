"""What a person who looks elsewhere is told: that an agent needs them, has finished, failed, or cannot go on.

Pure but for `Gathering`, which remembers. What is told is about the agent itself: that its subagents finish
or fail is its own business; what one of them asks waits for the person and is the agent's need. It must not
know how anything is told.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from msgspec import Struct

from core.fleet.budget import describe
from core.plain import one_line
from core.session.state import Account, Ask, SessionState, TurnSummary
from core.session.tools import name_of, title_of

Kind = Literal["needs_you", "finished", "failed", "limited"]
Channel = Literal["bell", "osc9", "osc777", "command"]

LONGEST = 160
"""In characters; what is told is a line at the edge of a screen."""


class Notify(Struct, frozen=True, kw_only=True):
    """By which channels the person wants to be told of what; the settings' `[notify]`.

    `command` is a program and its words, run without a shell; `keeper_command` is run instead of it by a
    keeper that nobody is attached to. Of what comes within `window_s` one word is made; a command that runs
    for `timeout_s` is ended.
    """

    needs_you: tuple[Channel, ...] = ()
    finished: tuple[Channel, ...] = ()
    failed: tuple[Channel, ...] = ()
    limited: tuple[Channel, ...] = ()
    command: tuple[str, ...] = ()
    keeper_command: tuple[str, ...] = ()
    window_s: float = 1.0
    timeout_s: float = 10.0

    def channels(self, kind: Kind) -> tuple[Channel, ...]:
        """How that is told."""
        found: tuple[Channel, ...] = getattr(self, kind)
        return found


class News(Struct, frozen=True):
    """One thing to tell. `about` tells a limit of an `account` from the same one after its reset."""

    key: str
    name: str
    kind: Kind
    text: str
    directory: str = ""
    about: str = ""
    account: Account | None = None


def news(before: SessionState, after: SessionState) -> News | None:
    """What happened to a session between two looks at it that a person wants to know, if anything did."""
    known = {ask.id for ask in before.asks}
    new = [ask for ask in after.asks if ask.state == "open" and ask.id not in known]
    if new and after.exit is None:
        return _news(after, "needs_you", _wish(new[0]))
    if (told := _limited(after)) and _limited(before) != told:
        limit = after.limit
        if limit is None or limit.kind != "rate":
            return _news(after, "limited", told)
        return _news(after, "limited", told, f"{limit.window} {limit.resets_at}", after.account)
    if after.exit is not None:
        if before.exit is None and not after.exit.expected:
            return _news(after, "failed", after.exit.reason or "its process has ended")
        return None
    turn = after.last_turn
    if turn is None or turn == before.last_turn or turn.end == "stopped":
        return None
    if turn.end == "failed":
        return _news(after, "failed", turn.error or f"API error {turn.error_status}")
    # One that goes on at once with what was queued has not finished.
    return _news(after, "finished", _done(turn)) if after.turn is None and not after.prompts else None


def still(item: News, state: SessionState | None) -> bool:
    """Whether it is still so: what was answered meanwhile is no news."""
    if state is None:
        return False
    if item.kind == "needs_you":
        return state.exit is None and any(ask.state == "open" for ask in state.asks)
    return True


def headline(told: Sequence[News]) -> tuple[str, str]:
    """A title and a text for what is told at once; neither has a control byte or a line end."""
    if len(told) == 1:
        (only,) = told
        return f"quarterdeck: {only.name} {_SAYS[only.kind][0]}", only.text
    counts = [(kind, sum(item.kind == kind for item in told)) for kind in _SAYS]
    said = ", ".join(f"{count} {_SAYS[kind][count > 1]}" for kind, count in counts if count)
    return f"quarterdeck: {said}", one_line(", ".join(dict.fromkeys(item.name for item in told)), LONGEST)


def words(command: Sequence[str], told: Sequence[News]) -> tuple[str, ...]:
    """The command with `{title}`, `{text}`, `{name}` and `{state}` filled in, else both put behind it."""
    title, text = headline(told)
    fields = {"{title}": title, "{text}": text, "{name}": told[0].name, "{state}": told[0].kind}
    if not any(field in word for word in command for field in fields):
        return (*command, title, text)
    return tuple(_filled(word, fields) for word in command)


def variables(told: Sequence[News]) -> dict[str, str]:
    """The same as the command's environment."""
    title, text = headline(told)
    first = told[0]
    return {
        "QUARTERDECK_TITLE": title,
        "QUARTERDECK_TEXT": text,
        "QUARTERDECK_STATE": first.kind,
        "QUARTERDECK_AGENT": first.name,
        "QUARTERDECK_KEY": first.key,
        "QUARTERDECK_DIRECTORY": first.directory,
        "QUARTERDECK_COUNT": str(len(told)),
    }


class Gathering:
    """What is to be told with the next word."""

    def __init__(self) -> None:
        """Nothing yet."""
        self._waiting: list[News] = []
        self._limits: set[tuple[Account, str]] = set()

    def add(self, item: News) -> bool:
        """Whether it is the first since the last word; a limit of an account is told once, not by each."""
        if item.account is not None:
            if (limit := (item.account, item.about)) in self._limits:
                return False
            self._limits.add(limit)
        self._waiting.append(item)
        return len(self._waiting) == 1

    def take(self, wanted: Callable[[News], bool]) -> Sequence[News]:
        """All that waits and is wanted."""
        waiting, self._waiting = self._waiting, []
        return [item for item in waiting if wanted(item)]


def _news(
    state: SessionState, kind: Kind, text: str, about: str = "", account: Account | None = None
) -> News:
    name = one_line(state.name, 40) or "an agent"
    return News(
        state.key, name, kind, one_line(text, LONGEST), one_line(state.directory, 4096), about, account
    )


def _wish(ask: Ask) -> str:
    if ask.kind == "question":
        text = ask.questions[0].text if ask.questions else ""
        return f"asks: {text}" if text else "asks a question"
    if ask.kind == "plan":
        return "a plan to approve"
    return f"{name_of(ask.tool)}: {title_of(ask.tool, ask.input_json) or ask.title}".rstrip(": ")


def _done(turn: TurnSummary) -> str:
    files = turn.files_changed
    changed = f", {files} file{'s' * (files != 1)} changed" if files else ""
    minutes, seconds = divmod(round(turn.duration_s), 60)
    return f"done in {f'{minutes} min ' if minutes else ''}{seconds} s{changed}"


def _limited(state: SessionState) -> str:
    """Why it cannot go on, but for the person's own pause."""
    if state.exit is not None or state.turn is not None:
        return ""
    if state.limit is not None:
        return state.limit.message or f"{state.limit.kind} limit"
    stopped: Iterable[str] = (describe(budget) for budget in state.budgets if budget.stage == "stopped")
    return next((f"the budget is spent: {text}" for text in stopped), "")


def _filled(word: str, fields: dict[str, str]) -> str:
    """At one go: what an agent wrote may itself look like a field."""
    return re.sub(r"\{\w+\}", lambda found: fields.get(found[0], found[0]), word)


_SAYS: dict[Kind, tuple[str, str]] = {
    "needs_you": ("needs you", "need you"),
    "limited": ("cannot go on", "cannot go on"),
    "failed": ("failed", "failed"),
    "finished": ("has finished", "have finished"),
}
