import pytest
from rich.style import Style

from widgets.render.sgr import PLAIN, apply_sgr, style_of


@pytest.mark.parametrize(
    ("params", "style"),
    [
        ("", ""),
        ("1;31", "bold color(1)"),
        ("94;103", "color(12) on color(11)"),
        ("38;5;200", "color(200)"),
        ("48;2;1;2;3", "on #010203"),
        ("38:2::1:2:3", "#010203"),
        ("38:2:1:2:3;1", "bold #010203"),
        ("4:3", "underline"),
        ("4:0", ""),
        ("1;22;3", "italic"),
        ("31;39;41;49", ""),
        ("5;8", ""),
        ("38;5;999;1", "bold"),
        ("38", ""),
        ("?1", ""),
        ("9999999999999", ""),
    ],
)
def test_parameters_become_styles(params: str, style: str) -> None:
    assert style_of(apply_sgr(PLAIN, params)) == Style.parse(style)


def test_the_pen_is_kept_and_reset() -> None:
    pen = apply_sgr(apply_sgr(PLAIN, "31"), "1")
    assert style_of(pen) == Style.parse("bold color(1)")
    assert apply_sgr(pen, "0") == PLAIN
    assert apply_sgr(pen, "m" * 10) == pen
