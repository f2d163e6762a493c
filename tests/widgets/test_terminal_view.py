"""A program's screen as a person meets it: what stands there, where the keys go, what it costs."""

from typing import ClassVar

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType

from core.terminal.emulator import Emulator
from tests.widgets.screen import visible
from widgets.terminal_view import TerminalView


class ViewApp(App[None]):
    """Has keys of its own, one of them with priority."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "hear('q')"), Binding("f5", "hear('f5')")]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, printed: bytes = b"", rows: int = 24) -> None:
        super().__init__()
        self.emulator = Emulator(80, rows)
        self.emulator.feed(printed)
        self.heard: list[object] = []

    def compose(self) -> ComposeResult:
        yield TerminalView()

    @property
    def view(self) -> TerminalView:
        return self.query_one(TerminalView)

    def on_mount(self) -> None:
        self.view.focus()
        self.view.show(self.emulator.screen(), self.emulator)

    def print(self, data: bytes) -> None:
        self.emulator.feed(data)
        self.view.show(self.emulator.screen(), self.emulator)

    def action_hear(self, key: str) -> None:
        self.heard.append(key)

    def on_terminal_view_typed(self, message: TerminalView.Typed) -> None:
        self.heard.append((message.key, message.character))

    def on_terminal_view_pasted(self, message: TerminalView.Pasted) -> None:
        self.heard.append(message.text)

    def on_terminal_view_pointed(self, message: TerminalView.Pointed) -> None:
        self.heard.append((message.press, message.button, message.column, message.row, message.modifiers))

    def on_terminal_view_sized(self, message: TerminalView.Sized) -> None:
        self.heard.append((message.columns, message.rows))

    def on_terminal_view_switched(self, message: TerminalView.Switched) -> None:
        self.heard.append(message.typing)


def many(count: int) -> bytes:
    return b"".join(b"line %d\r\n" % number for number in range(count))


async def test_what_stands_there_is_shown_and_its_size_is_told() -> None:
    app = ViewApp("\x1b[31mred 漢字\x1b[0m plain".encode())
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        assert "red 漢字 plain" in visible(app)
        assert app.heard == [(60, 20)]


async def test_resting_its_keys_are_the_apps() -> None:
    app = ViewApp()
    async with app.run_test() as pilot:
        app.heard.clear()
        await pilot.press("q", "f5")
        assert app.heard == ["q", "f5"]


async def test_typing_every_key_is_the_programs_but_one() -> None:
    app = ViewApp()
    async with app.run_test() as pilot:
        app.view.enter()
        await pilot.pause()
        app.heard.clear()
        await pilot.press("q", "f5", "tab", "escape", "ctrl+c", "enter", "up")
        assert [heard[0] for heard in app.heard if isinstance(heard, tuple)] == [
            *("q", "f5", "tab", "escape", "ctrl+c", "enter", "up"),
        ]
        app.heard.clear()
        await pilot.press("ctrl+right_square_bracket", "q")
        assert app.heard == [False, "q"]
        assert app.focused is app.view


async def test_the_key_that_leads_back_can_be_another() -> None:
    app = ViewApp()
    async with app.run_test() as pilot:
        app.view.leave_keys = ("f12",)
        app.view.enter()
        await pilot.press("ctrl+right_square_bracket", "f12")
        assert app.heard[-2:] == [("ctrl+right_square_bracket", None), False]


async def test_a_paste_is_one_message() -> None:
    app = ViewApp()
    async with app.run_test() as pilot:
        app.view.enter()
        app.view.post_message(events.Paste("one\ntwo"))
        await pilot.pause()
        assert app.heard[-1] == "one\ntwo"


async def test_who_goes_elsewhere_types_no_more() -> None:
    app = ViewApp()
    async with app.run_test() as pilot:
        app.view.enter()
        await pilot.pause()
        app.set_focus(None)
        await pilot.pause()
        assert not app.view.typing


async def test_only_rows_that_changed_are_drawn() -> None:
    app = ViewApp(many(10))
    async with app.run_test() as pilot:
        await pilot.pause()
        before = app.view.draws
        app.print(b"\x1b[3;1Hchanged")
        await pilot.pause()
        assert app.view.draws == before + 1
        assert "changed" in visible(app)


async def test_hidden_nothing_is_drawn_and_shown_again_it_is_whole() -> None:
    app = ViewApp()
    async with app.run_test() as pilot:
        await pilot.pause()
        app.view.display = False
        await pilot.pause()
        before = app.view.draws
        for number in range(20):
            app.print(b"\r\n" + many(number))
        await pilot.pause()
        assert app.view.draws == before
        app.view.display = True
        await pilot.pause()
        assert "line 18" in visible(app)


class TestReadingBack:
    async def test_the_wheel_and_the_keys_read_back(self) -> None:
        app = ViewApp(many(100))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot._post_mouse_events([events.MouseScrollUp], TerminalView)
            assert app.view.read_back == 3
            await pilot.press("pageup", "home")
            await pilot.pause()
            assert visible(app).startswith("line 0 ")
            await pilot.press("end")
            await pilot.pause()
            assert "line 99" in visible(app)

    async def test_what_is_read_stays_while_more_comes(self) -> None:
        app = ViewApp(many(100))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("home")
            app.print(many(50))
            await pilot.pause()
            assert visible(app).startswith("line 0 ")

    async def test_typing_goes_to_the_end(self) -> None:
        app = ViewApp(many(100))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("home")
            app.view.enter()
            await pilot.press("x")
            await pilot.pause()
            assert "line 99" in visible(app)


class TestMouse:
    async def test_the_program_has_it_where_it_asked(self) -> None:
        app = ViewApp(b"\x1b[?1000h\x1b[?1006h")
        async with app.run_test() as pilot:
            app.view.enter()
            await pilot.pause()
            app.heard.clear()
            await pilot.click(TerminalView, offset=(5, 3))
            await pilot._post_mouse_events([events.MouseScrollUp], TerminalView, offset=(1, 2))
            assert app.heard == [
                ("press", "left", 5, 3, 0),
                ("release", "left", 5, 3, 0),
                ("press", "wheel-up", 1, 2, 0),
            ]

    async def test_a_drag_is_the_programs_until_it_ends_wherever_that_is(self) -> None:
        app = ViewApp(b"\x1b[?1002h\x1b[?1006h")
        async with app.run_test(size=(40, 10)) as pilot:
            app.view.styles.width, app.view.styles.height, app.view.styles.offset = 20, 5, (10, 2)
            app.view.enter()
            await pilot.pause()
            app.heard.clear()
            await pilot.mouse_down(offset=(15, 4))
            await pilot.hover(offset=(2, 9))
            await pilot.mouse_up(offset=(39, 0))
            pointed = [(one[0], *one[2:]) for one in app.heard if isinstance(one, tuple)]
            # A pilot moves before it presses.
            assert [one for one in pointed if one[0] != "move"] == [("press", 5, 2, 0), ("release", 19, 0, 0)]
            assert ("move", 0, 4, 0) in pointed
            app.heard.clear()
            await pilot.mouse_down(offset=(15, 4))
            await pilot.press("ctrl+right_square_bracket")
            assert pilot.app.mouse_captured is None, "who leaves has let go"

    async def test_it_scrolls_sideways_where_it_asked(self) -> None:
        app = ViewApp(b"\x1b[?1000h\x1b[?1006h")
        async with app.run_test() as pilot:
            await pilot.pause()
            app.heard.clear()
            sideways = [events.MouseScrollLeft, events.MouseScrollRight]
            await pilot._post_mouse_events(sideways, TerminalView, offset=(1, 2))
            assert app.heard == [("press", "wheel-left", 1, 2, 0), ("press", "wheel-right", 1, 2, 0)]

    async def test_a_click_begins_to_type(self) -> None:
        app = ViewApp(b"\x1b[?1000h")
        async with app.run_test() as pilot:
            app.heard.clear()
            await pilot.click(TerminalView, offset=(5, 3))
            assert app.heard == [True]


@pytest.mark.parametrize(
    "bad", [b"\x1b]0;x\x07", b"\x1b[31m", b"\x07", b"\x9b31m", b"\x1bc", "\u202e".encode()]
)
async def test_nothing_it_prints_reaches_the_outer_terminal(bad: bytes) -> None:
    app = ViewApp(b"before " + bad + b"after")
    async with app.run_test() as pilot:
        await pilot.pause()
        shown = visible(app).replace("\n", "")
        assert all(character.isprintable() for character in shown)
