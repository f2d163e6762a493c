"""One driven agent from its first line to its last: what it says becomes events, what is to be said goes out.

    process ─lines→ codec ─Record→ source ─Event→ sink        asks, control, prompts ─→ outbox ─line→ process

Each agent has tasks of its own (read, write, introduce), so that none waits for another. The CLI's stdin
stays open for the life of the agent: background tasks ask long after a turn's result (case CTL-05). It must
not know other agents, nor how a process is found or launched.
"""

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import TypeVarTuple, Unpack

import anyio
import anyio.lowlevel
import anyio.to_thread
from anyio.abc import TaskGroup
from msgspec.structs import replace

from core.agent import inquiries
from core.agent.asks import Asks
from core.agent.branch import read_branch
from core.agent.choices import Choices, Late
from core.agent.control import ControlChannel
from core.agent.flags import stand_in
from core.agent.gate import Gate
from core.agent.interrupts import Interrupts
from core.agent.outbox import Outbox
from core.agent.patience import Patience
from core.agent.pending import taken_along, with_rules
from core.agent.process import AgentProcess, Exit
from core.agent.prompts import Prompts
from core.agent.services import Offer, Services
from core.agent.sink import Sink
from core.errors import AgentGone, ControlError, LaunchError
from core.session import events as ev
from core.session.answers import Answer, Deny, Postpone
from core.session.plans import as_answer
from core.session.state import Ask, Prompt
from core.sources.stream import StreamSource
from core.wire import control as wire
from core.wire import replies
from core.wire.batch import decode_batch
from core.wire.codec import Record
from core.wire.framing import Oversized

Ts = TypeVarTuple("Ts")

SLICE = 64
"""Lines of one agent that are folded before others get their turn: about a millisecond."""

STDERR_LINES = 20
"""How many of the last stderr lines a session keeps."""

CALL_BACK_S = 2.0
"""For so long an interrupt waits for the CLI to give back what it has queued."""

LAST_WORDS_S = 1.0
"""How long an exit code is waited for once stdout has ended."""

TOLD = frozenset({ev.TurnStarted, ev.TurnCompleted, ev.MessageStopped, ev.ToolResulted, ev.CostMeasured})
"""The events that who follows an agent's money wants to hear."""

Start = Callable[[], Awaitable[AgentProcess]]


