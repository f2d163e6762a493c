"""Source text as coloured lines; must not know widths, strips or Markdown.

Unknown languages, and text too large or with lines too long to be worth a lexer's time, come back plain.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice, repeat
from pathlib import PurePath

from pygments.lexer import Lexer  # type: ignore[import-untyped]
from pygments.lexers import get_all_lexers, get_lexer_by_name  # type: ignore[import-untyped]
from pygments.token import Comment, Error, Keyword, Literal, Name, Number, Operator, Token, _TokenType  # type: ignore[import-untyped]
from pygments.util import ClassNotFound  # type: ignore[import-untyped]
from rich.segment import Segment
from rich.style import Style

from widgets.render.palette import Palette
from widgets.render.safe import expand_tabs

MAX_CHARACTERS = 100_000
MAX_LINE = 2_000

_ROLES = {
    Comment: "comment",
    Keyword: "keyword",
    Operator.Word: "keyword",
    Name.Function: "name",
    Name.Class: "name",
    Name.Decorator: "name",
    Name.Tag: "keyword",
    Name.Attribute: "name",
    Name.Builtin: "name",
    Name.Exception: "name",
    Literal.String: "string",
    Number: "number",
    Error: "text",
    Token.Generic.Inserted: "success",
    Token.Generic.Deleted: "error",
    Token.Generic.Heading: "heading",
    Token.Generic.Subheading: "heading",
    Token.Generic.Prompt: "keyword",
    Token.Generic.Strong: "strong",
    Token.Generic.Emph: "emphasis",
}
# Suffixes that several lexers claim; this is the one a programmer means.
_MEANT = {
    ".h": "c", ".ts": "typescript", ".md": "markdown", ".sql": "sql", ".pl": "perl", ".m": "objective-c",
    ".r": "r", ".s": "gas", ".html": "html", ".xml": "xml", ".php": "php", ".cfg": "ini", ".conf": "ini",
    ".txt": "text", ".cl": "common-lisp", ".v": "verilog", ".pro": "prolog", ".fs": "fsharp", ".cs": "csharp",
    ".rs": "rust", ".py": "python", ".js": "javascript", ".yml": "yaml", ".sh": "bash",
}  # fmt: skip


@lru_cache(maxsize=1)
def _tables() -> tuple[frozenset[str], dict[str, str]]:
    """All language names, and the language of each file name or suffix; without the search for plugins."""
    names: set[str] = set()
    files: dict[str, str] = {}
    for _title, aliases, patterns, _types in get_all_lexers(plugins=False):
        names.update(aliases)
        for pattern in patterns if aliases else ():
            files.setdefault(pattern.removeprefix("*").lower(), aliases[0])
    return frozenset(names), files | _MEANT


@lru_cache(maxsize=256)
def language_of(name: str) -> str:
    """The language meant by a fence's word, a file name or a path; "" if none is known."""
    names, files = _tables()
    word = name.strip().lower()
    if word in names:
        return word
    path = PurePath(word)
    return files.get(path.name) or files.get(path.suffix) or files.get("." + word, "")


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    if language in ("", "text"):
        return None
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=True)
    except ClassNotFound:
        return None


class _Looks(dict[_TokenType, Style]):
    """Token type → style on the code's ground, for one palette; a type inherits from its parent."""

    def __init__(self, palette: Palette) -> None:
        ground = palette.code_block
        super().__init__({Token: ground})
        self.update({token: ground + getattr(palette, role) for token, role in _ROLES.items()})

    def __missing__(self, token: _TokenType) -> Style:
        style = self[token] = self[token.parent or Token]
        return style


@lru_cache(maxsize=16)
def _looks(palette: Palette) -> _Looks:
    return _Looks(palette)


def plain(text: str, palette: Palette) -> list[list[Segment]]:
    """`text` as lines in the style of code, uncoloured."""
    style = palette.code_block
    return [[Segment(expand_tabs(line), style)] if line else [] for line in text.split("\n")]


def highlight(text: str, name: str, palette: Palette) -> list[list[Segment]]:
    r"""`text` (cleaned) as coloured lines, as many as `text.split("\n")`; `name`: a language or a file's."""
    return list(highlight_lines(text, name, palette))


def highlight_lines(text: str, name: str, palette: Palette) -> Iterator[list[Segment]]:
    """Like `highlight`, line by line: each takes a lexer some 150 µs, so long texts can be done in parts."""
    lexer = _lexer(language_of(name))
    count = text.count("\n") + 1
    if lexer is None or len(text) > MAX_CHARACTERS or max(map(len, text.split("\n"))) > MAX_LINE:
        yield from plain(text, palette)
        return
    lines = _coloured_lines(lexer, expand_all_tabs(text), _looks(palette))
    # A lexer adds the newline it needs, and some drop the last one.
    yield from islice(chain(lines, repeat([])), count)


def _coloured_lines(lexer: Lexer, text: str, looks: "_Looks") -> Iterator[list[Segment]]:
    line: list[Segment] = []
    for token, value in lexer.get_tokens(text):
        style = looks[token]
        head, *more = value.split("\n")
        _append(line, head, style)
        for part in more:
            yield line
            line = []
            _append(line, part, style)
    yield line


def warm(names: tuple[str, ...] = ("python", "bash", "json", "typescript", "diff")) -> None:
    """Load the lexers of `names`: they cost some ten milliseconds once, so do it off the event loop."""
    for name in names:
        _lexer(language_of(name))


def expand_all_tabs(text: str) -> str:
    """Every line of `text` with its tabs expanded."""
    return "\n".join([expand_tabs(line) for line in text.split("\n")]) if "\t" in text else text


def _append(line: list[Segment], text: str, style: Style) -> None:
    """Put `text` at the end of `line`, into its last segment where nobody could see the difference."""
    if not text:
        return
    if line and (line[-1].style == style or text.isspace()):
        line[-1] = Segment(line[-1].text + text, line[-1].style)
    else:
        line.append(Segment(text, style))
