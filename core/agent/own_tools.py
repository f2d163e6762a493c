"""The tools Quarterdeck gives an agent: tell the person how far it is, ask them, speak to other agents.

They are the CLI's to permit like any other; those in `HARMLESS` the gate lets through. It must not know how a
call arrives (`mcp.py`), nor other agents but by what it is given.
"""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

import msgspec
from msgspec import Struct, field

from core.agent.mcp import NAME, ServerTool, ToolCall, ToolFailed
from core.agent.questions import Declined, Questions
from core.agent.sink import Sink
from core.errors import QuarterdeckError
from core.session.events import Reported
from core.session.state import Ask, Option, Question, Report
from core.wire.codec import BAD

A = TypeVar("A", bound=Struct)

PREFIX = f"mcp__{NAME}__"
HARMLESS = frozenset(f"{PREFIX}{name}" for name in ("report_progress", "ask_person", "list_agents"))
"""What needs no permission. `send_to_agent` does: that is how a message between agents is approved."""

SEND = f"{PREFIX}send_to_agent"
SEND_IT, LEAVE_IT = "Send it", "Do not send it"


class Neighbour(Struct, frozen=True):
    """Another agent, as an agent may see it."""

    name: str
    status: str
    directory: str
    doing: str = ""


class Neighbours(Protocol):
    """The other agents of the fleet."""

    async def others(self) -> list[Neighbour]:
        """All but the one that asks."""

    async def send(self, name: str, text: str) -> None:
        """Give another agent a message; KeyError if no agent, or more than one, has that name.

        Raises a `QuarterdeckError` if it does not take it.
        """


def from_agent(name: str, text: str) -> str:
    """A message as the other agent's prompt: nobody may take it for the person's words."""
    return f"Message from the agent {name}, not from the person:\n\n{text}"


class _Progress(Struct, frozen=True):
    text: str
    percent: float | None = None


class _AskPerson(Struct, frozen=True):
    question: str
    options: tuple[str, ...] = field(default=())


class _Send(Struct, frozen=True):
    agent: str
    message: str


class OwnTools:
    """The tools of one agent."""

    def __init__(
        self,
        sink: Sink,
        questions: Questions,
        new_id: Callable[[], str],
        neighbours: Neighbours | None,
        *,
        approve: bool = False,
    ) -> None:
        """`neighbours` None: the agent sees no other. `approve`: the person is asked before each message."""
        self._sink = sink
        self._questions = questions
        self._new_id = new_id
        self._neighbours = neighbours
        self._approve = approve

    def tools(self) -> tuple[ServerTool, ...]:
        """What the server offers."""
        runs: dict[str, Callable[[ToolCall], Awaitable[str]]] = {
            "report_progress": self._report,
            "ask_person": self._ask,
        }
        if self._neighbours is not None:
            runs |= {"list_agents": self._list, "send_to_agent": self._send}
        return tuple(ServerTool(name, *_OFFERS[name], run) for name, run in runs.items())

    async def _report(self, call: ToolCall) -> str:
        told = _read(call, _Progress)
        share = min(1.0, max(0.0, told.percent / 100)) if told.percent is not None else None
        now = self._sink.now()
        self._sink.emit(Reported(at=now, report=Report(text=told.text, share=share, at=now)))
        return "The person sees it."

    async def _ask(self, call: ToolCall) -> str:
        told = _read(call, _AskPerson)
        try:
            return await self._put(call, "ask_person", told.question, told.options)
        except Declined as declined:
            words = _says(str(declined)) or "Go on as you think best."
            raise ToolFailed(f"The person does not want to answer this. {words}") from None

    async def _put(self, call: ToolCall, tool: str, text: str, options: tuple[str, ...]) -> str:
        """Put a question to the person. Raises `Declined`."""
        ask = Ask(
            id=f"{NAME}-{self._new_id()}",
            kind="question",
            tool=f"{PREFIX}{tool}",
            input_json=call.arguments,
            questions=(Question(text, options=tuple(map(Option, options))),),
            tool_use_id=call.tool_use_id,
            raised_at=self._sink.now(),
            needs_person=True,
        )
        return await self._questions.ask(ask)

    async def _list(self, call: ToolCall) -> str:
        assert self._neighbours is not None
        others = await self._neighbours.others()
        return "\n".join(map(_described, others)) or "There are no other agents."

    async def _send(self, call: ToolCall) -> str:
        assert self._neighbours is not None
        told = _read(call, _Send)
        if self._approve:
            await self._ask_leave(call, f"May it tell {told.agent}: {told.message}")
        try:
            await self._neighbours.send(told.agent, told.message)
        except KeyError:
            raise ToolFailed(f"There is no one agent called {told.agent!r}. Use list_agents.") from None
        except QuarterdeckError as error:
            raise ToolFailed(f"{told.agent} was not given your message: {error}") from error
        return f"{told.agent} was given your message."

    async def _ask_leave(self, call: ToolCall, text: str) -> None:
        """Have the person approve a message. Raises `ToolFailed`: whatever else they say goes back."""
        try:
            answer = await self._put(call, "send_to_agent", text, (SEND_IT, LEAVE_IT))
        except Declined as declined:
            answer = str(declined)
        if answer != SEND_IT:
            words = f"The person does not want this message to be sent. {_says(answer)}"
            raise ToolFailed(words.rstrip())


def _says(words: str) -> str:
    """What the person said when they declined; "" where it is nothing of their own."""
    return f"They say: {words}" if words not in ("", LEAVE_IT) else ""


def _described(agent: Neighbour) -> str:
    doing = f" ({agent.doing})" if agent.doing else ""
    return f"{agent.name}: {agent.status}{doing}, in {agent.directory}"


def _read(call: ToolCall, kind: type[A]) -> A:
    try:
        return msgspec.json.decode(call.arguments, type=kind)
    except BAD as error:
        raise ToolFailed(f"The arguments are wrong: {error}") from error


_OFFERS: dict[str, tuple[str, bytes]] = {
    "report_progress": (
        "Tell the person who supervises you, in one short sentence, how far you are. It is shown beside your"
        " name and interrupts nobody. Use it at each larger step of a long task.",
        b'{"type":"object","properties":{"text":{"type":"string","description":"One short sentence."},'
        b'"percent":{"type":"number","minimum":0,"maximum":100}},"required":["text"]}',
    ),
    "ask_person": (
        "Ask the person who supervises you a question and wait for the answer. It stands in their inbox among"
        " those of other agents, and may take long: ask only what you cannot find out or decide yourself.",
        b'{"type":"object","properties":{"question":{"type":"string"},"options":{"type":"array",'
        b'"items":{"type":"string"},"description":"Answers to choose from; free text is always possible."}},'
        b'"required":["question"]}',
    ),
    "list_agents": (
        "List the other agents the same person supervises: their names, what they do, and where.",
        b'{"type":"object","properties":{}}',
    ),
    "send_to_agent": (
        "Send a message to another agent, as its next prompt. The person sees it on both sides.",
        b'{"type":"object","properties":{"agent":{"type":"string","description":"Its name."},'
        b'"message":{"type":"string"}},"required":["agent","message"]}',
    ),
}
