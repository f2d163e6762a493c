"""What a few typed letters find, and what of it comes first."""

import pytest

from dashboard.finding import fit


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("nord", "nord"),
        ("nord", "a-nord-theme"),
        ("ruvb", "gruvbox"),
        ("LIGHT", "quarterdeck-light"),
        ("light quarter", "quarterdeck-light"),
        ("qd", "quarterdeck-dark"),
        ("catmo", "catppuccin-mocha"),
        ("cst", "cost"),
        ("pane", "fewer panes"),
        ("ä", "Ä"),
    ],
)
def test_a_part_of_its_name_finds_it(query: str, name: str) -> None:
    assert fit(query, name).score > 0


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("nord", "Mark the agent for a prompt to several, or unmark it"),
        ("nord", "Ask it something on the side: the answer does not enter"),
        ("nord light", "nord"),
        ("", "nord"),
        ("x", ""),
    ],
)
def test_letters_from_anywhere_do_not(query: str, name: str) -> None:
    assert fit(query, name).score == 0


def test_the_best_comes_first() -> None:
    names = ["the remodelled", "model", "m o d e l", "supermodel", "models of all", "nothing"]
    about = {"nothing": "it chooses the model"}
    ranked = sorted(names, key=lambda name: -fit("model", name, about.get(name, "")).score)
    assert ranked == ["model", "models of all", "supermodel", "the remodelled", "m o d e l", "nothing"]


def test_what_was_typed_is_marked_where_it_stands() -> None:
    assert fit("deck", "quarterdeck-deck").spans == ((12, 16),)
    assert fit("qd", "quarterdeck-dark").spans == ((0, 1), (12, 13))
    assert fit("i", "İi").spans == ((1, 2),), "places are those of the name as it is written"


def test_a_long_name_of_one_letter_takes_no_time() -> None:
    assert fit("a" * 60 + "b", "a" * 4000).score == 0
