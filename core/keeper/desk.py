"""What clients of a keeper may ask for, and who does it. It must not know a socket."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec

from core.agent import inquiries
from core.errors import QuarterdeckError
from core.keeper import messages
from core.keeper.connection import Connection
from core.keeper.keeper import Keeper
from core.keeper.messages import PROTOCOL, Attach, Command, Failure, failure_of, read_said
from core.wire.bodies import Done
from core.wire.codec import BAD
from core.wire.control import RenameSession

log = logging.getLogger(__name__)

NOTHING = b"null"


class Desk:
    """Takes what clients say to one keeper."""

    def __init__(self, keeper: Keeper) -> None:
        """Nothing is asked yet."""
        self._keeper = keeper
        self._attached: set[Connection] = set()

    def hear(self, client: Connection, line: bytes) -> None:
        """A client said something. Never raises."""
        try:
            said = read_said(line)
        except BAD as problem:
            self._keeper.turn_away(client, f"This agent's keeper does not understand that: {problem}")
            return
        if isinstance(said, Attach):
            self._attach(client, said)
        elif client in self._attached:
            # In order: each runs up to its first wait before the next one begins.
            self._keeper.tasks.start_soon(self._do, client, said)
        else:
            self._keeper.turn_away(client, "Attach first.")

    def lose(self, client: Connection) -> None:
        """A client went."""
        self._attached.discard(client)
        self._keeper.detach(client)

    def _attach(self, client: Connection, said: Attach) -> None:
        if said.protocol != PROTOCOL:
            text = "Another release of Quarterdeck started this agent. Stop it there, then resume it."
            self._keeper.turn_away(client, text)
            return
        self._attached.add(client)
        self._keeper.attach(client, said)

    async def _do(self, client: Connection, said: Command) -> None:
        result, failure = NOTHING, None
        try:
            result = await _DO[type(said)](self._keeper, said)
        except QuarterdeckError as error:
            failure = failure_of(error)
        except Exception as error:
            log.exception("The command %s failed", type(said).__name__)
            failure = Failure("KeeperError", f"The keeper failed at this: {type(error).__name__}: {error}")
        self._keeper.done(client, said.n, result, failure)
        if isinstance(said, messages.Stop) and said.forget:
            self._keeper.over.set()


async def _send(keeper: Keeper, said: messages.Send) -> bytes:
    if said.prompt.id not in keeper.sent:
        keeper.agent.send(said.prompt)
        keeper.sent.add(said.prompt.id)
    return NOTHING


async def _take_back(keeper: Keeper, said: messages.TakeBack) -> bytes:
    return msgspec.json.encode(await keeper.agent.host.prompts.take_back(said.prompt_id))


async def _answer(keeper: Keeper, said: messages.AnswerAsk) -> bytes:
    keeper.agent.host.answer(said.ask_id, said.answer)
    return NOTHING


async def _interrupt(keeper: Keeper, said: messages.Interrupt) -> bytes:
    keeper.agent.host.interrupt()
    return NOTHING


async def _choose(keeper: Keeper, said: messages.Choose) -> bytes:
    await keeper.agent.choose(said.what, said.value)
    return NOTHING


async def _question(keeper: Keeper, said: messages.Question) -> bytes:
    request = messages.read_request(said.request)
    if isinstance(request, RenameSession):
        await keeper.agent.rename(request.title)
        return msgspec.json.encode(Done())
    return msgspec.json.encode(await keeper.agent.host.control.request(request, timeout_s=said.timeout_s))


async def _restrain(keeper: Keeper, said: messages.Restrain) -> bytes:
    keeper.agent.restrain(said.budgets)
    return NOTHING


async def _set_budget(keeper: Keeper, said: messages.SetBudget) -> bytes:
    await keeper.agent.set_budget(said.limit_usd)
    return NOTHING


async def _suspend(keeper: Keeper, said: messages.Suspend) -> bytes:
    await keeper.agent.suspend(said.until)
    return NOTHING


async def _resume(keeper: Keeper, said: messages.Resume) -> bytes:
    await keeper.agent.resume()
    return NOTHING


async def _mute(keeper: Keeper, said: messages.Mute) -> bytes:
    await keeper.agent.mute(said.muted)
    return NOTHING


async def _await_rules(keeper: Keeper, said: messages.AwaitRules) -> bytes:
    await keeper.agent.await_rules(said.more, said.less)
    return NOTHING


async def _refresh_mcp(keeper: Keeper, said: messages.RefreshMcp) -> bytes:
    await inquiries.refresh_mcp(keeper.agent.host.control, keeper.agent.sink)
    return NOTHING


async def _measure(keeper: Keeper, said: messages.MeasureContext) -> bytes:
    found = await inquiries.measure_context(keeper.agent.host.control, keeper.agent.sink)
    return msgspec.json.encode(found)


async def _stop(keeper: Keeper, said: messages.Stop) -> bytes:
    await keeper.agent.stop()
    if said.forget:
        keeper.vanish()
    return NOTHING


async def _restart(keeper: Keeper, said: messages.Restart) -> bytes:
    async with keeper.agent.moving:
        await keeper.agent.stop()
        keeper.agent.prepare_again(said.directory or None)
        keeper.start()
    return NOTHING


async def _seen(keeper: Keeper, said: messages.Seen) -> bytes:
    keeper.note_seen()
    return NOTHING


_DO: Mapping[type, Callable[[Keeper, Any], Awaitable[bytes]]] = {
    messages.Send: _send,
    messages.TakeBack: _take_back,
    messages.AnswerAsk: _answer,
    messages.Interrupt: _interrupt,
    messages.Choose: _choose,
    messages.Question: _question,
    messages.Restrain: _restrain,
    messages.SetBudget: _set_budget,
    messages.Suspend: _suspend,
    messages.Resume: _resume,
    messages.Mute: _mute,
    messages.AwaitRules: _await_rules,
    messages.RefreshMcp: _refresh_mcp,
    messages.MeasureContext: _measure,
    messages.Stop: _stop,
    messages.Restart: _restart,
    messages.Seen: _seen,
}
