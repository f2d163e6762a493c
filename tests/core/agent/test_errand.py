"""An errand: the CLI is asked one thing, without a prompt, and ends."""

from typing import cast

import anyio
import msgspec
import pytest

from core.agent.errand import errand
from core.agent.patience import Patience
from core.agent.process import AgentProcess, Exit
from core.errors import AgentGone, ControlRefused
from core.wire.control import RenameSession
from tests.fakes.ids import counter
from tests.fakes.process import FakeProcess


class Cli(FakeProcess):
    """Answers each request, the last one as it was told to."""

    def __init__(self, last: dict[str, object]) -> None:
        super().__init__(self._answer)
        self._last = last

    def _answer(self) -> None:
        asked = msgspec.json.decode(self.sent[-1])
        good = {"subtype": "success", "response": {}}
        answer = self._last if asked["request"]["subtype"] == "rename_session" else good
        response = {**answer, "request_id": asked["request_id"]}
        self.write(msgspec.json.encode({"type": "control_response", "response": response}))


async def rename(cli: FakeProcess) -> None:
    with anyio.fail_after(30):
        await errand(cast(AgentProcess, cli), RenameSession("Jam"), Patience(), counter("r"))


async def test_it_asks_once_and_ends() -> None:
    cli = Cli({"subtype": "success"})
    await rename(cli)
    assert cli.closed
    asked = [msgspec.json.decode(line)["request"] for line in cli.sent]
    assert [one["subtype"] for one in asked] == ["initialize", "rename_session"]
    assert asked[1]["title"] == "Jam"


async def test_a_refusal_is_told() -> None:
    cli = Cli({"subtype": "error", "error": "no"})
    with pytest.raises(ControlRefused, match="no"):
        await rename(cli)
    assert cli.closed


async def test_a_cli_that_would_not_start_on_it_is_told() -> None:
    cli = FakeProcess(lambda: None)
    cli.end(Exit(code=1))
    with pytest.raises(AgentGone):
        await rename(cli)
