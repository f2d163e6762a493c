"""The inbox under a person's hands, on a fake fleet: what is seen, what is answered, and where one is after."""

import json
from collections.abc import Iterator

import pytest
from textual.pilot import Pilot

from core.session.answers import Allow, Deny, Postpone, Reply
from core.session.events import AskAnswering, AskRaised, AskSettled, Event, TaskStarted
from core.session.state import Ask, Exit, Option, PermissionUpdate, Question, Rule, Task, Turn
from dashboard import actions
from dashboard.screens.inbox import InboxScreen
from tests.dashboard.deck import app_of, on_deck, press, screen_text, settle, told, until
from tests.fakes.fleet import FakeFleet, agent
from widgets.answer_keys import ANSWERS
from widgets.ask_card import AskCard

REGION = Question("Which region?", "Region", options=(Option("here"), Option("there")))
SUITES = Question("Which suites?", "Suites", options=(Option("unit"), Option("api")))


def bash(key: str, at: float, command: str = "ls", ask_id: str = "") -> AskRaised:
    raw = json.dumps({"command": command}).encode()
    return AskRaised(at=at, ask=Ask(ask_id or f"{key}-ask", "permission", "Bash", raw, raised_at=at))


def question(key: str, at: float) -> AskRaised:
    return AskRaised(
        at=at, ask=Ask(f"{key}-form", "question", "AskUserQuestion", questions=(REGION,), raised_at=at)
    )


def plan(key: str, at: float) -> AskRaised:
    return AskRaised(at=at, ask=Ask(f"{key}-plan", "plan", "ExitPlanMode", plan="# Do it", raised_at=at))


def fleet_of(**asked: tuple[Event, ...]) -> FakeFleet:
    fleet = FakeFleet(*(agent(key) for key in asked))
    for key, events in asked.items():
        fleet.change(key, *events)
    return fleet


