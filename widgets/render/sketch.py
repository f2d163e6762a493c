"""A quick guess at the colours of one line of code, for code that is still being written.

A lexer needs the whole text and some 150 µs a line; this needs the line and a tenth of that. What it gets
wrong is repainted when the block is complete. Must not know widths or strips.
"""

import re
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style

from widgets.render.code import language_of
from widgets.render.palette import Palette
from widgets.render.safe import expand_tabs

_HASH = frozenset(
    [
        "python", "python3", "bash", "sh", "zsh", "fish", "yaml", "toml", "ruby", "perl", "r", "make",
        "docker", "dockerfile", "ini", "elixir", "nix", "cmake", "console", "pycon", "tcl", "powershell",
        "graphql", "julia",
    ]
)  # fmt: skip
_DASH = frozenset(["sql", "lua", "haskell", "postgresql", "mysql", "plpgsql", "ada", "vhdl", "elm"])
_KEYWORDS = frozenset(
    [
        "and", "as", "async", "await", "break", "case", "catch", "class", "const", "continue", "def",
        "del", "do", "done", "elif", "else", "enum", "esac", "except", "export", "extends", "extern",
        "false", "False", "fi", "final", "finally", "fn", "for", "from", "func", "function", "global",
        "go", "goto", "if", "impl", "implements", "import", "in", "interface", "is", "lambda", "let",
        "loop", "match", "mod", "move", "mut", "namespace", "new", "nil", "None", "not", "null", "or",
        "package", "pass", "private", "protected", "pub", "public", "raise", "ref", "return", "select",
        "self", "Self", "static", "struct", "super", "switch", "then", "this", "throw", "trait", "true",
        "True", "try", "type", "typedef", "typeof", "union", "unsafe", "use", "using", "var", "virtual",
        "void", "where", "while", "with", "yield", "SELECT", "FROM", "WHERE", "JOIN", "ON", "INSERT",
        "INTO", "UPDATE", "SET", "DELETE", "CREATE", "TABLE", "ORDER", "BY", "GROUP", "LIMIT",
    ]
)  # fmt: skip
_REST = (
    r"(?P<string>\"(?:[^\"\\]|\\.)*\"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)"
    r"|(?P<number>\b\d[\w.]*)|(?P<name>[^\W\d]\w*(?=\())|(?P<word>[^\W\d]\w*)"
)


@lru_cache(maxsize=64)
def _pattern(language: str) -> re.Pattern[str] | None:
    """What to look for in a line of `language`; None where guessing is worse than no colour."""
    if language in ("", "text", "markdown", "html", "xml", "rst", "diff"):
        return None
    if language in _HASH:
        return re.compile(rf"(?P<comment>(?<![^\s])#.*)|{_REST}")
    start = "--" if language in _DASH else "//"
    return re.compile(rf"(?P<comment>{start}.*|/\*.*)|{_REST}")


@lru_cache(maxsize=4096)
def sketch(line: str, name: str, palette: Palette) -> tuple[Segment, ...]:
    """One `line` (cleaned, no newline) of the language called `name`, over the palette's code ground."""
    line = expand_tabs(line)
    language = language_of(name)
    if language == "diff":
        return _diff_line(line, palette)
    pattern = _pattern(language)
    if pattern is None or len(line) > 500:
        return (Segment(line, palette.code_block),) if line else ()
    return tuple(_coloured(line, pattern, palette))


def _coloured(line: str, pattern: re.Pattern[str], palette: Palette) -> list[Segment]:
    ground = palette.code_block
    segments: list[Segment] = []
    position = 0
    for match in pattern.finditer(line):
        role = match.lastgroup or ""
        if role == "word":
            if match[0] not in _KEYWORDS:
                continue
            role = "keyword"
        elif role == "name" and match[0] in _KEYWORDS:
            role = "keyword"
        if match.start() > position:
            segments.append(Segment(line[position : match.start()], ground))
        segments.append(Segment(match[0], ground + getattr(palette, role)))
        position = match.end()
    if position < len(line):
        segments.append(Segment(line[position:], ground))
    return segments


def _diff_line(line: str, palette: Palette) -> tuple[Segment, ...]:
    styles: dict[str, Style] = {"+": palette.success, "-": palette.error, "@": palette.heading}
    return (Segment(line, palette.code_block + styles.get(line[:1], palette.text)),) if line else ()
