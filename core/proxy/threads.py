"""Which call a subagent belongs to, and which calls still wait for their result.

A subagent's requests name it (its `agent_id`), never the call that started it: that is the one whose prompt
its conversation begins with. This module must not know flows.
"""

import msgspec

from core.proxy.reports import BAD
from core.proxy.requests import Request
from core.session.events import ToolInputFinalized, ToolResulted
from core.sources.texts import count_images, result_text


class _Input(msgspec.Struct, frozen=True):
    prompt: str = ""


_input = msgspec.json.Decoder(_Input)


class Threads:
    """The calls an agent has made so far."""

    def __init__(self) -> None:
        """None yet."""
        self._prompts: dict[str, str] = {}  # calls that may start a subagent
        self._agents: dict[str, str] = {}  # subagent → its call
        self._waiting: set[str] = set()

    def called(self, call: ToolInputFinalized) -> None:
        """A call is whole."""
        self._waiting.add(call.tool_use_id)
        try:
            prompt = _input.decode(call.input_json).prompt
        except BAD:
            return
        if prompt:
            self._prompts[call.tool_use_id] = prompt

    def parent(self, request: Request) -> str:
        """The call a subagent's request belongs to (its own id where that was not seen), "" for others."""
        if request.purpose != "subagent":
            return ""
        known = self._agents.get(request.agent_id) if request.agent_id else None
        if known is not None:
            return known
        starting = (call for call, prompt in self._prompts.items() if prompt in request.first)
        parent = next(starting, request.agent_id or "subagent")
        self._prompts.pop(parent, None)
        if request.agent_id:
            self._agents[request.agent_id] = parent
        return parent

    def results(self, request: Request, parent: str, at: float) -> list[ToolResulted]:
        """The results a request brings back, of calls that were seen; each once."""
        new = [result for result in request.results if result.tool_use_id in self._waiting]
        self._waiting.difference_update(result.tool_use_id for result in new)
        return [
            ToolResulted(
                at=at,
                source="proxy",
                tool_use_id=result.tool_use_id,
                text=result_text(result.content),
                is_error=bool(result.is_error),
                images=count_images(result.content),
                parent=parent,
            )
            for result in new
        ]
