"""The transcript view as a person meets it: what stands on the screen, what keys do, what it costs."""

from collections.abc import Collection
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from core.session import events as ev
from core.session.state import Prompt
from tests.fakes.scenes import Scene
from widgets.transcript.surface import Surface
from widgets.transcript_view import TranscriptView

Wheel = TypeVar("Wheel", events.MouseScrollUp, events.MouseScrollDown)

CASES = Path(__file__).parents[1] / "data" / "cases"


class ViewApp(App[None]):
    def __init__(self, scene: Scene) -> None:
        super().__init__()
        self.scene = scene
        self.messages: list[object] = []

    def compose(self) -> ComposeResult:
        yield TranscriptView()

    @property
    def view(self) -> TranscriptView:
        return self.query_one(TranscriptView)

    def on_mount(self) -> None:
        self.view.focus()
        self.show()

    def show(self) -> None:
        self.view.show(self.scene.conversation, self.scene.session.state)

    def on_transcript_view_copied(self, message: TranscriptView.Copied) -> None:
        self.messages.append((message.what, message.text))

    def on_transcript_view_new_below(self, message: TranscriptView.NewBelow) -> None:
        self.messages.append(message.count)

    def rows(self) -> list[str]:
        size = self.view.size
        strips = self.view.render_lines(Region(0, 0, size.width, size.height))
        assert [strip.cell_length for strip in strips] == [size.width] * size.height
        return [strip.text.rstrip(" ▐") for strip in strips]

    def text(self) -> str:
        return "\n".join(self.rows())


class PaneApp(ViewApp):
    """The view above something that comes and goes, as in a pane."""

    def compose(self) -> ComposeResult:
        with Vertical(id="pane"):
            yield TranscriptView()
            yield Static("four\nlines\nof\nit", id="below")


async def shown(app: ViewApp, pilot: Pilot[None]) -> str:
    app.show()
    await pilot.pause()
    return app.text()


def numbered(count: int) -> Scene:
    scene = Scene()
    for number in range(count):
        scene.prompt(f"prompt number {number}")
    return scene


async def test_everything_of_a_turn_can_be_read() -> None:
    scene = Scene()
    scene.apply(ev.TurnStarted())
    scene.prompt("Fix the refresh")
    scene.think("It loops.\nLook at the code.")
    scene.say("I start with **the path**.")
    scene.tool("Read", "1\tdef f():", file_path="src/auth.py")
    scene.tool("Bash", "1 failed", failed=True, command="pytest -q")
    scene.tool("mcp__github__create_issue", title="A loop")
    scene.apply(ev.TurnCompleted(steps=2, total_cost_usd=0.31))
    app = ViewApp(scene)
    async with app.run_test(size=(80, 30)):
        text = app.text()
    for words in (
        "❯ Fix the refresh",
        "∴ It loops. …",
        "I start with the path.",
        "▸ ≡ Read  src/auth.py",
        "▾ $ Bash  pytest -q",
        "    1 failed",
        "github · create_issue  A loop",
        "✓ done in",
        "$0.31",
    ):
        assert words in text
    assert "Look at the code" not in text


async def test_many_deltas_are_one_drawing() -> None:
    scene = numbered(3)
    scene.open()
    scene.stream("The first words")
    app = ViewApp(scene)
    async with app.run_test(size=(80, 60)) as pilot:
        await pilot.pause()
        before = app.view.draws
        for _ in range(500):
            scene.stream(" more")
        text = await shown(app, pilot)
        assert app.view.draws == before + 1
        assert text.count("more") == 500


async def test_between_two_frames_it_is_drawn_once() -> None:
    scene = numbered(1)
    scene.open()
    app = ViewApp(scene)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        before = app.view.draws
        for _ in range(50):
            scene.stream(" more")
            app.show()
        assert app.view.draws == before + 1
        await pilot.pause()
        await pilot.pause()
        assert app.text().count("more") == 50


