"""Lines of past sessions and of hits."""

import pytest
from msgspec import structs

from widgets.line import Line
from widgets.session_rows import (
    HitRow,
    SessionRow,
    columns,
    cost_text,
    heading,
    hit_lines,
    models_text,
    session_line,
)

NOW = 1_000_000.0
ROW = SessionRow(
    "k",
    "Fix the\ntoken \x1b[31mrefresh",
    "/home/me/api",
    "main",
    NOW - 7200,
    4200,
    12,
    1.5,
    mark="elsewhere",
    models=("claude-haiku-4-5", "claude-opus-5-5"),
)


def text(line: Line) -> str:
    return "".join(piece.text for piece in line)


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (80, {"directory"}),
        (100, {"directory", "model", "turns"}),
        (120, {"directory", "model", "turns", "branch", "size"}),
        (130, {"directory", "model", "turns", "branch", "size"}),
        (160, {"directory", "model", "turns", "branch", "size"}),
        (200, {"directory", "model", "turns", "branch", "size"}),
    ],
)
def test_a_title_keeps_its_room_before_others_get_any(width: int, shown: set[str]) -> None:
    found = columns(width)
    assert found.title >= 39
    assert {
        name for name in ("directory", "model", "turns", "branch", "size") if getattr(found, name)
    } == shown


def test_a_model_is_named_as_far_as_there_is_room() -> None:
    models = ("claude-haiku-4-5-20251001", "claude-sonnet-4-5")
    assert [models_text(models, width) for width in (6, 8, 10, 13)] == [
        "sonnet", "sonnet", "sonnet 4.5", "sonnet 4.5 +1",
    ]  # fmt: skip
    assert models_text(("claude-opus-5-5",), columns(120).model) == "opus 5.5"


@pytest.mark.parametrize("width", [40, 56, 77, 100, 117, 130, 200])
def test_every_line_is_as_wide_as_its_columns(width: int) -> None:
    line = session_line(ROW, width, NOW, "/home/me")
    assert sum(piece.cells for piece in line) == sum(piece.cells for piece in heading(width)) == width


def test_a_wide_line_says_everything() -> None:
    said = text(session_line(ROW, 160, NOW, "/home/me"))
    for words in ("◌ Fix the token refresh", "~/api", "main", "opus 5.5 +1", "2h", "4 kB", "12", "~$1.50"):
        assert words in said


@pytest.mark.parametrize(
    ("models", "shown"),
    [
        ((), ""),
        (("claude-opus-5-5",), "opus 5.5"),
        (("a", "b", "a-model-with-a-very-long-name"), "a-model-… +2"),
        (("a\x1b[31m\nb",), "a b"),
    ],
)
def test_the_newest_model_is_named_and_the_others_counted(models: tuple[str, ...], shown: str) -> None:
    assert models_text(models, 12) == shown


@pytest.mark.parametrize(
    ("cost", "exact", "partial", "shown"),
    [
        (None, False, False, ""),
        (1.5, True, False, "$1.50"),
        (1.5, False, False, "~$1.50"),
        (1.5, False, True, "~$1.50+"),
        (0.0, False, True, "unpriced"),
    ],
)
def test_what_is_known_of_a_cost(cost: float | None, exact: bool, partial: bool, shown: str) -> None:
    assert cost_text(SessionRow("k", "t", cost_usd=cost, exact=exact, partial=partial)) == shown


def test_a_hit_shows_what_was_found_where_it_is_deep_in_the_passage() -> None:
    passage = "x" * 200 + " needle and more"
    row = HitRow("0", "A title", passage, ((201, 207),), "user", "/home/me/api", NOW - 60)
    first, second = hit_lines(row, 60, NOW, "/home/me")
    assert "A title" in text(first[0])
    assert "~/api  1m" in text(first[1])
    assert [piece.text for piece in second[0] if "accent" in piece.style] == ["needle"]
    assert sum(piece.cells for piece in second[0]) <= 60


def test_a_copy_says_where_it_counts_but_not_where_the_cli_told_a_total() -> None:
    copy = SessionRow("k", "t", cost_usd=0.0, copied=True)
    assert cost_text(copy) == "in origin"
    assert cost_text(structs.replace(copy, cost_usd=1.0, exact=True)) == "$1.00"
