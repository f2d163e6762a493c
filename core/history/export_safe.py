"""What a model wrote in Markdown, without raw HTML: a document is opened in programs that would run it.

Markdown stays, and so does code. Where it cannot be told for certain that a program takes something for code
it is not taken for code here: such code is still read right, but for its `<`. This module must not know
sessions.
"""

import re
from collections.abc import Iterator

_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_FENCE = re.compile(r"( *)(`{3,}(?=[^`]*$)|~{3,})")
_DOUBTFUL = re.compile(r"(?:[ >\t]|[-*+][ \t]|\d+[.)][ \t])*(?:```|~~~)")
"""A fence in a list or a quote: where it ends depends on all that is around."""

_CODE = re.compile(r"\\.|(?<!`)(`+)(?!`)(?P<code>[^`|]|[^`|][^|]*?[^`|])(?<!`)\1(?!`)|`+")
_DEEPEST = 3


def without_html(text: str) -> str:
    """The same Markdown, in which no `<` outside code begins a tag."""
    lines = text.split("\n")
    fenced = _fenced(lines)
    return "\n".join(line for part in _paragraphs(lines, fenced) for line in part)


def _fenced(lines: list[str]) -> list[bool]:
    """Which lines stand in a fence; none where one may end elsewhere than it seems."""
    found, opened, indent = list[bool](), "", 0
    for line in lines:
        fence = _FENCE.match(line)
        if opened:
            found.append(True)
            if line.strip() and len(line) - len(line.lstrip(" ")) < indent:
                return [False] * len(lines)
            if (
                fence
                and fence[2].startswith(opened)
                and line.strip() == fence[2]
                and len(fence[1]) <= _DEEPEST
            ):
                opened = ""
        elif fence and len(fence[1]) <= _DEEPEST:
            opened, indent = fence[2], len(fence[1])
            found.append(True)
        elif _DOUBTFUL.match(line):
            return [False] * len(lines)
        else:
            found.append(False)
    return found


def _paragraphs(lines: list[str], fenced: list[bool]) -> Iterator[list[str]]:
    part = list[str]()
    for line, is_code in zip(lines, fenced, strict=True):
        if is_code or not line.strip():
            yield from (_escaped(part), [_TAG.sub("&lt;", line) if is_code and _FENCE.match(line) else line])
            part = []
        else:
            part.append(line)
    yield _escaped(part)


def _escaped(part: list[str]) -> list[str]:
    """Lines of one paragraph; with a backtick to spare in any of them nothing in it is surely code."""
    spans = [list(_CODE.finditer(line)) for line in part]
    certain = all(span["code"] or span[0].startswith("\\") for line in spans for span in line)
    return [_line(line, found if certain else []) for line, found in zip(part, spans, strict=True)]


def _line(line: str, spans: list[re.Match[str]]) -> str:
    pieces, at = list[str](), 0
    for span in spans:
        if span["code"]:
            pieces += (_TAG.sub("&lt;", line[at : span.start()]), span[0])
            at = span.end()
    return "".join(pieces) + _TAG.sub("&lt;", line[at:])
