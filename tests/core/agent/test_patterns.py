"""Contents of rules against commands, paths and domains."""

import pytest

from core.agent.patterns import Roots, fits_command, fits_domain, fits_path

ROOTS = Roots(home="/home/me", rules="/work", agent="/work/api")


@pytest.mark.parametrize(
    ("content", "fits", "misses"),
    [
        ("git push", ("git push",), ("git push x", "git pushx")),
        ("git push:*", ("git push", "git push x"), ("git pushx", "git", "x git push")),
        ("npm run *", ("npm run", "npm run x y"), ("npm runx",)),
        ("npm * --save", ("npm i --save", "npm i x --save"), ("npm --save", "npm i --save x")),
        ("* install", ("npm install",), ("install",)),
        ("npm*", ("npm", "npmx", "npm x"), ("anpm",)),
        ("echo a.b", ("echo a.b",), ("echo axb",)),
    ],
)
def test_commands(content: str, fits: tuple[str, ...], misses: tuple[str, ...]) -> None:
    assert all(fits_command(content, command) for command in fits)
    assert not any(fits_command(content, command) for command in misses)


@pytest.mark.parametrize(
    ("content", "fits", "misses"),
    [
        ("src/**", ("/work/api/src/a/b.py",), ("/work/api/x.py", "/work/src/a.py", "/work/api/lib/src/a.py")),
        ("./src/**", ("/work/api/src/a.py",), ("/work/src/a.py",)),
        ("/src/**", ("/work/src/a.py",), ("/work/api/src/a.py", "/src/a.py")),
        ("//tmp/**", ("/tmp/a/b",), ("/work/api/tmp/a", "/tmpx/a")),
        ("~/**", ("/home/me/a/b",), ("/home/you/a", "/home/me")),
        ("*.py", ("/work/api/a.py", "/work/api/b/c.py"), ("/work/a.py", "/work/api/a.pyc")),
        ("src", ("/work/api/src/a.py", "/work/api/lib/src/b"), ("/work/api/srcs/a.py",)),
        ("src/*", ("/work/api/src/a/b.py",), ("/work/api/src",)),
        ("**/x.py", ("/work/api/x.py", "/work/api/a/b/x.py"), ("/work/api/ax.py",)),
        ("a/**/b", ("/work/api/a/b", "/work/api/a/x/y/b"), ("/work/api/ab",)),
        ("src/[xy].py", ("/work/api/src/x.py",), ("/work/api/src/z.py", "/work/api/src/[xy].py")),
        ("src/[!x].py", ("/work/api/src/y.py",), ("/work/api/src/x.py",)),
        ("src/?.py", ("/work/api/src/x.py",), ("/work/api/src/xy.py", "/work/api/src//.py")),
        ("src/{x,y}.py", (), ("/work/api/src/x.py",)),
        ("src/[z-a].py", ("/work/api/src/[z-a].py",), ("/work/api/src/z.py",)),
        ("src/", ("/work/api/src/a",), ()),
    ],
)
def test_paths(content: str, fits: tuple[str, ...], misses: tuple[str, ...]) -> None:
    assert [path for path in fits if not fits_path(content, path, ROOTS)] == []
    assert [path for path in misses if fits_path(content, path, ROOTS)] == []


def test_without_a_home_a_tilde_fits_nothing() -> None:
    assert not fits_path("~/**", "/a", Roots(agent="/work"))


@pytest.mark.parametrize(
    ("url", "fits"),
    [
        ("https://example.org/x", True), ("http://EXAMPLE.org:80/", True), ("https://sub.example.org/", False),
        ("https://evilexample.org", False), ("https://example.org@evil.org/", False), ("https://[bad", False),
        ("example.org", False),
    ],
)  # fmt: skip
def test_domains(url: str, fits: bool) -> None:
    assert fits_domain("domain:example.org", url) is fits


def test_a_domain_with_a_star_is_what_is_below_it() -> None:
    assert fits_domain("domain:*.example.org", "https://a.b.example.org/")
    assert not fits_domain("domain:*.example.org", "https://example.org/")
