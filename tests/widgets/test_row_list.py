"""A list of any length."""

from collections.abc import Sequence

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Region

from widgets.line import Line, Piece
from widgets.row_list import RowList

ALL = Region(0, 0, 0, 0)


class ListApp(App[None]):
    def __init__(self, height: int = 1) -> None:
        super().__init__()
        self.rows = RowList(height)
        self.chosen: list[str] = []
        self.described: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.rows

    def on_mount(self) -> None:
        self.rows.focus()
        self.rows.show([str(number) for number in range(100_000)], self.describe)

    def describe(self, key: str, width: int) -> Sequence[tuple[Line, Line]]:
        self.described.append(key)
        return [((Piece(f"row {key}"),), (Piece("right"),)), ((Piece(f"more {key}"),), ())]

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        self.chosen.append(event.key)


async def test_only_what_is_in_sight_is_drawn() -> None:
    app = ListApp()
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        assert 10 <= len(set(app.described)) <= 12


@pytest.mark.parametrize("height", [1, 2])
async def test_keys_move_and_choose(height: int) -> None:
    app = ListApp(height)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("down", "down", "enter", "end", "enter", "home", "pagedown", "enter")
        await pilot.pause()
        assert app.chosen == ["2", "99999", str(10 // height - 1)]


async def test_the_cursor_stays_on_its_row_when_others_come() -> None:
    app = ListApp()
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("down", "down")
        app.rows.show(["new", "0", "1", "2"], app.describe)
        assert app.rows.cursor_key == "2"
        app.rows.show(["new", "0"], app.describe)
        assert app.rows.cursor_key == "0"
        app.rows.show([], app.describe)
        assert app.rows.cursor_key == ""
        await pilot.press("enter", "down")
        assert app.chosen == []


async def test_a_click_points_a_second_one_chooses() -> None:
    app = ListApp()
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.click(RowList, offset=(3, 4))
        assert (app.rows.cursor_key, app.chosen) == ("4", [])
        await pilot.click(RowList, offset=(3, 4), times=2)
        await pilot.pause()
        assert app.chosen == ["4"]


async def test_only_rows_that_say_something_else_are_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    app = ListApp()
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        keys, painted = app.rows.keys, list[Region]()
        monkeypatch.setattr(app.rows, "refresh", lambda *regions, **_: painted.extend(regions or [ALL]))
        app.rows.show(keys, app.describe)
        assert painted == []
        app.rows.show(keys, lambda key, width: app.describe("new" if key == "3" else key, width))
        assert [(region.y, region.height) for region in painted] == [(3, 1)]
        painted.clear()
        app.rows.show(keys[:5], app.describe)
        assert ALL in painted
