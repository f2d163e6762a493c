"""The deck under a person's hands, on a fake fleet: what is seen and what is done."""

import anyio
import pytest
from msgspec import structs
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from core.agent.launch import LaunchSpec
from core.session.answers import Allow, Postpone, Reply
from core.session.events import AskRaised, Event
from core.session.state import (
    Ask,
    AskKind,
    Away,
    Can,
    Exit,
    ModelInfo,
    Option,
    Prompt,
    Question,
    SessionState,
    Turn,
)
from core.settings import AgentDefaults, Settings, decode
from dashboard.app import QuarterdeckApp
from dashboard.commands import working
from tests.dashboard.deck import app_of, on_deck, press, screen_text, settle, until
from tests.fakes.fleet import EVERYTHING, FakeFleet, FakeThere, agent
from tests.fakes.odd import filled
from tests.widgets.screen import assert_harmless
from widgets.footer_bar import FooterBar

BUSY = Turn(1, 1.0)


def asking(key: str, at: float) -> AskRaised:
    return AskRaised(at=at, ask=Ask(f"{key}-ask", "permission", "Bash", b'{"command":"ls"}', raised_at=at))


@pytest.fixture(autouse=True)
def no_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Esc interrupts at once, but where a test is about that."""
    monkeypatch.setattr(working, "GUARD_S", 0.0)


# The first minute


async def test_without_agents_the_deck_says_what_to_do() -> None:
    async with on_deck(FakeFleet()) as pilot:
        assert "No agents yet" in screen_text(pilot)
        assert "new agent" in screen_text(pilot)


async def test_one_enter_starts_an_agent_here(tmp_path: object) -> None:
    fleet = FakeFleet()
    async with on_deck(fleet, directory=str(tmp_path)) as pilot:
        await press(pilot, "n", "enter")
        ((what, spec, prompt),) = fleet.done
        assert (what, prompt) == ("launch", None)
        assert isinstance(spec, LaunchSpec)
        assert spec.directory == str(tmp_path)
        assert app_of(pilot).deck.situation().typing, "ready to say what it shall do"


async def test_a_folder_that_is_gone_is_said_in_the_form() -> None:
    fleet = FakeFleet()
    async with on_deck(fleet, directory="/no/such/folder") as pilot:
        await press(pilot, "n", "enter")
        assert "There is no folder" in screen_text(pilot)
        assert fleet.done == []
        await press(pilot, "escape")
        assert "No agents yet" in screen_text(pilot)


async def test_what_cannot_be_done_says_why() -> None:
    fleet = FakeFleet(agent("api"))
    async with on_deck(fleet) as pilot:
        await press(pilot, "escape")
        assert "nothing to interrupt" in screen_text(pilot)
        await press(pilot, "escape")
        assert screen_text(pilot).count("nothing to interrupt") == 1, "what stands there is not said again"
        assert fleet.done == []


# Sizes


@pytest.mark.parametrize(
    ("size", "agents", "panes"),
    [
        ((80, 24), 5, 1),
        ((120, 40), 5, 4),
        ((120, 32), 5, 2),
        ((200, 60), 8, 8),
        ((60, 16), 2, 1),
        ((240, 80), 20, 16),
    ],
)
async def test_as_many_panes_as_there_is_room_for(size: tuple[int, int], agents: int, panes: int) -> None:
    fleet = FakeFleet(*(agent(f"agent{number}") for number in range(agents)))
    async with on_deck(fleet, size=size) as pilot:
        shown = [pane for pane in app_of(pilot).deck.board.grid.panes.values() if pane.display]
        assert len(shown) == panes
        assert all(pane.size.width >= 40 and pane.size.height >= 8 for pane in shown)
        assert "agent0" in screen_text(pilot)


async def test_below_60_by_16_the_deck_says_so() -> None:
    async with on_deck(FakeFleet(agent("api")), size=(59, 16)) as pilot:
        assert "at least 60×16" in screen_text(pilot)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "at least 60×16" not in screen_text(pilot)


async def test_the_focus_comes_back_with_the_room() -> None:
    fleet = FakeFleet(agent("api", turn=BUSY))
    async with on_deck(fleet, size=(80, 24)) as pilot:
        await press(pilot, "i", "h", "i")
        before = pilot.app.focused
        await pilot.resize_terminal(59, 16)
        await settle(pilot)
        await press(pilot, "a")
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert pilot.app.focused is before
        await press(pilot, "!")
        assert app_of(pilot).deck.board.prompt.area.text == "hi!"


async def test_zoom_and_pages() -> None:
    fleet = FakeFleet(*(agent(f"agent{number}") for number in range(1, 8)))
    async with on_deck(fleet, size=(120, 40)) as pilot:
        deck = app_of(pilot).deck
        assert list(deck.shown_keys) == ["agent1", "agent2", "agent3", "agent4"]
        await press(pilot, "6")
        assert list(deck.shown_keys) == ["agent5", "agent6", "agent7"]
        await press(pilot, "z")
        assert list(deck.shown_keys) == ["agent6"]
        await press(pilot, "z", "less_than_sign")
        assert (deck.focused_key, len(deck.shown_keys)) == ("agent5", 3)


async def test_a_zoomed_pane_has_the_window_to_itself() -> None:
    fleet = FakeFleet(*(agent(f"agent{number}") for number in range(1, 4)))
    async with on_deck(fleet, size=(80, 24)) as pilot:
        deck = app_of(pilot).deck
        await press(pilot, "l", "z")
        assert not deck.board.fleet_list.display
        assert deck.board.grid.size.width == 80
        assert deck.board.pane is not None
        assert deck.board.pane.has_focus_within
        await press(pilot, "z")
        assert deck.board.fleet_list.display


async def test_a_list_that_was_hidden_stays_so_after_a_zoom_and_one_shown_meanwhile_stays_there() -> None:
    fleet = FakeFleet(*(agent(f"agent{number}") for number in range(1, 4)))
    async with on_deck(fleet, size=(120, 40)) as pilot:
        deck = app_of(pilot).deck
        await press(pilot, "f", "z", "z")
        assert not deck.board.fleet_list.display
        await press(pilot, "z", "f", "z")
        assert deck.board.fleet_list.display
        await press(pilot, "z", "f", "f", "z")
        assert not deck.board.fleet_list.display
        await press(pilot, "f", "z", "plus")
        assert deck.board.fleet_list.display
        assert len(deck.shown_keys) > 1


async def test_more_and_fewer_panes() -> None:
    fleet = FakeFleet(*(agent(f"agent{number}") for number in range(1, 8)))
    async with on_deck(fleet, size=(120, 40)) as pilot:
        deck = app_of(pilot).deck
        await press(pilot, "plus", "plus")
        assert len(deck.shown_keys) == 6
        await press(pilot, "plus")
        assert "No more panes fit" in screen_text(pilot)
        await press(pilot, *["minus"] * 5)
        assert list(deck.shown_keys) == ["agent1"]
        await press(pilot, "minus")
        assert "only this one pane" in screen_text(pilot)


async def test_the_list_reaches_those_beyond_nine() -> None:
    fleet = FakeFleet(*(agent(f"agent{number}") for number in range(1, 13)))
    async with on_deck(fleet) as pilot:
        await press(pilot, "l", "end", "enter")
        assert app_of(pilot).deck.focused_key == "agent12"


async def test_esc_leaves_the_list_and_ends_nobodys_turn() -> None:
    fleet = FakeFleet(agent("api", turn=BUSY), agent("docs"))
    async with on_deck(fleet) as pilot:
        deck = app_of(pilot).deck
        assert "Esc interrupt" in screen_text(pilot)
        await press(pilot, "l", "down")
        assert "Enter go to it  Space mark  Esc back" in screen_text(pilot)
        assert "Esc interrupt" not in screen_text(pilot)
        await press(pilot, "escape")
        assert (fleet.done, deck.focused_key) == ([], "api")
        assert deck.board.pane is not None
        assert deck.board.pane.has_focus_within
        assert "Esc interrupt" in screen_text(pilot)


async def test_a_click_on_esc_in_the_footer_leaves_the_prompt_and_interrupts_nobody() -> None:
    fleet = FakeFleet(agent("api", turn=BUSY))
    async with on_deck(fleet, size=(80, 24)) as pilot:
        prompt = app_of(pilot).deck.board.prompt

        async def click(words: str) -> None:
            lines = screen_text(pilot).split("\n")
            await pilot.click(offset=(lines[23].index(words), 23))

        await settle(pilot)
        await press(pilot, "i", "h", "i")
        await click("Esc leave")
        await until(pilot, lambda: not prompt.has_focus_within)
        await click("i prompt")
        await until(pilot, lambda: prompt.has_focus_within)
        assert fleet.done == []


async def test_the_lists_keys_in_the_footer_can_be_clicked() -> None:
    async with on_deck(FakeFleet(agent("api"), agent("docs"))) as pilot:
        deck = app_of(pilot).deck
        await press(pilot, "l", "down")
        deck.footer.post_message(FooterBar.Pressed("Space"))
        await until(pilot, lambda: deck.board.marked == {"docs"})
        deck.footer.post_message(FooterBar.Pressed("Enter"))
        await until(pilot, lambda: deck.focused_key == "docs")


async def test_while_kept_agents_are_looked_for_the_deck_does_not_say_there_are_none() -> None:
    found = anyio.Event()

    class Slow(FakeFleet):
        async def gather(self) -> int:
            """Until it is told."""
            await found.wait()
            return 0

    async with on_deck(Slow()) as pilot:
        assert "Looking for agents that still run" in screen_text(pilot)
        assert "No agents yet" not in screen_text(pilot)
        found.set()
        await until(pilot, lambda: "No agents yet" in screen_text(pilot))


async def test_the_list_can_be_hidden() -> None:
    async with on_deck(FakeFleet(agent("api"), agent("docs")), size=(80, 24)) as pilot:
        assert "docs" in screen_text(pilot)
        await press(pilot, "f")
        assert "docs" not in screen_text(pilot)


# Who needs me


async def test_w_goes_through_those_that_wait_oldest_first() -> None:
    fleet = FakeFleet(agent("a"), agent("b"), agent("c"))
    async with on_deck(fleet) as pilot:
        fleet.change("c", asking("c", 10.0))
        fleet.change("b", asking("b", 20.0))
        await settle(pilot)
        assert "2 need you" in screen_text(pilot)
        visited = []
        for key in ("w", "w", "w", "W"):
            await press(pilot, key)
            visited.append(app_of(pilot).deck.focused_key)
        assert visited == ["c", "b", "c", "b"]


async def test_w_goes_to_a_form_that_was_not_on_screen() -> None:
    fleet = FakeFleet(agent("a"), agent("b"))
    question = Question("Which region?", "Region", options=(Option("here"), Option("there")))
    async with on_deck(fleet, size=(80, 24)) as pilot:
        ask = Ask("q", "question", "AskUserQuestion", questions=(question,), raised_at=1.0)
        fleet.change("b", AskRaised(at=1.0, ask=ask))
        await settle(pilot)
        assert "Which region?" in screen_text(pilot), "in the list"
        await press(pilot, "w")
        card = app_of(pilot).deck.board.grid.panes["b"].card
        assert card is not None
        await until(pilot, lambda: card.has_focus_within)
        card.arm()
        await press(pilot, "2", "enter")
        assert fleet.done == [("answer", "b", "q", Reply((("Which region?", "there"),)))]


def armed(pilot: Pilot[None], key: str) -> None:
    """Let the card of a session take keys without the wait of a card that has just appeared."""
    card = app_of(pilot).deck.board.grid.panes[key].card
    assert card is not None
    card.arm()


async def test_an_ask_is_answered_by_its_key() -> None:
    fleet = FakeFleet(agent("a"))
    async with on_deck(fleet) as pilot:
        app_of(pilot).deck.board.grid.panes["a"]._arm_after_s = 1000.0
        fleet.change("a", asking("a", 10.0))
        await settle(pilot)
        await press(pilot, "a")
        assert fleet.done == [], "a card that has just appeared takes no key"
        card = app_of(pilot).deck.board.grid.panes["a"].card
        assert card is not None
        card.arm()
        await press(pilot, "a", "a")
        assert fleet.done == [("answer", "a", "a-ask", Allow())]


async def test_an_ask_is_edited_then_allowed() -> None:
    fleet = FakeFleet(agent("api", turn=Turn(1, 1.0)))
    fleet.change("api", AskRaised(ask=Ask("r1", "permission", "Bash", b'{"command":"ls"}'), at=5.0))
    async with on_deck(fleet, size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "w")
        armed(pilot, "api")
        await press(pilot, "e", "!")
        shown = screen_text(pilot)
        assert "Ctrl+S allow as changed" in shown
        assert "Esc back" in shown
        await press(pilot, "ctrl+s")
        assert fleet.done == [("answer", "api", "r1", Allow(b'{"command":"ls!"}'))]


async def test_a_plan_is_sent_back() -> None:
    fleet = FakeFleet(agent("api", turn=Turn(1, 1.0)))
    fleet.change("api", AskRaised(ask=Ask("r1", "plan", "ExitPlanMode", plan="# Do it"), at=5.0))
    async with on_deck(fleet) as pilot:
        await settle(pilot)
        await press(pilot, "w")
        armed(pilot, "api")
        await press(pilot, "e")
        assert fleet.done == []
        await press(pilot, "t")
        assert fleet.done == [("answer", "api", "r1", Postpone("discuss"))]


async def test_an_answer_that_could_not_be_sent_can_be_given_again() -> None:
    fleet = FakeFleet(agent("a"))
    async with on_deck(fleet) as pilot:
        fleet.change("a", asking("a", 10.0))
        await settle(pilot)
        card = app_of(pilot).deck.board.grid.panes["a"].card
        assert card is not None
        card.arm()
        fleet.refuse = "The agent does not listen."
        await press(pilot, "a")
        assert "The agent does not listen." in screen_text(pilot)
        fleet.refuse = ""
        await press(pilot, "a")
        assert fleet.done == [("answer", "a", "a-ask", Allow())]


async def test_answer_keys_do_nothing_while_the_list_has_the_focus() -> None:
    fleet = FakeFleet(agent("a"))
    async with on_deck(fleet) as pilot:
        fleet.change("a", asking("a", 10.0))
        await settle(pilot)
        await press(pilot, "l", "a")
        assert fleet.done == []
        assert "Go to the agent first" in screen_text(pilot)


async def test_a_request_never_moves_the_focus() -> None:
    fleet = FakeFleet(agent("a"), agent("b"))
    async with on_deck(fleet) as pilot:
        await press(pilot, "i", "h", "i")
        before = pilot.app.focused
        fleet.change("a", asking("a", 10.0))
        fleet.change("b", asking("b", 10.0))
        await settle(pilot)
        await press(pilot, "a", "d")
        assert pilot.app.focused is before
        assert app_of(pilot).deck.board.prompt.area.text == "hiad"
        assert fleet.done == []


async def test_the_terminal_title_counts_what_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    fleet, written = FakeFleet(agent("a\x1b]0;evil\x07")), list[str]()
    async with on_deck(fleet) as pilot:
        monkeypatch.setattr(app_of(pilot).terminal_title, "_write", written.append)
        fleet.change(next(iter(fleet.sessions)), asking("x", 1.0))
        await settle(pilot)
        assert written == ["\x1b]0;(1) quarterdeck\x07"]


# Prompts and interrupts


async def test_a_prompt_goes_to_the_focused_agent() -> None:
    fleet = FakeFleet(agent("a"), agent("b"))
    async with on_deck(fleet) as pilot:
        await press(pilot, "2", "enter", *"hi", "enter")
        assert fleet.done == [("send_prompt", "b", "hi")]


async def test_several_lines_pasted_are_one_prompt() -> None:
    fleet = FakeFleet(agent("a"))
    async with on_deck(fleet) as pilot:
        await press(pilot, "i")
        pilot.app.post_message(events.Paste("l1\nl2\r\nl3\rl4"))
        await pilot.pause()
        assert fleet.done == []
        await press(pilot, "enter")
        assert fleet.done == [("send_prompt", "a", "l1\nl2\nl3\nl4")]


async def test_a_prompt_that_cannot_be_sent_stays_in_the_box() -> None:
    fleet = FakeFleet(agent("a"))
    async with on_deck(fleet) as pilot:
        fleet.refuse = "The agent is gone."
        await press(pilot, "i", *"hi", "enter")
        assert "The agent is gone." in screen_text(pilot)
        assert app_of(pilot).deck.board.prompt.area.text == "hi"


async def test_the_last_prompt_is_taken_back() -> None:
    prompts = (Prompt("p1", "one", "taken"), Prompt("p2", "two", "queued"))
    fleet = FakeFleet(agent("a", prompts=prompts))
    async with on_deck(fleet) as pilot:
        await press(pilot, "backspace")
        assert fleet.done == [("take_back", "a", "p2")]
        assert app_of(pilot).deck.board.prompt.area.text == "two"


async def test_esc_in_a_pane_interrupts() -> None:
    fleet = FakeFleet(agent("a", turn=BUSY))
    async with on_deck(fleet) as pilot:
        await press(pilot, "escape", "escape")
        assert fleet.done == [("interrupt", "a")] * 2


@pytest.mark.parametrize("opened", ["i", "question_mark", "m", "n"])
async def test_the_esc_that_leaves_something_never_interrupts(
    opened: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working, "GUARD_S", 1000.0)
    fleet = FakeFleet(agent("a", turn=BUSY, models=(ModelInfo("opus", "Opus"),)))
    async with on_deck(fleet) as pilot:
        await press(pilot, opened, "escape", "escape")
        assert fleet.done == []
        assert pilot.app.screen is app_of(pilot).deck


@pytest.mark.parametrize("opened", [(), ("i",), ("i", "x"), ("question_mark",), ("n",), ("m",)])
async def test_ctrl_c_interrupts_from_anywhere_and_never_quits(opened: tuple[str, ...]) -> None:
    fleet = FakeFleet(agent("a", turn=BUSY, models=(ModelInfo("opus", "Opus"),)))
    async with on_deck(fleet) as pilot:
        await press(pilot, *opened, "ctrl+c")
        assert fleet.done == [("interrupt", "a")]
        assert pilot.app.is_running


async def test_ctrl_c_copies_selected_text() -> None:
    fleet = FakeFleet(agent("a", turn=BUSY))
    async with on_deck(fleet) as pilot:
        await press(pilot, "n")
        box = pilot.app.screen.query_one("#field-name", Input)
        box.focus()
        await press(pilot, *"word", "shift+home", "ctrl+c")
        assert pilot.app.clipboard == "word"
        assert fleet.done == []


# Configuring


async def test_a_model_is_picked() -> None:
    models = (ModelInfo("opus", "Opus", efforts=("low", "high")), ModelInfo("haiku", "Haiku"))
    fleet = FakeFleet(agent("a", models=models))
    async with on_deck(fleet) as pilot:
        await press(pilot, "m", "down", "enter", "E", "down", "enter")
        assert fleet.done == [("set_model", "a", "haiku"), ("set_effort", "a", "high")]


async def test_shift_tab_goes_to_the_next_mode_also_while_typing() -> None:
    fleet = FakeFleet(agent("a"))
    async with on_deck(fleet) as pilot:
        await press(pilot, "shift+tab", "i", "shift+tab")
        assert fleet.done == [("set_mode", "a", "acceptEdits")] * 2


async def test_a_refusal_is_shown() -> None:
    fleet = FakeFleet(agent("a"))
    async with on_deck(fleet) as pilot:
        fleet.refuse = "No answer to [set_mode] within 5 s"
        await press(pilot, "shift+tab")
        assert "No answer to [set_mode]" in screen_text(pilot)


# Coming and going


async def test_remove_can_be_undone() -> None:
    fleet = FakeFleet(agent("a"), agent("b"))
    async with on_deck(fleet) as pilot:
        deck = app_of(pilot).deck
        await press(pilot, "X")
        await settle(pilot)
        assert (deck.focused_key, list(deck.board.grid.panes)) == ("b", ["b"])
        await press(pilot, "u")
        assert deck.focused_key == "a"
        assert fleet.done == [("remove", "a"), ("restore", "a")]


async def test_what_is_brought_back_stands_where_it_was() -> None:
    fleet = FakeFleet(*(agent(f"agent{number}") for number in range(1, 5)))
    async with on_deck(fleet, size=(120, 40)) as pilot:
        deck = app_of(pilot).deck
        before = {key: deck.board.grid.panes[key].region for key in deck.shown_keys}
        await press(pilot, "2", "X", "u")
        await until(
            pilot, lambda: {key: deck.board.grid.panes[key].region for key in deck.shown_keys} == before
        )
        assert list(deck.shown_keys) == ["agent1", "agent2", "agent3", "agent4"]


async def test_undo_goes_to_the_agent_also_from_one_that_asks() -> None:
    fleet = FakeFleet(agent("a"), agent("b"), agent("c"))
    async with on_deck(fleet, size=(80, 24)) as pilot:
        fleet.change("c", asking("c", 10.0))
        await settle(pilot)
        deck = app_of(pilot).deck
        await press(pilot, "2", "X")
        await settle(pilot)
        assert deck.focused_key == "c"
        await press(pilot, "u")
        await settle(pilot)
        assert deck.focused_key == "b"
        await until(pilot, lambda: deck.board.pane and deck.board.pane.has_focus_within)


async def test_the_last_one_removed_leaves_the_first_screen() -> None:
    async with on_deck(FakeFleet(agent("a"))) as pilot:
        await press(pilot, "X")
        await settle(pilot)
        assert "No agents yet" in screen_text(pilot)


async def test_stopping_a_working_agent_asks_once() -> None:
    fleet = FakeFleet(agent("a", turn=BUSY))
    async with on_deck(fleet) as pilot:
        await press(pilot, "x")
        assert "what it has not finished is lost" in screen_text(pilot)
        await press(pilot, "n", "x", "y")
        assert fleet.done == [("stop", "a")]


async def test_an_ended_agent_is_restarted_and_unsent_words_return() -> None:
    prompts = (Prompt("p", "do it", "sent"),)
    fleet = FakeFleet(agent("a", exit=Exit(1), prompts=prompts, can=Can(restart=True)))
    async with on_deck(fleet) as pilot:
        await press(pilot, "r")
        assert fleet.done == [("restart", "a")]
        assert app_of(pilot).deck.board.prompt.area.text == "do it"


async def test_quitting_with_working_agents_asks_and_says_what_happens() -> None:
    fleet = FakeFleet(agent("api", turn=BUSY), agent("docs"))
    async with on_deck(fleet) as pilot:
        await press(pilot, "q")
        assert "Still at work: api" in screen_text(pilot)
        assert "end with the dashboard" in " ".join(screen_text(pilot).split())
        await press(pilot, "escape")
        assert not fleet.closed
        await press(pilot, "ctrl+q", "y")
        assert fleet.closed


async def test_quitting_without_working_agents_just_quits() -> None:
    fleet = FakeFleet(agent("api"))
    async with on_deck(fleet) as pilot:
        await press(pilot, "q")
        assert fleet.closed


# Settings, palette, help


async def test_keys_can_be_changed() -> None:
    fleet = FakeFleet(agent("a", turn=BUSY))
    settings = decode('animation = "none"\n[keys]\ninterrupt = "f5"\nhelp = ""')
    async with on_deck(fleet, settings=settings) as pilot:
        await press(pilot, "escape", "question_mark")
        assert fleet.done == []
        assert pilot.app.screen is app_of(pilot).deck
        await press(pilot, "f5")
        assert fleet.done == [("interrupt", "a")]


async def test_help_names_every_action() -> None:
    async with on_deck(FakeFleet(), size=(120, 60)) as pilot:
        await press(pilot, "question_mark")
        assert all(words in screen_text(pilot) for words in ("Moving", "Interrupt the turn", "Ctrl+P"))


async def test_the_palette_finds_an_action() -> None:
    fleet = FakeFleet(agent("a", turn=BUSY))
    async with on_deck(fleet) as pilot:
        await press(pilot, "ctrl+p", *"interrupt the")
        await until(pilot, lambda: "Interrupt the turn" in screen_text(pilot))
        await press(pilot, "enter")
        assert fleet.done == [("interrupt", "a")]


# What breaks stays small


async def test_a_key_that_breaks_does_not_end_the_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = FakeFleet(agent("a"))
    async with on_deck(fleet) as pilot:

        def fail(key: str) -> None:
            raise RuntimeError("oops")

        monkeypatch.setattr(fleet, "remove", fail)
        await press(pilot, "X")
        assert "did not" in screen_text(pilot)
        assert pilot.app.is_running


async def test_a_failing_worker_does_not_end_the_deck() -> None:
    fleet = FakeFleet(agent("a"))
    async with on_deck(fleet) as pilot:

        async def fail() -> None:
            raise RuntimeError("reader [failed]")

        app_of(pilot).deck.carry(fail())
        await settle(pilot)
        assert "[failed]" in screen_text(pilot)
        assert pilot.app.is_running


async def test_a_session_that_cannot_be_shown_leaves_the_others_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fleet = FakeFleet(agent("a"), agent("b"))
    async with on_deck(fleet) as pilot:
        deck = app_of(pilot).deck

        def fail(*arguments: object) -> None:
            raise ValueError("cannot [draw]")

        monkeypatch.setattr(deck.board.grid.panes["a"], "show", fail)
        fleet.change("a", state=agent("a", turn=BUSY))
        fleet.change("b", state=agent("b", turn=BUSY))
        await settle(pilot)
        assert "cannot be" in screen_text(pilot)
        assert "2 working" in screen_text(pilot)


@pytest.mark.parametrize("text", ["[/", "[bold", "[red]x[/red]", "\x1b]0;x\x07", "\x9b31m"])
async def test_names_are_text(text: str) -> None:
    fleet = FakeFleet(agent("a", name=f"n{text}m", directory=f"/w/{text}"))
    async with on_deck(fleet) as pilot:
        await press(pilot, "x", "question_mark", "escape", "N")
        seen = screen_text(pilot)
        assert "\x1b" not in seen
        assert "\x9b" not in seen


# Another machine


async def test_a_session_out_of_reach_can_be_read_says_why_and_is_tried_again() -> None:
    ask = Ask("1", "permission", "Bash", b'{"command":"make"}')
    away = Away("build cannot be reached: Connection refused", 1.0, 2e9)
    fleet = FakeFleet(agent("api", host="build", away=away, can=Can(), asks=(ask,)))
    fleet.hosts = {"build": FakeThere()}
    async with on_deck(fleet) as pilot:
        await settle(pilot)
        text = screen_text(pilot)
        assert "no link" in text
        assert "@build" in text
        assert "no link: it cannot be answered now" in text
        await press(pilot, "a", "m")
        assert "r tries again now" in screen_text(pilot)
        assert fleet.done == []
        await press(pilot, "r")
        assert fleet.hosts["build"].link.poked == 1


async def test_a_setting_that_claude_may_not_know_is_told_at_the_start() -> None:
    settings = Settings(animation="none", agents=AgentDefaults(effort="ultra"))
    async with on_deck(FakeFleet(agent("api")), settings=settings) as pilot:
        await pilot.pause()
        (told,) = app_of(pilot)._notifications
        assert "agents.effort is 'ultra'" in told.message


async def test_a_machine_that_cannot_be_reached_is_told_once() -> None:
    fleet = FakeFleet(agent("api"))
    fleet.hosts = {"build": FakeThere()}
    link = fleet.hosts["build"].link
    async with on_deck(fleet) as pilot:
        link.up, link.reason, link.sentence = False, "build is away", "build is away."
        for _ in range(2):
            app_of(pilot).deck.show_summary()
        await pilot.pause()
        assert len(app_of(pilot)._notifications) == 1
        link.up = True
        app_of(pilot).deck.show_summary()
        await pilot.pause()
        assert "build is there again." in screen_text(pilot)


@pytest.mark.parametrize("kind", ["permission", "question", "plan"])
async def test_nothing_an_agent_says_of_itself_can_drive_the_terminal(kind: AskKind) -> None:
    """Promise 6, for every text of a state and of all the events there are, those of tomorrow too."""
    text = "\x1b]52;c;QQ==\x07[red]m[/red][/]\u202e\x9b2J\n[@click=app.quit]q[/]\x00\x7f"
    odd = structs.replace(filled(SessionState, text), key="k", kind="driven", can=EVERYTHING, asks=())
    ask = structs.replace(filled(Ask, text), kind=kind, state="open")
    fleet = FakeFleet(odd)
    fleet.change("k", *(filled(event, text) for event in Event.__subclasses__()))
    said = fleet.sessions["k"].state
    async with on_deck(fleet, size=(160, 50)) as pilot:
        for state in (said, structs.replace(said, asks=(ask,), away=None, exit=None), odd):
            fleet.change("k", state=state)
            await settle(pilot)
            assert_inert(pilot)
        fleet.change("k", AskRaised(ask=ask))
        await settle(pilot)
        await press(pilot, "I")
        assert_inert(pilot)


def assert_inert(pilot: Pilot[None]) -> None:
    assert_harmless(pilot.app, "[red]m[/red]")
    assert not any("\u202a" <= char <= "\u202e" for char in screen_text(pilot))
    strips = pilot.app.screen._compositor.render_strips()
    assert not [part for strip in strips for part in strip if part.style and "quit" in str(part.style.meta)]


async def test_words_typed_at_a_window_made_too_small_do_not_act_as_keys() -> None:
    fleet = FakeFleet(agent("api"), agent("web"))
    async with on_deck(fleet, size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "i", *"fix")
        await pilot.resize_terminal(50, 12)
        await settle(pilot)
        assert "no key but Ctrl+Q does anything" in screen_text(pilot)
        await press(pilot, "space", *"nmax", "enter")
        assert len(pilot.app.screen_stack) == 2
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        await press(pilot, *" it", "enter")
        assert fleet.done == [("send_prompt", "api", "fix it")]


async def test_ctrl_z_goes_to_the_shell_but_takes_back_words_where_one_types(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gone: list[int] = []
    monkeypatch.setattr(QuarterdeckApp, "action_suspend_process", lambda app: gone.append(1))
    async with on_deck(FakeFleet(agent("api"))) as pilot:
        await press(pilot, "i", *"fix", "ctrl+z")
        assert gone == []
        await press(pilot, "escape", "ctrl+z")
        assert gone == [1]
