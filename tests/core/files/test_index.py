import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.index import Index

PATHS = (
    "README.md",
    "src/",
    "src/auth.py",
    "src/auth/",
    "src/auth/token.py",
    "tests/test_auth.py",
    "docs/My Plan.md",
)
INDEX = Index(PATHS)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["src/", "README.md", "src/auth/", "src/auth.py", "docs/My Plan.md"]),
        ("auth", ["src/auth/", "src/auth.py", "tests/test_auth.py", "src/auth/token.py"]),
        ("AUTH.", ["src/auth.py", "tests/test_auth.py", "src/auth/token.py"]),
        ("src/au", ["src/auth/", "src/auth.py", "src/auth/token.py"]),
        ("auth/t", ["src/auth/token.py"]),
        ("rdm", ["README.md"]),
        ("my pl", ["docs/My Plan.md"]),
        ("stpy", ["src/auth.py", "tests/test_auth.py", "src/auth/token.py"]),
        ("zq", []),
        ("a.*", []),
    ],
)
def test_the_likeliest_first(query: str, found: list[str]) -> None:
    assert INDEX.find(query, 5) == found


def test_no_more_than_wanted_and_none_twice() -> None:
    assert INDEX.find("a", 2) == INDEX.find("a", 9)[:2]
    assert len(set(INDEX.find("t", 9))) == len(INDEX.find("t", 9))
    assert Index(()).find("a", 5) == []


@given(
    st.lists(st.text("abc/._ -É", min_size=1, max_size=12).map(lambda name: name.strip("/") or "a")),
    st.text("abc/.é^]-", max_size=4),
)
def test_what_is_found_holds_the_letters_in_order(paths: list[str], query: str) -> None:
    for path in Index(paths).find(query, 20):
        left = iter(path.lower())
        assert all(letter in left for letter in query.lower().strip())


def test_a_name_that_nearly_fits_costs_nothing_extra() -> None:
    """A search that goes back would take 2^40 steps."""
    assert Index(["e" * 39 + "/" + "é" * 9]).find("e" * 40, 5) == []