async def test_nothing_new_costs_nothing() -> None:
    app = ViewApp(numbered(5))
    async with app.run_test() as pilot:
        await pilot.pause()
        before = app.view.draws
        with patch.object(TranscriptView, "refresh") as refresh:
            for _ in range(100):
                app.show()
        assert app.view.draws == before
        refresh.assert_not_called()


async def test_a_view_that_was_never_told_that_it_is_shown_shows_all_the_same() -> None:
    with patch.object(Surface, "on_show", lambda self: None):
        app = ViewApp(numbered(1))
        async with app.run_test(size=(60, 12)) as pilot:
            await pilot.pause()
            assert "prompt number 0" in app.text()
            app.scene.prompt("one more")
            assert "one more" in await shown(app, pilot)


async def test_a_hidden_view_draws_nothing_and_catches_up_when_it_comes_back() -> None:
    scene = numbered(1)
    app = ViewApp(scene)
    async with app.run_test() as pilot:
        await pilot.pause()
        app.view.display = False
        await pilot.pause()
        before = app.view.draws
        scene.prompt("while it was hidden")
        app.show()
        await pilot.pause()
        assert app.view.draws == before
        app.view.display = True
        await pilot.pause()
        assert "while it was hidden" in app.text()


async def test_a_view_left_while_it_streamed_shows_the_end_when_it_comes_back_higher() -> None:
    scene = numbered(40)
    scene.open()
    scene.stream("it begins" + " more" * 300)
    app = PaneApp(scene)
    async with app.run_test(size=(40, 20)) as pilot:
        await shown(app, pilot)
        app.query_one("#pane").display = False
        await pilot.pause()
        app.query_one("#below").display = False
        app.show()
        await pilot.pause()
        scene.stream(" more" * 500 + " the end")
        app.show()
        app.query_one("#pane").display = True
        await pilot.pause()
        assert "the end" in await shown(app, pilot)
        assert app.view.following


async def test_streaming_makes_no_layout_and_paints_only_what_changed() -> None:
    scene = numbered(2)
    scene.open()
    app = ViewApp(scene)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        regions: list[Region] = []
        take = TranscriptView._exchange_repaint_regions

        def note(view: TranscriptView) -> Collection[Region]:
            taken = take(view)
            regions.extend(taken)
            return taken

        with (
            patch.object(Screen, "_refresh_layout") as layout,
            patch.object(TranscriptView, "_exchange_repaint_regions", note),
        ):
            for number in range(60):
                scene.stream(f"line {number}\n\n")
                await shown(app, pilot)
                if number == 1:
                    scene.stream("x")
                    regions.clear()
                    await shown(app, pilot)
                    assert [region.height for region in regions] == [1]
        layout.assert_not_called()
        assert "line 59" in app.text()


async def test_what_is_finished_is_drawn_once_for_a_width() -> None:
    scene = numbered(4)
    app = ViewApp(scene)
    async with app.run_test(size=(80, 36)) as pilot:
        await pilot.pause()
        drawn = app.view.draws
        for number in range(10):
            scene.prompt(f"one more {number}")
            await shown(app, pilot)
        assert app.view.draws == drawn + 10
        await pilot.resize_terminal(60, 36)
        await pilot.pause()
        drawn = app.view.draws
        await shown(app, pilot)
        app.view.scroll_lines(-2)
        app.view.scroll_lines(2)
        assert app.view.draws == drawn


async def test_what_is_read_stays_while_more_comes() -> None:
    scene = numbered(40)
    app = ViewApp(scene)
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.pause()
        assert "prompt number 39" in app.text()
        await pilot.press("up", "up", "up", "up")
        before = app.rows()[:-1]
        assert not app.view.following
        scene.open()
        for number in range(12):
            scene.prompt(f"new {number}")
            scene.stream("words words words words words words ")
            await shown(app, pilot)
        assert app.rows()[:-1] == before
        assert app.rows()[-1].endswith("13 new ↓")
        assert app.messages[-1] == 13
        await pilot.press("end")
        assert app.view.following
        assert app.messages[-1] == 0
        assert "new 11" in app.text()


