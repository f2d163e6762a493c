"""Raw HTML in a model's Markdown: none outside code, in whatever program it is rendered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from core.history.export_safe import without_html

PARSERS = (MarkdownIt("commonmark"), MarkdownIt("commonmark").enable("table"))

PIECES = (
    "`",
    "``",
    "```",
    "~~~",
    "<b>",
    "a",
    " ",
    "  ",
    "\n",
    "\n\n",
    "- ",
    "1. ",
    "> ",
    "# ",
    "    ",
    "\\",
    "|",
    "\t",
    "```x\n",
    "\n```\n",
    "|-|-|\n",
)


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("a <b>bold</b> word", "a &lt;b>bold&lt;/b> word"),
        ("<!-- x --> <?x?> </p>", "&lt;!-- x --> &lt;?x?> &lt;/p>"),
        ("1 < 2 and 2 <3", "1 < 2 and 2 <3"),
        ("use `<div>` here", "use `<div>` here"),
        ("``a ` <i>`` and <i>", "``a ` <i>`` and &lt;i>"),
        ("```html\n<div>\n```\n<div>", "```html\n<div>\n```\n&lt;div>"),
        ("   ```\n   <div>\n   ```", "   ```\n   <div>\n   ```"),
        ("~~~\n```\n<div>\n~~~\n<div>", "~~~\n```\n<div>\n~~~\n&lt;div>"),
        ("a ` b\n` <b> `", "a ` b\n` &lt;b> `"),
        (r"\`<b>`", r"\`&lt;b>`"),
        ("- ```\n<b>", "- ```\n&lt;b>"),
        ("``` <b>\n<b>\n```", "``` &lt;b>\n<b>\n```"),
        ("| `a | <b>` |", "| `a | &lt;b>` |"),
    ],
)
def test_tags_are_text_and_code_is_left(text: str, safe: str) -> None:
    assert without_html(text) == safe


@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
def test_no_text_has_a_parser_find_html(text: str) -> None:
    for parser in PARSERS:
        tokens = parser.parse(without_html(text))
        kinds = {inner.type for token in tokens for inner in (token, *(token.children or ()))}
        assert not kinds & {"html_block", "html_inline"}, text
