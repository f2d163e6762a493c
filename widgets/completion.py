"""What stands before the cursor that can be completed, and how what completes it is spelled. Pure text.

It must not know a widget, nor where files and commands come from.
"""

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from core.session.state import CommandInfo
from widgets import format as fmt

_MENTION = re.compile(r'(?<!\S)@(?:"([^"]*)|([^\s"]*))$')
_INTERNAL = "__"
"""Commands whose names begin so are the CLI's own business."""


class Token(Struct, frozen=True):
    """The beginning of a command or a path: where it starts on its line, and what was typed of it."""

    kind: Literal["command", "file"]
    start: int
    query: str


class Offered(Struct, frozen=True):
    """One thing to complete with: what takes the token's place, and what is shown."""

    text: str
    label: str
    detail: str = ""


def token_before(line: str, row: int) -> Token | None:
    """The token at the end of `line`, which is what stands before the cursor in row `row`."""
    if row == 0 and line.startswith("/") and not re.search(r"\s", line):
        return Token("command", 0, line[1:])
    found = _MENTION.search(line)
    if found is None:
        return None
    return Token("file", found.start(), found[1] if found[1] is not None else found[2])


def offered_paths(paths: Sequence[str]) -> tuple[Offered, ...]:
    """Paths as the CLI wants them mentioned, quoted where there are blanks; a folder's is left open."""
    return tuple(Offered(_spelled(path), fmt.one_line(path)) for path in paths)


def _spelled(path: str) -> str:
    begun = f'@"{path}' if re.search(r"\s", path) else f"@{path}"
    if path.endswith("/"):
        return begun
    return begun + ('" ' if begun.startswith('@"') else " ")


def offered_commands(commands: Sequence[CommandInfo], query: str) -> tuple[Offered, ...]:
    """The commands that begin with `query`, then those that only hold it."""
    wanted = query.lower()
    known = [(info, info.name.lstrip("/")) for info in commands]
    named = [(info, name) for info, name in known if not name.startswith(_INTERNAL)]
    first = [pair for pair in named if pair[1].lower().startswith(wanted)]
    others = [pair for pair in named if wanted in pair[1].lower() and pair not in first]
    return tuple(_command(info, name) for info, name in (*first, *others))


def _command(info: CommandInfo, name: str) -> Offered:
    label = fmt.one_line(f"/{name} {info.argument_hint}")
    return Offered(f"/{name} ", label, fmt.one_line(info.description))