async def test_keys_read_back_and_forth() -> None:
    app = ViewApp(numbered(100))
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.pause()
        await pilot.press("home")
        assert app.rows()[0] == " ❯ prompt number 0"
        await pilot.press("pagedown")
        assert "prompt number 6" in app.text()
        await pilot.press("pageup")
        assert app.rows()[0] == " ❯ prompt number 0"
        await pilot.press("down", "down")
        assert app.rows()[0].startswith(" ❯ prompt number 1")
        for _ in range(40):
            await pilot.press("pagedown")
        assert app.view.following


async def test_the_wheel_reads_too() -> None:
    app = ViewApp(numbered(100))
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.pause()
        app.view.on_mouse_scroll_up(wheel(events.MouseScrollUp))
        assert not app.view.following
        app.view.on_mouse_scroll_down(wheel(events.MouseScrollDown))
        assert app.view.following


async def test_another_width_keeps_the_place() -> None:
    scene = Scene()
    for number in range(60):
        scene.say(f"Paragraph {number}. " + "some words that wrap at a narrow width " * 3)
    app = ViewApp(scene)
    async with app.run_test(size=(100, 12)) as pilot:
        await pilot.pause()
        app.view.scroll_lines(-100)
        await pilot.pause()
        first = next(row for row in app.rows() if "Paragraph" in row).split(".")[0]
        await pilot.resize_terminal(50, 12)
        await pilot.pause()
        assert first in app.text()


async def test_successes_fold_once_the_turn_goes_on_and_failures_do_not() -> None:
    scene = Scene()
    scene.tool("Bash", "all good", command="make")
    app = ViewApp(scene)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "all good" in app.text()
        scene.say("Next.")
        assert "all good" not in await shown(app, pilot)
        scene.tool("Bash", "it broke", failed=True, command="make test")
        scene.say("Hm.")
        assert "it broke" in await shown(app, pilot)
        app.view.fold_successes = False
        assert "all good" in app.text()


async def test_folding_by_key_and_by_mouse() -> None:
    scene = Scene()
    scene.prompt("go")
    scene.tool("Bash", "\n".join(f"line {number}" for number in range(40)), command="ls")
    scene.tool("Read", "the content", file_path="a.py")
    scene.say("Done.")
    app = ViewApp(scene)
    async with app.run_test(size=(80, 60)) as pilot:
        await pilot.pause()
        assert "the content" not in app.text()
        await pilot.press("left_square_bracket", "left_square_bracket", "space")
        assert "the content" in app.text()
        await pilot.press("space")
        assert "the content" not in app.text()
        row = next(at for at, text in enumerate(app.rows()) if "Bash" in text)
        await pilot.click(TranscriptView, offset=(5, row))
        assert "+30 lines" in app.text()
        assert "line 39" in app.text()
        assert "line 3\n" not in app.text()
        row = next(at for at, text in enumerate(app.rows()) if "+30 lines" in text)
        await pilot.click(TranscriptView, offset=(5, row))
        assert "line 3\n" in app.text()


async def test_unfolding_keeps_the_line_that_was_unfolded_in_place() -> None:
    scene = numbered(30)
    scene.tool("Read", "\n".join(["content"] * 9), file_path="a.py")
    scene.say("Done.")
    app = ViewApp(scene)
    async with app.run_test(size=(80, 12)) as pilot:
        await pilot.pause()
        row = next(at for at, text in enumerate(app.rows()) if "Read" in text)
        await pilot.click(TranscriptView, offset=(5, row))
        assert "Read" in app.rows()[row]
        assert "content" in app.rows()[row + 1]


async def test_a_subagent_unfolds_into_its_thread() -> None:
    scene = Scene()
    scene.call("Task", call="T1", description="look", prompt="Look around.")
    scene.say("sub says", parent="T1")
    scene.call("Task", call="T2", parent="T1", description="deeper", prompt="q")
    scene.say("main")
    scene.say("deep says", parent="T2")
    app = ViewApp(scene)
    async with app.run_test(size=(80, 30)) as pilot:
        await pilot.pause()
        assert "sub says" not in app.text()
        for call in ("look", "deeper"):
            row = next(at for at, text in enumerate(app.rows()) if call in text)
            await pilot.click(TranscriptView, offset=(5, row))
        rows = app.rows()
        assert " │ sub says" in rows
        assert " │ │ deep says" in rows
        assert " main" in rows


