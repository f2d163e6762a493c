import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from msgspec import structs
from textual import on
from textual.app import ComposeResult
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.pilot import Pilot

from core.session.answers import Allow, Answer, Deny, Postpone
from core.session.conversation import Conversation
from core.session.screen import Screen
from core.session.state import Ask, Can, Option, Question, SessionState, Task, Turn
from tests.widgets.screen import NOW, Stage, session, visible
from widgets.ask_card import AskCard
from widgets.pane import Pane, next_ask
from widgets.signs import KEY, MUTED
from widgets.terminal_view import NoHistory

ONE = Ask(
    "1", "permission", "Bash", input_json=json.dumps({"command": "make one"}).encode(), raised_at=NOW - 9
)
TWO = structs.replace(ONE, id="2", input_json=json.dumps({"command": "make two"}).encode())
FORM = Ask(
    "3", "question", "AskUserQuestion", questions=(Question("Which?", "", False, (Option("A"), Option("B"))),)
)


def asking(*asks: Ask, **changes: object) -> SessionState:
    return session("api", turn=Turn(1, NOW - 60), can=Can(answer=True), asks=asks, **changes)


def frame_of(card: AskCard) -> str:
    return card.styles.border_top[0]


class Desk(Stage):
    """Two panes; their cards arm only when told."""

    def __init__(self) -> None:
        self.pane = Pane("api", arm_after_s=1000)
        self.other = Pane("docs", arm_after_s=1000)
        super().__init__()
        self.talk = Conversation()
        self.answers: list[tuple[str, str, Answer | Postpone]] = []
        self.entered: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.pane
        yield self.other

    @on(AskCard.Answered)
    def keep(self, message: AskCard.Answered) -> None:
        self.answers.append((message.key, message.ask_id, message.answer))

    @on(Pane.Entered)
    def enter(self, message: Pane.Entered) -> None:
        self.entered.append(message.key)

    def say(self, state: SessionState) -> None:
        self.pane.show(state, self.talk, NOW)

    @property
    def card(self) -> AskCard:
        assert self.pane.card is not None
        return self.pane.card


async def test_title_activity_and_meters() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 30)) as pilot:
        desk.say(session("api", turn=Turn(1, NOW - 12), doing="Edit guide.md"))
        desk.pane.number, desk.pane.active = 1, True
        await pilot.pause()
        shown = visible(desk)
        for text in (
            "1 ● api",
            "api   opus ",
            "working",
            "Edit guide.md",
            "ctx ▓▓▓▓▓▓░░░░",
            "$0.91",
            "4 turns",
        ):
            assert text in shown
        assert desk.pane.card is None


async def test_keys_answer_while_the_focus_is_in_the_pane() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 30)) as pilot:
        desk.say(asking(ONE, TWO))
        desk.pane.focus()
        await pilot.pause()
        await pilot.pause()
        assert "make one" in visible(desk)
        assert "1 of 2" in visible(desk)
        await pilot.press("a")
        assert desk.answers == []
        desk.card.arm()
        await pilot.press("a", "a", "d")
        assert desk.answers == [("api", "1", Allow())]


async def test_the_next_ask_takes_the_card_unarmed() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 30)) as pilot:
        desk.say(asking(ONE, TWO))
        desk.pane.focus()
        await pilot.pause()
        desk.card.arm()
        await pilot.press("a")
        desk.say(asking(structs.replace(ONE, state="answering"), TWO))
        await pilot.press("a")
        assert "make two" in visible(desk)
        assert len(desk.answers) == 1
        desk.card.arm()
        await pilot.press("d")
        assert desk.answers[1][:2] == ("api", "2")


async def test_a_plan_is_sent_back_from_the_pane() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 30)) as pilot:
        desk.say(asking(Ask("4", "plan", "ExitPlanMode", plan="# Do it")))
        desk.pane.focus()
        await pilot.pause()
        desk.card.arm()
        await pilot.press("o")
        assert desk.answers == [("api", "4", Postpone("outline"))]


async def test_keys_in_another_pane_answer_nothing_here() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 30)) as pilot:
        desk.say(asking(ONE))
        desk.other.focus()
        await pilot.pause()
        desk.card.arm()
        await pilot.press("a", "d")
        assert desk.answers == []
        assert desk.entered == ["docs"]


