"""The language of the search."""

from datetime import UTC, datetime

import pytest

from core.history.query import Query, Term, parse, wanted_by

NOW = datetime(2026, 3, 10, 15, tzinfo=UTC).timestamp()


def asked(text: str) -> Query:
    return parse(text, NOW, UTC)


def day(text: str) -> float:
    return datetime.fromisoformat(f"{text}T00:00+00:00").timestamp()


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", ()),
        ("  ", ()),
        ("Token", (Term("word", "token", ("Token",)),)),
        ('"exact  words"', (Term("phrase", "exact words", ("exact", "words")),)),
        ('"still being ty', (Term("phrase", "still being ty", ("still", "being", "ty")),)),
        ('5"disk', (Term("word", '5"disk', ("5", "disk")),)),
        ("retr*", (Term("beginning", "retr", ("retr",)),)),
        ("*", (Term("word", "*"),)),
        ('"', (Term("word", '"'),)),
        ('""', (Term("word", '""'),)),
        ("a:b", (Term("word", "a:b", ("a", "b")),)),
        ("role:nobody", (Term("word", "role:nobody", ("role", "nobody")),)),
        ("after:tomorrowish", (Term("word", "after:tomorrowish", ("after", "tomorrowish")),)),
        ("http://x", (Term("word", "http://x", ("http", "x")),)),
        ("検索", (Term("word", "検索", ("検", "索")),)),
        ("café", (Term("word", "cafe", ("café",)),)),
    ],
)
def test_terms(text: str, terms: tuple[Term, ...]) -> None:
    assert asked(text).terms == terms


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("project:API", Query(projects=("api",))),
        ('project:"my app" project:x', Query(projects=("my app", "x"))),
        ('project:"my a', Query(projects=("my a",))),
        ("tool:Bash model:opus session:5E", Query(tools=("bash",), models=("opus",), sessions=("5e",))),
        ("role:user", Query(roles=("user",))),
        ("ROLE:Tool", Query(roles=("tool", "result"))),
        ("error:", Query(errors=True)),
        ("error:no", Query(errors=False)),
        ("after:2026-03-01", Query(after=day("2026-03-01"))),
        ("after:2026-03", Query(after=day("2026-03-01"))),
        ("after:7d before:today", Query(after=day("2026-03-03"), before=day("2026-03-10"))),
        ("after:yesterday", Query(after=day("2026-03-09"))),
    ],
)
def test_filters(text: str, query: Query) -> None:
    assert asked(text) == query


@pytest.mark.parametrize(
    ("text", "unread", "wanted"),
    [
        ("x after:2026-3-1", "after:2026-3-1", "2026-03-01"),
        ("Role:robot", "Role:robot", "assistant"),
        ("project:", "project:", "a name"),
    ],
)
def test_a_filter_that_is_given_nonsense_is_a_word_and_told(text: str, unread: str, wanted: str) -> None:
    assert asked(text).unread == (unread,)
    assert wanted in wanted_by(unread)


def test_words_with_colons_are_no_filters() -> None:
    assert asked("a:b http://x error:timeout role:user after:7d").unread == ()


def test_an_error_with_a_word() -> None:
    found = asked("error:timeout")
    assert found.errors
    assert [term.text for term in found.terms] == ["timeout"]


def test_nothing_asked_is_empty() -> None:
    assert asked(" ").is_empty
    assert not asked("tool:x").is_empty
