from textual import on

from tests.widgets.screen import BRACKETS, CONTROLS, Stage, assert_harmless, assert_literal, visible
from widgets.pick_list import Pick, PickList

PICKS = tuple(Pick(str(n), f"pick {n}", "more") for n in range(1, 13))


class Desk(Stage):
    def __init__(self) -> None:
        self.list = PickList()
        super().__init__(self.list)
        self.log_of: list[tuple[str, int]] = []

    @on(PickList.Chosen)
    def chosen(self, message: PickList.Chosen) -> None:
        self.log_of.append(("chosen", message.index))

    @on(PickList.Marked)
    def marked(self, message: PickList.Marked) -> None:
        self.log_of.append(("marked", message.index))


async def test_arrows_digits_space_and_enter() -> None:
    desk = Desk()
    async with desk.run_test(size=(40, 40)) as pilot:
        desk.list.show(PICKS)
        desk.list.focus()
        await pilot.press("down", "space", "5", "enter")
        assert desk.log_of == [("marked", 1), ("marked", 4), ("chosen", 4)]


async def test_marks_are_shown() -> None:
    desk = Desk()
    async with desk.run_test(size=(40, 40)) as pilot:
        desk.list.show(PICKS, frozenset({1}), multiple=True)
        desk.list.mark(frozenset({2}))
        await pilot.pause()
        assert "2 [ ] pick 2" in visible(desk)
        assert "3 [x] pick 3" in visible(desk)
        assert desk.list.height_at(40) == 24


async def test_a_click_chooses_one_or_marks_of_several() -> None:
    desk = Desk()
    async with desk.run_test(size=(40, 40)) as pilot:
        desk.list.show(PICKS)
        await pilot.pause()
        await pilot.click(PickList, offset=(6, 2))
        desk.list.show(PICKS, multiple=True)
        await pilot.pause()
        await pilot.click(PickList, offset=(6, 4))
        assert desk.log_of == [("chosen", 1), ("marked", 2)]


async def test_outside_text_is_literal_and_harmless() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 10)) as pilot:
        for text in BRACKETS:
            desk.list.show([Pick("", text, text)])
            await pilot.pause()
            assert_literal(desk, text)
        desk.list.show([Pick("", CONTROLS, CONTROLS)])
        await pilot.pause()
        assert_harmless(desk)


async def test_details_stand_under_their_label() -> None:
    picks = PickList()
    async with Stage(picks).run_test(size=(30, 8)) as pilot:
        picks.show([Pick("", "eu-central-1", "Where production runs; the same latency")])
        await pilot.pause()
        await pilot.pause()
        rows = [row.rstrip() for row in visible(picks.app).split("\n")]
        assert rows[:3] == ["1 ○ eu-central-1", "    Where production runs;", "    the same latency"]
        assert picks.height_at(30) == 3
