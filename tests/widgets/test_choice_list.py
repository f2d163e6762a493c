from textual import on

from tests.widgets.screen import BRACKETS, Stage, assert_literal, visible
from widgets.choice_list import ChoiceList
from widgets.pick_list import Pick

MODELS = (
    Pick("opus", "Opus 5", "most capable"),
    Pick("sonnet", "Sonnet", "balanced"),
    Pick("haiku", "Haiku", "fast"),
)


class Desk(Stage):
    def __init__(self, *picks: Pick) -> None:
        self.list = ChoiceList("Model [x]", picks, current="sonnet")
        super().__init__(self.list)
        self.chosen = ""
        self.left = 0

    @on(ChoiceList.Chosen)
    def keep(self, message: ChoiceList.Chosen) -> None:
        self.chosen = message.value

    @on(ChoiceList.Left)
    def count(self) -> None:
        self.left += 1


async def test_the_cursor_starts_at_what_is_chosen_now() -> None:
    desk = Desk(*MODELS)
    async with desk.run_test(size=(50, 20)) as pilot:
        desk.list.focus()
        await pilot.pause()
        assert "Model [x]" in visible(desk)
        assert "◉ Sonnet" in visible(desk)
        await pilot.press("down", "enter")
        assert desk.chosen == "haiku"


async def test_typing_filters() -> None:
    desk = Desk(*MODELS)
    async with desk.run_test(size=(50, 20)) as pilot:
        desk.list.focus()
        await pilot.press(*"cap", "enter")
        assert desk.chosen == "opus"
        assert "Haiku" not in visible(desk)


async def test_escape_leaves_and_nothing_found_is_no_choice() -> None:
    desk = Desk(*MODELS)
    async with desk.run_test(size=(50, 20)) as pilot:
        desk.list.focus()
        await pilot.press(*"zzz", "enter", "escape")
        assert (desk.chosen, desk.left) == ("", 1)


async def test_a_click_chooses() -> None:
    desk = Desk(*MODELS)
    async with desk.run_test(size=(50, 20)) as pilot:
        await pilot.pause()
        row = next(y for y, line in enumerate(visible(desk).split("\n")) if "Haiku" in line)
        await pilot.click(offset=(4, row))
        assert desk.chosen == "haiku"


async def test_outside_text_is_literal() -> None:
    desk = Desk(*(Pick(text, text, text) for text in BRACKETS))
    async with desk.run_test(size=(80, 60)) as pilot:
        desk.list.list.styles.max_height = 60
        await pilot.pause()
        for text in BRACKETS:
            assert_literal(desk, text)
