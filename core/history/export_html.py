"""A session as one HTML file: readable anywhere, alone, and safe.

Everything is escaped; there is no script, nothing is fetched (a content policy in the file says so as well),
and links may only be web links. This module must not know sessions, only parts.
"""

from collections.abc import Iterable, Iterator
from datetime import tzinfo
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from core.history.export_parts import Part, when

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

POLICY = "default-src 'none'; style-src 'unsafe-inline'"

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 15px/1.55 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; }
header p, .notice, .turn, .note, time { color: #888; }
section { margin: 0 0 1rem; overflow-wrap: anywhere; }
.prompt { border-left: 3px solid #c96442; background: var(--soft); padding: .5rem .8rem; }
.prompt { white-space: pre-wrap; }
.error, .failed, .denied { color: #c0392b; }
.under { border-left: 2px solid var(--line); padding-left: 1rem; }
details { border: 1px solid var(--line); border-radius: 6px; padding: .3rem .7rem; }
summary { cursor: pointer; }
pre { background: var(--soft); padding: .6rem; overflow-x: auto; white-space: pre-wrap; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
table { border-collapse: collapse; } td, th { border: 1px solid var(--line); padding: .2rem .5rem; }
time { float: right; font-size: 12px; }
"""


def document(
    title: str, facts: Iterable[str], parts: Iterable[Part], zone: tzinfo | None = None
) -> Iterator[str]:
    """The file, in pieces."""
    yield (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style></head>\n<body>\n"
        f"<header><h1>{escape(title)}</h1><p>{escape(' · '.join(facts))}</p></header>\n"
    )
    depth = 0
    for part in parts:
        yield _nested(depth, part.depth) + _section(part, zone)
        depth = part.depth
    yield _nested(depth, 0) + "</body></html>\n"


def _nested(before: int, after: int) -> str:
    """What a subagent did stands in a box under its call."""
    return '<div class="under">\n' * (after - before) + "</div>\n" * (before - after)


def _section(part: Part, zone: tzinfo | None) -> str:
    stamp = f"<time>{when(part.at, zone)}</time>" if part.kind == "prompt" and part.at else ""
    return f'<section class="{part.kind} {escape(part.state)}">{stamp}{_body(part)}</section>\n'


def _body(part: Part) -> str:
    match part.kind:
        case "text":
            return _rendered(part.text)
        case "prompt" | "notice" | "turn":
            return escape(part.text)
        case "tool":
            boxes = "".join(f"<p>{escape(name)}</p>{_pre(text)}" for name, text in part.sections)
            return _folded(f"{part.title} — {part.state}", boxes)
    return _folded(part.kind, _pre(part.text))


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{body}</details>"


def _pre(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"


def _rendered(text: str) -> str:
    """Markdown; raw HTML in it is escaped, and pictures are not fetched."""
    return str(_markdown().render(text))


@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # only who exports pays for it

    return MarkdownIt("js-default", {"html": False, "linkify": False}).disable("image")
