"""What is written and not sent, from one start to the next."""

from pathlib import Path
from typing import cast

from core.fleet.fleet import Fleet
from core.session.session import Session
from dashboard.drafting import Drafting
from dashboard.drafts import EVERYBODY, Drafts
from tests.fakes.fleet import FakeFleet, agent
from tests.widgets.screen import Stage
from widgets.prompt_box import PromptBox


async def test_each_agent_has_its_draft_again_also_one_that_comes_late(tmp_path: Path) -> None:
    Drafts(tmp_path).keep({"api": "half a word", "far": "to one far away", EVERYBODY: "to all"})
    fleet, box = FakeFleet(agent("api")), PromptBox()
    async with Stage(box).run_test(size=(60, 6)) as pilot:
        drafting = Drafting(cast(Fleet, fleet), box, Drafts(tmp_path))
        drafting.begin()
        assert drafting.everybody.text == "to all"
        box.show(fleet.sessions["api"].state)
        await pilot.pause()
        assert box.area.text == "half a word"
        drafting.keep()
        assert Drafts(tmp_path).kept["far"] == "to one far away"
        fleet.sessions["far"] = Session(agent("far"))
        drafting.restore()
        box.show(fleet.sessions["far"].state)
        await pilot.pause()
        assert box.area.text == "to one far away"
