import pytest
from rich.style import Style

from widgets.render.inline import inline, settled_inline
from widgets.render.palette import Palette

PALETTE = Palette(
    strong=Style(bold=True),
    emphasis=Style(italic=True),
    strike=Style(strike=True),
    code=Style(reverse=True),
    link=Style(underline=True),
    url=Style(dim=True),
)


def marked(text: str) -> list[list[tuple[str, str]]]:
    return [[(s.text, str(s.style)) for s in line] for line in inline(text, PALETTE, Style.null())]


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("a **b _c_** d", [[("a ", "none"), ("b ", "bold"), ("c", "bold italic"), (" d", "none")]]),
        ("~~x~~ `y`", [[("x", "strike"), (" ", "none"), ("y", "reverse")]]),
        ("[t](http://u)", [[("t", "underline"), (" (http://u)", "dim")]]),
        ("<http://u>", [[("http://u", "underline")]]),
        ("see http://u/v. x", [[("see ", "none"), ("http://u/v", "underline"), (". x", "none")]]),
        ("![alt](src)", [[("alt", "underline"), (" (src)", "dim")]]),
        ("a  \nb\n  c", [[("a", "none")], [("b", "none")], [("c", "none")]]),
        ("list[int] [red]x[/] &amp; <b>", [[("list[int] [red]x[/] &amp; <b>", "none")]]),
        ("a\tb", [[("a    b", "none")]]),
    ],
)
def test_marks_become_styles(text: str, want: list[list[tuple[str, str]]]) -> None:
    assert marked(text) == want


@pytest.mark.parametrize(
    ("text", "settled"),
    [
        ("plain words", True),
        ("**b** `c` [l](u)", True),
        ("snake_case and a[i] and 2 * 3 and ~5 and a < b", True),
        ("\\* escaped", True),
        ("**open", False),
        ("`open", False),
        ("[open", False),
        ("![open", False),
        ("~~open", False),
    ],
)
def test_what_may_still_change_is_not_settled(text: str, settled: bool) -> None:
    assert (settled_inline(text, PALETTE, Style.null()) is not None) == settled


def test_a_flood_of_marks_is_shown_as_it_is() -> None:
    text = "[a](" * 2000
    assert marked(text) == [[(text, "none")]]