async def test_search_finds_what_is_folded() -> None:
    scene = numbered(30)
    scene.tool("Read", "a needle in here", file_path="a.py")
    scene.call("Task", call="T1", description="look", prompt="p")
    scene.say("another Needle", parent="T1")
    scene.say("no more")
    for number in range(30):
        scene.prompt(f"later {number}")
    app = ViewApp(scene)
    async with app.run_test(size=(80, 12)) as pilot:
        await pilot.pause()
        assert app.view.search("needle") == 2
        assert "another Needle" in app.text()
        assert app.view.previous_hit() == 1
        assert "a needle in here" in app.text()
        assert app.view.next_hit() == 2
        assert app.view.search("") == 0
        assert app.view.search("nowhere to be found") == 0
        assert app.view.next_hit() == 0


async def test_copying_an_entry_and_its_code() -> None:
    scene = Scene()
    scene.prompt("go")
    scene.say("Do this:\n\n```sh\nmake all\nmake test\n```\n\nand\x1b]52;c;AAAA\x07 that")
    app = ViewApp(scene)
    async with app.run_test() as pilot:
        await pilot.pause()
        await pilot.press("y", "Y")
        await pilot.pause()
        assert app.messages == [
            ("entry", "Do this:\n\n```sh\nmake all\nmake test\n```\n\nand that"),
            ("code", "make all\nmake test"),
        ]
        assert app.clipboard == "make all\nmake test"
        await pilot.press("left_square_bracket", "left_square_bracket")
        assert app.view.copy_entry() == "go"
        assert app.view.copy_code() == ""


async def test_text_is_selected_with_the_mouse() -> None:
    scene = Scene()
    scene.say("First paragraph of words.\n\nSecond one with more words.")
    app = ViewApp(scene)
    async with app.run_test() as pilot:
        await pilot.pause()
        await pilot.mouse_down(TranscriptView, offset=(7, 0))
        await pilot.hover(TranscriptView, offset=(10, 2))
        await pilot.mouse_up(TranscriptView, offset=(10, 2))
        await pilot.pause()
        assert app.screen.get_selected_text() == "paragraph of words.\n\nSecond one"


async def test_the_thumb_is_dragged_with_the_mouse_and_marks_no_text() -> None:
    app = ViewApp(numbered(200))
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        app.view.scroll_lines(-5)
        await pilot.pause()
        await pilot.mouse_down(TranscriptView, offset=(39, 11))
        for y in (8, 5, 2, 0):
            await pilot.hover(TranscriptView, offset=(20, y))
        assert "prompt number 0" in app.text()
        await pilot.hover(TranscriptView, offset=(20, 6))
        await pilot.mouse_up(TranscriptView, offset=(20, 6))
        await pilot.pause()
        middle = app.text()
        assert "prompt number 0" not in middle
        assert "prompt number 199" not in middle
        await pilot.hover(TranscriptView, offset=(20, 1))
        assert app.text() == middle, "it is let go"
        assert not app.screen.get_selected_text()
        await pilot.mouse_down(TranscriptView, offset=(39, 5))
        await pilot.hover(TranscriptView, offset=(39, 11))
        await pilot.mouse_up(TranscriptView, offset=(39, 11))
        assert "prompt number 199" in app.text()
        assert app.view.following


async def test_prompts_on_their_way_stand_at_the_end() -> None:
    scene = numbered(1)
    app = ViewApp(scene)
    async with app.run_test() as pilot:
        await pilot.pause()
        state = scene.session.state
        state = type(state)(key="scene", prompts=(Prompt(id="p", text="and then this"),))
        app.view.show(scene.conversation, state)
        await pilot.pause()
        assert app.rows()[2:4] == [" ❯ and then this", "   queued"]