async def test_an_ask_neither_takes_the_focus_nor_loses_it() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 30)) as pilot:
        desk.pane.focus()
        await pilot.pause()
        desk.say(asking(ONE))
        await pilot.pause()
        assert desk.pane.transcript.has_focus
        desk.pane.focus_ask()
        await pilot.pause()
        assert desk.card.has_focus
        desk.say(asking())
        await pilot.pause()
        assert desk.pane.transcript.has_focus
        assert not desk.card.display


async def test_going_to_an_ask_moves_the_focus_once_and_styles_only_the_frame_of_the_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    styled: list[object] = []
    apply = Stylesheet.apply

    def count(
        sheet: Stylesheet,
        node: DOMNode,
        *,
        animate: bool = False,
        cache: dict[tuple[object, ...], RulesMap] | None = None,
    ) -> None:
        styled.append(node)
        apply(sheet, node, animate=animate, cache=cache)

    desk = Desk()
    async with desk.run_test(size=(80, 30)) as pilot:
        desk.say(asking(ONE))
        desk.other.focus()
        await pilot.pause()
        desk.card.arm()
        assert frame_of(desk.card) == "round"
        monkeypatch.setattr(Stylesheet, "apply", count)
        desk.pane.focus_ask()
        await pilot.pause()
        assert desk.card.has_focus
        assert frame_of(desk.card) == "heavy"
        assert desk.pane.transcript not in styled
        assert [styled.count(part) for part in desk.card.walk_children(with_self=True)] == [1, 0, 0, 0]
        desk.other.focus()
        await pilot.pause()
        assert frame_of(desk.card) == "round"


async def test_what_is_typed_into_a_withdrawn_card_is_kept_until_one_leaves() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 30)) as pilot:
        desk.say(asking(ONE))
        desk.pane.focus()
        await pilot.pause()
        desk.card.arm()
        await pilot.press("D", *"nope")
        desk.say(asking(TWO))
        await pilot.press(*"aad")
        assert "no longer asked" in visible(desk)
        await pilot.press("escape")
        await pilot.pause()
        assert "make two" in visible(desk)
        assert desk.answers == []
        assert desk.pane.transcript.has_focus


async def test_a_question_is_entered_with_a_and_left_with_escape() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 30)) as pilot:
        desk.say(asking(FORM))
        desk.pane.focus()
        await pilot.pause()
        desk.card.arm()
        await pilot.press("a", "escape")
        await pilot.pause()
        assert desk.pane.transcript.has_focus
        await pilot.press("a", "2", "enter")
        assert desk.answers[0][1] == "3"


async def test_what_runs_elsewhere_is_shown_but_not_answered() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 30)) as pilot:
        desk.say(structs.replace(asking(ONE), can=Can()))
        desk.pane.focus()
        await pilot.pause()
        desk.card.arm()
        await pilot.press("a")
        assert "make one" in visible(desk)
        assert "answer it there" in visible(desk)
        assert desk.answers == []


async def test_deny_and_interrupt_from_the_pane() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 30)) as pilot:
        desk.say(asking(ONE))
        desk.pane.focus()
        await pilot.pause()
        desk.card.arm()
        await pilot.press("ctrl+d")
        assert isinstance(desk.answers[0][2], Deny)
        assert desk.answers[0][2].interrupt


async def test_where_a_denial_takes_no_words_only_d_denies() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 30)) as pilot:
        desk.say(asking(structs.replace(ONE, on_screen=True, wordless=True)))
        desk.pane.focus()
        await pilot.pause()
        desk.card.arm()
        await pilot.press("ctrl+d", "D")
        assert (desk.answers, desk.pane.typing) == ([], False)
        await pilot.press("d")
        assert desk.answers == [("api", "1", Deny())]


@asynccontextmanager
async def asked() -> AsyncIterator[tuple[Desk, Pilot[None]]]:
    """Two panes, one of a session that asks."""
    desk = Desk()
    async with desk.run_test(size=(80, 30)) as pilot:
        desk.say(asking())
        yield desk, pilot


async def test_a_screen_that_comes_takes_no_focus_from_where_one_went_meanwhile() -> None:
    async with asked() as (desk, pilot):
        desk.pane.focus()
        await pilot.pause()
        desk.pane.show_screen(Screen(), NoHistory())
        desk.other.focus()
        await pilot.pause()
        await pilot.pause()
        assert desk.other.has_focus_within
        desk.pane.focus()
        await pilot.pause()
        assert desk.pane.terminal is not None
        assert desk.pane.terminal.has_focus


