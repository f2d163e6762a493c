"""Bars of money."""

import pytest

from widgets.cost_rows import CostRow, blocks, cost_line, cost_title, name_cells


@pytest.mark.parametrize(
    ("share", "bar"),
    [(0.0, ""), (1.0, "████"), (0.5, "██"), (0.0001, "▏"), (0.53125, "██▏"), (7.0, "████"), (-1.0, "")],
)
def test_bars_to_an_eighth_of_a_cell(share: float, bar: str) -> None:
    assert blocks(share, 4) == bar


@pytest.mark.parametrize("width", [60, 77, 117, 200])
def test_every_line_is_as_wide_as_its_title(width: int) -> None:
    row = CostRow("2026-03-01", "2026-03-01", 12.5, 1_234_567, 89, partial=True)
    name = name_cells([row], width)
    assert name == 14
    line = cost_line(row, width, 25.0, name)
    assert sum(piece.cells for piece in line) == sum(piece.cells for piece in cost_title(width, "days", name))
    said = "".join(piece.text for piece in line)
    for words in ("Sun 2026-03-01", "$12.50+", "1.2M", "89", "█"):
        assert words in said


def test_what_has_no_price_is_not_free() -> None:
    said = "".join(piece.text for piece in cost_line(CostRow("m", "m", 0.0, 10, 1, partial=True), 80, 1.0, 8))
    assert "unpriced" in said
    assert "$" not in said
