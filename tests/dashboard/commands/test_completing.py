"""Files and earlier prompts while one types on the deck."""

from pathlib import Path

from core.session.events import PromptMoved
from tests.dashboard.deck import app_of, on_deck, press, screen_text, told
from tests.fakes.fleet import FakeFleet, FakeThere, agent


async def test_a_file_of_the_agents_directory(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "token refresh.py").touch()
    async with on_deck(FakeFleet(agent("api", directory=str(tmp_path))), size=(80, 24)) as pilot:
        await press(pilot, "i", *"fix @tok")
        assert "src/token refresh.py" in screen_text(pilot)
        await press(pilot, "tab")
        assert app_of(pilot).deck.board.prompt.area.text == 'fix @"src/token refresh.py" '
        (tmp_path / "token.md").touch()
        app_of(pilot).deck.files._clock = lambda: 1e12
        await press(pilot, *"@tok")
        assert "token.md" in screen_text(pilot), "an old list is made anew while the person types"


async def test_a_directory_that_is_gone_offers_nothing() -> None:
    async with on_deck(FakeFleet(agent("api", directory="/gone"), agent("docs", directory=""))) as pilot:
        await press(pilot, "i", *"@a", "enter", "escape", "2", "i", *"@a")
        assert "Tab or Enter" not in screen_text(pilot)


async def test_a_file_of_another_machine() -> None:
    fleet = FakeFleet(agent("api", directory="/srv/api", host="box"))
    async with on_deck(fleet) as pilot:
        await press(pilot, "i", *"@a")
        assert "Tab or Enter" not in screen_text(pilot), "that machine is not known"
        fleet.hosts["box"] = FakeThere()
        await press(pilot, "b")
        assert "there/srv/api/ab.py" in screen_text(pilot)
        fleet.hosts["box"].link.up = False
        await press(pilot, "c")
        assert "Tab or Enter" not in screen_text(pilot), "there is no link"


async def test_something_said_before_to_any_agent() -> None:
    fleet = FakeFleet(agent("api"), agent("docs"))
    async with on_deck(fleet) as pilot:
        await press(pilot, "i", "ctrl+r")
        assert "Nothing was said yet" in told(pilot)
        fleet.change("api", PromptMoved(id="1", state="taken", text="fix the loop\nfirst"))
        fleet.change("docs", PromptMoved(id="2", state="taken", text="write the guide"))
        await press(pilot, *"now: ", "ctrl+r")
        shown = screen_text(pilot).partition("Said before")[2]
        assert shown.index("fix the loop first") < shown.index("write the guide"), "its own first"
        await press(pilot, *"guide", "enter")
        prompt = app_of(pilot).deck.board.prompt
        assert (prompt.area.text, prompt.typing) == ("now: write the guide", True)
