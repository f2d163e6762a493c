"""The terminal's title."""

from dashboard.terminal_title import TerminalTitle


def test_the_title_is_written_when_it_changes_and_given_back() -> None:
    written: list[str] = []
    title = TerminalTitle(written.append)
    for waiting in (0, 0, 2, 2, 1):
        title.show(waiting)
    title.give_back()
    title.give_back()
    assert written == [
        "\x1b[22;0t",
        "\x1b]0;quarterdeck\x07",
        "\x1b]0;(2) quarterdeck\x07",
        "\x1b]0;(1) quarterdeck\x07",
        "\x1b[23;0t",
    ]
