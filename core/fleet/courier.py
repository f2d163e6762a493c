"""What is said to a kept agent, until its keeper says that it has it.

A connection that breaks loses nothing: prompts go again with the next one (each has an id, so that it counts
once), limits are told anew, and of an answer that was on its way it is said what became of it. It must not
know how a keeper is found, nor how a session is shown.
"""

from collections.abc import Sequence
from functools import partial

import msgspec

from core.agent.sink import Sink
from core.errors import AgentGone, BudgetSpent, HostLost, KeeperError, QuarterdeckError
from core.fleet.budget import differs, of_scope, refusal
from core.keeper import messages as to
from core.keeper.client import LOST, Client
from core.keeper.messages import Said
from core.session.answers import Answer, Postpone
from core.session.entries import PromptEntry
from core.session.events import Noticed, PromptMoved, PromptWithdrawn
from core.session.state import Budget, Prompt
from core.session.tools import title_of


class Courier:
    """Carries all that goes to one keeper; `client` is the connection to it, None while there is none."""

    def __init__(self, sink: Sink) -> None:
        """`sink` is the session's: what happens to the things said is told there."""
        self.client: Client | None = None
        self._sink = sink
        self._prompts: dict[str, Prompt] = {}
        self._unsure: dict[str, str] = {}
        self._wanted: Sequence[Budget] = ()
        self._restraints: dict[str, Budget] = {}

    @property
    def open(self) -> bool:
        """Whether something given now can arrive."""
        return self.client is not None and self.client.open

    async def do(self, said: Said) -> msgspec.Raw:
        """Give a command, and wait; its result. Raises what went wrong with it, or that nothing was sent."""
        if self.client is None:
            if self._sink.state.exit is not None:
                raise AgentGone
            raise self._unreached()
        return await self.client.do(said)

    def _unreached(self) -> KeeperError:
        away = self._sink.state.away
        return HostLost(f"Nothing was sent: {away.reason}.") if away is not None else KeeperError(LOST)

    def give(self, said: Said) -> None:
        """Give a command nobody waits for; without a connection it is not given."""
        if self.client is not None and self.client.open:
            self.client.give(said)

    def turn_away(self, why: str) -> None:
        """End the connection for good: what is told there cannot be followed."""
        if self.client is not None:
            self.client.turned_away = why
            self.client.close()

    def send(self, prompt: Prompt) -> None:
        """Keep a prompt, and send it as soon as it can be. Raises `AgentGone`, `BudgetSpent`."""
        if self._sink.state.exit is not None:
            raise AgentGone
        for budget in self._sink.state.budgets:
            if budget.stage == "stopped":
                raise BudgetSpent(refusal(budget))
        self._prompts[prompt.id] = prompt
        self._put(prompt)

    def _put(self, prompt: Prompt) -> None:
        if not self._is_shown(prompt.id):
            now = self._sink.now()
            self._sink.emit(
                PromptMoved(at=now, id=prompt.id, state="queued", text=prompt.text, images=prompt.images)
            )
        if self.client is not None and self.client.open:
            self.client.tell(to.Send(prompt=prompt), partial(self._delivered, prompt))

    def _is_shown(self, prompt_id: str) -> bool:
        session = self._sink.session
        return any(prompt.id == prompt_id for prompt in session.state.prompts) or any(
            isinstance(entry, PromptEntry) and entry.prompt_id == prompt_id
            for entry in session.conversation.entries()
        )

    def _delivered(self, prompt: Prompt, error: QuarterdeckError | None) -> None:
        if isinstance(error, KeeperError):
            return  # it goes again with the next connection
        self._prompts.pop(prompt.id, None)
        if error is not None:
            now = self._sink.now()
            self._sink.emit(PromptWithdrawn(at=now, id=prompt.id, text=prompt.text, reason=str(error)))

    async def answer(self, ask_id: str, answer: Answer | Postpone) -> None:
        """Answer an ask, once: it never goes again, as nobody can know whether it arrived."""
        try:
            await self.do(to.answering(0, ask_id, answer))
        except HostLost:
            asks = [ask for ask in self._sink.state.asks if ask.id == ask_id]
            self._unsure[ask_id] = title_of(asks[0].tool, asks[0].input_json) if asks else "what it asked"
            raise

    def restrain(self, budgets: Sequence[Budget]) -> None:
        """Tell the limits of the day and of the fleet, as far as they are news over there."""
        self._wanted = budgets
        for budget in budgets:
            known = self._restraints.get(budget.scope) or of_scope(self._sink.state.budgets, budget.scope)
            if differs(known, budget):
                self._restraints[budget.scope] = budget
                self.give(to.Restrain(budgets=(budget,)))

    def go_again(self) -> None:
        """A new connection stands, and the session as its keeper has it: what may not have arrived goes."""
        self._restraints = {}  # what was told on another connection may not have arrived
        self.restrain(self._wanted)
        for prompt in list(self._prompts.values()):
            self._put(prompt)
        self._tell_answered()

    def _tell_answered(self) -> None:
        """What became of answers that were on their way when the connection broke."""
        waiting = {ask.id for ask in self._sink.state.asks if ask.state == "open"}
        for ask_id, what in self._unsure.items():
            if ask_id in waiting:
                text = f"Your answer to {what} was lost with the connection, and not given: answer it again."
            else:
                text = f"{what} was answered before the connection broke; nothing is sent again."
            self._sink.emit(Noticed(at=self._sink.now(), text=text, level="warning"))
        self._unsure.clear()
