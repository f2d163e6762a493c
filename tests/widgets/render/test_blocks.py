from pathlib import Path

import pytest
from textual.theme import BUILTIN_THEMES

from widgets.render.blocks import MIN_ROOM, parse, render_markdown
from widgets.render.palette import PLAIN_PALETTE, Palette

CASES = Path(__file__).parents[2] / "data" / "cases"
PALETTE = Palette.from_theme(BUILTIN_THEMES["textual-dark"])


def shown(text: str, width: int = 30) -> list[str]:
    return [strip.text.rstrip() for strip in render_markdown(text, width, PLAIN_PALETTE)]


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("# Head\ntext", ["Head", "text"]),
        ("one\ntwo\n\n\n\nthree", ["one", "two", "", "three"]),
        ("- a\n- b\n  - c\n    - d\n\n  e", ["• a", "• b", "  ◦ c", "    ▪ d", "", "  e"]),
        ("3. a\n9. b", ["3. a", "4. b"]),
        ("- [x] a\n- [ ] b\n-", ["☑ a", "☐ b", "•"]),
        ("> a\n>\n> - b", ["▌ a", "▌", "▌ ◦ b"]),
        ("a\n\n---\nb", ["a", "", "─" * 30, "b"]),
        ("```sh\nls\n\nps\n```", ["│ls", "│", "│ps"]),
        ("<b>x</b> &amp; [r]\n\n[r]: http://x", ["<b>x</b> &amp; [r]", "", "[r]: http://x"]),
        ("a\n===", ["a", "==="]),
        ("| a | b |\n|---|--:|\n| c | d |", ["a │ b", "──┼──", "c │ d"]),
    ],
)
def test_blocks(text: str, want: list[str]) -> None:
    assert shown(text) == want


def test_long_code_is_folded_with_a_mark() -> None:
    assert shown("```\nabcdefghij\n```", 6) == ["│abcde", "↪fghij"]


def test_code_lies_on_its_ground_over_the_whole_width() -> None:
    (strip,) = render_markdown("```\nx\n```", 10, PALETTE)
    assert strip.cell_length == 10
    assert {segment.style.bgcolor for segment in strip if segment.style} == {PALETTE.code_block.bgcolor}


def test_deep_nesting_stops_indenting_where_room_is_short() -> None:
    deep = "\n".join("  " * level + "- word" for level in range(20))
    assert all(strip.cell_length <= MIN_ROOM for strip in render_markdown(deep, MIN_ROOM, PALETTE))
    assert "word" in shown(deep, 20)[-1]


def test_outside_text_is_never_markup() -> None:
    for line in (CASES / "UIX-01.txt").read_text().splitlines():
        if not any(mark in line for mark in "`*\\"):
            assert shown(f"x {line}", 80) == [f"x {line}"]


def test_a_parser_says_where_blocks_are() -> None:
    assert [(block.kind, block.start, block.end) for block in parse("a\n\n- b\n- c\n# d")] == [
        ("paragraph_open", 0, 1),
        ("bullet_list_open", 2, 4),
        ("heading_open", 4, 5),
    ]


@pytest.mark.parametrize(
    "mark", ["[", "*", "`", "_", "![", "<", "~", "[a](", "\\", "> ", "- ", "|", "#", "1. "]
)
def test_floods_of_marks_are_drawn(mark: str) -> None:
    for text in (mark * 2000, f"{mark}\n" * 500):
        assert all(strip.cell_length <= 20 for strip in render_markdown(text, 20, PALETTE))
