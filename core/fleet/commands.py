"""What a person does to one agent of a fleet. It must not know how its host runs, nor of other agents.

Commands that wait for the CLI raise `ControlError` (it refused, or did not answer in time), `AgentGone` (its
process has ended) or `KeeperError` (what holds it cannot be reached); the text says what to do next.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from core.fleet.driven import Driven
from core.fleet.standing import Standing
from core.session.answers import Answer, Postpone
from core.session.context import Context
from core.session.state import Image, PendingRule, Prompt, SessionState
from core.wire import control

A = TypeVar("A")


class Commands:
    """The commands to the agent with that key."""

    def __init__(
        self,
        key: str,
        agent: Driven,
        standing: Standing,
        *,
        clock: Callable[[], float],
        new_id: Callable[[], str],
    ) -> None:
        """`standing` are the rules of all agents."""
        self._key = key
        self._agent = agent
        self._standing = standing
        self._clock = clock
        self._new_id = new_id

    def send_prompt(self, text: str, images: Sequence[Image] = ()) -> str:
        """Queue a prompt and return its id; never blocks. Raises `AgentGone` if the agent has ended."""
        prompt = Prompt(self._new_id(), text, "queued", tuple(images), self._clock())
        self._agent.send(prompt)
        return prompt.id

    async def take_back(self, prompt_id: str) -> bool:
        """Take a prompt back that the model has not seen; False when it is too late.

        Its words come with `take_given_back`.
        """
        return await self._agent.take_back(prompt_id)

    def take_given_back(self) -> tuple[Prompt, ...]:
        """Prompts withdrawn since the last call, by whomever: they belong in the person's draft again."""
        return self._agent.take_given_back()

    async def answer(self, ask_id: str, answer: Answer | Postpone) -> None:
        """Answer an ask, once; settled when the CLI has taken it.

        Raises `AskGone`, or `RuleError` for updates the CLI would not take: then nothing was sent. Rules that
        are denied with it must have been taken first: `ControlError` if they were not.
        """
        await self._standing.answering(self._key, answer)
        await self._agent.answer(ask_id, answer)

    async def interrupt(self) -> None:
        """End the running turn, and only it. Again, or without effect for 5 s: SIGINT; once more: stop."""
        await self._agent.interrupt()

    async def stop(self) -> None:
        """End its process; its session stays, and can be restarted. Returns when it is gone."""
        await self._agent.stop()

    async def set_model(self, model: str) -> None:
        """Change the model from the next message on."""
        await self._agent.choose("model", model)

    async def set_mode(self, mode: str) -> None:
        """Change the permission mode."""
        await self._agent.choose("mode", mode)

    async def set_effort(self, effort: str) -> None:
        """Change how much the model thinks."""
        await self._agent.choose("effort", effort)

    async def rename(self, name: str) -> None:
        """Give the session a name; the CLI keeps it, also of one that has ended.

        Raises a `LaunchError`, too.
        """
        await self._agent.rename(name)

    async def set_budget(self, limit_usd: float) -> None:
        """Limit what it may spend, in US dollars; 0 lifts it."""
        await self._agent.set_budget(limit_usd)

    async def suspend(self, until: float = 0.0) -> None:
        """End its turn and keep its prompts queued, until a moment (0: until `resume`)."""
        await self._agent.suspend(until)

    async def resume(self) -> None:
        """Let its prompts go again."""
        await self._agent.resume()

    async def mute(self, muted: bool) -> None:
        """Notify nobody of what it does, or of what it does again."""
        await self._agent.mute(muted)

    async def request(self, request: control.Request[A], *, timeout_s: float | None = None) -> A:
        """Any control request of `core.wire.control`, and the body of its answer."""
        return await self._agent.request(request, timeout_s=timeout_s)

    @property
    def state(self) -> SessionState:
        """The session as it stands."""
        return self._agent.session.state

    async def await_rules(self, more: Sequence[PendingRule] = (), less: Sequence[PendingRule] = ()) -> None:
        """Have an allowance take these rules along into the CLI's files or out of them, or not any more."""
        await self._agent.await_rules(more, less)

    async def measure_context(self) -> Context:
        """Have the CLI measure what fills the context window; the sum is then in the session's usage, too."""
        return await self._agent.measure_context()

    async def refresh_mcp(self) -> None:
        """Bring the state of the MCP servers up to date."""
        await self._agent.refresh_mcp()

    async def reconnect_mcp(self, server: str) -> None:
        """Connect an MCP server again; the servers' state follows, whatever came of it."""
        try:
            await self.request(control.McpReconnect(server))
        finally:
            await self.refresh_mcp()

    async def toggle_mcp(self, server: str, enabled: bool) -> None:
        """Switch an MCP server on or off; the servers' state follows, whatever came of it."""
        try:
            await self.request(control.McpToggle(server, enabled))
        finally:
            await self.refresh_mcp()
