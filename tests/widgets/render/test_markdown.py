import runpy
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from textual.strip import Strip
from textual.theme import BUILTIN_THEMES

from widgets.render import markdown
from widgets.render.blocks import Block, parse
from widgets.render.markdown import MarkdownStream, render_markdown
from widgets.render.palette import PLAIN_PALETTE, Palette
from widgets.render.safe import clean

PALETTE = Palette.from_theme(BUILTIN_THEMES["nord"])
CASE = Path(__file__).parents[2] / "data" / "cases" / "UIX-08.py"

PIECES = [
    "word ", "**bold** ", "`code` ", "_it_ ", "[a](http://b) ", "~~s~~ ", "*", "`", "[", "\\*", "https://x.yz/a. ", "日本 ",
    "\n", "\n", "\n\n", "\n\n", "\n- ", "\n  - ", "\n    - ", "\n* ", "\n1. ", "\n2) ", "\n- [x] ", "\n  ", "\n    ", "\n\t",
    "\n# ", "\n## h\n", "\n---\n", "\n===\n", "\n> ", "\n>\n> ", "\n```\n", "\n```py\n", "x = 1 # c\n", '"""\n', "\n~~~", "\n~~~\n",
    "\n  ```\n", "\n| a | b |\n|---|:-:|\n", "| c | d |\n", "| `e` |\n", "|", "\n|-", "<b>", "&amp;", "\x1b[31m", "\r", "1", "2.", "-", "#",
]  # fmt: skip
documents = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def uix_08() -> str:
    out = StringIO()
    with redirect_stdout(out):
        runpy.run_path(str(CASE))
    events = [msgspec.json.decode(line)["event"] for line in out.getvalue().splitlines()]
    return "".join(e["delta"]["text"] for e in events if e["type"] == "content_block_delta")


def finished(stream: MarkdownStream) -> list[Strip]:
    stream.finish()
    while stream.polish():
        pass
    return stream.strips


def texts(strips: list[Strip]) -> list[str]:
    return [strip.text.rstrip() for strip in strips]


def shown(text: str, width: int = 40) -> list[str]:
    return texts(render_markdown(text, width, PLAIN_PALETTE))


@settings(max_examples=400)
@given(documents, st.integers(1, 50), st.lists(st.integers(1, 30), min_size=1, max_size=8))
@example("foo\n| x |\n|--", 20, [3])
@example("- a\n\n1. b\n1. c\n\n   d\n1. e\nfoo\n", 20, [1])
@example("```py\n" + "x = 1\n" * 30 + "```\nend", 30, [7])
@example("```py\n" + "x = 1\n" * 30, 30, [7])
def test_any_chunking_ends_as_the_whole_text_rendered_at_once(
    text: str, width: int, sizes: list[int]
) -> None:
    stream = MarkdownStream(width, PALETTE)
    position = step = 0
    settled: list[str] = []
    while position < len(text):
        position += sizes[step % len(sizes)]
        step += 1
        strips = stream.feed(text[:position])
        assert all(strip.cell_length <= width for strip in strips)
        assert [strip.text for strip in strips[: len(settled)]] == settled
        settled = [strip.text for strip in strips[: stream.settled]]
    whole = render_markdown(clean(text), width, PALETTE)
    assert [strip.text for strip in finished(stream)] == [strip.text for strip in whole]
    assert stream.strips == whole


@settings(max_examples=150)
@given(documents, st.integers(4, 50))
def test_what_is_shown_while_streaming_is_what_the_text_so_far_is(text: str, width: int) -> None:
    stream = MarkdownStream(width, PALETTE)
    for position in range(1, len(text) + 1):
        so_far = text[:position]
        drawn = texts(stream.feed(so_far))
        so_far = so_far.rstrip("\r")
        if not clean(so_far).endswith(("`", "~", "` ", "~ ")):  # a fence's closing line is not shown as code
            assert drawn == texts(render_markdown(clean(so_far), width, PALETTE))


