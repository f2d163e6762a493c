from textual import events, on

from tests.widgets.screen import CONTROLS, Stage, assert_harmless, visible
from widgets.line_input import LineInput


class Desk(Stage):
    left = 0

    @on(LineInput.Left)
    def count(self) -> None:
        self.left += 1


async def test_a_paste_of_lines_becomes_one_and_is_harmless() -> None:
    entry = LineInput()
    async with Desk(entry).run_test(size=(80, 3)) as pilot:
        entry.focus()
        await pilot.press("x")
        entry.post_message(events.Paste("l1\nl2\r\nl3\rl4\t" + CONTROLS))
        await pilot.pause()
        assert entry.value.startswith("xl1 l2 l3 l4 Ared")
        assert "\x1b" not in visible(entry.app)


async def test_escape_leaves() -> None:
    entry = LineInput()
    app = Desk(entry)
    async with app.run_test(size=(80, 3)) as pilot:
        entry.focus()
        await pilot.press("escape")
        assert app.left == 1


async def test_what_is_put_in_is_harmless_too() -> None:
    entry = LineInput()
    async with Desk(entry).run_test(size=(80, 3)) as pilot:
        entry.value = "a\nb\t" + CONTROLS
        await pilot.pause()
        assert entry.value.startswith("a b ")
        assert_harmless(entry.app)
