import pytest
from textual.theme import BUILTIN_THEMES

from widgets.render.palette import Palette
from widgets.render.sketch import sketch

PALETTE = Palette.from_theme(BUILTIN_THEMES["nord"])


@pytest.mark.parametrize(
    ("line", "language", "word", "role"),
    [
        ("def f(x):", "python", "def", "keyword"),
        ("def f(x):", "python", "f", "name"),
        ("x = 1 # n", "python", "# n", "comment"),
        ("let x = 'a'; // n", "ts", "// n", "comment"),
        ("let x = 'a'; // n", "ts", "'a'", "string"),
        ("SELECT 42 -- n", "sql", "42", "number"),
        ("+ new", "diff", "+ new", "success"),
    ],
)
def test_a_line_is_coloured_by_guess(line: str, language: str, word: str, role: str) -> None:
    styles = {segment.text: segment.style for segment in sketch(line, language, PALETTE)}
    assert styles[word] == PALETTE.code_block + getattr(PALETTE, role)


@pytest.mark.parametrize("language", ["python", "js", "sql", "diff", "markdown", "klingon", ""])
@pytest.mark.parametrize("line", ["", "\tx", "a 'b", '"' * 9, "[red]x[/]", "#" * 600])
def test_the_characters_stay(line: str, language: str) -> None:
    assert "".join(segment.text for segment in sketch(line, language, PALETTE)) == line.expandtabs(4)
