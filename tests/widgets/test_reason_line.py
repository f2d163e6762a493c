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


class Keeper(Stage):
    kept: tuple[str, ...] = ("use the library", "not now")

    @on(ReasonLine.PhrasesWanted)
    def give(self, event: ReasonLine.PhrasesWanted) -> None:
        event.line.phrases = self.kept

    @on(ReasonLine.PhraseKept)
    def keep(self, event: ReasonLine.PhraseKept) -> None:
        rest = tuple(phrase for phrase in self.kept if phrase != event.text)
        self.kept = event.line.phrases = rest if event.forget else (event.text, *rest)


async def test_up_and_down_go_through_what_was_kept_and_back_to_what_was_typed() -> None:
    line = ReasonLine()
    async with Keeper(line).run_test(size=(80, 3)) as pilot:
        line.focus()
        line.begin()
        await pilot.press("x", "up")
        assert line.value == "use the library"
        await pilot.press("up", "up", "!")
        assert line.value == "not now!"
        await pilot.press("down", "down", "down")
        assert line.value == "x"


async def test_words_are_kept_and_forgotten() -> None:
    line = ReasonLine()
    app = Keeper(line)
    async with app.run_test(size=(80, 3)) as pilot:
        line.focus()
        line.begin()
        await pilot.press("ctrl+s", *"no", "ctrl+s")
        assert list(app.kept) == ["no", "use the library", "not now"]
        await pilot.press("up", "up", "ctrl+s")
        assert list(app.kept) == ["no", "not now"]


async def test_three_ways_out() -> None:
    line = ReasonLine()
    app = Desk(line)
    async with app.run_test(size=(80, 3)) as pilot:
        line.focus()
        await pilot.press("x", "enter", "ctrl+d", "escape")
        assert app.log_of == "denied stopped left "
        assert line.value == "x"
