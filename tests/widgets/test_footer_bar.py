from textual import on

from tests.widgets.screen import BRACKETS, Stage, assert_literal, visible
from widgets.footer_bar import FooterBar

KEYS = (("w", "next"), ("a", "allow"), ("d", "deny"), ("Esc", "interrupt"))


class Footer(Stage):
    pressed: str = ""

    @on(FooterBar.Pressed)
    def keep(self, message: FooterBar.Pressed) -> None:
        self.pressed = message.key


async def test_the_last_keys_go_first() -> None:
    bar = FooterBar()
    async with Footer(bar).run_test(size=(30, 3)) as pilot:
        bar.show(KEYS, "deck")
        await pilot.pause()
        line = visible(bar.app).split("\n")[0]
        assert line.split() == ["w", "next", "a", "allow", "deck"]
        await pilot.resize_terminal(60, 3)
        await pilot.pause()
        assert "Esc interrupt" in visible(bar.app)


async def test_those_that_are_kept_stay_at_the_end() -> None:
    bar = FooterBar()
    async with Footer(bar).run_test(size=(36, 3)) as pilot:
        bar.show((*KEYS, ("?", "help")), "deck", kept=1)
        await pilot.pause()
        line = visible(bar.app).split("\n")[0]
        assert line.split() == ["w", "next", "a", "allow", "?", "help", "deck"]


async def test_a_click_says_which_key() -> None:
    bar = FooterBar()
    app = Footer(bar)
    async with app.run_test(size=(60, 3)) as pilot:
        bar.show(KEYS)
        await pilot.pause()
        await pilot.click(FooterBar, offset=(visible(app).index("d deny"), 0))
        assert app.pressed == "d"


async def test_labels_are_literal() -> None:
    bar = FooterBar()
    async with Stage(bar).run_test(size=(60, 3)) as pilot:
        for text in BRACKETS:
            bar.show((("x", text),), "deck")
            await pilot.pause()
            assert_literal(bar.app, text)
