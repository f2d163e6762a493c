"""Answers to what an agent asks: each goes out once, and only to the request it was given for.

Until the CLI has taken it the ask is "answering". Asks are raised and settled by the source; this module
must not know how, nor the form of an answer on the wire.
"""

from collections.abc import Callable

import anyio

from core.agent.patience import Patience
from core.agent.sink import Sink
from core.errors import AskGone
from core.session.answers import Allow, Answer, Deny, Postpone
from core.session.events import AskAnswering, Interrupting, Noticed
from core.session.rules import check_update
from core.session.state import Ask
from core.session.tools import title_of

CHANGED = "changed by you, ran as"
"""How the note on a call begins whose input the person changed."""


class Asks:
    """The asks of one agent."""

    def __init__(
        self, sink: Sink, patience: Patience, send: Callable[[Ask, Answer | Postpone], None]
    ) -> None:
        """`send` queues the answer's line and never blocks; it raises `AgentGone` when nobody reads it."""
        self._sink = sink
        self._limit_s = patience.answer_s
        self._send = send
        self._answered: set[str] = set()

    def answer(self, ask_id: str, answer: Answer | Postpone) -> None:
        """Send an answer.

        Raises `AskGone` when the ask is settled, withdrawn, or answered already, and `RuleError` when it
        carries an update the CLI would not take.
        """
        ask = self._open(ask_id)
        if isinstance(answer, Allow):
            own = frozenset(rule for update in ask.suggestions for rule in update.rules)
            for update in answer.updates:
                check_update(update, own)
        self._send(ask, answer)
        self._answered.add(ask_id)
        self._sink.emit(AskAnswering(at=self._sink.now(), id=ask_id, note=_change(ask, answer)))
        if isinstance(answer, Deny) and answer.interrupt:
            # 2.1.332 ends the turn with an error of its own ("[ede_diagnostic] …"): it is the person's doing.
            self._sink.emit(Interrupting(at=self._sink.now()))

    async def watch(self, ask_id: str) -> None:
        """Say so if an answer is still not taken when the limit has passed; it stays on its way."""
        await anyio.sleep(self._limit_s)
        ask = next((ask for ask in self._sink.state.asks if ask.id == ask_id), None)
        if ask is not None and ask.state == "answering":
            text = f"claude has not taken the answer to {ask.tool} yet. If it stays silent, interrupt it."
            self._sink.emit(Noticed(at=self._sink.now(), text=text, level="warning"))

    def _open(self, ask_id: str) -> Ask:
        for ask in self._sink.state.asks:
            if ask.id == ask_id:
                if ask.state == "open":
                    return ask
                raise AskGone(ask_id, "it is being answered already")
        raise AskGone(ask_id, "it was answered already") if ask_id in self._answered else AskGone(ask_id)


def _change(ask: Ask, answer: Answer | Postpone) -> str:
    """What the call is about now that the person changed its input; "" where they did not."""
    if not isinstance(answer, Allow) or answer.input_json in (None, ask.input_json):
        return ""
    return f"{CHANGED}: {title_of(ask.tool, answer.input_json or b'')}"
