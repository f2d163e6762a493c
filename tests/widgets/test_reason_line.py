from textual import on

from tests.widgets.screen import Stage
from widgets.reason_line import ReasonLine


class Desk(Stage):
    log_of = ""

    @on(ReasonLine.Submitted)
    def denied(self) -> None:
        self.log_of += "denied "

    @on(ReasonLine.Stopped)
    def stopped(self) -> None:
        self.log_of += "stopped "

    @on(ReasonLine.Left)
    def left(self) -> None:
        self.log_of += "left "


async def test_three_ways_out() -> None:
    line = ReasonLine()
    app = Desk(line)
    async with app.run_test(size=(80, 3)) as pilot:
        line.focus()
        await pilot.press("x", "enter", "ctrl+d", "escape")
        assert app.log_of == "denied stopped left "
        assert line.value == "x"
