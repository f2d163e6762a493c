from textual import on

from core.session.state import Rule
from tests.widgets.screen import Stage, visible
from widgets.rule_line import RuleLine, problem_of


class Desk(Stage):
    def __init__(self) -> None:
        self.line = RuleLine()
        super().__init__(self.line)
        self.written: list[Rule | None] = []

    @on(RuleLine.Written)
    def keep(self, message: RuleLine.Written) -> None:
        self.written.append(message.rule)


async def test_what_is_wrong_is_said_with_every_letter_and_enter_takes_nothing() -> None:
    desk = Desk()
    async with desk.run_test(size=(100, 6)) as pilot:
        desk.line.open("Bash(git push *)", keep=False)
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
        assert desk.written == [Rule("Bash", "git push *")]


async def test_nothing_at_all_is_no_rule() -> None:
    desk = Desk()
    async with desk.run_test(size=(100, 6)) as pilot:
        desk.line.open("", keep=False)
        await pilot.press("enter")
        await pilot.pause()
        assert desk.written == []
        assert "✗ a rule is" in visible(desk)


async def test_what_is_kept_as_it_was_may_be_odd() -> None:
    desk = Desk()
    async with desk.run_test(size=(100, 6)) as pilot:
        desk.line.open("Write(/src/**)", keep=True)
        await pilot.pause()
        assert "✗" not in visible(desk)
        await pilot.press("enter")
        assert desk.written == [None]


def test_a_problem_is_a_sentence() -> None:
    assert problem_of("bash") == "the tool is called `Bash`"
    assert problem_of("Bash") == ""
