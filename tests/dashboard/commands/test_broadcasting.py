"""One prompt to several agents."""

from pathlib import Path

from core.errors import AgentGone
from core.session.state import Can, Turn
from dashboard.memory import Memory
from tests.dashboard.deck import app_of, on_deck, press, screen_text, settle, told
from tests.fakes.fleet import FakeFleet, agent


class Choosy(FakeFleet):
    """Refuses prompts to some."""

    refusing: frozenset[str] = frozenset()

    def do(self, *command: object) -> None:
        if command[0] == "send_prompt" and command[1] in self.refusing:
            raise AgentGone("it was stopped")
        super().do(*command)


def fleet_of(*names: str) -> Choosy:
    return Choosy(*(agent(name) for name in names), agent("theirs", kind="mirrored", can=Can()))


async def test_marks_are_seen_and_taken_back() -> None:
    async with on_deck(fleet_of("api", "docs", "web")) as pilot:
        await press(pilot, "g")
        assert "Mark agents first" in screen_text(pilot)
        await press(pilot, "s", "3", "s")
        assert screen_text(pilot).count("✚") == 2
        await press(pilot, "s")
        assert screen_text(pilot).count("✚") == 1
        await press(pilot, "S")
        assert screen_text(pilot).count("✚") == 3
        await press(pilot, "S")
        assert "✚" not in screen_text(pilot)


async def test_space_marks_in_the_list() -> None:
    async with on_deck(fleet_of("api", "docs")) as pilot:
        await press(pilot, "l", "down", "space")
        assert app_of(pilot).deck.board.marked == {"docs"}
        await press(pilot, "down", "space")
        assert "takes no prompts from here" in told(pilot)
        await press(pilot, "up", "s")
        assert app_of(pilot).deck.board.marked == frozenset()


async def test_who_gets_it_stands_above_it() -> None:
    fleet = fleet_of("api", "docs", "web")
    fleet.change("docs", state=agent("docs", turn=Turn(1, 1.0)))
    async with on_deck(fleet, size=(80, 24)) as pilot:
        await press(pilot, "s", "2", "s", "g")
        shown = screen_text(pilot)
        for words in ("One prompt to 2 agents", "○ api", "● docs", "queued until its next step"):
            assert words in shown
        await press(pilot, *"run", "shift+enter", *"tests", "enter")
        assert fleet.done == [("send_prompt", key, "run\ntests") for key in ("api", "docs")]
        assert "Sent to 2 agents: api, docs (queued)." in told(pilot)
        await press(pilot, "g")
        assert "run" not in app_of(pilot).deck.drafting.everybody.text


async def test_the_prompt_has_room_in_the_smallest_terminal() -> None:
    fleet = fleet_of(*(f"agent{number}" for number in range(1, 10)))
    async with on_deck(fleet, size=(60, 16)) as pilot:
        await press(pilot, "S", "g", *"hello")
        shown = screen_text(pilot)
        for words in ("One prompt to 9 agents", "agent1", "hello", "Enter send to all"):
            assert words in shown


async def test_who_refused_it_stays_and_so_does_the_text() -> None:
    fleet = fleet_of("api", "docs", "web")
    fleet.refusing = frozenset({"docs"})
    async with on_deck(fleet) as pilot:
        await press(pilot, "S", "g", *"go", "enter")
        assert [done[1] for done in fleet.done] == ["api", "web"]
        shown = screen_text(pilot)
        assert "2 sent, 1 refused it" in shown
        assert "it was stopped" in shown
        fleet.refusing = frozenset()
        await press(pilot, "enter")
        assert [done[1] for done in fleet.done] == ["api", "web", "docs"]
        assert "Sent to 3 agents" in screen_text(pilot)


async def test_what_is_not_sent_is_there_next_time() -> None:
    fleet = fleet_of("api")
    async with on_deck(fleet) as pilot:
        await press(pilot, "s", "g", *"half", "escape")
        assert fleet.done == []
        assert app_of(pilot).deck.drafting.everybody.text == "half"
        await press(pilot, "g", *"way", "enter")
        assert fleet.done == [("send_prompt", "api", "halfway")]


async def test_what_is_not_sent_outlives_the_dashboard(tmp_path: Path) -> None:
    async with on_deck(fleet_of("api"), memory=Memory(tmp_path)) as pilot:
        await press(pilot, "s", "g", *"half", "escape")
        app_of(pilot).deck.drafting.keep()
    async with on_deck(fleet_of("api"), memory=Memory(tmp_path)) as pilot:
        await press(pilot, "s", "g", *"way")
        assert "halfway" in screen_text(pilot)


async def test_a_mark_goes_with_its_agent() -> None:
    fleet = fleet_of("api", "docs")
    async with on_deck(fleet) as pilot:
        await press(pilot, "S")
        fleet.remove("docs")
        await settle(pilot)
        assert app_of(pilot).deck.board.marked == {"api"}
