"""A shell command as its simple commands: enough of bash's grammar to say which rules speak of it.

Two readings of the same text. `read` is for allowing: it gives the simple commands only if the text is
nothing but those, joined by `&&`, `||`, `;`, `|` or line breaks; whatever could hide another command, or
write a file, makes it "not plain". `suspects` is for denying: every command that may be in there, rather one
too many. It must not know rules.
"""

import re
import shlex
from collections.abc import Iterator

_BREAK = re.compile(r"\s*(?:&&|\|\|?(?!&)|;(?!;)|\n)\s*")
_HARMLESS = re.compile(r"(?:\d?>&\d|[\d&]?>>?[ \t]*/dev/null)(?=[\s;|]|$)")
"""Redirections that touch no file: `2>&1`, `>/dev/null`, `&>/dev/null`."""
_BLANK = re.compile(r"[ \t]+")
_WORD = re.compile(
    r"""(?: [^\s'"\\`(){}<>#;&|$]+        # letters that mean nothing to a shell
        | \\[^\n]                         # one that is taken as it is
        | '[^']*'
        | "(?: [^"\\`$] | \\. | \$(?![({\[]) )*"
        | \$(?![({\['"])                  # a variable; not $(…), ${…}, $[…], $'…'
    )+""",
    re.VERBOSE | re.DOTALL,
)

_WRAPPERS = {
    "sudo", "doas", "env", "command", "builtin", "exec", "eval", "nohup", "time", "nice", "ionice", "timeout",
    "stdbuf", "setsid", "xargs", "busybox", "if", "then", "else", "elif", "do", "while", "until", "!",
}  # fmt: skip
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh"})
_ASSIGNMENT = re.compile(r"\w+\+?=.*", re.DOTALL)
_DEPTH = 4


def read(command: str) -> tuple[str, ...] | None:
    """The simple commands of a plain command line, blanks between words made one; None if it is not plain."""
    text = command.strip()
    if any(ord(letter) < 32 and letter not in "\t\n" for letter in text) or "\x7f" in text:
        return None
    parts: list[list[str]] = [[]]
    place = 0
    while place < len(text):
        begins = parts[-1][-1:] in ([], [" "])
        if found := _BREAK.match(text, place):
            parts.append([])
        elif found := _BLANK.match(text, place):
            parts[-1].append(" ")
        elif begins and (found := _HARMLESS.match(text, place)):
            pass
        elif found := _WORD.match(text, place):
            parts[-1].append(found[0])
        else:
            return None
        place = found.end()
    commands = ("".join(part).strip() for part in parts)
    return tuple(command for command in commands if command)


def suspects(command: str) -> tuple[str, ...]:
    """Every command that may run: as it stands, and without quotes, paths, wrappers (`sudo`, `FOO=1` …)."""
    return tuple(dict.fromkeys(_suspects(command, _DEPTH)))


def _suspects(command: str, depth: int) -> Iterator[str]:
    parts = read(command)
    for part in parts if parts is not None else re.split(r"[;&|\n`(){}]+", command):
        words = _words(part)
        yield " ".join(part.split())
        yield from _unwrapped(words)
        if depth and (script := _script(words)):
            yield from _suspects(script, depth - 1)


def _words(part: str) -> list[str]:
    try:
        return shlex.split(part)
    except ValueError:  # quotes that do not close within this part
        return part.replace("'", " ").replace('"', " ").split()


def _unwrapped(words: list[str]) -> Iterator[str]:
    """The words as a command, and again without each wrapper before it."""
    wrapped = optional = False
    for place, word in enumerate(words):
        name = word.rpartition("/")[2]
        yield " ".join((name, *words[place + 1 :]))
        option = wrapped and word.startswith("-")
        wraps = name in _WRAPPERS or _ASSIGNMENT.fullmatch(word) is not None
        # A word after an option may be the option's value: the command may still come.
        if not (wraps or option or optional or (wrapped and word[:1].isdigit())):
            return
        wrapped, optional = wrapped or wraps, option


def _script(words: list[str]) -> str:
    """The script a shell is given by `-c`; "" without one."""
    for place, word in enumerate(words[:-1]):
        if word.startswith("-") and word.endswith("c") and not word.startswith("--"):
            shells = {before.rpartition("/")[2] for before in words[:place]}
            if shells & _SHELLS:
                return words[place + 1]
    return ""
