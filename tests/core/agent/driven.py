"""An agent whose process is a fake: what the tests of `core.agent` drive."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import anyio

from core.agent.gate import Gate
from core.agent.host import Host
from core.agent.patience import Patience
from core.agent.policy import Policy
from core.agent.process import AgentProcess
from core.agent.services import Offer
from core.agent.sink import Sink
from core.session.session import Session
from core.session.state import Prompt, SessionState
from tests.fakes.ids import counter
from tests.fakes.process import FakeProcess

CASES = Path(__file__).parents[2] / "data" / "cases"
RUNNING = (
    b'{"type":"system","subtype":"init","session_id":"s1","model":"default-model","permissionMode":"default"}'
)
RESULT = b'{"type":"result","subtype":"success","is_error":false,"total_cost_usd":0.1}'


class Driven:
    """A host, the session it feeds, and the process it talks to."""

    def __init__(
        self, patience: Patience, deaf: bool, prompts: tuple[Prompt, ...], policy: Policy, offer: Offer
    ) -> None:
        self.session = Session(SessionState(key="k", directory="/nowhere"))
        self.process = FakeProcess(self._change, deaf=deaf)
        self.changed = anyio.Event()
        self.time = 1000.0
        sink = Sink(self.session, self._change, lambda: self.time)
        self.policy = policy
        self.gate = Gate(sink, lambda: self.policy)
        self.host = Host(
            sink,
            self._start,
            patience=patience,
            new_id=counter("r"),
            prompts=prompts,
            gate=self.gate,
            offer=offer,
        )

    @property
    def state(self) -> SessionState:
        return self.session.state

    def answer_request(self, subtype: str, body: str = "{}") -> None:
        """Have the CLI agree to our newest request of that kind."""
        self._respond(subtype, f'"subtype":"success","response":{body}')

    def refuse_request(self, subtype: str, error: str) -> None:
        """Have the CLI refuse our newest request of that kind."""
        self._respond(subtype, f'"subtype":"error","error":"{error}"')

    def _respond(self, subtype: str, fields: str) -> None:
        line = self.process.lines_with(b'"subtype":"%s"' % subtype.encode())[-1]
        request_id = line.split(b'"request_id":"')[1].split(b'"')[0].decode()
        response = f'{{"type":"control_response","response":{{"request_id":"{request_id}",{fields}}}}}'
        self.process.write(response.encode())

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until something is so."""
        with anyio.fail_after(30):
            while not holds():
                self.changed = anyio.Event()
                await self.changed.wait()

    async def _start(self) -> AgentProcess:
        return cast("AgentProcess", self.process)

    def _change(self) -> None:
        self.changed.set()


@asynccontextmanager
async def driven(
    patience: Patience | None = None,
    *,
    introduced: bool = True,
    deaf: bool = False,
    prompts: tuple[Prompt, ...] = (),
    policy: Policy | None = None,
    offer: Offer | None = None,
) -> AsyncIterator[Driven]:
    """A host that runs; `introduced` has its `initialize` answered."""
    agent = Driven(patience or Patience(), deaf, prompts, policy or Policy(), offer or Offer())
    with anyio.fail_after(60):  # 200,000 lines on a busy machine take their time
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(agent.host.run)
            if introduced:
                await agent.until(lambda: agent.process.lines_with(b'"initialize"'))
                agent.answer_request("initialize", '{"models":[],"account":{"tokenSource":"x"}}')
                await agent.until(lambda: agent.process.lines_with(b'"mcp_status"'))
            else:
                await anyio.wait_all_tasks_blocked()
            yield agent
            await agent.host.stop()


def case(name: str) -> list[bytes]:
    """The lines of a handed case."""
    return (CASES / name).read_bytes().splitlines()
