"""What went wrong is said once."""

from typing import cast

from core.fleet.fleet import Fleet
from dashboard.troubles import Troubles
from tests.fakes.fleet import FakeFleet, FakeThere, agent


async def test_a_machine_that_goes_and_comes_is_told_each_time_once() -> None:
    fleet, said = FakeFleet(), list[tuple[str, bool]]()
    there = fleet.hosts["build"] = FakeThere()
    troubles = Troubles(cast(Fleet, fleet), lambda *told: said.append(told), lambda *_: None)
    for _ in range(2):
        there.link.up, there.link.reason, there.link.sentence = False, "refused", "build is away."
        troubles.look()
        troubles.look()
        there.link.up = True
        troubles.look()
        troubles.look()
    assert said == [("build is away.", True), ("build is there again.", False)] * 2


async def test_each_session_that_cannot_be_drawn_is_told_once_by_its_name() -> None:
    told: list[str] = []
    fleet = cast(Fleet, FakeFleet(agent("api"), agent("web")))
    troubles = Troubles(fleet, lambda *_: None, lambda what, _: told.append(what))
    for key in ("api", "api", "web", "", ""):
        troubles.cannot_draw(key, ValueError())
    assert told == [
        "The pane of api cannot be drawn.",
        "The pane of web cannot be drawn.",
        "The list of agents cannot be drawn.",
    ]