class Host:
    """An agent that runs, or is about to; made for one process and used up with it."""

    def __init__(
        self,
        sink: Sink,
        start: Start,
        *,
        patience: Patience,
        new_id: Callable[[], str],
        resumed: bool = False,
        prompts: Sequence[Prompt] = (),
        gate: Gate | None = None,
        offer: Offer | None = None,
        heard: Callable[[ev.Event], None] = lambda event: None,
    ) -> None:
        """`start` launches the process (a `LaunchError` is shown); `prompts` were left by an earlier one.

        `gate` answers what need not wait for a person; it outlives the process. `offer` is what the CLI may
        call here. `heard` is called with each event of `TOLD`, after it was folded.
        """
        outbox = Outbox(prompts)
        self.sink = sink
        self.control = ControlChannel(self._put, patience, new_id)
        self.prompts = Prompts(sink, outbox, self.control)
        self.ended = anyio.Event()
        self._asks = Asks(sink, patience, self._send_answer)
        self._choices = Choices(sink, self._ask_choice)
        self._gate = gate or Gate(sink)
        self._services = Services(sink, self._put, new_id, offer or Offer())
        self._interrupts = Interrupts(sink, patience, (self._ask_interrupt, self._signal, self._force))
        self._start = start
        self._resumed = resumed
        self._introduction_s = patience.of("initialize")
        self._outbox = outbox
        self._source = StreamSource()
        self._heard = heard
        self._measuring = False
        self._withheld: dict[str, ev.AskRaised] = {}
        self._tasks: TaskGroup | None = None
        self._process: AgentProcess | None = None
        self._gone: AgentGone | None = None
        self._reason = ""

    async def run(self) -> None:
        """Run the agent until its process has ended, however that comes about; its end is an event."""
        ended = Exit(asked=True)
        try:
            async with anyio.create_task_group() as self._tasks:
                ended = await self._live(self._tasks)
                self._tasks.cancel_scope.cancel()
        finally:
            self._die(ended)
        self.sink.emit(self._exited(ended))

    async def stop(self) -> None:
        """End the process in order, by force if need be, within about 5 s; returns when it is gone."""
        if self._process is not None:
            if self.sink.state.turn is not None:
                # 2.1.332 works on after EOF until its turn is done; a SIGINT lets it end the turn in order.
                self._process.interrupt_signal()
            await self._process.close()
        elif self._tasks is not None:
            self._tasks.cancel_scope.cancel()
        await self.ended.wait()

    def answer(self, ask_id: str, answer: Answer | Postpone) -> None:
        """Answer an ask, once; never blocks. Raises `AskGone` or `AgentGone`."""
        self._asks.answer(ask_id, answer)
        self._soon(self._asks.watch, ask_id)

    def interrupt(self) -> None:
        """End this turn; each further call is the next step of force. Nothing to do while it is idle."""
        if self.sink.state.turn is not None:
            self._soon(self._interrupts.watch, self._interrupts.press())

    def halt(self, by: str = "") -> None:
        """Let no prompt go, also none the CLI has queued, and end the turn unless that is under way.

        `by` is who does so ("" is the person).
        """
        self.prompts.hold(True)
        self._soon(self._halt, by)

    def go_on(self) -> None:
        """Let prompts go again."""
        self.prompts.hold(False)

    def reconsider(self) -> None:
        """What was held no longer is: give the open asks to the gate once more."""
        for ask in self.sink.state.asks:
            if ask.held and ask.state == "open":
                self.sink.emit(ev.AskHeld(at=self.sink.now(), id=ask.id))
                if ruling := self._gate.rule(ask):
                    self.answer(ask.id, ruling.answer)
                    self.sink.emit(ev.Noticed(at=self.sink.now(), text=f"{ask.tool}: {ruling.note}"))

    def measure_cost(self) -> None:
        """Have the CLI tell its running total, unless it was asked already; it is `heard` of."""
        if not self._measuring:
            self._measuring = True
            self._soon(self._measure_cost)

    async def choose(self, what: str, value: str) -> None:
        """Change the `model`, `mode` or `effort`. Raises `ControlError` or `AgentGone`."""
        await self._choices.choose(what, value)

    # What the agent says

    async def _live(self, tasks: TaskGroup) -> Exit:
        try:
            process = await self._start()
        except LaunchError as error:
            self._reason = str(error)
            return Exit()
        async with process:
            self._process = process
            tasks.start_soon(self.sink.broken)
            self.sink.emit(ev.ProcessStarted(at=self.sink.now(), pid=process.pid))
            for task in (self._write, self._introduce, self._refresh_branch):
                tasks.start_soon(task)
            await self._read(process)
            # A stdout that ended by itself is told apart from one we closed: wait a moment for the exit code.
            with anyio.move_on_after(LAST_WORDS_S):
                await process.wait()
        return await process.close()

    async def _read(self, process: AgentProcess) -> None:
        async for batch in process.lines():
            for start in range(0, len(batch), SLICE):
                for record in decode_batch(batch[start : start + SLICE]):
                    if self._hear(record):
                        # Who waited for this answer comes first: what follows may already be newer.
                        await anyio.lowlevel.checkpoint()
                await anyio.lowlevel.checkpoint()

    def _hear(self, record: Record | Oversized) -> bool:
        """Fold one record; true if it settled a request of ours."""
        if isinstance(record, Oversized):
            self._report_dropped(record)
            return False
        settled = False
        match record:
            case wire.ResponseRecord(response=response):
                settled = self.control.settle(response)
            case wire.RequestRecord(request_id=request_id, request=request):
                if not isinstance(request, wire.CanUseTool) and self._services.expect(request_id):
                    self._soon(self._serve, request_id, request)
            case wire.CancelRecord(request_id=request_id):
                self._services.cancel(request_id)
                self._withheld.pop(request_id, None)
        for event in self._source.events(record, self.sink.now()):
            if isinstance(event, ev.AskRaised):
                self._raise(event)
            else:
                self.sink.hear(event)
            if isinstance(event, ev.TurnCompleted):
                self._turn_over()
            elif isinstance(event, ev.TextCompleted | ev.PromptMoved):
                self._gate.hear(event)
            if type(event) in TOLD:
                self._heard(event)
        return settled

    async def _serve(self, request_id: str, request: wire.InboundRequest) -> None:
        with suppress(AgentGone):  # its end is told by itself
            await self._services.serve(request_id, request)

    def _raise(self, raised: ev.AskRaised) -> None:
        """An ask waits for a person, unless the gate answers it at once."""
        if self._measuring:  # what it has cost may forbid it
            self._withheld[raised.ask.id] = raised
        elif raised.ask.kind == "plan" and not raised.ask.plan and self._gate.holds_plan:
            self._withheld[raised.ask.id] = raised
            self._soon(self._raise_with_plan, raised.ask.id)
        else:
            self._decide(raised)

    def _decide(self, raised: ev.AskRaised) -> None:
        ruling = self._gate.rule(raised.ask)
        if ruling is None:
            self.sink.hear(raised)
            if raised.ask.kind == "plan" and not raised.ask.plan:
                self._soon(self._fetch_plan, raised.ask.id)
            if why := self._gate.holds(raised.ask):
                self.sink.emit(ev.AskHeld(at=raised.at, id=raised.ask.id, why=why))
            return
        with suppress(AgentGone):  # its end is told by itself
            self._reply(raised.ask, ruling.answer)
        self.sink.emit(ev.AskDecided(at=raised.at, ask=raised.ask, note=ruling.note))

    async def _raise_with_plan(self, ask_id: str) -> None:
        """While a plan is held it has to be known whether this is the same one."""
        text = ""
        with suppress(AgentGone, ControlError):
            text = await inquiries.read_plan(self.control, limit_s=inquiries.MEASURE_S)
        if (raised := self._withheld.pop(ask_id, None)) is not None:  # else it was withdrawn meanwhile
            self._decide(replace(raised, ask=replace(raised.ask, plan=text)))

    async def _fetch_plan(self, ask_id: str) -> None:
        with suppress(AgentGone, ControlError):  # a release that cannot tell: the card says there is no text
            await inquiries.fetch_plan(self.control, self.sink, ask_id)

    def _report_dropped(self, line: Oversized) -> None:
        text = f"claude wrote a line of {line.size:,} bytes, which is over the limit: it was dropped."
        now = self.sink.now()
        self.sink.emit(
            ev.UnknownSeen(at=now, raw=line.head, why=text), ev.Noticed(at=now, text=text, level="error")
        )

    def _turn_over(self) -> None:
        # The CLI has forgotten what the turn itself asked; what subagents ask stays.
        self._withheld = {name: raised for name, raised in self._withheld.items() if raised.ask.agent_id}
        if self._interrupts.turn_over() and (left := len(self.sink.state.running_tasks)):
            text = f"Interrupted; {left} background task{'s' * (left > 1)} still running."
            self.sink.emit(ev.Noticed(at=self.sink.now(), text=text))
        self._soon(self._refresh_branch)

    async def _introduce(self) -> None:
        with suppress(AgentGone, ControlError):
            await inquiries.introduce(
                self.control, self.sink, self._services.introduction(), limit_s=self._introduction_s
            )
            if self._resumed:
                with suppress(ControlError):  # a release that cannot tell also starts at zero
                    await inquiries.measure_cost(self.control, self.sink)
            with suppress(ControlError):  # they are set again when the rules are looked at
                await stand_in(self.control, self.sink.state.pending_rules)
            self._outbox.open()
            await inquiries.refresh_mcp(self.control, self.sink)

    async def _halt(self, by: str) -> None:
        with suppress(AgentGone), anyio.move_on_after(CALL_BACK_S):
            await self.prompts.call_back()
        turn = self.sink.state.turn
        if turn is not None and not turn.interrupting_since:
            self.sink.emit(ev.Interrupting(at=self.sink.now(), by=by))
            self.interrupt()

    async def _measure_cost(self) -> None:
        try:
            with suppress(AgentGone, ControlError):  # a release that cannot tell does so at the turn's end
                self._heard(await inquiries.measure_cost(self.control, self.sink, running=True))
        finally:
            self._measuring = False
            self._raise_withheld()

    def _raise_withheld(self) -> None:
        withheld, self._withheld = self._withheld, {}
        for raised in withheld.values():
            self._raise(raised)

    async def _refresh_branch(self) -> None:
        branch = await anyio.to_thread.run_sync(read_branch, self.sink.state.directory)
        if branch != self.sink.state.branch:
            self.sink.emit(ev.Renamed(at=self.sink.now(), branch=branch))

    # What is said to the agent

    async def _write(self) -> None:
        assert self._process is not None
        with suppress(AgentGone):  # the reader will tell
            while True:
                item = await self._outbox.take()
                if isinstance(item, Prompt):
                    await self._process.send(replies.prompt(item.text, item.id, item.images))
                    self.prompts.sent(item)
                else:
                    await self._process.send(item)

    def _put(self, line: bytes) -> None:
        if self._gone is not None:
            raise self._gone
        self._outbox.put(line)

    def _send_answer(self, ask: Ask, answer: Answer | Postpone) -> None:
        if not self._services.questions.answer(ask, answer):
            self._reply(ask, as_answer(answer))
            self._gate.answered(ask, answer)
        elif isinstance(answer, Deny) and answer.interrupt:
            self.interrupt()  # to the CLI it is a tool that failed: it would go on

    def _reply(self, ask: Ask, answer: Answer) -> None:
        """Answer, and have an allowance take along the rules that wait for one."""
        taken = taken_along(answer, self.sink.state.pending_rules)
        self._put(replies.answer(ask, with_rules(answer, taken)))
        if taken:
            sent = tuple(replace(rule, sent_with=ask.id) for rule in taken)
            self.sink.emit(ev.RulesPending(at=self.sink.now(), more=sent))

    async def _ask_choice(self, what: str, value: str, late: Late) -> None:
        match what:
            case "model":
                await self.control.request(wire.SetModel(value), late=late)
            case "mode":
                await self.control.request(wire.SetPermissionMode(value), late=late)
            case "effort":
                effort = wire.FlagSettings(effort=value)
                await self.control.request(wire.ApplyFlagSettings(effort), late=late)
            case _:
                raise ValueError(what)

    def _ask_interrupt(self) -> None:
        self._soon(self._request_interrupt)

    async def _request_interrupt(self) -> None:
        with suppress(ControlError, AgentGone):  # `Interrupts` watches the turn itself
            await self.control.request(wire.Interrupt())

    def _signal(self) -> None:
        if self._process is not None:
            self._process.interrupt_signal()

    def _force(self) -> None:
        self._reason = "stopped: it did not react to being interrupted"
        self._soon(self.stop)

    def _soon(self, task: Callable[[Unpack[Ts]], Coroutine[None, None, None]], *arguments: *Ts) -> None:
        if self._tasks is not None and self._gone is None:
            self._tasks.start_soon(task, *arguments)

    # Its end

    def _die(self, ended: Exit) -> None:
        self._gone = AgentGone(self._reason or ended.reason, ended.stderr_tail)
        self.control.fail(self._gone)
        self.ended.set()

    def _exited(self, ended: Exit) -> ev.ProcessExited:
        return ev.ProcessExited(
            at=self.sink.now(),
            code=ended.code,
            signal=ended.signal or 0,
            stderr_tail="\n".join(ended.stderr_tail.splitlines()[-STDERR_LINES:]),
            expected=ended.asked or ended.code == 0,
            reason=self._reason,
        )
