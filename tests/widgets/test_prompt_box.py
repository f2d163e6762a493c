from collections.abc import Sequence

from textual import events, on
from textual.message import Message

from core.session.state import Can, CommandInfo, Image, Prompt, SessionState
from tests.widgets.screen import BRACKETS, CONTROLS, Stage, assert_harmless, assert_literal, session, visible
from widgets.prompt_box import PromptBox

SHOT = Image("image/png", "aGk=", "a.png")


def open_session(key: str, **changes: object) -> SessionState:
    return session(key, can=Can(prompt=True), **changes)


class Desk(Stage):
    def __init__(self) -> None:
        self.box = PromptBox()
        super().__init__(self.box)
        self.posted: list[Message] = []

    @on(PromptBox.Submitted)
    @on(PromptBox.TakeBackRequested)
    @on(PromptBox.ImageRequested)
    @on(PromptBox.FilesWanted)
    @on(PromptBox.HistoryWanted)
    @on(PromptBox.Left)
    def keep(self, message: Message) -> None:
        self.posted.append(message)

    @property
    def sent(self) -> Sequence[tuple[str, str, tuple[Image, ...]]]:
        return [(m.key, m.text, m.images) for m in self.posted if isinstance(m, PromptBox.Submitted)]


async def test_a_prompt_goes_to_the_session_shown() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 10)) as pilot:
        desk.box.show(open_session("api"))
        desk.box.focus()
        await pilot.press(*"hi", "enter")
        assert desk.sent == [("api", "hi", ())]
        assert "api ❯" in visible(desk)
        assert desk.box.area.text == ""


async def test_drafts_and_history_belong_to_their_session() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 10)) as pilot:
        desk.box.show(open_session("api"))
        desk.box.focus()
        await pilot.press(*"half")
        desk.box.show(open_session("docs"))
        assert desk.box.area.text == ""
        await pilot.press(*"full", "enter", "up")
        assert desk.box.area.text == "full"
        desk.box.show(open_session("api"))
        assert desk.box.area.text == "half"
        await pilot.press("up")
        assert desk.box.area.text == "half"
        assert desk.sent == [("docs", "full", ())]


async def test_a_huge_paste_is_sent_whole() -> None:
    """Case UIX-06."""
    desk = Desk()
    text = "\n".join(f"line {n}\t." for n in range(500))
    async with desk.run_test(size=(60, 10)) as pilot:
        desk.box.show(open_session("api"))
        desk.box.focus()
        desk.box.area.post_message(events.Paste(text.replace("\n", "\r\n")))
        await pilot.pause()
        assert "[pasted 500 lines]" in visible(desk)
        assert desk.sent == []
        await pilot.press("enter")
        assert desk.sent == [("api", text, ())]


async def test_what_takes_no_prompt_keeps_the_draft_and_says_so() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 10)) as pilot:
        desk.box.show(session("api"))
        desk.box.focus()
        await pilot.press(*"hi", "enter")
        await pilot.pause()
        assert desk.sent == []
        assert desk.box.area.text == "hi"
        assert "takes no prompts" in visible(desk)


async def test_a_queued_prompt_is_shown_and_taken_back() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 10)) as pilot:
        desk.box.show(open_session("api", prompts=(Prompt("p1", "then bump the version"),)))
        desk.box.focus()
        await pilot.pause()
        assert "queued: “then bump the version”  (⌫ takes back)" in visible(desk)
        await pilot.press("backspace")
        (message,) = desk.posted
        assert isinstance(message, PromptBox.TakeBackRequested)
        assert (message.key, message.prompt_id) == ("api", "p1")
        desk.box.restore("api", "then bump the version")
        assert desk.box.area.text == "then bump the version"


async def test_escape_leaves_and_keeps_the_draft() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 10)) as pilot:
        desk.box.show(open_session("api"))
        desk.box.focus()
        await pilot.press("x", "escape")
        assert isinstance(desk.posted[-1], PromptBox.Left)
        assert desk.box.area.text == "x"


async def test_an_image_is_asked_for_and_goes_along() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 10)) as pilot:
        desk.box.show(open_session("api"))
        desk.box.focus()
        await pilot.press(*"see ", *"@a.png", "enter", "x")
        await pilot.pause()
        asked = desk.posted[-1]
        assert isinstance(asked, PromptBox.ImageRequested)
        assert (asked.key, asked.path) == ("api", "a.png")
        assert desk.sent == []
        assert "reading a.png" in visible(desk)
        desk.box.attach("api", "a.png", SHOT)
        await pilot.pause()
        assert desk.sent == [("api", "see [a.png]", (SHOT,))]
        assert desk.box.area.text == "x"


async def test_a_pasted_path_is_read_at_once() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 10)) as pilot:
        desk.box.show(open_session("api"))
        desk.box.focus()
        desk.box.area.post_message(events.Paste("/tmp/my\\ shot.png"))
        await pilot.pause()
        assert isinstance(desk.posted[-1], PromptBox.ImageRequested)
        desk.box.attach("api", "/tmp/my shot.png", SHOT)
        await pilot.press("enter")
        assert desk.sent == [("api", "[a.png] ", (SHOT,))]


