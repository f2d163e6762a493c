"""What an ask of one agent meets before it waits for a person: the person's rules, a plan's cooldown.

A gate belongs to a session, over all restarts of its agent. It must not know how an answer is sent.
"""

from collections.abc import Callable

from msgspec import Struct

from core.agent.extras import ToolChoice
from core.agent.own_tools import HARMLESS, SEND
from core.agent.plan import PlanCooldown
from core.agent.policy import Policy, decide
from core.agent.sink import Sink
from core.session.answers import Allow, Answer, Deny, Postpone
from core.session.events import PlanHeld, PromptMoved, TextCompleted
from core.session.plans import too_soon
from core.session.state import Ask


class Ruling(Struct, frozen=True):
    """An answer given without the person, and what the conversation says about it."""

    answer: Answer
    note: str


class Gate:
    """The gate of one agent."""

    def __init__(
        self,
        sink: Sink,
        policy: Callable[[], Policy] = Policy,
        held: Callable[[], str] = lambda: "",
        tools: Callable[[], ToolChoice] = ToolChoice,
    ) -> None:
        """`policy` tells the person's rules as they are now; `held` why none of them may allow anything.

        `tools` is what the agent has of ours.
        """
        self._tools = tools
        self._sink = sink
        self._policy = policy
        self._held = held
        self._plan = PlanCooldown()

    def rule(self, ask: Ask) -> Ruling | None:
        """The answer to an ask, or None: it waits for the person."""
        decision = decide(self._policy(), ask, self._sink.state.directory)
        match decision.verdict:
            case "deny":
                return Ruling(Deny(denial(decision.rule)), f"denied by your rule {decision.rule}")
            case "allow" if not self._held():
                return Ruling(Allow(), f"allowed by your rule {decision.rule}")
        # A message is asked for by its own tool where the person wants that: not twice.
        if ask.tool in HARMLESS or (ask.tool == SEND and self._tools().approve):
            return Ruling(Allow(), "a tool of Quarterdeck's own")
        return self._cool(ask) if ask.kind == "plan" else None

    @property
    def holds_plan(self) -> bool:
        """Whether a plan that came back now might be denied at once."""
        return self._plan.holds(self._sink.now())

    def holds(self, ask: Ask) -> str:
        """Why an ask waits for the person whatever the rules say; "" where that is not so."""
        return self._held() if ask.kind == "permission" else ""

    def answered(self, ask: Ask, answer: Answer | Postpone) -> None:
        """The person answered: sending a plan back starts its cooldown, anything else ends it."""
        if ask.kind != "plan":
            return
        if isinstance(answer, Postpone):
            self._plan.postpone(answer.how, ask.plan, self._sink.now())
            self._tell()
        elif self._plan.settle():
            self._tell()

    def hear(self, event: TextCompleted | PromptMoved) -> None:
        """What the model or the person said may be what a plan waits for."""
        if isinstance(event, PromptMoved):
            done = event.state == "taken" and self._plan.hear_person()
        else:
            done = not event.parent and self._plan.hear_model(event.text)
        if done:
            self._tell()

    def _cool(self, ask: Ask) -> Ruling | None:
        left_s = self._plan.comes_back(ask.plan, self._sink.now())
        if not left_s:
            return None
        self._tell()
        return Ruling(Deny(too_soon(left_s)), "denied at once: same plan, too soon")

    def _tell(self) -> None:
        self._sink.emit(PlanHeld(at=self._sink.now(), hold=self._plan.hold))


def denial(rule: str) -> str:
    """What the model is told when a rule denied its call."""
    return f"The person's rule {rule} denies this. Do not try it another way."
