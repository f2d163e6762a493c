from core.session.context import Context, Part
from widgets.context_rows import context_line, context_rows, head_line, name_cells, whole_line
from widgets.line import Line

CONTEXT = Context(
    parts=(
        Part("System prompt", 10_000),
        Part("System tools (deferred)", 6_500, "deferred"),
        Part("Memory files", 1_000),
        Part("Messages", 49_000),
        Part("Autocompact buffer", 33_000, "buffer"),
        Part("Free space", 107_000, "free"),
    ),
    tokens=60_000,
    window=200_000,
    files=(Part("docs/CLAUDE.md", 400), Part("CLAUDE.md", 600)),
    compacts_at=167_000,
)


def text(line: Line) -> str:
    return "".join(piece.text for piece in line)


def lines(context: Context, width: int) -> list[str]:
    rows = context_rows(context)
    return [text(context_line(row, context, width, name_cells(rows, width))) for row in rows]


def test_a_bar_a_part_as_against_the_largest_in_use() -> None:
    shown = {line[:12].strip(): line for line in lines(CONTEXT, 76)}
    assert shown["Messages"].count("█") > 4 * shown["System promp"].count("█") > 0
    assert "█" not in shown["Free space"]
    assert "not counted" in shown["System tools"]
    assert "%" not in shown["System tools"]
    assert shown["Messages"].rstrip().endswith("49k  24 %")


def test_memory_files_stand_below_all_parts_the_largest_first() -> None:
    shown = lines(CONTEXT, 76)
    at = shown.index("Memory files, one by one")
    assert at == len(CONTEXT.parts)
    assert [line.split()[0] for line in shown[at + 1 : at + 3]] == ["CLAUDE.md", "docs/CLAUDE.md"]


def test_every_line_fits() -> None:
    long = Context(
        parts=(Part("Memory files", 5), Part("日本" * 40, 9)),
        window=10,
        tokens=9,
        files=(Part("x" * 300, 1),),
    )
    for context in (CONTEXT, long):
        for width in (40, 56, 76, 96):
            for row in context_rows(context):
                line = context_line(row, context, width, name_cells(context_rows(context), width))
                assert sum(piece.cells for piece in line) <= width


def test_the_whole_window_in_one_bar() -> None:
    bar = text(whole_line(CONTEXT, 40))
    assert (len(bar), bar.count("█"), bar.count("▒")) == (40, 12, 7)
    assert whole_line(Context(), 40) == ()
    assert text(head_line(CONTEXT)) == "60k of 200k tokens  30 %   compacts by itself at 167k"
