from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from widgets.render.wrap import NO_LEAD, Lead, fold, pad, truncate, wrap, wrap_open

RED, BLUE = Style(color="red"), Style(color="blue")
ALPHABET = "ab -\xa0é→日本ｱ👩\u200d❤\ufe0f\u0301🇩🇪של…"
words = st.text(st.sampled_from(ALPHABET + "      "), max_size=80)
lines = st.lists(st.builds(Segment, words, st.sampled_from([RED, BLUE])), max_size=6)
leads = st.sampled_from([NO_LEAD, Lead().then("• "), Lead().then("日 ", RED)])


def texts(strips: list[Strip]) -> list[str]:
    return [strip.text for strip in strips]


def visible(text: str) -> str:
    return text.replace(" ", "").replace("\u200d", "")


def line(text: str) -> list[Segment]:
    return [Segment(text, RED)]


def test_words_break_at_spaces_and_long_ones_where_they_must() -> None:
    assert texts(wrap(line("one two  three"), 8)) == ["one two", "three"]
    assert texts(wrap(line("abcdefghij kl"), 4)) == ["abcd", "efgh", "ij", "kl"]
    assert texts(wrap(line("    indented-and-long"), 8)) == ["    inde", "nted-and", "-long"]
    assert texts(wrap(line("exact fit"), 9)) == ["exact fit"]
    assert texts(wrap([], 5)) == [""]


def test_leads_hang() -> None:
    assert texts(wrap(line("one two three"), 7, Lead().then("- "), Lead().then("  "))) == [
        "- one",
        "  two",
        "  three",
    ]


def test_a_lead_without_room_for_text_is_dropped() -> None:
    assert texts(wrap(line("ab"), 2, Lead().then("> "))) == ["ab"]


def test_styles_stay_with_their_words() -> None:
    strips = wrap([Segment("red ", RED), Segment("blue", BLUE)], 4)
    assert [list(strip) for strip in strips] == [[Segment("red", RED)], [Segment("blue", BLUE)]]


def test_wide_characters_break_anywhere_and_never_in_the_middle() -> None:
    assert texts(wrap(line("日本語です"), 5)) == ["日本", "語で", "す"]
    assert texts(wrap(line("日本"), 1)) == ["□", "□"]
    assert texts(fold(line("a日本"), 2)) == ["a", "日", "本"]


def test_an_emoji_sequence_stays_whole_across_segments() -> None:
    strips = wrap([Segment("👩\u200d", RED), Segment("👧 x", BLUE)], 2)
    assert texts(strips) == ["👩\u200d👧", "x"]


def test_fold_keeps_every_space() -> None:
    assert texts(fold(line("a   b   c"), 4)) == ["a   ", "b   ", "c"]


def test_truncate_and_pad() -> None:
    assert truncate(line("abcdef"), 4).text == "abc…"
    assert truncate(line("日本語"), 4).text == "日…"
    assert truncate(line("ab"), 4).text == "ab"
    assert pad(truncate(line("ab"), 4), 4, BLUE).text == "ab  "


@given(lines, st.integers(1, 30), leads, leads)
def test_no_strip_is_wider_than_asked_and_no_word_is_lost(
    styled: list[Segment], width: int, first: Lead, rest: Lead
) -> None:
    strips = wrap(styled, width, first, rest)
    for strip in strips:
        assert strip.cell_length == sum(cell_len(segment.text) for segment in strip) <= width
    if width > 3 and not (first.segments or rest.segments):
        source = "".join(segment.text for segment in styled)
        assert visible("".join(texts(strips))) == visible(source)


@given(lines, st.integers(1, 30), leads, leads)
def test_fold_fits_and_loses_nothing(styled: list[Segment], width: int, first: Lead, rest: Lead) -> None:
    strips = fold(styled, width, first, rest)
    for strip in strips:
        assert strip.cell_length == sum(cell_len(segment.text) for segment in strip) <= width
    if width > 1 and not (first.segments or rest.segments):
        source = "".join(segment.text for segment in styled)
        assert "".join(texts(strips)).replace("\u200d", "") == source.replace("\u200d", "")


@given(words, words, st.integers(2, 30))
def test_a_growing_line_wraps_like_the_whole_one(head: str, tail: str, width: int) -> None:
    done, carry = wrap_open(line(head + " "), width)
    whole = texts(wrap(line(head + " x" + tail), width))
    assert texts(done + wrap([*carry, Segment("x" + tail, BLUE)], width)) == whole
