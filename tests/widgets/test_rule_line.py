from textual import on

from core.session.state import PermissionUpdate, Rule
from tests.widgets.screen import Stage, visible
from widgets.rule_line import ANY, RuleLine, problem_of


class Desk(Stage):
    def __init__(self) -> None:
        self.line = RuleLine()
        super().__init__(self.line)
        self.written: list[PermissionUpdate | None] = []

    @on(RuleLine.Written)
    def keep(self, message: RuleLine.Written) -> None:
        self.written.append(message.update)


async def test_what_is_wrong_is_said_with_every_letter_and_enter_takes_nothing() -> None:
    desk = Desk()
    async with desk.run_test(size=(100, 6)) as pilot:
        desk.line.open(ANY, "Bash(git push *)", keep=False)
        await pilot.pause()
        assert "Bash(git push *) · Edit(" in visible(desk)
        await pilot.press("backspace")
        await pilot.pause()
        assert "✗ a rule is `Tool` or `Tool(content)`" in visible(desk)
        await pilot.press("enter")
        assert desk.written == []
        await pilot.press(")")
        await pilot.pause()
        assert "✗" not in visible(desk)
        await pilot.press("enter")
        assert desk.written == [PermissionUpdate("addRules", (Rule("Bash", "git push *"),), "allow")]


async def test_nothing_at_all_is_no_rule() -> None:
    desk = Desk()
    async with desk.run_test(size=(100, 6)) as pilot:
        desk.line.open(ANY, "", keep=False)
        await pilot.press("enter")
        await pilot.pause()
        assert desk.written == []
        assert "✗ a rule is" in visible(desk)


async def test_what_is_kept_as_it_was_may_be_odd() -> None:
    desk = Desk()
    async with desk.run_test(size=(100, 6)) as pilot:
        desk.line.open(ANY, "Write(/src/**)", keep=True)
        await pilot.pause()
        assert "✗" not in visible(desk)
        await pilot.press("enter")
        assert desk.written == [None]


def test_a_problem_is_a_sentence() -> None:
    assert problem_of("bash") == "the tool is called `Bash`"
    assert problem_of("Bash") == ""


async def test_a_mode_and_a_directory_are_worded_like_rules() -> None:
    desk = Desk()
    async with desk.run_test(size=(100, 6)) as pilot:
        desk.line.open(PermissionUpdate("setMode", mode="acceptEdits"), "acceptEdits", keep=True)
        await pilot.press("s")
        await pilot.pause()
        assert "✗ it is none of default" in visible(desk)
        assert desk.line.keys[0] == ("Enter", "takes the mode")
        await pilot.press("enter", "ctrl+u", *"plan", "enter")
        desk.line.open(PermissionUpdate("addDirectories", directories=("/srv/a",)), "/srv/a", keep=True)
        await pilot.press("home", "delete")
        await pilot.pause()
        assert "✗ write the whole path" in visible(desk)
        await pilot.press("/", "enter")
        assert desk.written == [PermissionUpdate("setMode", mode="plan"), None]
        await pilot.press("end", *"/b", "enter")
        assert desk.written[-1] == PermissionUpdate("addDirectories", directories=("/srv/a/b",))