async def test_an_image_that_cannot_be_read_gives_the_prompt_back() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 10)) as pilot:
        desk.box.show(open_session("api"))
        desk.box.focus()
        await pilot.press(*"@a.png", "enter")
        desk.box.refuse("api", "a.png", "no such file")
        await pilot.pause()
        assert desk.box.area.text == "@a.png"
        assert "a.png: no such file" in visible(desk)
        assert desk.sent == []


async def test_slash_commands_are_completed() -> None:
    desk = Desk()
    commands = (
        CommandInfo("compact", "shorten [it]", "<what to keep>"),
        CommandInfo("__own"),
        CommandInfo("cost"),
        CommandInfo("disco"),
    )
    async with desk.run_test(size=(60, 10)) as pilot:
        desk.box.show(open_session("api", commands=commands))
        desk.box.focus()
        await pilot.press(*"/co")
        await pilot.pause()
        shown = visible(desk)
        assert "/compact <what to keep>  shorten [it]" in shown
        assert shown.index("/cost") < shown.index("/disco"), "what begins so stands first"
        assert "Tab or Enter takes it" in shown
        assert "__own" not in shown
        await pilot.press("down", "tab")
        assert desk.box.area.text == "/cost "
        assert "Tab or Enter" not in visible(desk)
        await pilot.press("backspace", "enter")
        assert desk.sent == [("api", "/cost", ())], "what is typed whole is sent"


def wanted(desk: Desk) -> str:
    asked = desk.posted[-1]
    assert isinstance(asked, PromptBox.FilesWanted)
    return asked.query


async def test_files_are_completed_where_the_cursor_stands() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        desk.box.show(open_session("api"))
        desk.box.focus()
        await pilot.press(*"see @sr", "left", "right")
        assert wanted(desk) == "sr"
        desk.box.offer_files("api", "s", ["stale.py"])
        desk.box.offer_files("docs", "sr", ["theirs.py"])
        await pilot.pause()
        assert "stale" not in visible(desk)
        desk.box.offer_files("api", "sr", ["src/", "my src.py"])
        await pilot.pause()
        assert "my src.py" in visible(desk)
        await pilot.press("enter")
        assert desk.box.area.text == "see @src/", "a folder is gone on with"
        assert wanted(desk) == "src/"
        desk.box.offer_files("api", "src/", ["src/a b.py", "src/c.py"])
        await pilot.press("tab")
        assert desk.box.area.text == 'see @"src/a b.py" '
        await pilot.press(*"ok", "enter")
        assert desk.sent == [("api", 'see @"src/a b.py" ok', ())]


async def test_escape_closes_the_list_and_only_then_the_box() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        desk.box.show(open_session("api"))
        desk.box.focus()
        await pilot.press(*"@a")
        desk.box.offer_files("api", "a", ["a.py"])
        await pilot.press("escape", "b")
        assert desk.box.typing
        desk.box.offer_files("api", "ab", ["ab.py"])
        await pilot.pause()
        assert "ab.py" not in visible(desk), "it stays closed for this word"
        await pilot.press(*" @", "escape")
        assert isinstance(desk.posted[-1], PromptBox.Left)


async def test_the_list_belongs_to_its_session() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        desk.box.show(open_session("api"))
        desk.box.focus()
        await pilot.press(*"@a")
        desk.box.offer_files("api", "a", ["a.py"])
        await pilot.pause()
        assert "a.py" in visible(desk)
        desk.box.show(open_session("docs"))
        await pilot.pause()
        assert "a.py" not in visible(desk)


async def test_what_was_said_from_elsewhere_comes_back_too() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 10)) as pilot:
        desk.box.said = lambda key: ["first", "second"]
        desk.box.show(open_session("api"))
        desk.box.focus()
        await pilot.press(*"third", "enter", *"half", "up", "up")
        assert desk.box.area.text == "second"
        await pilot.press("up", "up")
        assert desk.box.area.text == "first"
        await pilot.press("down", "down", "down")
        assert desk.box.area.text == "half"
        await pilot.press("ctrl+r")
        assert isinstance(desk.posted[-1], PromptBox.HistoryWanted)
        desk.box.put("api", "more")
        assert desk.box.area.text == "halfmore"


async def test_outside_text_is_literal_and_harmless() -> None:
    desk = Desk()
    async with desk.run_test(size=(100, 10)) as pilot:
        for text in BRACKETS:
            desk.box.show(open_session("api", name=text[:18], prompts=(Prompt("p", text),)))
            await pilot.pause()
            assert_literal(desk, text)
        desk.box.show(open_session("api", name=CONTROLS, prompts=(Prompt("p", CONTROLS),)))
        await pilot.pause()
        assert_harmless(desk)
