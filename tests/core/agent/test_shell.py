"""Simple commands of a command line: for allowing only what is plain, for denying all that may run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agent.shell import read, suspects


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        ("git push", ("git push",)),
        ("  git \t push  ", ("git push",)),
        ("a && b || c; d | e\nf", ("a", "b", "c", "d", "e", "f")),
        ("git push 'a && b'", ("git push 'a && b'",)),
        ('echo "a; b"', ('echo "a; b"',)),
        (r"git push a\;b", (r"git push a\;b",)),
        ("git push 2>&1 | tail", ("git push", "tail")),
        ("git push >/dev/null 2>&1", ("git push",)),
        ("git push $HOME", ("git push $HOME",)),
        ('echo "costs $HOME"', ('echo "costs $HOME"',)),
        ("a;", ("a",)),
        ("", ()),
        (" ; ", ()),
    ],
)
def test_plain_commands(command: str, parts: tuple[str, ...]) -> None:
    assert read(command) == parts


@pytest.mark.parametrize(
    "command",
    [
        "git push $(touch x)", "git push `touch x`", 'git push "$(touch x)"', 'git push "`touch x`"',
        "git push <(touch x)", "git push > x", "git push >> x", "git push < x", "git push <<EOF\nx\nEOF",
        "(git push)", "{ git push; }", "git push {a,b}", "git push &", "git push & touch x", "git push |& tee",
        "git push # it's\ntouch x #'", "git push ${x@P}", "git push $'a'", "git push $[1]", "git\\\n push",
        "git push 'open", 'git push "open', "git push;; x", "git push2>&1", "git push >/dev/null/x", "git\x00push",
        "git push 2>&1x", "echo \\", "f() { x; }", "a\rb", "git push >&x", "echo ]$(x)",
    ],
)  # fmt: skip
def test_what_could_hide_something_is_not_plain(command: str) -> None:
    assert read(command) is None


@pytest.mark.parametrize(
    "command",
    [
        "git push", "ls && git push", "ls; git push", "FOO=1 git push", "(git push)", "echo $(git push)",
        "echo `git push`", 'echo "$(git push)"', "timeout 3 git push", "sudo -u root git push", "/usr/bin/git push",
        "if true; then git push; fi", "git\tpush", "command git push", "xargs git push", "env -i A=1 git push",
        "git push&", "'git' push", "bash -c 'ls; git push'", "sudo bash -lc 'git push'", "! git push",
        "sh -c \"bash -c 'git push'\"", "echo 'open; git push", "nohup nice -n 5 git push", "{ git push; }",
        "git push > x", "while read x; do git push; done", "x=$(git push)", "\\git push",
    ],
)  # fmt: skip
def test_every_way_to_run_it_is_suspected(command: str) -> None:
    assert any(part == "git push" or part.startswith("git push ") for part in suspects(command)), suspects(
        command
    )


@pytest.mark.parametrize("command", ['echo "git push"', "git commit -m 'fix; git push'", "grep git push.txt"])
def test_words_are_no_commands(command: str) -> None:
    assert not any(part.startswith("git push") for part in suspects(command))


@given(st.text(alphabet="ab '\"\\$(){}`;&|<>#\n\t=-!", max_size=40))
def test_nothing_breaks_it_and_a_plain_part_is_suspected_too(command: str) -> None:
    parts = read(command)
    found = suspects(command)
    for part in parts or ():
        assert " ".join(part.split()) in found


def test_a_long_command_takes_no_time_to_speak_of() -> None:
    assert read("echo " + "word " * 100_000) is not None
