import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.theme import BUILTIN_THEMES

from widgets.render.code import MAX_LINE, highlight, language_of, warm
from widgets.render.palette import Palette

PALETTE = Palette.from_theme(BUILTIN_THEMES["nord"])


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("python", "python"), ("py", "py"), ("a/b.PY", "python"), ("x.ts", "typescript"), ("Dockerfile", "dockerfile"),
        ("rs", "rs"), ("x.yml", "yaml"), ("klingon", ""), ("", ""), ("README", ""),
    ],
)  # fmt: skip
def test_languages_are_found_by_word_and_by_file(name: str, language: str) -> None:
    assert language_of(name) == language


def test_words_are_coloured_on_the_codes_ground() -> None:
    (line,) = highlight("def f(): # hi", "python", PALETTE)
    by_text = {segment.text.strip(): segment.style for segment in line}
    assert by_text["def"] == PALETTE.code_block + PALETTE.keyword
    assert by_text["# hi"] == PALETTE.code_block + PALETTE.comment


def test_a_text_over_many_lines_is_lexed_as_one() -> None:
    lines = highlight('x = """\nword\n"""', "python", PALETTE)
    assert lines[1][0].style == PALETTE.code_block + PALETTE.string


@given(
    st.text("ab '\"#\n\t{}/*日", max_size=60),
    st.sampled_from(["python", "js", "json", "c", "diff", "klingon"]),
)
def test_nothing_is_lost_and_lines_stay_lines(text: str, name: str) -> None:
    lines = ["".join(segment.text for segment in line) for line in highlight(text, name, PALETTE)]
    assert [line.rstrip() for line in lines] == [
        line.expandtabs(4).rstrip() if line.isascii() else lines[index].rstrip()
        for index, line in enumerate(text.split("\n"))
    ]


def test_what_is_too_large_stays_plain() -> None:
    (line,) = highlight("x" * (MAX_LINE + 1), "python", PALETTE)
    assert len(line) == 1


def test_lexers_can_be_loaded_early() -> None:
    warm(("python", "klingon"))
