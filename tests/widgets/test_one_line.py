from tests.widgets.screen import Stage, visible
from widgets.line import Piece
from widgets.one_line import OneLine


async def test_it_is_painted_again_only_when_it_says_something_new() -> None:
    line = OneLine()
    paints = []
    async with Stage(line).run_test(size=(20, 3)) as pilot:
        line.say([Piece("[red]x")])
        await pilot.pause()
        assert "[red]x" in visible(line.app)
        line.refresh = lambda *a, **k: paints.append(a) or line  # type: ignore[func-returns-value, method-assign, redundant-expr]
        line.say([Piece("[red]x")])
        assert not paints
        line.say([Piece("new")])
        assert paints
