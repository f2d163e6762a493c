"""Files put back to before a prompt."""

from core.session.events import PromptMoved, UserSpoke
from core.session.state import Turn
from core.wire.bodies import RewindAnswer
from core.wire.control import RewindFiles
from tests.dashboard.deck import on_deck, press, screen_text
from tests.fakes.fleet import FakeFleet, agent

FILES = ("/work/api/src/a.py", "/work/api/src/b.py", "/elsewhere/c.py", "/work/api/d.py")


def spoken_to(**fields: object) -> FakeFleet:
    fleet = FakeFleet(agent("api", **fields))
    fleet.change(
        "api",
        PromptMoved(id="p1", state="taken", text="fix the loop", at=1.0),
        UserSpoke(text="<system-reminder>", meta=True, id="m"),
        PromptMoved(id="p2", state="taken", text="now [test] it", at=2.0),
    )
    fleet.answers[RewindFiles] = RewindAnswer(True, None, FILES, 3, 1)
    return fleet


async def test_pick_look_and_confirm() -> None:
    fleet = spoken_to()
    async with on_deck(fleet, size=(80, 24)) as pilot:
        await press(pilot, "U")
        shown = screen_text(pilot).partition("before which prompt?")[2]
        assert shown.index("now [test] it") < shown.index("fix the loop"), "the newest first"
        assert "system-reminder" not in shown
        await press(pilot, "down", "enter")
        assert fleet.done == [("request", "api", RewindFiles("p1", dry_run=True))]
        shown = screen_text(pilot)
        for words in (
            "before “fix the loop”?",
            "4 files would change, +3 −1 lines",
            "src/a.py",
            "/elsewhere/c.py",
        ):
            assert words in shown
        assert "cannot be undone" in " ".join(shown.split())
        await press(pilot, "y")
        assert fleet.done[1:] == [("request", "api", RewindFiles("p1"))]
        assert "4 files put back: a.py, b.py" in screen_text(pilot)


async def test_left_alone_nothing_changes() -> None:
    fleet = spoken_to(turn=Turn(1, 1.0))
    async with on_deck(fleet) as pilot:
        await press(pilot, "U", "escape", "U", "enter")
        assert "at work and may change them again" in " ".join(screen_text(pilot).split())
        await press(pilot, "n")
        assert fleet.done == [("request", "api", RewindFiles("p2", dry_run=True))]


async def test_what_cannot_be_put_back_is_said() -> None:
    fleet = spoken_to()
    async with on_deck(fleet) as pilot:
        fleet.answers[RewindFiles] = RewindAnswer(False, "No file checkpoint found for this message.")
        await press(pilot, "U", "enter")
        assert "keeps no files of before that prompt" in " ".join(screen_text(pilot).split())
        fleet.answers[RewindFiles] = RewindAnswer(True)
        await press(pilot, "U", "enter")
        assert "No file would change" in screen_text(pilot)
        fleet.refuse = "The agent is gone"
        await press(pilot, "U", "enter")
        assert "The agent is gone" in screen_text(pilot)


async def test_without_a_prompt_it_is_said() -> None:
    async with on_deck(FakeFleet(agent("api"))) as pilot:
        await press(pilot, "U")
        assert "no prompt yet" in screen_text(pilot)
