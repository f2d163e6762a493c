"""Whether the content of a rule fits a command, a path, a domain: the CLI's patterns, as text.

It must not know rules, nor what follows from a fit.
Source: what 2.1.332 did with each kind of rule (tests/real/test_policy_real.py).
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import urlsplit

from msgspec import Struct


class Roots(Struct, frozen=True):
    """The folders a path pattern may start from, all absolute; "" where there is none.

    `home` is what `~/` means, `rules` what a leading `/` means, `agent` what all else is relative to.
    """

    home: str = ""
    rules: str = ""
    agent: str = ""


# Commands


def fits_command(content: str, command: str) -> bool:
    """`git push:*` and `git push *` mean `git push` with any arguments; any other `*` means anything."""
    return _command(content.strip()).fullmatch(command) is not None


@lru_cache(maxsize=512)
def _command(content: str) -> re.Pattern[str]:
    prefix, tail = content, ""
    if content.endswith(":*") or (content.endswith(" *") and content.count("*") == 1):
        prefix, tail = content[:-2], r"(?: .*)?"
    return re.compile(".*".join(map(re.escape, prefix.split("*"))) + tail, re.DOTALL)


# Paths


def fits_path(content: str, path: str, roots: Roots) -> bool:
    """As .gitignore does: a pattern with a slash is anchored, one that fits a folder fits all in it.

    `path` is absolute and has no `..`.
    """
    root, pattern = _anchored(content, roots)
    start = root.rstrip("/") + "/"
    if not root or not path.startswith(start):
        return False
    bare = pattern.strip("/")
    pattern = bare if "/" in pattern[:-1] else f"**/{bare}"
    return any(_glob(pattern).fullmatch(part) for part in _starts(path[len(start) :]))


def _anchored(content: str, roots: Roots) -> tuple[str, str]:
    """The folder a pattern starts from, and the pattern from there on."""
    for mark, root in (("//", "/"), ("~/", roots.home), ("./", roots.agent), ("/", roots.rules)):
        if content.startswith(mark):
            return root, "/" + content[len(mark) :]
    return roots.agent, content


def _starts(path: str) -> Iterator[str]:
    """The path and the folders it lies in."""
    parts = path.split("/")
    return ("/".join(parts[:length]) for length in range(len(parts), 0, -1))


_PIECE = re.compile(r"\*\*/|/\*\*$|\*\*|\*|\?|\[[^\]/]+\]|.", re.DOTALL)
_GLOB = {"**/": "(?:.*/)?", "/**": "/.+", "**": ".*", "*": "[^/]*", "?": "[^/]"}


@lru_cache(maxsize=512)
def _glob(pattern: str) -> re.Pattern[str]:
    """`**` is any folders; `*`, `?` and `[…]` stay within a name."""
    return re.compile(
        "".join(_GLOB.get(piece) or _letters(piece) for piece in _PIECE.findall(pattern)), re.DOTALL
    )


def _letters(piece: str) -> str:
    if len(piece) == 1:
        return re.escape(piece)
    inner = piece[1:-1].replace("\\", r"\\").replace("[", r"\[")
    letters = f"[^/{inner[1:]}]" if inner[0] in "!^" and len(inner) > 1 else f"[{inner}]"
    try:
        re.compile(letters)
    except re.error:
        return re.escape(piece)
    return letters


# Domains


def fits_domain(content: str, url: str) -> bool:
    """`domain:example.org` is that host alone, `domain:*.example.org` any below it, and not itself."""
    domain = content.removeprefix("domain:").lower()
    try:
        host = (urlsplit(url).hostname or "").lower()
    except ValueError:
        return False
    return host.endswith(domain[1:]) if domain.startswith("*.") else host == domain