async def test_another_conversation_takes_its_place() -> None:
    app = ViewApp(numbered(3))
    async with app.run_test() as pilot:
        await pilot.pause()
        app.scene = Scene()
        app.scene.prompt("another session")
        text = await shown(app, pilot)
        assert "another session" in text
        assert "prompt number" not in text


async def test_a_new_theme_gives_the_ground_of_it() -> None:
    app = ViewApp(numbered(3))
    async with app.run_test() as pilot:
        await pilot.pause()
        before = app.view.render_line(0)
        app.theme = "textual-light"
        await pilot.pause()
        await pilot.pause()
        after = app.view.render_line(0)
        assert before.text == after.text
        style = next(iter(after)).style
        assert style is not None
        assert style.bgcolor == app.view.background_colors[1].rich_color


@pytest.mark.parametrize("text", (CASES / "UIX-01.txt").read_text().splitlines())
async def test_what_looks_like_markup_is_text(text: str) -> None:
    scene = Scene()
    scene.prompt(text)
    scene.apply(ev.Noticed(text=text, level="error"))
    scene.tool("Bash", text, failed=True, command=text)
    scene.tool(text, text, anything=text)
    app = ViewApp(scene)
    async with app.run_test(size=(200, 40)):
        seen = " ".join(app.text().split())
    assert seen.count(" ".join(text.split())) >= 4


async def test_no_control_byte_reaches_the_screen_or_the_clipboard() -> None:
    text = (CASES / "UIX-03.bin").read_bytes().decode("utf-8", "surrogateescape")
    scene = Scene()
    scene.prompt(text)
    scene.say(text)
    scene.think(text)
    scene.apply(ev.Noticed(text=text))
    for tool in ("Bash", "Read", "Edit", "Write", "Task", "TodoWrite", "WebFetch", f"mcp__{text}__x", text):
        scene.tool(tool, text, failed=True, command=text, file_path=text, old_string=text, new_string="x")
    app = ViewApp(scene)
    async with app.run_test(size=(100, 400)):
        rows = app.rows()
        copied = [app.view.copy_entry()]
        for _ in range(len(scene.conversation.entries())):
            app.view.action_move_cursor(-1)
            copied.append(app.view.copy_entry())
    bad = {chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))}
    assert not bad & set("".join(rows))
    assert not (bad - {"\n", "\t"}) & set("".join(copied))


@pytest.mark.parametrize("width", [1, 2, 3, 7, 12, 20, 41])
async def test_every_row_is_as_wide_as_the_view(width: int) -> None:
    scene = Scene()
    scene.prompt("日本語テキスト 🎉👩‍👩‍👧‍👦 עברית ימין\tטאב\tand words")
    scene.say(
        "| 日本 | b |\n|---|---|\n| 🎉 | x |\n\n```python\nprint('日本語')\n```\n\n- 日本語テキスト\n  - nested"
    )
    scene.tool("Bash", "\x1b[31m日本語\x1b[0m\tx\ty", failed=True, command="echo 日本語")
    scene.tool("Edit", file_path="日本語/テキスト.py", old_string="日本", new_string="語")
    app = ViewApp(scene)
    async with app.run_test(size=(width, 40)) as pilot:
        await pilot.pause()
        assert app.rows()


async def test_a_conversation_of_many_entries_is_opened_at_the_price_of_a_screen() -> None:
    scene = numbered(5000)
    app = ViewApp(scene)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.view.draws < 30
        await pilot.press("home")
        assert app.view.draws < 60


def wheel(kind: type[Wheel]) -> Wheel:
    return kind(None, 1, 1, 0, 0, 0, False, False, False)


async def test_coming_and_going_of_the_focus_draws_nothing() -> None:
    app = ViewApp(numbered(5))
    async with app.run_test() as pilot:
        await pilot.pause()
        before = app.view.draws
        app.set_focus(None)
        await pilot.pause()
        app.view.focus()
        await pilot.pause()
        assert app.view.draws == before
