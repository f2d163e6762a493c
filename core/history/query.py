"""What a person types to search: words, "phrases", beginnings*, and filters.

    token refresh "exact words" retr* project:api tool:bash model:opus role:user error: after:2026-03-01

A word is found wherever it stands, within longer words too; each must be there. `*` at its end wants the
beginning of a word. A phrase without its end goes on to the end: it is still being typed. Anything else is
literal: no text is a wrong query. Pure: this module must not know the index.
"""

import re
from datetime import date, datetime, timedelta, tzinfo
from typing import Literal

from msgspec import Struct

from core.history.texts import ROLES, Role, folded, readable, searchable

_TOKEN = re.compile(r"[^\W_]+")
MOST_NAMES = 100
"""So many names of one kind are asked for: beyond, SQLite would refuse the question."""

_PART = re.compile(
    r'(?P<filter>[A-Za-z]+):(?:"(?P<quoted>[^"]*)(?:"|$)|(?P<value>\S*))|"(?P<phrase>[^"]+)(?:"|$)|(?P<word>\S+)'
)
_MONTH = re.compile(r"\d{4}-\d{2}")
_AGO = re.compile(r"(\d{1,4})([dwm])")
_EARLIEST = date(1971, 1, 1)
"""Nobody said anything before, and systems count no time there."""

_DAYS = {"d": 1, "w": 7, "m": 30}

_SPOKEN: dict[str, tuple[Role, ...]] = {
    **{role: (role,) for role in ROLES},
    "tool": ("tool", "result"),
    "person": ("user",),
    "model": ("assistant",),
    "agent": ("assistant",),
    "system": ("note",),
}

_DAY_WANTED = "a day like 2026-03-01, or 7d, 2w, 3m"
_WANTED = {
    **dict.fromkeys(("project", "tool", "model", "session"), "a name, or a part of it"),
    **dict.fromkeys(("after", "since", "before", "until"), _DAY_WANTED),
    "role": ", ".join(ROLES),
}

Kind = Literal["word", "phrase", "beginning"]


class Term(Struct, frozen=True):
    """Something that must be in a text. `text` is folded, `tokens` are its words as the index cuts them."""

    kind: Kind
    text: str
    tokens: tuple[str, ...] = ()


class Query(Struct, frozen=True):
    """A query. Times are seconds since the epoch; `errors` None is either. All filters must hold.

    Of one filter given twice, either may hold. `project`, `tools` and `models` are folded pieces of names.
    `unread` are filters whose value means nothing: they are among the terms, too.
    """

    terms: tuple[Term, ...] = ()
    projects: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    roles: tuple[Role, ...] = ()
    errors: bool | None = None
    after: float | None = None
    before: float | None = None
    unread: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was asked."""
        return self == Query()


def parse(text: str, now: float, zone: tzinfo | None = None) -> Query:
    """Read a query; `after:7d` counts from `now` (seconds since the epoch), in `zone` (None: here)."""
    reader = _Reader(now, zone)
    # A word of a command line may be any bytes; half a character is in no text, and cannot be asked for.
    sound = text.encode("utf-8", "replace").decode()
    for part in _PART.finditer(readable(sound)):
        reader.take(part)
    return Query(
        terms=tuple(reader.terms),
        projects=tuple(reader.named["project"][:MOST_NAMES]),
        tools=tuple(reader.named["tool"][:MOST_NAMES]),
        models=tuple(reader.named["model"][:MOST_NAMES]),
        sessions=tuple(reader.named["session"][:MOST_NAMES]),
        roles=tuple(reader.roles),
        errors=reader.errors,
        after=reader.after,
        before=reader.before,
        unread=tuple(reader.unread),
    )


def wanted_by(unread: str) -> str:
    """What the filter takes that somebody gave something else."""
    return _WANTED[unread.partition(":")[0].lower()]


def term(text: str, kind: Kind = "word") -> Term:
    """A term from what was typed."""
    return Term(kind, folded(" ".join(text.split())), tuple(_TOKEN.findall(searchable(text))))


class _Reader:
    """A query while it is read."""

    def __init__(self, now: float, zone: tzinfo | None) -> None:
        self.terms: list[Term] = []
        self.named: dict[str, list[str]] = {"project": [], "tool": [], "model": [], "session": []}
        self.roles: list[Role] = []
        self.unread: list[str] = []
        self.errors: bool | None = None
        self.after: float | None = None
        self.before: float | None = None
        self._now, self._zone = now, zone

    def take(self, part: re.Match[str]) -> None:
        """One part of the query. What looks like a filter and is none is a word."""
        if part["phrase"] is not None:
            self._term(part["phrase"], "phrase")
        elif part["word"] is not None:
            self._word(part["word"])
        elif not self._filter(name := part["filter"].lower(), part["quoted"] or part["value"] or ""):
            self._word(part[0])
            self.unread += [part[0]] * (name in _WANTED)

    def _word(self, word: str) -> None:
        if word.endswith("*") and _TOKEN.search(word):
            self._term(word.rstrip("*"), "beginning")
        else:
            self._term(word, "word")

    def _term(self, text: str, kind: Kind) -> None:
        found = term(text, kind)
        if found.text:
            self.terms.append(found)

    def _filter(self, name: str, value: str) -> bool:
        match name:
            case "project" | "tool" | "model" | "session" if value:
                self.named[name].append(folded(value))
            case "role" if value.lower() in _SPOKEN:
                self.roles += _SPOKEN[value.lower()]
            case "error" | "errors":
                self._error(value)
            case "after" | "since" if (at := self._moment(value)) is not None:
                self.after = at
            case "before" | "until" if (at := self._moment(value)) is not None:
                self.before = at
            case _:
                return False
        return True

    def _error(self, value: str) -> None:
        self.errors = value.lower() not in ("no", "false", "0")
        if value.lower() not in ("", "yes", "true", "1", "no", "false", "0"):
            self._word(value)

    def _moment(self, value: str) -> float | None:
        """The beginning of a day, or so long ago: `2026-03-01`, `7d`, `2w`, `3m`, `today`, `yesterday`."""
        today = datetime.fromtimestamp(self._now, self._zone).date()
        day = day_written(value, today)
        return None if day is None else datetime(day.year, day.month, day.day, tzinfo=self._zone).timestamp()


def day_written(text: str, today: date) -> date | None:
    """The day meant by `2026-03-01`, `2026-03`, `7d`, `2w`, `3m`, `today` or `yesterday`; None if none is."""
    text = text.lower()
    if text in ("today", "yesterday"):
        return today - timedelta(days=text == "yesterday")
    if ago := _AGO.fullmatch(text):
        return max(today - timedelta(days=int(ago[1]) * _DAYS[ago[2]]), _EARLIEST)
    try:
        return max(date.fromisoformat(f"{text}-01" if _MONTH.fullmatch(text) else text), _EARLIEST)
    except ValueError:
        return None
