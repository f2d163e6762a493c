"""A fleet without processes: sessions are set by the test, commands are only written down."""

from collections.abc import Collection, Sequence
from typing import TypeVar, cast

import anyio
from anyio.abc import TaskStatus

from core.agent.launch import LaunchSpec
from core.errors import QuarterdeckError
from core.fleet.changes import Changes
from core.fleet.interactive import InteractiveAgent
from core.fleet.ledger import Ledger
from core.fleet.standing import Standing
from core.history.running import Running
from core.history.spending import Found, PriceOf
from core.session.answers import Answer, Postpone
from core.session.context import Context
from core.session.events import Event, RulesPending
from core.session.session import Session
from core.session.state import Budget, Can, Choice, Image, PendingRule, Prompt, SessionState
from core.wire.control import Request, answer_type

A = TypeVar("A")
EVERYTHING = Can(prompt=True, answer=True, interrupt=True, configure=True, stop=True)


class FakeLink:
    """Stands in for a link."""

    def __init__(self) -> None:
        self.up = True
        self.reason = self.sentence = ""
        self.trouble: object = None
        self.retry_at = 0.0
        self.poked = 0

    def poke(self) -> None:
        self.poked += 1


class FakeThere:
    """Stands in for another machine."""

    def __init__(self, *directories: str) -> None:
        self.link = FakeLink()
        self._directories = directories

    async def directories(self, path: str) -> list[str]:
        return [found for found in self._directories if found.startswith(path)]

    async def files(self, directory: str, query: str, limit: int) -> list[str]:
        return [f"there{directory}/{query}.py"]


