import json

from textual import on

from tests.widgets.screen import CONTROLS, Stage, assert_harmless, visible
from widgets.input_editor import InputEditor

WRITE = b'{"file_path":"/a.py","content":"one\\ntwo"}'


class Desk(Stage):
    def __init__(self) -> None:
        self.editor = InputEditor()
        super().__init__(self.editor)
        self.said: list[str] = []
        self.given = ""

    @on(InputEditor.Done)
    def done(self) -> None:
        self.said.append("done")

    @on(InputEditor.OutsideWanted)
    def outside(self, event: InputEditor.OutsideWanted) -> None:
        self.said.append(f"{event.suffix}: {event.text}")
        event.replace(self.given)

    @on(InputEditor.Left)
    def left(self) -> None:
        self.said.append("left")


async def test_fields_one_after_the_other() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 12)) as pilot:
        desk.editor.take_up(WRITE)
        desk.editor.open()
        desk.editor.focus()
        await pilot.press("!", "tab")
        assert "editing file_path  2 of 3" in " ".join(visible(desk).split(" ")).replace("   ", "  ")
        await pilot.press("!", "shift+tab")
        assert desk.editor.text == "one\ntwo!"
        await pilot.press("escape", "ctrl+s")
        assert json.loads(desk.editor.input_json) == {"file_path": "/a.py!", "content": "one\ntwo!"}
        assert desk.said == ["left", "done"]


async def test_as_asked_again() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 12)) as pilot:
        desk.editor.take_up(WRITE)
        desk.editor.open()
        desk.editor.focus()
        await pilot.press("!", "tab", "ctrl+r")
        assert desk.editor.text == "one\ntwo"
        assert not desk.editor.changed


async def test_a_field_that_is_no_json_keeps_the_editor_there() -> None:
    desk = Desk()
    async with desk.run_test(size=(90, 12)) as pilot:
        desk.editor.take_up(b'{"n": 1}')
        desk.editor.open()
        desk.editor.focus()
        await pilot.press("x", "tab", "ctrl+s")
        await pilot.pause()
        assert "This is no JSON object" in visible(desk)
        assert desk.said == []
        await pilot.press("escape")
        assert desk.said == ["left"]
        assert desk.editor.text.endswith("x")


async def test_a_text_from_an_editor_outside_takes_its_place() -> None:
    desk = Desk()
    async with desk.run_test(size=(90, 12)) as pilot:
        desk.editor.take_up(WRITE)
        desk.editor.open()
        desk.editor.focus()
        desk.given = "three"
        await pilot.press("ctrl+g", "ctrl+s")
        assert desk.said == [".py: one\ntwo", "done"]
        assert json.loads(desk.editor.input_json)["content"] == "three"


async def test_a_malformed_text_from_outside_is_kept_and_said() -> None:
    desk = Desk()
    async with desk.run_test(size=(90, 12)) as pilot:
        desk.editor.take_up(b'{"n": 1}')
        desk.editor.open()
        desk.editor.focus()
        desk.given = '{"n": 2'
        await pilot.press("ctrl+g")
        await pilot.pause()
        assert "This is no JSON object" in visible(desk)
        assert desk.editor.text == '{"n": 2'
        await pilot.press("}", "ctrl+s")
        assert desk.editor.input_json == b'{"n":2}'


async def test_control_bytes_never_reach_the_terminal() -> None:
    desk = Desk()
    async with desk.run_test(size=(90, 12)) as pilot:
        desk.editor.take_up(json.dumps({"command": CONTROLS, CONTROLS: "x"}).encode())
        desk.editor.open()
        desk.editor.focus()
        await pilot.pause()
        assert_harmless(desk, "x")
        await pilot.press("tab")
        assert_harmless(desk)
