from hypothesis import given
from hypothesis import strategies as st
from textual.theme import BUILTIN_THEMES

from widgets.render.blocks import parse, render_markdown
from widgets.render.open_blocks import INTERRUPTS, PROSE, OpenFence, OpenParagraph, OpenTable, item_marker
from widgets.render.palette import Palette

PALETTE = Palette.from_theme(BUILTIN_THEMES["nord"])
words = st.sampled_from(
    ["word ", "**b** ", "`c` ", "_", "*", "`", "[x](y) ", "a[i] ", "[", "\n", "日本 ", "  ", "~~", "\\"]
)


@given(st.lists(words, max_size=80).map("".join), st.integers(3, 40), st.integers(1, 50))
def test_a_growing_paragraph_looks_like_the_whole_one(text: str, width: int, step: int) -> None:
    text = "x" + text.replace("\n\n", "\n").replace("\n  ", "\n")
    paragraph = OpenParagraph(width, PALETTE)
    for position in range(step, len(text) + step, step):
        so_far = text[:position]
        drawn = paragraph.draw(so_far)
        if [block.kind for block in parse(so_far)] == ["paragraph_open"]:
            whole = render_markdown(so_far.strip(), width, PALETTE)
            assert [strip.text.rstrip() for strip in drawn] == [strip.text.rstrip() for strip in whole]


def test_what_is_called_prose_can_only_be_a_paragraph() -> None:
    for line in ("word", "**b", "*i", "`c", "_x", "~~s", "+1", "12x", "(a", "é", "<b", "[x"):
        assert PROSE.match(line)
        assert {block.kind for block in parse(f"{line} - # > 1. ```x")} == {"paragraph_open"}
    for line in (
        "#",
        "-",
        "- a",
        "1",
        "1.",
        "*",
        "* a",
        "```",
        "~~~",
        "> a",
        "    x",
        "|",
        "***",
        "___",
        "+",
        "",
    ):
        assert not PROSE.match(line)


def test_what_interrupts_a_paragraph() -> None:
    for line in ("> q", "# h", "- item", "1. item"):
        assert INTERRUPTS.match(line)
        assert len(parse(f"para\n{line}")) == 2
    for line in ("word", "#h", "-", "2. x", "1.", "---"):
        assert not INTERRUPTS.match(line)


def test_items_are_known_by_their_marker() -> None:
    assert [item_marker(line) for line in ("- a", "+ b", "12. c", "3) d", "- ", "a", "- [x] t")] == [
        "-", "+", ".", ")", "", "", "",
    ]  # fmt: skip


def test_a_fence_hides_the_beginning_of_its_end() -> None:
    fence = OpenFence(parse("~~~py\na\n")[0], 10, PALETTE)
    assert [strip.text.rstrip() for strip in fence.draw("~~")] == [" a"]
    assert fence.take("b")
    assert not fence.take("~~~~ ")


def test_a_table_takes_rows_and_nothing_else() -> None:
    source = "| a | b |\n|---|---|\n"
    table = OpenTable(parse(source)[0], source, 40, PALETTE)
    assert table.take("| 1 | `x\\|y` | extra |")
    assert table.take("2 | 3")
    assert not table.take("- item")
    assert not table.take("")
    drawn = table.draw("| 4")
    assert drawn is not None
    assert [strip.text.rstrip() for strip in drawn[2:]] == ["1 │ x|y", "2 │ 3", "4 │"]
    assert table.draw("> quote") is None
