"""Markdown inside one block (emphasis, code, links) as styled lines; must not know blocks, widths or strips.

HTML, entities and reference links stay the characters they are. A line break in the source is a line break
here: in a terminal an agent's lines mean what they say.
"""

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.segment import Segment
from rich.style import Style

from widgets.render.palette import Palette

MAX_MARKS = 250
"""A text with more marks is parsed line by line, and a line with more is shown as it is: the parser's work
grows with their square."""

MAX_BRACKETS = 100
"""The same for brackets that open, which cost more."""

MAX_NESTING = 100
"""How deep blocks may lie in each other; the parser drops what is deeper."""

_MARK = re.compile(r"[*_`~\[\]\\<!]|://")
_COSTLY = re.compile(r"[*_`~\[<!\\]")
_OPENING_MARK = re.compile(r"[*_`~\[]")
# Marks that stay what they are: closed brackets that are no link, marks no emphasis can begin or end with.
_NO_MARK = re.compile(r"\[[^\[\]]*\](?!\()|(?<=\w)_+(?=\w)|(?<!\S)\*+(?!\S)|(?<!~)~(?!~)")
_URL = re.compile(r"https?://[^\s<>\"'`]*[^\s<>\"'`.,;:!?)\]}*_]")
_OPENING = {"strong_open": "strong", "em_open": "emphasis", "s_open": "strike", "link_open": "link"}


def parser(max_nesting: int) -> MarkdownIt:
    """The one dialect of all rendering: CommonMark, tables and strikethrough, no HTML, no back references.

    Setext headings are off: in a stream the first "-" of a list would turn the line above into one.
    """
    markdown = MarkdownIt("commonmark", {"html": False, "maxNesting": max_nesting})
    markdown.enable(["table", "strikethrough"])
    markdown.disable(["reference", "html_block", "html_inline", "entity", "lheading"])
    markdown.inline.terminator_re = re.compile(r"[\n!&*<\[\\\]_`~]")
    return markdown


BLOCKS = parser(MAX_NESTING)
_INLINE = parser(20)


def inline(content: str, palette: Palette, base: Style) -> list[list[Segment]]:
    """The lines of a block's `content` (cleaned, tabs allowed), each as segments over the style `base`."""
    if "\t" in content:
        content = content.replace("\t", "    ")
    if _MARK.search(content) is None:
        return [_plain(line.strip(" "), base) for line in content.split("\n")]
    if _is_costly(content):
        if "\n" not in content:
            return [_plain(content, base)]
        return [line for part in content.split("\n") for line in inline(part.strip(" "), palette, base)]
    return _Painter(palette, base).paint(tokens_of(content))


def tokens_of(content: str) -> list[Token]:
    """The inline tokens of `content`."""
    tokens: list[Token] = []
    _INLINE.inline.parse(content, _INLINE, {}, tokens)
    return tokens


def settled_inline(content: str, palette: Palette, base: Style) -> list[list[Segment]] | None:
    """The lines of `content`, if nothing that may come after the space behind it can change how it looks."""
    if _MARK.search(content) is None or _is_costly(content):
        return inline(content, palette, base)
    tokens = tokens_of(content)
    texts = [token.content for token in tokens if token.type == "text"]
    if any(_OPENING_MARK.search(_NO_MARK.sub("", text)) for text in texts):
        return None
    return _Painter(palette, base).paint(tokens)


def _is_costly(content: str) -> bool:
    return len(content) > MAX_BRACKETS and (
        content.count("[") > MAX_BRACKETS or len(_COSTLY.findall(content)) > MAX_MARKS
    )


def _plain(line: str, style: Style) -> list[Segment]:
    return [Segment(line, style)] if line else []


class _Painter:
    """Walks the inline tokens with the style that is on."""

    def __init__(self, palette: Palette, base: Style) -> None:
        self._palette = palette
        self._styles = [base]
        self._hrefs: list[tuple[str, int]] = []
        self._lines: list[list[Segment]] = [[]]

    def paint(self, tokens: list[Token]) -> list[list[Segment]]:
        """The lines of `tokens`."""
        for token in tokens:
            self._token(token)
        return self._lines

    def _token(self, token: Token) -> None:
        match token.type:
            case "text":
                self._text(token.content)
            case "code_inline":
                self._put(token.content, self._styles[-1] + self._palette.code)
            case "softbreak" | "hardbreak":
                self._lines.append([])
            case "link_open" | "strong_open" | "em_open" | "s_open":
                self._open(token)
            case "link_close" | "strong_close" | "em_close" | "s_close":
                self._close(token)
            case "image":
                self._image(token)
            case _:
                self._put(token.content, self._styles[-1])

    def _open(self, token: Token) -> None:
        style = getattr(self._palette, _OPENING[token.type])
        self._styles.append(self._styles[-1] + style)
        if token.type == "link_open":
            self._hrefs.append((str(token.attrs.get("href", "")), len(self._lines[-1])))

    def _close(self, token: Token) -> None:
        self._styles.pop()
        if token.type == "link_close":
            href, start = self._hrefs.pop()
            shown = "".join([segment.text for segment in self._lines[-1][start:]])
            if href and href not in (shown, f"mailto:{shown}"):
                self._put(f" ({href})", self._styles[-1] + self._palette.url)

    def _image(self, token: Token) -> None:
        self._put(token.content or "image", self._styles[-1] + self._palette.link)
        self._put(f" ({token.attrs.get('src', '')})", self._styles[-1] + self._palette.url)

    def _text(self, text: str) -> None:
        """Words, with bare addresses as links."""
        style = self._styles[-1]
        if "://" not in text or self._hrefs:
            self._put(text, style)
            return
        position = 0
        for match in _URL.finditer(text):
            self._put(text[position : match.start()], style)
            self._put(match[0], style + self._palette.link)
            position = match.end()
        self._put(text[position:], style)

    def _put(self, text: str, style: Style) -> None:
        if text:
            self._lines[-1].append(Segment(text, style))
