"""The form of AskUserQuestion, page by page."""

import pytest

from core.terminal.parsers.menu import DOWN, ENTER
from core.terminal.parsers.question import QuestionPage, ReviewPage, question
from tests.fakes.screens import recorded, written

WIDTHS = (80, 120, 40)


def _page(name: str, columns: int = 80) -> QuestionPage:
    found = question(recorded("question", name, columns))
    assert isinstance(found, QuestionPage)
    return found


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize(("name", "marked"), [("single", 0), ("single-second", 1), ("single-other", 2)])
def test_one_answer(name: str, marked: int, columns: int) -> None:
    page = _page(name, columns)
    assert (page.question, page.header) == ("Which database should the tests use?", "Database")
    assert [page.label(at) for at in range(page.own)] == ["SQLite", "PostgreSQL"]
    assert [page.description(at) for at in range(page.own)] == ["Fast, no set-up", "What production runs"]
    assert (page.multiple, page.other, page.chat, page.submit) == (False, 2, 3, None)
    assert page.menu.selected == marked
    if not marked:
        assert page.menu.keys_for(1) == (DOWN, ENTER)


@pytest.mark.parametrize("columns", WIDTHS)
def test_words_typed_into_it_are_no_option_of_the_agent(columns: int) -> None:
    page = _page("single-typed", columns)
    assert (page.own, page.other) == (2, 2)
    assert page.menu.items[2].label == "my own"


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize(
    ("name", "ticked", "marked"),
    [
        ("multiple", (False, False, False, False), 0),
        ("multiple-ticked", (True, False, False, False), 0),
        ("multiple-typed", (True, False, False, True), 3),
        ("multiple-submit", (True, False, False, True), 4),
    ],
)
def test_several_answers(name: str, ticked: tuple[bool, ...], marked: int, columns: int) -> None:
    page = _page(name, columns)
    assert page.multiple
    assert [page.label(at) for at in range(page.own)] == ["unit", "api", "browser"]
    assert tuple(item.checked for item in page.menu.items[:4]) == ticked
    assert (page.other, page.submit, page.chat) == (3, 4, 5)
    assert page.menu.selected == marked
    assert page.menu.keys_for(4) == (*(DOWN,) * (4 - marked), ENTER)


@pytest.mark.parametrize("columns", WIDTHS)
def test_several_questions_come_page_by_page(columns: int) -> None:
    first, second = _page("first-of-two", columns), _page("second-of-two", columns)
    assert first.question == "Which database should the tests use?"
    assert second.question == "Which suites should run?"
    assert [(tab.header, tab.answered) for tab in first.tabs] == [
        ("Database", False),
        ("Suites", False),
        ("Submit", False),
    ]
    assert second.tabs[0].answered
    assert not second.tabs[1].answered


@pytest.mark.parametrize("columns", WIDTHS)
def test_the_last_page_shows_the_answers(columns: int) -> None:
    found = question(recorded("question", "review", columns))
    assert isinstance(found, ReviewPage)
    assert found.answers == (("Which suites should run?", "unit, own words"),)
    assert [found.menu.labels[at] for at in (found.submit, found.cancel)] == ["Submit answers", "Cancel"]


def test_a_label_that_wraps_is_one_label() -> None:
    page = question(
        written(
            "─" * 40
            + "\n ☐ Way \n\nWhich way shall we go from here on?\n\n"
            + "❯ 1. Rewrite the whole module from the\n     ground up\n     It takes a week\n"
            + "  2. Leave it\n  3. Type something.\n"
            + "─" * 40
            + "\n  4. Chat about this\n\nEnter to select · Esc to cancel\n",
            columns=40,
        )
    )
    assert isinstance(page, QuestionPage)
    assert (page.label(0), page.description(0)) == (
        "Rewrite the whole module from the ground up",
        "It takes a week",
    )


def test_an_answered_form_is_gone() -> None:
    assert question(recorded("question", "single-answered")) is None


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize(("name", "marked"), [("first", 0), ("second", 1), ("chat", 2)])
def test_options_with_previews(name: str, marked: int, columns: int) -> None:
    found = question(recorded("preview", name, columns))
    assert isinstance(found, QuestionPage)
    assert found.question == "Which layout should the page of settings have?"
    assert [found.label(at) for at in range(found.own)] == ["Two columns", "One column"]
    assert (found.other, found.chat, found.menu.selected) == (None, 2, marked)
    assert found.preview
    if columns > 40:
        assert found.preview.startswith("+---+---+\n| a | b |" if name == "first" else "+---+\n| a |\n| b |")
