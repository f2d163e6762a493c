"""Wire records → events: the source of a driven session.

Pure: the time is passed in, and one `StreamSource` belongs to one process. What a delta of a block that is
not open means is for the fold to say (it reports `Violated`); a source never drops one. This module must
not know how records arrive, nor what becomes of the events.
"""

from collections.abc import Callable, Sequence
from typing import Any

from core.session import events as ev
from core.session.events import Event
from core.sources.asks import LEGACY_TOOL, Asks, ask_of, legacy_ask
from core.sources.messages import Messages
from core.sources.notes import NOTES
from core.sources.texts import count_images, is_wrapper, plain_text, result_text, unknown_blocks
from core.sources.turns import Turns
from core.wire import control, records, system
from core.wire import stream as api
from core.wire.codec import Record
from core.wire.content import ToolResult, ToolUse

DETAIL_BYTES = 2**20
"""How much of a tool's structured result is kept; a larger one only has its text."""

Events = Sequence[Event]

_WITHDRAWN = frozenset({"cancelled", "discarded", "refused"})


class StreamSource:
    """Turns the records of one process into events."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        self._messages = Messages()
        self._asks = Asks()
        self._turns = Turns()
        self._ours: set[str] = set()
        self._table: dict[type, Callable[[Any, float], Events]] = {
            **NOTES,
            records.StreamRecord: self._stream,
            records.AssistantRecord: self._assistant,
            records.UserRecord: self._user,
            records.ResultRecord: self._result,
            records.LifecycleRecord: self._lifecycle,
            records.ResetRecord: self._reset,
            records.Unknown: self._unknown,
            control.RequestRecord: self._request,
            control.ResponseRecord: self._response,
            control.CancelRecord: self._cancel,
            system.SessionStateChanged: self._state,
            system.Init: self._begun,
            system.StatusRecord: self._status,
        }

    def events(self, record: Record, at: float) -> Events:
        """What a record means, in order; `at` is seconds since the epoch."""
        return self._table[type(record)](record, at)

    def _stream(self, record: records.StreamRecord, at: float) -> Events:
        event, parent = record.event, record.parent_tool_use_id or ""
        if type(event) is api.BlockDelta:
            return self._messages.piece(event, parent, at)
        if type(event) is api.MessageStart and not parent:
            return (*self._turns.begin(at), *self._messages.stream(event, parent, at))
        return self._messages.stream(event, parent, at)

    def _assistant(self, record: records.AssistantRecord, at: float) -> Events:
        message, parent = record.message, record.parent_tool_use_id or ""
        told = self._messages.whole(message, parent, at)
        if isinstance(message.content, tuple):
            for block in message.content:
                if isinstance(block, ToolUse) and block.name == LEGACY_TOOL:
                    told += self._legacy(block, at)
        return told if parent else [*self._turns.begin(at), *told]

    def _legacy(self, call: ToolUse, at: float) -> Events:
        """A call of the older permission tool is a request, not a call (FACTS §4)."""
        ask = legacy_ask(call, at)
        if ask is None:
            return (ev.UnknownSeen(at=at, raw=bytes(call.input), why=f"unknown {LEGACY_TOOL}"),)
        return self._asks.raise_(ask, at)

    def _user(self, record: records.UserRecord, at: float) -> Events:
        content = record.message.content
        if not isinstance(content, tuple):
            return self._spoken(record, at)
        told: list[Event] = []
        results = [block for block in content if isinstance(block, ToolResult)]
        for block in results:
            told += self._returned(block, record, len(results) == 1, at)
        if len(results) == len(content):
            return told
        for strange in unknown_blocks(content):
            told.append(ev.UnknownSeen(at=at, raw=strange.raw, why=f"unknown block `{strange.kind}`"))
        return [*told, *self._spoken(record, at)]

    def _spoken(self, record: records.UserRecord, at: float) -> Events:
        """A prompt of ours come back, or words in the user's role that are not."""
        content, parent = record.message.content, record.parent_tool_use_id or ""
        text, images = plain_text(content), count_images(content)
        if not text and not images:
            return ()
        if self._is_prompt(record, text):
            taken = ev.PromptMoved(at=at, id=record.uuid or "", state="taken", text=text)
            return (taken,) if parent else (*self._turns.begin(at), taken)
        meta = bool(record.is_meta or record.is_synthetic or record.is_compact_summary) or is_wrapper(text)
        return (ev.UserSpoke(at=at, text=text, parent=parent, meta=meta, images=images),)

    def _is_prompt(self, record: records.UserRecord, text: str) -> bool:
        """Whether this is a prompt of ours come back; the CLI replays notes of its own as well."""
        if not record.is_replay or not record.uuid:
            return False
        return record.uuid in self._ours or not is_wrapper(text)

    def _returned(self, block: ToolResult, record: records.UserRecord, only: bool, at: float) -> list[Event]:
        decision, decided_by = _decision(record, block.tool_use_id)
        told = self._asks.returned(block.tool_use_id, decision, at)
        for strange in unknown_blocks(block.content):
            why = f"unknown block `{strange.kind}` in a result"
            told.append(ev.UnknownSeen(at=at, raw=strange.raw, why=why))
        told.append(
            ev.ToolResulted(
                at=at,
                tool_use_id=block.tool_use_id,
                text=result_text(block.content),
                is_error=bool(block.is_error),
                images=count_images(block.content),
                detail_json=_detail(record) if only else b"",
                decision=decision,
                decided_by=decided_by,
                parent=record.parent_tool_use_id or "",
            )
        )
        return told

    def _result(self, record: records.ResultRecord, at: float) -> Events:
        """The turn's words stand in its messages already: `result.result` is never shown again (WIR-06)."""
        return [*self._asks.end_turn(at), *self._turns.end(record, at)]

    def _lifecycle(self, record: records.LifecycleRecord, at: float) -> Events:
        """The fate of a prompt with an id of ours. `started` is the only "taken" of a `/compact`."""
        self._ours.add(record.command_uuid)
        if record.state in _WITHDRAWN:
            return (ev.PromptWithdrawn(at=at, id=record.command_uuid, reason=record.state),)
        if record.state == "started" and not record.wakeup_source:
            return (ev.PromptMoved(at=at, id=record.command_uuid, state="taken"),)
        return ()

    def _reset(self, record: records.ResetRecord, at: float) -> Events:
        """`/clear`. The id it names is not the new session's (2.1.332): the next `init` tells that."""
        reset = ev.ConversationReset(at=at)
        if record.user_message_uuid not in self._ours:
            return (reset,)
        return (ev.PromptMoved(at=at, id=record.user_message_uuid, state="taken"), reset)

    def _unknown(self, record: records.Unknown, at: float) -> Events:
        return (ev.UnknownSeen(at=at, raw=record.raw, why=record.why),)

    def _request(self, record: control.RequestRecord, at: float) -> Events:
        """Hooks and MCP messages are for the host alone."""
        match record.request:
            case control.CanUseTool() as request:
                return self._asks.raise_(ask_of(record.request_id, request, at), at)
            case control.OtherRequest(kind, raw, why):
                return (ev.UnknownSeen(at=at, raw=raw, why=f"unknown request `{kind}`: {why}"),)
        return ()

    def _response(self, record: control.ResponseRecord, at: float) -> Events:
        return self._asks.echo(record.response, at)

    def _cancel(self, record: control.CancelRecord, at: float) -> Events:
        return self._asks.withdraw(record.request_id, at)

    def _state(self, record: system.SessionStateChanged, at: float) -> Events:
        return self._turns.state_changed(record.state, at)

    def _begun(self, record: system.Init, at: float) -> Events:
        return (*self._turns.begin(at), *NOTES[system.Init](record, at))

    def _status(self, record: system.StatusRecord, at: float) -> Events:
        begun = self._turns.begin(at) if record.status else ()
        return (*begun, *NOTES[system.StatusRecord](record, at))


def _decision(record: records.UserRecord, tool_use_id: str) -> tuple[str, str]:
    """What the CLI says about who let the call through, or did not."""
    for meta in record.tool_result_meta or ():
        if meta.id != tool_use_id:
            continue
        if (decided := meta.permission_decision) is not None:
            return decided.decision or "", decided.source or ""
        if meta.non_execution_kind == "user-rejected":  # no permission was involved: stopped while it ran
            return "interrupted", ""
    return "", ""


def _detail(record: records.UserRecord) -> bytes:
    """The structured result, where it is an object of a bearable size."""
    view = memoryview(record.tool_use_result)
    if not 0 < view.nbytes < DETAIL_BYTES or view[0] != ord("{"):
        return b""
    return bytes(view)