def test_the_handed_document_streams_to_the_same_end() -> None:
    text = uix_08()
    stream = MarkdownStream(78, PALETTE)
    for position in range(20, len(text) + 20, 20):
        stream.feed(text[:position])
    assert finished(stream) == render_markdown(text, 78, PALETTE)
    assert "x199 = 199  # [not] markup [/]" in stream.strips[-104].text


def test_finished_blocks_are_rendered_once() -> None:
    stream = MarkdownStream(40, PALETTE)
    first = list(stream.feed("para\n\n- one\n- two"))
    again = stream.feed("para\n\n- one\n- two and more")
    assert stream.settled == 3
    assert stream.changed_from == 3
    assert all(one is other for one, other in zip(first[:3], again[:3], strict=True))
    stream.feed("para\n\n- one\n- two and more")
    assert stream.changed_from == len(stream.strips)


def test_prose_and_items_of_one_line_do_not_ask_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = ["One li", "ne\nand two.\n\nAnoth", "er *one*.\n\n- fir", "st\n- second, ", "which is\n- third"]
    whole = render_markdown("".join(pieces), 40, PALETTE)
    asked: list[str] = []

    def parsed(source: str) -> list[Block]:
        asked.append(source)
        return parse(source)

    monkeypatch.setattr(markdown, "parse", parsed)
    stream = MarkdownStream(40, PALETTE)
    for count in range(len(pieces) + 1):
        stream.feed("".join(pieces[:count]))
    assert asked == []
    assert stream.settled == len(whole) - 1
    assert finished(stream) == whole


def test_below_an_empty_item_and_a_blank_line_a_list_begins_anew() -> None:
    text = "\n1. \n\n\n1. word"
    stream = MarkdownStream(20, PALETTE)
    for end in range(len(text) + 1):
        stream.feed(text[:end])
    assert texts(stream.strips) == texts(render_markdown(text, 20, PALETTE))


def test_an_open_fence_lays_out_each_line_once() -> None:
    text = "```py\n" + "".join(f"x{n} = {n}\n" for n in range(200))
    stream = MarkdownStream(40, PALETTE)
    before = list(stream.feed(text))
    after = stream.feed(text + "y = 1")
    assert all(one is other for one, other in zip(before, after, strict=False))
    assert len(after) == 201


def test_long_finished_code_gets_its_exact_colours_bit_by_bit() -> None:
    text = '```py\n"""\n' + "word\n" * 40 + '"""\n```\n'
    stream = MarkdownStream(40, PALETTE)
    stream.feed(text)
    calls = 1
    while stream.polish():
        calls += 1
        assert 0 < stream.changed_from < len(stream.strips)
    assert calls >= 3
    assert stream.strips == render_markdown(text, 40, PALETTE)


def test_a_text_that_is_another_one_starts_over() -> None:
    stream = MarkdownStream(40, PALETTE)
    stream.feed("one\n\ntwo")
    assert texts(stream.feed("three")) == ["three"]
    stream.finish()
    assert texts(stream.feed("three four")) == ["three four"]


def test_control_bytes_cut_in_two_do_nothing() -> None:
    stream = MarkdownStream(40, PALETTE)
    stream.feed("a \x1b[3")
    assert texts(stream.feed("a \x1b[31mred\x1b]0;title")) == ["a red"]
    assert texts(stream.feed("a \x1b[31mred\x1b]0;title\x07 end\r\nb")) == ["a red end", "b"]


def test_ordered_items_count_on_in_a_stream() -> None:
    stream = MarkdownStream(40, PALETTE)
    for position in range(1, 31):
        stream.feed("1. a\n1. b\n\n1. c **d** e\n1. f g"[:position])
    assert texts(stream.strips) == ["1. a", "2. b", "", "3. c d e", "4. f g"]


@pytest.mark.parametrize("text", ["", "\n", "\n\n", " ", "\r", "\x1b"])
def test_nothing_shows_nothing(text: str) -> None:
    stream = MarkdownStream(10, PALETTE)
    assert stream.feed(text) == []
    assert stream.finish() == []