@pytest.fixture(autouse=True)
def deaf_until_told(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A card takes keys when a test arms it, however slow the machine is."""
    monkeypatch.setattr(AskCard, "set_timer", lambda *arguments, **named: None)
    return iter(())


def inbox_of(pilot: Pilot[None]) -> InboxScreen:
    inbox = app_of(pilot).deck.inbox
    assert inbox is not None
    return inbox


async def opened(pilot: Pilot[None]) -> InboxScreen:
    """Open it, with its first card armed."""
    await settle(pilot)
    await press(pilot, "I")
    inbox_of(pilot).card.arm()
    await pilot.pause()
    return inbox_of(pilot)


async def test_nothing_is_answered_in_a_window_too_small_to_show_it() -> None:
    fleet = fleet_of(api=(bash("api", 10.0, "make"),), web=(bash("web", 20.0, "npm test"),))
    async with on_deck(fleet, size=(80, 24)) as pilot:
        inbox = await opened(pilot)
        await press(pilot, "down")
        inbox.card.arm()
        await press(pilot, "D", *"no")
        await pilot.resize_terminal(40, 10)
        await settle(pilot)
        assert "at least 60×16" in screen_text(pilot)
        await press(pilot, "a", "enter")
        assert fleet.done == []
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "at least 60×16" not in screen_text(pilot)
        inbox.card.arm()
        await press(pilot, "t", "enter")
        assert fleet.done == [("answer", "web", "web-ask", Deny("not"))]


async def test_all_that_waits_oldest_first_with_the_card_of_the_oldest() -> None:
    fleet = fleet_of(api=(bash("api", 30.0, "make"),), web=(bash("web", 10.0, "npm test"),))
    async with on_deck(fleet) as pilot:
        await opened(pilot)
        shown = screen_text(pilot)
        assert "2 wait" in shown
        assert shown.index("npm test") < shown.index("make")
        assert "$ npm test" in shown
        assert "/work/web" in shown
        assert "1 of 2" in shown


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60), (60, 16)])
async def test_list_and_card_have_room_at_any_size(size: tuple[int, int]) -> None:
    fleet = fleet_of(
        **{f"agent{number}": (bash(f"agent{number}", number, f"make {number}"),) for number in range(9)}
    )
    async with on_deck(fleet, size=size) as pilot:
        await opened(pilot)
        shown = screen_text(pilot)
        assert "agent1" in shown
        assert "$ make 0" in shown
        assert "a allow" in shown


async def test_a_larger_window_is_used() -> None:
    fleet = fleet_of(**{f"a{number}": (bash(f"a{number}", number),) for number in range(9)})
    async with on_deck(fleet, size=(80, 24)) as pilot:
        inbox = await opened(pilot)
        await pilot.resize_terminal(120, 40)
        await settle(pilot)
        assert inbox.rows.size.height > 30


async def test_drained_with_one_key_each() -> None:
    fleet = fleet_of(api=(bash("api", 1.0),), web=(bash("web", 2.0),), docs=(plan("docs", 3.0),))
    async with on_deck(fleet) as pilot:
        inbox = await opened(pilot)
        await press(pilot, "a", "a")
        assert fleet.done == [("answer", "api", "api-ask", Allow())], "the next one is deaf at first"
        assert "1 answered" in screen_text(pilot)
        inbox.card.arm()
        await press(pilot, "d")
        inbox.card.arm()
        await press(pilot, "o")
        assert fleet.done[1:] == [
            ("answer", "web", "web-ask", Deny()),
            ("answer", "docs", "docs-plan", Postpone("outline")),
        ]
        assert "Nothing waits for you" in screen_text(pilot)
        assert screen_text(pilot).splitlines()[-1].split() == ["Esc", "back", "?", "help", "deck"]


async def test_what_the_footer_says_does_the_same_clicked_also_inside_a_card() -> None:
    fleet = fleet_of(api=(question("api", 1.0),), web=(bash("web", 2.0, "make"),))
    async with on_deck(fleet) as pilot:
        inbox = await opened(pilot)
        footer = len(screen_text(pilot).rstrip("\n").split("\n")) - 1

        async def click(words: str) -> None:
            line = screen_text(pilot).split("\n")[footer]
            await pilot.click(offset=(line.index(words), footer))

        await press(pilot, "enter")
        assert inbox.card.has_focus_within
        await click("Esc to the list")
        await until(pilot, lambda: inbox.rows.has_focus)
        assert inbox.is_current, "it is not left"
        await press(pilot, "down")
        inbox.card.arm()
        await press(pilot, "D", *"no")
        await click("Esc leave")
        await until(pilot, lambda: not inbox.card.typing)
        assert inbox.is_current
        await press(pilot, "D")
        await click("Enter take")
        await until(pilot, lambda: fleet.done)
        assert fleet.done == [("answer", "web", "web-ask", Deny("no"))]
        await click("Esc back")
        await until(pilot, lambda: not inbox.is_current)


async def test_what_is_only_known_to_wait_is_told_and_answered_nowhere_but_on_its_screen() -> None:
    ask = Ask("one", "permission", "Its screen", on_screen=True, wordless=True, unseen="small", raised_at=1.0)
    fleet = fleet_of(api=(AskRaised(at=1.0, ask=ask),))
    async with on_deck(fleet, size=(80, 24)) as pilot:
        await opened(pilot)
        assert "waits, its pane is too small: z enlarges it" in screen_text(pilot)
        assert "a allow" not in screen_text(pilot)
        for key in ("a", "A", "d", "D", "e"):
            await press(pilot, key)
        assert "g goes to its pane" in told(pilot)
        await press(pilot, "g", "a")
        assert "waits, its pane is too small: z enlarges it" in told(pilot)
        assert "a allow" not in screen_text(pilot)
        assert fleet.done == []


async def test_a_question_is_answered_in_its_form_and_the_next_is_shown() -> None:
    fleet = fleet_of(api=(question("api", 1.0),), web=(bash("web", 2.0, "make"),))
    async with on_deck(fleet) as pilot:
        inbox = await opened(pilot)
        await press(pilot, "enter", "2", "enter")
        assert fleet.done == [("answer", "api", "api-form", Reply((("Which region?", "there"),)))]
        assert "$ make" in screen_text(pilot)
        assert inbox.rows.has_focus, "never in a form one has not gone into"


async def test_what_was_begun_is_there_again_after_a_look_at_another_or_at_the_deck() -> None:
    """An edited command, half a form, words of a denial, a comment: none is lost, none is another's."""
    form = AskRaised(
        at=2.0,
        ask=Ask("form", "question", "AskUserQuestion", questions=(REGION, SUITES), raised_at=2.0),
    )
    fleet = fleet_of(
        api=(bash("api", 1.0, "make"),), web=(form,), docs=(plan("docs", 3.0),), ops=(bash("ops", 4.0),)
    )
    async with on_deck(fleet) as pilot:
        inbox = await opened(pilot)
        await press(pilot, "e", *" -n", "escape", "down")
        inbox.card.arm()
        await press(pilot, "enter", "2", "enter")
        assert "Which suites?" in screen_text(pilot)
        await press(pilot, "escape", "down")
        inbox.card.arm()
        await press(pilot, "L", "enter", *"why?", "enter", "escape", "down")
        inbox.card.arm()
        await press(pilot, "D", *"not now", "escape", "escape")
        await opened(pilot)
        assert "changed by you" in screen_text(pilot)
        assert "$ make -n" in screen_text(pilot)
        await press(pilot, "down")
        assert "Which suites?" in screen_text(pilot)
        assert "✓ Region" in screen_text(pilot)
        await press(pilot, "down")
        assert "1 comment" in screen_text(pilot)
        await press(pilot, "down")
        inbox_of(pilot).card.arm()
        await press(pilot, "D", "enter")
        assert fleet.done == [("answer", "ops", "ops-ask", Deny("not now"))]
        await press(pilot, "home")
        inbox_of(pilot).card.arm()
        await press(pilot, "a")
        assert fleet.done[-1] == ("answer", "api", "api-ask", Allow(b'{"command":"make -n"}'))


async def test_rules_picked_and_written_are_there_again_half_a_rule_too() -> None:
    fleet = fleet_of(api=(bash("api", 1.0, "make all"),), web=(bash("web", 2.0),))
    async with on_deck(fleet) as pilot:
        inbox = await opened(pilot)
        await press(pilot, "A", "enter", "right", "n", *" me")
        inbox.rows.focus()
        await press(pilot, "down")
        assert "Bash(make" not in screen_text(pilot)
        await press(pilot, "up")
        inbox.card.arm()
        await press(pilot, "A")
        assert "Bash(make all *) me" in screen_text(pilot)
        await press(pilot, "escape", "enter")
        rule = PermissionUpdate(
            "addRules", (Rule("Bash", "make all *"),), "allow", destination="localSettings"
        )
        assert fleet.done == [("answer", "api", "api-ask", Allow(updates=(rule,)))]


async def test_what_was_begun_in_a_pane_goes_on_in_the_inbox_and_back() -> None:
    form = AskRaised(
        at=2.0,
        ask=Ask("form", "question", "AskUserQuestion", questions=(REGION, SUITES), raised_at=2.0),
    )
    fleet = fleet_of(api=(bash("api", 1.0, "make"),), web=(form,))
    async with on_deck(fleet) as pilot:
        await settle(pilot)
        panes = app_of(pilot).deck.board.grid.panes
        card = panes["api"].card
        assert card is not None
        card.arm()
        await press(pilot, "e", *" -n", "escape")
        await opened(pilot)
        assert "$ make -n" in screen_text(pilot)
        await press(pilot, "e", *" -k", "escape", "down", "enter")
        await press(pilot, "2", "enter", "escape", "escape")
        shown = screen_text(pilot)
        assert "$ make -n -k" in shown
        assert "✓ Region" in shown
        card.arm()
        await press(pilot, "a")
        assert fleet.done == [("answer", "api", "api-ask", Allow(b'{"command":"make -n -k"}'))]


async def test_a_change_that_is_no_json_yet_is_there_again_and_is_not_sent() -> None:
    fleet = fleet_of(api=(bash("api", 1.0),), web=(bash("web", 2.0),))
    async with on_deck(fleet) as pilot:
        inbox = await opened(pilot)
        await press(pilot, "e", "shift+tab", "x", "escape", "down", "up")
        inbox.card.arm()
        assert "unfinished change" in screen_text(pilot)
        await press(pilot, "a")
        assert fleet.done == []
        assert "editing" not in screen_text(pilot)
        assert "}x" in screen_text(pilot)
        assert "✗" in screen_text(pilot)


async def test_esc_goes_back_to_where_the_key_was_pressed() -> None:
    """In the list, or in the card for who had gone into it."""
    fleet = fleet_of(api=(bash("api", 1.0),))
    async with on_deck(fleet) as pilot:
        inbox = await opened(pilot)
        await press(pilot, "D", "escape")
        assert inbox.rows.has_focus
        await press(pilot, "enter", "D", "escape")
        assert inbox.card.has_focus
        await press(pilot, "escape")
        assert inbox.rows.has_focus


async def test_leaving_is_where_one_was() -> None:
    fleet = fleet_of(api=(bash("api", 1.0),), web=(bash("web", 2.0),))
    async with on_deck(fleet) as pilot:
        await settle(pilot)
        await press(pilot, "2", "I")
        before = app_of(pilot).deck.focused
        await press(pilot, "down", "enter", "escape", "escape")
        assert app_of(pilot).screen is app_of(pilot).deck
        assert app_of(pilot).deck.focused is before
        assert app_of(pilot).deck.focused_key == "web"
        assert fleet.done == []


async def test_g_goes_to_the_pane_of_who_asks() -> None:
    fleet = fleet_of(api=(bash("api", 1.0),), web=(bash("web", 2.0),))
    async with on_deck(fleet) as pilot:
        await opened(pilot)
        await press(pilot, "down", "g")
        assert app_of(pilot).screen is app_of(pilot).deck
        assert app_of(pilot).deck.focused_key == "web"


async def test_what_arrives_stands_below_and_moves_nothing() -> None:
    fleet = fleet_of(api=(bash("api", 1.0),), web=(bash("web", 2.0, "make"),), docs=())
    async with on_deck(fleet) as pilot:
        inbox = await opened(pilot)
        await press(pilot, "down")
        inbox.card.arm()
        fleet.change("docs", bash("docs", 3.0, "late"))
        await settle(pilot)
        assert "3 wait" in screen_text(pilot)
        assert "$ make" in screen_text(pilot)
        await press(pilot, "a")
        assert fleet.done == [("answer", "web", "web-ask", Allow())]


async def test_what_was_answered_elsewhere_vanishes_and_its_key_hits_nothing_else() -> None:
    fleet = fleet_of(api=(bash("api", 1.0),), web=(bash("web", 2.0, "make"),))
    async with on_deck(fleet) as pilot:
        await opened(pilot)
        fleet.change("api", AskAnswering(at=5.0, id="api-ask"))
        await settle(pilot)
        await press(pilot, "a")
        assert "$ make" in screen_text(pilot)
        assert fleet.done == []


async def test_what_is_typed_into_stays_and_is_marked_when_withdrawn() -> None:
    fleet = fleet_of(api=(bash("api", 1.0),), web=(bash("web", 2.0, "make"),))
    async with on_deck(fleet) as pilot:
        inbox = await opened(pilot)
        await press(pilot, "D", "n", "o")
        fleet.change("api", AskSettled(at=5.0, id="api-ask", outcome="withdrawn"))
        await settle(pilot)
        await press(pilot, "t")
        assert "no longer asked" in screen_text(pilot)
        assert "1 waits" in screen_text(pilot)
        await press(pilot, "enter")
        assert fleet.done == []
        assert "$ make" in screen_text(pilot)
        inbox.card.arm()
        await press(pilot, "a")
        assert fleet.done == [("answer", "web", "web-ask", Allow())]


async def test_an_agent_that_is_gone_takes_its_requests_with_it() -> None:
    fleet = fleet_of(api=(bash("api", 1.0),), web=(bash("web", 2.0, "make"),))
    async with on_deck(fleet) as pilot:
        await opened(pilot)
        fleet.change("api", state=agent("api", exit=Exit(code=1)))
        await settle(pilot)
        assert "1 waits" in screen_text(pilot)
        fleet.remove("web")
        await settle(pilot)
        assert "Nothing waits for you" in screen_text(pilot)
        await press(pilot, "a")
        assert [done[0] for done in fleet.done] == ["remove"]


async def test_an_answer_that_could_not_be_sent_comes_back() -> None:
    fleet = fleet_of(api=(bash("api", 1.0),), web=(bash("web", 2.0, "make"),))
    async with on_deck(fleet) as pilot:
        inbox = await opened(pilot)
        fleet.refuse = "The agent does not listen."
        await press(pilot, "a")
        shown = screen_text(pilot)
        assert "The agent does not listen." in shown
        assert "2 wait" in shown
        assert "not sent" in shown
        fleet.refuse = ""
        await press(pilot, "up")
        inbox.card.arm()
        await press(pilot, "a")
        assert fleet.done == [("answer", "api", "api-ask", Allow())]


async def test_requests_of_the_same_id_are_those_of_their_sessions() -> None:
    fleet = fleet_of(api=(bash("api", 1.0, ask_id="1"),), web=(bash("web", 2.0, "make", ask_id="1"),))
    async with on_deck(fleet) as pilot:
        inbox = await opened(pilot)
        await press(pilot, "a")
        assert "$ make" in screen_text(pilot)
        await press(pilot, "a")
        inbox.card.arm()
        await press(pilot, "d")
        assert fleet.done == [("answer", "api", "1", Allow()), ("answer", "web", "1", Deny())]


async def test_ctrl_c_ends_the_turn_of_who_asks_and_of_nobody_else() -> None:
    fleet = FakeFleet(*(agent(key, turn=Turn(1, 1.0)) for key in ("api", "web")))
    for key, at in (("api", 2.0), ("web", 1.0)):
        fleet.change(key, bash(key, at))
    async with on_deck(fleet) as pilot:
        await opened(pilot)
        assert app_of(pilot).deck.focused_key == "api"
        await press(pilot, "D", *"no", "ctrl+c")
        assert fleet.done == [("interrupt", "web")]
        await press(pilot, "escape", "down", "ctrl+c")
        assert fleet.done[1:] == [("interrupt", "api")]
        fleet.change("api", AskSettled(at=3.0, id="api-ask", outcome="withdrawn"))
        fleet.change("web", AskSettled(at=3.0, id="web-ask", outcome="withdrawn"))
        await settle(pilot)
        await press(pilot, "ctrl+c")
        assert len(fleet.done) == 2


async def test_one_kind_at_a_time() -> None:
    fleet = fleet_of(api=(bash("api", 1.0),), web=(question("web", 2.0),), docs=(plan("docs", 3.0),))
    async with on_deck(fleet) as pilot:
        inbox = await opened(pilot)
        listed = []
        for _ in range(4):
            await press(pilot, "f")
            listed.append([row.state.key for row in inbox.inbox.rows.values()])
        assert listed == [["api"], ["web"], ["docs"], ["api", "web", "docs"]]
        assert "3 wait" in screen_text(pilot)


async def test_the_subagent_that_asks_is_named() -> None:
    asked = Ask("1", "permission", "Bash", b'{"command":"ls"}', agent_id="t1", raised_at=1.0)
    task = Task("t1", "Callers elsewhere")
    fleet = fleet_of(api=(TaskStarted(at=1.0, task=task), AskRaised(at=1.0, ask=asked)))
    async with on_deck(fleet) as pilot:
        await opened(pilot)
        assert "for: Callers elsewhere" in screen_text(pilot)


async def test_the_footer_tells_the_keys_of_where_one_is() -> None:
    fleet = fleet_of(api=(bash("api", 1.0),))
    async with on_deck(fleet) as pilot:
        await opened(pilot)
        assert "f kinds" in screen_text(pilot)
        await press(pilot, "D")
        assert "typing" in screen_text(pilot)
        assert "f kinds" not in screen_text(pilot)


async def test_a_key_of_another_kind_of_request_says_so() -> None:
    async with on_deck(fleet_of(api=(question("api", 1.0),))) as pilot:
        await opened(pilot)
        await press(pilot, "e")
        assert "`edit` is not for this request." in screen_text(pilot)


async def test_with_nothing_waiting_it_says_so() -> None:
    async with on_deck(fleet_of(api=())) as pilot:
        await press(pilot, "I")
        assert "Nobody needs you right now" in screen_text(pilot)


def test_no_key_does_two_things() -> None:
    own = [key for action in actions.of("inbox") for key in action.keys]
    answers = [key for _, key, _ in ANSWERS]
    assert len({*own, *answers}) == len(own) + len(answers)


async def test_what_the_inbox_covers_is_not_drawn_and_is_up_to_date_once_it_is_left() -> None:
    fleet = fleet_of(api=(bash("api", 1.0),))
    async with on_deck(fleet) as pilot:
        await opened(pilot)
        pane = app_of(pilot).deck.board.grid.panes["api"]
        before = pane.state
        fleet.change("api", bash("api", 2.0, "make", "second"))
        await settle(pilot)
        assert (pane.state, len(inbox_of(pilot).inbox.rows)) == (before, 2)
        await press(pilot, "escape")
        assert pane.state is fleet.sessions["api"].state
        await press(pilot, "question_mark")
        fleet.change("api", bash("api", 3.0, "ls", "third"))
        await settle(pilot)
        assert pane.state is fleet.sessions["api"].state, "beside a sheet it is to be seen"
