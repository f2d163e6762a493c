import pytest

from core.session.state import CommandInfo
from widgets.completion import Token, offered_commands, offered_paths, token_before


@pytest.mark.parametrize(
    ("line", "row", "token"),
    [
        ("/co", 0, Token("command", 0, "co")),
        ("/", 0, Token("command", 0, "")),
        ("/compact now", 0, None),
        ("/co", 1, None),
        ("say /co", 0, None),
        ("@", 0, Token("file", 0, "")),
        ("see @src/a", 3, Token("file", 4, "src/a")),
        ('see @"my fi', 0, Token("file", 4, "my fi")),
        ('see @"my file" ', 0, None),
        ("see @src/a ", 0, None),
        ("me@example.org", 0, None),
        ("(@a", 0, None),
        ("", 0, None),
    ],
)
def test_what_stands_before_the_cursor(line: str, row: int, token: Token | None) -> None:
    assert token_before(line, row) == token


def test_paths_as_the_cli_wants_them() -> None:
    texts = [one.text for one in offered_paths(["a.py", "my file.md", "src/", "my src/"])]
    assert texts == ["@a.py ", '@"my file.md" ', "@src/", '@"my src/']


def test_commands_that_begin_so_come_first() -> None:
    commands = [CommandInfo(name) for name in ("recap", "/Cap", "__cap", "scape")]
    assert [one.text for one in offered_commands(commands, "ca")] == ["/Cap ", "/recap ", "/scape "]
