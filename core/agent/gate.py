"""What an ask of one agent meets before it waits for a person: the person's own rules.

A gate belongs to a session, over all restarts of its agent. It must not know how an answer is sent.
"""

from collections.abc import Callable

from msgspec import Struct

from core.agent.policy import Policy, decide
from core.agent.sink import Sink
from core.session.answers import Allow, Answer, Deny
from core.session.state import Ask


class Ruling(Struct, frozen=True):
    """An answer given without the person, and what the conversation says about it."""

    answer: Answer
    note: str


class Gate:
    """The gate of one agent."""

    def __init__(self, sink: Sink, policy: Callable[[], Policy] = Policy) -> None:
        """`policy` tells the person's rules as they are now."""
        self._sink = sink
        self._policy = policy

    def rule(self, ask: Ask) -> Ruling | None:
        """The answer to an ask, or None: it waits for the person."""
        decision = decide(self._policy(), ask, self._sink.state.directory)
        match decision.verdict:
            case "deny":
                return Ruling(Deny(denial(decision.rule)), f"denied by your rule {decision.rule}")
            case "allow":
                return Ruling(Allow(), f"allowed by your rule {decision.rule}")
        return None


def denial(rule: str) -> str:
    """What the model is told when a rule denied its call."""
    return f"The person's rule {rule} denies this. Do not try it another way."
