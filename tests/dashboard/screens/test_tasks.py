"""Subagents and background commands: seen, read, stopped."""

import anyio

from core.session import events as ev
from core.session.state import Ask, Task
from core.wire.control import StopTask
from tests.dashboard.deck import app_of, on_deck, press, screen_text, settle
from tests.fakes.fleet import FakeFleet, agent


def busy() -> FakeFleet:
    fleet = FakeFleet(agent("api"))
    fleet.change(
        "api",
        ev.ToolInputFinalized(
            message_id="m", tool_use_id="c1", tool="Agent", input_json=b'{"description":"Look"}'
        ),
        ev.TaskStarted(at=2, task=Task("t1", "Look around", "Explore", "c1", started_at=2)),
        ev.ToolInputFinalized(
            message_id="m2", tool_use_id="c2", tool="Bash", input_json=b'{"command":"ls -la"}', parent="c1"
        ),
        ev.TaskStarted(at=1, task=Task("t2", "Watch it", "local_bash", "c9", background=True, started_at=1)),
    )
    return fleet


async def test_without_tasks_it_is_said() -> None:
    async with on_deck(FakeFleet(agent("api"))) as pilot:
        await press(pilot, "T")
        assert "started no subagent" in screen_text(pilot)


async def test_the_tree_follows_and_fits_the_smallest_terminal() -> None:
    fleet = busy()
    async with on_deck(fleet, size=(80, 24)) as pilot:
        await press(pilot, "T")
        for words in ("Tasks of api", "● Look around", "● Watch it", "command", "x stop it"):
            assert words in screen_text(pilot)
        done = ev.TaskEnded(at=3, id="t1", summary="Two callers found", tokens=19_540)
        fleet.change("api", done, ev.AskRaised(ask=Ask("r", "permission", "Bash", agent_id="t2")))
        screen = pilot.app.screen
        screen.follow()  # type: ignore[attr-defined]
        await pilot.pause()
        for words in ("✓ Look around", "Two callers found", "20k tok", "◆ Watch it"):
            assert words in screen_text(pilot)


async def test_stopping_asks_once_and_says_what_is_lost() -> None:
    fleet = busy()
    async with on_deck(fleet) as pilot:
        await press(pilot, "T", "x")
        assert "Stop “Look around”?" in screen_text(pilot)
        await press(pilot, "n")
        assert fleet.done == []
        await press(pilot, "x", "y")
        assert fleet.done == [("request", "api", StopTask("t1"))]
        assert "was told to stop" in screen_text(pilot)
        fleet.change("api", ev.TaskEnded(at=3, id="t1", state="stopped"))
        fleet.refuse = "The agent is gone"
        await press(pilot, "x", "y")
        with anyio.fail_after(30):
            while "The agent is gone" not in screen_text(pilot):  # the toast is made by another worker
                await pilot.pause()


async def test_one_that_has_ended_cannot_be_stopped() -> None:
    fleet = FakeFleet(agent("api", tasks=(Task("t1", "Look around", state="completed"),)))
    async with on_deck(fleet) as pilot:
        await press(pilot, "T", "x")
        assert "has ended already" in screen_text(pilot)
        assert fleet.done == []


async def test_enter_goes_to_what_it_did() -> None:
    async with on_deck(busy()) as pilot:
        await settle(pilot)
        assert "ls -la" not in screen_text(pilot)
        await press(pilot, "T", "enter")
        await settle(pilot)
        assert "Tasks of api" not in screen_text(pilot)
        assert "ls -la" in screen_text(pilot)
        assert app_of(pilot).deck.focused_key == "api"
        await press(pilot, "T", "down", "enter")
        assert "does not stand in this conversation" in screen_text(pilot)
