"""Which tool call a subagent's lines belong to, in every layout there has been (FACTS §7.6).

Inline side chains name nobody: their first line is the call's own prompt. Agent files and progress lines
name an agent; the call's result (`toolUseResult.agentId`) tells whose it is. This module must not know
files nor events.
"""

import msgspec
from msgspec import Raw, Struct

from core.sources.texts import plain_text
from core.wire.codec import BAD
from core.wire.content import ToolUse
from core.wire.transcript import TranscriptLine

LAUNCHING = frozenset({"Task", "Agent"})
"""The tool that starts a subagent: renamed in 2.1.63."""


class _Input(Struct, frozen=True):
    prompt: str = ""
    description: str = ""
    subagent_type: str = ""


class Launched(Struct, frozen=True, rename="camel"):
    """What the result of a call tells of the task it started: a subagent or a command in the background."""

    agent_id: str | None = None
    background_task_id: str | None = None
    is_async: bool | None = None
    status: str | None = None


class AgentCall(Struct, frozen=True):
    """A call that starts a subagent."""

    id: str
    prompt: str = ""
    description: str = ""
    kind: str = ""
    at: float = 0.0


class Subagents:
    """The agents of one session: their calls, and which lines are whose."""

    def __init__(self) -> None:
        """Start with none."""
        self.links: dict[str, str] = {}
        self._calls: dict[str, AgentCall] = {}
        self._unclaimed: dict[str, list[str]] = {}
        self._threads: dict[str, str] = {}
        self._latest = ""

    def called(self, block: ToolUse, at: float) -> None:
        """A tool call; one that starts no agent is nothing here."""
        if block.name not in LAUNCHING:
            return
        told = _read(block.input)
        call = AgentCall(block.id, told.prompt, told.description, told.subagent_type, at)
        self._calls[block.id] = call
        self._unclaimed.setdefault(call.prompt.strip(), []).append(block.id)
        self._latest = block.id

    def call(self, call_id: str) -> AgentCall | None:
        """The call with that id, if it starts an agent."""
        return self._calls.get(call_id)

    def link(self, agent_id: str, call_id: str) -> None:
        """An agent was started by that call."""
        self.links.setdefault(agent_id, call_id)

    def thread(self, line: TranscriptLine) -> str:
        """The call a subagent's line belongs to; an id of its own where no call fits."""
        known = self.links.get(line.agent_id or "") or self._threads.get(line.parent_uuid or "")
        thread = known or self.claim(line) or line.agent_id or self._latest or line.uuid or "?"
        if line.uuid:
            self._threads[line.uuid] = thread
        if line.agent_id and thread in self._calls:
            self.links.setdefault(line.agent_id, thread)
        return thread

    def claim(self, line: TranscriptLine) -> str:
        """The call whose prompt a side chain begins with; "" if none does."""
        message = line.message
        if line.parent_uuid or message is None:
            return ""
        waiting = self._unclaimed.get(plain_text(message.content).strip())
        return waiting.pop(0) if waiting else ""


def launched(raw: Raw) -> Launched:
    """What a structured result tells of a task; empty where it is no object."""
    try:
        return msgspec.json.decode(raw, type=Launched)
    except BAD:
        return Launched()


def _read(raw: Raw) -> _Input:
    try:
        return msgspec.json.decode(raw, type=_Input)
    except BAD:
        return _Input()