class FakeFleet:
    """Stands in for `core.fleet.fleet.Fleet`; `done` holds each command as a tuple."""

    def __init__(self, *states: SessionState) -> None:
        self.sessions = {state.key: Session(state) for state in states}
        self.changes = Changes()
        self.done: list[tuple[object, ...]] = []
        self.removed: dict[str, Session] = {}
        self.order: list[str] = []
        self.standing = Standing(self.agent)
        self.refuse = ""
        self.closed = False
        self.left = False
        self.keeps = False
        self.ledger = Ledger()
        self.budgets = (Budget("day"), Budget("fleet"))
        self.given_back: dict[str, tuple[Prompt, ...]] = {}
        self.hosts: dict[str, FakeThere] = {}
        self.context = Context()
        self.answers: dict[type, object] = {}
        self.screens: dict[str, InteractiveAgent] = {}
        self.price: PriceOf | None = None

    def change(self, key: str, *events: Event, state: SessionState | None = None) -> None:
        """Let something happen to a session, or put a state in its place."""
        session = self.sessions.setdefault(key, Session(state or agent(key)))
        if state is not None:
            session.state = state
        for event in events:
            session.apply(event)
        self.changes.mark(key)

    async def run(self, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        task_status.started()
        await anyio.sleep_forever()

    def do(self, *command: object) -> None:
        if self.refuse:
            raise QuarterdeckError(self.refuse)
        self.done.append(command)

    async def launch(
        self,
        spec: LaunchSpec,
        prompt: str | None = None,
        images: tuple[Image, ...] = (),
        argv: tuple[str, ...] | None = None,
        host: str = "",
    ) -> str:
        self.do("launch", spec, prompt, *((host,) if host else ()))
        key = f"k{len(self.sessions) + 1}"
        self.change(key, state=agent(key, name=spec.name, directory=spec.directory, host=host))
        return key

    def whole(self, key: str) -> bool:
        return True

    def outlives(self, key: str) -> bool:
        return self.keeps

    def open_screen(self, spec: LaunchSpec, attached: Running | None = None, *, prompt: str = "") -> str:
        self.do("open_screen", spec, attached)
        key = f"k{len(self.sessions) + 1}"
        self.change(key, state=agent(key, kind="terminal", name=spec.name, directory=spec.directory))
        return key

    def agent(self, key: str) -> "FakeCommands":
        assert key in self.sessions, key
        return FakeCommands(key, self)

    def interactive(self, key: str) -> InteractiveAgent | None:
        return self.screens.get(key)

    def drives(self, pid: int, session_id: str) -> bool:
        states = (session.state for session in self.sessions.values())
        return any(session_id == state.session_id for state in states if state.kind != "mirrored")

    def meet(self, found: Collection[Running]) -> None:
        """It costs nothing."""

    def estimated(self, found: Sequence[Found]) -> None:
        """It holds nobody to a limit."""

    def limit_all(self, scope: str, limit_usd: float) -> None:
        self.do("limit_all", scope, limit_usd)

    async def restart(self, key: str, directory: str | None = None) -> None:
        self.do("restart", key)
        prompts = self.sessions[key].state.prompts
        self.given_back[key] = tuple(prompt for prompt in prompts if prompt.state == "sent")
        self.change(key, state=agent(key))

    def remove(self, key: str) -> None:
        self.do("remove", key)
        self.order = [*self.sessions]
        self.removed[key] = self.sessions.pop(key)
        self.changes.mark(key)

    def restore(self, key: str) -> bool:
        self.do("restore", key)
        places = self.order
        self.sessions[key] = self.removed.pop(key)
        for other in sorted(
            self.sessions, key=lambda one: places.index(one) if one in places else len(places)
        ):
            self.sessions[other] = self.sessions.pop(other)
        self.changes.mark(key)
        return True

    async def gather(self) -> int:
        return len(self.sessions) if self.keeps else 0

    async def leave(self) -> None:
        self.left = True

    async def close(self) -> None:
        self.closed = True


class FakeCommands:
    """Stands in for `core.fleet.commands.Commands`: each command is written down with the agent's key."""

    def __init__(self, key: str, fleet: FakeFleet) -> None:
        self._key = key
        self._fleet = fleet

    def send_prompt(self, text: str, images: tuple[Image, ...] = ()) -> str:
        self._fleet.do("send_prompt", self._key, text)
        return "p1"

    def take_given_back(self) -> tuple[Prompt, ...]:
        return self._fleet.given_back.pop(self._key, ())

    async def take_back(self, prompt_id: str) -> bool:
        self._fleet.do("take_back", self._key, prompt_id)
        prompts = self._fleet.sessions[self._key].state.prompts
        self._fleet.given_back[self._key] = tuple(prompt for prompt in prompts if prompt.id == prompt_id)
        return True

    async def answer(self, ask_id: str, answer: Answer | Postpone) -> None:
        self._fleet.do("answer", self._key, ask_id, answer)

    async def interrupt(self) -> None:
        self._fleet.do("interrupt", self._key)

    async def stop(self) -> None:
        self._fleet.do("stop", self._key)

    async def set_budget(self, limit_usd: float) -> None:
        self._fleet.do("set_budget", self._key, limit_usd)

    async def suspend(self, until: float = 0.0) -> None:
        self._fleet.do("suspend", self._key, until)

    async def resume(self) -> None:
        self._fleet.do("resume", self._key)

    async def mute(self, muted: bool) -> None:
        self._fleet.do("mute", self._key, muted)

    async def set_model(self, value: str) -> None:
        self._fleet.do("set_model", self._key, value)

    async def set_mode(self, value: str) -> None:
        self._fleet.do("set_mode", self._key, value)

    async def set_effort(self, value: str) -> None:
        self._fleet.do("set_effort", self._key, value)

    async def rename(self, name: str) -> None:
        self._fleet.do("rename", self._key, name)

    async def refresh_mcp(self) -> None:
        self._fleet.do("refresh_mcp", self._key)

    async def request(self, request: Request[A], *, timeout_s: float | None = None) -> A:
        self._fleet.do("request", self._key, request)
        answer = self._fleet.answers.get(type(request))
        if isinstance(answer, Exception):
            raise answer
        return answer_type(request)() if answer is None else cast(A, answer)

    @property
    def state(self) -> SessionState:
        return self._fleet.sessions[self._key].state

    async def await_rules(self, more: Sequence[PendingRule] = (), less: Sequence[PendingRule] = ()) -> None:
        self._fleet.do("await_rules", self._key, tuple(more), tuple(less))
        self._fleet.change(self._key, RulesPending(more=tuple(more), less=tuple(less)))

    async def measure_context(self) -> Context:
        self._fleet.do("measure_context", self._key)
        return self._fleet.context


def agent(key: str, **fields: object) -> SessionState:
    """An idle driven agent of which everything may be asked."""
    given: dict[str, object] = {
        "name": key,
        "directory": f"/work/{key}",
        "started": True,
        "can": EVERYTHING,
        "since": 1.0,
        "model": Choice("opus"),
        "mode": Choice("default"),
    }
    return SessionState(key=key, **{**given, **fields})  # type: ignore[arg-type]
