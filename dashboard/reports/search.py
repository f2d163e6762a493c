"""`quarterdeck search WORDS`: what was said in any session, with the passage."""

import os
import sys
import time
from collections.abc import Sequence

from core.history.query import wanted_by
from core.history.search import Found, Hit
from core.history.texts import Role
from dashboard.command_line import Parser, whole
from dashboard.reports.ground import (
    answered,
    as_json,
    bring_up_to_date,
    check_sound,
    home,
    known_before,
    open_catalogue,
)
from dashboard.reports.sessions import SHORT_ID
from dashboard.reports.table import takes_codes, terminal_width
from widgets.format import ago, one_line, path, shorten

SHOWN = 20

LANGUAGE = """\
Every word must be there, anywhere, within longer words too. "Several words" stand together, retr* begins a
word. Filters: project:NAME  tool:NAME  model:NAME  role:user|assistant|tool|result|note|title  error:
after:2026-03-01 (or 7d, 2w, 3m)  before:…  session:ID. Anything else is taken as it is."""

_WHO: dict[Role, str] = {
    "user": "you",
    "assistant": "agent",
    "tool": "call",
    "result": "result",
    "note": "note",
    "title": "title",
}
_BOLD, _DIM, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def run(arguments: Sequence[str]) -> int:
    """Print the hits; the exit code is 1 if there are none."""
    parser = Parser(prog="quarterdeck search", description="Search all sessions.", epilog=LANGUAGE)
    parser.add_argument("words", nargs="+", metavar="WORDS", help="what to look for")
    parser.add_argument("--json", action="store_true", help="an object with a list of hits")
    parser.add_argument(
        "--limit", metavar="N", type=whole, default=SHOWN, help=f"so many hits (else {SHOWN})"
    )
    options, more = parser.parse_known_args(arguments)
    catalogue = open_catalogue(os.environ)
    if not (bring_up_to_date(catalogue, texts=True) or known_before(catalogue)):
        return 2
    words = " ".join([*options.words, *more])
    found = answered(catalogue, lambda: catalogue.search(words, options.limit), texts=True)
    check_sound(catalogue)
    print(as_json(found) if options.json else _as_text(found))
    return 0 if found.hits else 1


def _as_text(found: Found) -> str:
    if not found.hits:
        said = "Nothing found." if found.complete else "Nothing found so far: not everything was looked at."
        return "\n".join(
            (said, *(f"{part} was taken as a word: it takes {wanted_by(part)}." for part in found.unread))
        )
    now, width = time.time(), terminal_width()
    colour = not os.environ.get("NO_COLOR") and takes_codes(sys.stdout)
    lines = [
        line for hit in found.hits for line in (_head(hit, now, width, colour), _passage(hit, width, colour))
    ]
    return "\n".join(lines if found.complete else [*lines, "", "There is more."])


def _head(hit: Hit, now: float, width: int | None, colour: bool) -> str:
    when = ago(now - hit.at) if hit.at else ""
    who = f"{_WHO[hit.role]} {hit.tool}".strip() + (" (error)" if hit.error else "")
    words = (hit.session_id[:SHORT_ID], who, path(hit.project, 50, home()))
    line = shorten("  ".join((when.rjust(4), *map(one_line, words))), width or 1000)
    return f"{_DIM}{line}{_PLAIN}" if colour else line


def _passage(hit: Hit, width: int | None, colour: bool) -> str:
    """The passage from a little before the first mark on, cut to the terminal."""
    room = (width or 200) - 7
    start = max(0, (hit.marks[0][0] if hit.marks else 0) - room // 3)
    text = hit.passage[start : start + room]
    if not colour:
        return f"       {shorten(one_line(text), room)}"
    pieces, at = list[str](), start
    for begin, end in hit.marks:
        if at <= begin and end <= start + room:
            pieces += [
                _safe(hit.passage[at:begin]),
                _BOLD,
                _safe(hit.passage[begin:end]),
                _PLAIN,
            ]
            at = end
    return f"       {''.join(pieces)}{_safe(hit.passage[at : start + room])}"


def _safe(text: str) -> str:
    """A piece of a line made safe, the blanks at its ends kept."""
    inner = one_line(text)
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() and inner else ""
    return f"{before}{inner}{after}"