async def test_a_screen_turned_over_takes_no_focus_from_where_one_went_meanwhile() -> None:
    async with asked() as (desk, pilot):
        desk.pane.show_screen(Screen(), NoHistory())
        desk.pane.focus()
        await pilot.pause()
        for _ in range(2):
            desk.pane.toggle_screen()
            desk.other.focus()
            await pilot.pause()
            await pilot.pause()
            assert desk.other.has_focus_within
            desk.pane.focus()
            await pilot.pause()
        desk.pane.toggle_screen()
        await pilot.pause()
        assert desk.pane.transcript.has_focus
        desk.pane.toggle_screen()
        await pilot.pause()
        assert desk.pane.terminal is not None
        assert desk.pane.terminal.has_focus


async def test_nobody_types_at_a_screen_that_is_turned_over() -> None:
    async with asked() as (desk, pilot):
        desk.pane.show_screen(Screen(), NoHistory())
        desk.pane.toggle_screen()
        await pilot.pause()
        desk.pane.enter_screen()
        await pilot.pause()
        assert desk.pane.shows_screen
        desk.pane.toggle_screen()
        await pilot.pause()
        assert desk.pane.terminal is not None
        assert not desk.pane.terminal.typing


async def test_who_wants_to_type_types_before_the_next_refresh() -> None:
    async with asked() as (desk, pilot):
        desk.pane.enter_screen()
        desk.pane.show_screen(Screen(), NoHistory())
        assert desk.pane.terminal is not None
        assert desk.pane.terminal.typing
        await pilot.pause()
        assert desk.pane.terminal.has_focus
        assert desk.pane.terminal.typing


async def test_the_card_has_room_at_80_by_24() -> None:
    desk = Desk()
    long = json.dumps({"command": "\n".join(f"echo {n}" for n in range(50))}).encode()
    async with desk.run_test(size=(80, 16)) as pilot:
        desk.other.display = False
        desk.say(asking(structs.replace(ONE, input_json=long)))
        await pilot.pause()
        desk.card.arm()
        await pilot.pause()
        shown = visible(desk)
        assert "echo 4" in shown
        assert "a allow" in shown
        assert "ctx" in shown


async def test_a_card_leaves_room_for_the_conversation() -> None:
    desk = Desk()
    long = json.dumps({"command": "\n".join(f"echo {n}" for n in range(50))}).encode()
    async with desk.run_test(size=(44, 18)) as pilot:
        desk.other.display = False
        desk.say(asking(structs.replace(ONE, input_json=long)))
        await pilot.pause()
        await pilot.pause()
        assert desk.pane.transcript.size.height >= 4


async def test_a_pane_may_be_shown_before_it_stands() -> None:
    desk = Desk()
    desk.pane.show(asking(ONE), desk.talk, NOW)
    async with desk.run_test(size=(80, 20)) as pilot:
        await pilot.pause()
        await pilot.pause()
        assert "make one" in visible(desk)


async def test_the_keys_of_a_card_are_quiet_until_one_goes_there() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 20)) as pilot:
        desk.say(asking(ONE))
        await pilot.pause()
        desk.card.arm()
        await pilot.pause()
        assert {span.style for span in desk.card.keys.render().spans} == {MUTED, f"bold {MUTED}"}
        desk.pane.focus()
        await pilot.pause()
        assert KEY in {span.style for span in desk.card.keys.render().spans}


async def test_a_card_names_the_subagent_that_asks() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 20)) as pilot:
        desk.say(
            asking(structs.replace(ONE, agent_id="a0013f"), tasks=(Task("a0013f", "Callers elsewhere"),))
        )
        await pilot.pause()
        assert "Bash · for: Callers elsewhere" in visible(desk)
        assert "a0013f" not in visible(desk)


async def test_search_opens_and_closes() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 30)) as pilot:
        desk.say(session("api"))
        desk.pane.search()
        await pilot.press(*"a d")
        await pilot.pause()
        assert desk.pane.typing
        assert "nothing found" in visible(desk)
        await pilot.press("escape")
        await pilot.pause()
        assert desk.pane.transcript.has_focus


def test_which_ask_is_next() -> None:
    answering = structs.replace(ONE, state="answering")
    assert next_ask((), "") is None
    assert next_ask((ONE, TWO), "2") is TWO
    assert next_ask((answering, TWO), "1") is TWO
    assert next_ask((answering,), "1") is answering
