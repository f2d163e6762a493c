"""What a fleet asks of an agent, wherever its host runs: in this process, or in a keeper.

It must not know either kind.
"""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from anyio.abc import TaskGroup

from core.session.answers import Answer, Postpone
from core.session.context import Context
from core.session.session import Session
from core.session.state import Budget, PendingRule, Prompt
from core.wire.control import Request

A = TypeVar("A")


class Driven(Protocol):
    """One agent of a fleet. Commands raise `AgentGone`, `AskGone`, `ControlError` or `KeeperError`."""

    @property
    def session(self) -> Session:
        """Its session."""

    async def run(self) -> None:
        """Run, or follow who runs it; returns when it has ended. Never raises."""

    async def stop(self) -> None:
        """End its process; the session stays."""

    async def discard(self) -> None:
        """End it for good."""

    async def restart(self, tasks: TaskGroup, directory: str | None) -> None:
        """End what runs and start again, in another directory if given."""

    def send(self, prompt: Prompt) -> None:
        """Queue a prompt; never blocks. Raises `BudgetSpent`, too."""

    async def take_back(self, prompt_id: str) -> bool:
        """Take a prompt back; False when it is too late."""

    def take_given_back(self) -> tuple[Prompt, ...]:
        """Prompts withdrawn since the last call."""

    async def answer(self, ask_id: str, answer: Answer | Postpone) -> None:
        """Answer an ask, once."""

    async def interrupt(self) -> None:
        """End the running turn; again is the next step of force."""

    def restrain(self, budgets: Sequence[Budget]) -> None:
        """Tell it the limits of the day and of the fleet, as often as one likes."""

    async def set_budget(self, limit_usd: float) -> None:
        """Limit what it may spend, in US dollars; 0 lifts it."""

    async def suspend(self, until: float = 0.0) -> None:
        """End the turn and keep prompts queued, until a moment (0: until `resume`)."""

    async def resume(self) -> None:
        """Let prompts go again; what a pause interrupted is taken up first."""

    async def mute(self, muted: bool) -> None:
        """Notify nobody of what it does, or of what it does again."""

    async def choose(self, what: str, value: str) -> None:
        """Change the `model`, `mode` or `effort`."""

    async def request(self, request: Request[A], *, timeout_s: float | None = None) -> A:
        """Put a control request; the body of its answer."""

    async def await_rules(self, more: Sequence[PendingRule] = (), less: Sequence[PendingRule] = ()) -> None:
        """Have an allowance take these rules along into the CLI's files or out of them, or not any more."""

    async def rename(self, name: str) -> None:
        """Give the session a name, also one that has ended. Raises a `LaunchError`, too."""

    async def refresh_mcp(self) -> None:
        """Bring the MCP servers up to date."""

    async def measure_context(self) -> Context:
        """Have the context window measured."""
