from textual.geometry import Offset
from textual.selection import Selection

from tests.widgets.screen import Stage, visible
from widgets.line import Piece
from widgets.one_line import OneLine


class Heard(OneLine):
    """Counts how often it is to be painted."""

    paints = 0

    def repaint(self) -> None:
        self.paints += 1
        super().repaint()


async def test_it_is_painted_again_only_when_it_says_something_new() -> None:
    line = Heard()
    async with Stage(line).run_test(size=(20, 3)) as pilot:
        line.say([Piece("[red]x")])
        await pilot.pause()
        assert "[red]x" in visible(line.app)
        before = line.paints
        line.say([Piece("[red]x")])
        assert line.paints == before
        line.say([Piece("new")])
        await pilot.pause()
        assert line.paints == before + 1
        assert "new" in visible(line.app)


async def test_what_it_says_while_it_is_hidden_is_there_when_it_is_shown() -> None:
    line, other = OneLine(), OneLine()
    async with Stage(line, other).run_test(size=(20, 3)) as pilot:
        line.say([Piece("before")])
        line.display = False
        await pilot.pause()
        line.say([Piece("behind")])
        await pilot.pause()
        assert "behind" not in visible(line.app)
        line.display = True
        await pilot.pause()
        assert "behind" in visible(line.app)


async def test_what_is_selected_of_it_is_seen_and_is_what_it_says_now() -> None:
    line = OneLine()
    async with Stage(line).run_test(size=(20, 3)) as pilot:
        line.say([Piece("some words")])
        await pilot.pause()
        line.screen.selections = {line: Selection(Offset(0, 0), Offset(4, 0))}
        await pilot.pause()
        line.say([Piece("same length")])
        await pilot.pause()
        assert "same length" in visible(line.app)


async def test_what_is_said_of_one_that_was_taken_away_harms_nobody() -> None:
    line = OneLine()
    async with Stage(line).run_test(size=(20, 3)) as pilot:
        line.say([Piece("words")])
        await pilot.pause()
        await line.remove()
        line.say([Piece("last words")])
        await pilot.pause()
        assert "words" not in visible(line.app)
