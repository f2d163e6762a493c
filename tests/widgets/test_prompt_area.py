from textual import events, on

from tests.widgets.screen import Stage
from widgets.prompt_area import PromptArea
from widgets.prompt_draft import Draft


class Desk(Stage):
    def __init__(self) -> None:
        self.area = PromptArea()
        super().__init__(self.area)
        self.entered: list[str] = []

    @on(PromptArea.Entered)
    def keep(self, message: PromptArea.Entered) -> None:
        self.entered.append(message.text)


async def test_enter_sends_and_the_others_begin_a_line() -> None:
    desk = Desk()
    async with desk.run_test(size=(40, 10)) as pilot:
        desk.area.focus()
        await pilot.press("a", "shift+enter", "b", "ctrl+j", "c", "alt+enter", "d", "enter", "e")
        assert desk.entered == ["a\nb\nc\nd"]
        assert desk.area.text == "e"


async def test_nothing_is_not_sent_and_a_refused_text_stays() -> None:
    desk = Desk()
    async with desk.run_test(size=(40, 10)) as pilot:
        desk.area.focus()
        await pilot.press("enter", "space", "enter")
        assert desk.entered == []
        desk.area.accepts = False
        await pilot.press("x", "enter")
        assert desk.area.text == " x"


async def test_a_paste_keeps_all_lines_and_sends_nothing() -> None:
    """Case UIX-06."""
    desk = Desk()
    async with desk.run_test(size=(40, 10)) as pilot:
        desk.area.focus()
        desk.area.post_message(events.Paste("l1\nl2\r\nl3\rl4"))
        await pilot.pause()
        assert desk.area.text == "l1\nl2\nl3\nl4"
        desk.area.post_message(events.Paste("x\n" * 500))
        await pilot.pause()
        assert desk.area.text.endswith("l4[pasted 501 lines]")
        assert desk.entered == []


async def test_up_and_down_at_the_edges_walk_the_history() -> None:
    desk = Desk()
    async with desk.run_test(size=(40, 10)) as pilot:
        desk.area.draft.sent("first\nline")
        desk.area.focus()
        await pilot.press("n", "up")
        assert desk.area.text == "first\nline"
        await pilot.press("up", "up")
        assert desk.area.text == "first\nline"
        await pilot.press("down", "down")
        assert desk.area.text == "n"


async def test_undo_never_brings_what_was_written_to_another() -> None:
    desk = Desk()
    async with desk.run_test(size=(40, 10)) as pilot:
        desk.area.focus()
        await pilot.press("s", "backspace")
        desk.area.work_on(Draft())
        await pilot.press("ctrl+z", "ctrl+z")
        assert desk.area.text == ""
