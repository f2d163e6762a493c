"""The model's messages: the API's pieces as they stream, and the whole blocks that follow them.

State is kept per parent, so that a subagent's block 0 is never the main agent's (case WIR-11). A piece of
a block that is not open still becomes an event: whether it breaks the rules of a turn is for the fold to
say (`Violated`), not for a source. This module must not know turns or asks.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from msgspec import Struct

from core.session import events as ev
from core.session.events import Event
from core.sources.asks import LEGACY_TOOL
from core.sources.offers import tokens
from core.sources.texts import kind_of, result_text
from core.wire import content as blocks
from core.wire import stream as api
from core.wire.records import AssistantMessage

SYNTHETIC = "<synthetic>"
"""The model name of the CLI's own words."""

_CALLS = (blocks.ToolUse, blocks.ServerToolUse)
_THINKING = (blocks.Thinking, blocks.RedactedThinking)


class _Thread(Struct):
    """The message of one parent that streams: its blocks whose whole form has not come, and its usage."""

    message_id: str
    waiting: dict[int, str]
    usage: blocks.ApiUsage | None = None


class Messages:
    """The open messages of one process."""

    def __init__(self) -> None:
        """Start with none."""
        self._threads: dict[str, _Thread] = {}

    def piece(self, event: api.BlockDelta, parent: str, at: float) -> Sequence[Event]:
        """More of a block: the hot path, one event for each token that is streamed."""
        thread = self._threads.get(parent)
        message_id = thread.message_id if thread is not None else ""
        delta = event.delta
        return _PIECES[type(delta)](message_id, event.index, delta, parent, at)

    def stream(self, event: api.StreamEvent, parent: str, at: float) -> Sequence[Event]:
        """Any other event of the API's stream."""
        return self._STREAM[type(event)](self, event, parent, at)

    def _start(self, event: api.MessageStart, parent: str, at: float) -> Sequence[Event]:
        message = event.message
        self._threads[parent] = _Thread(message.id, {}, message.usage)
        return (
            ev.MessageStarted(
                at=at,
                message_id=message.id,
                parent=parent,
                model=message.model or "",
                tokens=tokens(message.usage),
            ),
        )

    def _open(self, event: api.BlockStart, parent: str, at: float) -> Sequence[Event]:
        thread = self._threads.get(parent)
        if thread is None:
            thread = self._threads[parent] = _Thread("", {})
        block = event.content_block
        thread.waiting[event.index] = _identity(block)
        started = _started(thread.message_id, event.index, block, parent, at)
        if isinstance(block, _THINKING) and not parent:
            # Other blocks show themselves by what streams of them; thinking may be a signature only.
            return (started, ev.PhaseChanged(at=at, phase="thinking"))
        if isinstance(block, blocks.UnknownBlock):
            return (started, _unknown(block, at))
        return (started,)

    def _close(self, event: api.BlockStop, parent: str, at: float) -> Sequence[Event]:
        message_id = self._message_id(parent)
        return (ev.BlockStopped(at=at, message_id=message_id, index=event.index, parent=parent),)

    def _delta(self, event: api.MessageDelta, parent: str, at: float) -> Sequence[Event]:
        return (
            ev.MessageDelta(
                at=at,
                message_id=self._message_id(parent),
                parent=parent,
                stop_reason=event.delta.stop_reason or "",
                output_tokens=tokens(event.usage).output,
            ),
        )

    def _stop(self, event: api.MessageStop, parent: str, at: float) -> Sequence[Event]:
        return (ev.MessageStopped(at=at, message_id=self._message_id(parent), parent=parent),)

    def _failed(self, event: api.StreamError, parent: str, at: float) -> Sequence[Event]:
        text = event.error.message or event.error.type or "the model's answer broke off"
        return (ev.Noticed(at=at, text=text, level="warning", parent=parent),)

    def _strange(self, event: api.UnknownStreamEvent, parent: str, at: float) -> Sequence[Event]:
        return (ev.UnknownSeen(at=at, raw=event.raw, why=f"unknown stream event `{event.kind}`"),)

    def _ping(self, event: api.Ping, parent: str, at: float) -> Sequence[Event]:
        return ()

    def _message_id(self, parent: str) -> str:
        thread = self._threads.get(parent)
        return thread.message_id if thread is not None else ""

    def whole(self, message: AssistantMessage, parent: str, at: float) -> list[Event]:
        """Whole blocks of a message, then what the CLI tells of its usage."""
        content = message.content
        told: list[Event] = []
        for block in (blocks.Text(content),) if isinstance(content, str) else content or ():
            complete = _COMPLETE.get(type(block), _other)
            told += complete(message.id, self._place(message.id, block, parent), block, parent, at)
        thread = self._threads.get(parent)
        if thread is None or thread.message_id != message.id or thread.usage != message.usage:
            told.append(_used(message, parent, at))
        return told

    def _place(self, message_id: str, block: blocks.Block, parent: str) -> int | None:
        """Which streamed block this is the whole form of; None where nothing was streamed (case WIR-06).

        The first one of its kind that waits: the CLI may leave blocks out, so counting lines is not enough.
        """
        thread = self._threads.get(parent)
        if thread is None or thread.message_id != message_id:
            return None
        identity = _identity(block)
        for index, waiting in thread.waiting.items():
            if waiting == identity:
                del thread.waiting[index]
                return index
        return None

    _STREAM: ClassVar[dict[type, Callable[[Any, Any, str, float], Sequence[Event]]]] = {
        api.MessageStart: _start,
        api.BlockStart: _open,
        api.BlockDelta: piece,
        api.BlockStop: _close,
        api.MessageDelta: _delta,
        api.MessageStop: _stop,
        api.StreamError: _failed,
        api.UnknownStreamEvent: _strange,
        api.Ping: _ping,
    }


def _identity(block: blocks.Block) -> str:
    """What tells a block of a message from its others: its call's id, or its kind."""
    return block.id if isinstance(block, _CALLS) else kind_of(block)


def _started(message_id: str, index: int, block: blocks.Block, parent: str, at: float) -> ev.BlockStarted:
    kind, tool, call_id = kind_of(block), "", ""
    if isinstance(block, _CALLS):
        # A request in the older form is an ask, not a call: nothing of it is to be shown as one.
        kind = "ask" if block.name == LEGACY_TOOL else "tool_use"
        tool, call_id = block.name, block.id
    return ev.BlockStarted(
        at=at, message_id=message_id, index=index, kind=kind, parent=parent, tool=tool, tool_use_id=call_id
    )


def _unknown(block: blocks.UnknownBlock, at: float) -> ev.UnknownSeen:
    return ev.UnknownSeen(at=at, raw=block.raw, why=f"unknown block `{block.kind}`")


# Pieces


def _text(message_id: str, index: int, piece: api.TextPiece, parent: str, at: float) -> tuple[Event, ...]:
    return (ev.TextDelta(at=at, message_id=message_id, index=index, text=piece.text, parent=parent),)


def _thinking(
    message_id: str, index: int, piece: api.ThinkingPiece, parent: str, at: float
) -> tuple[Event, ...]:
    text = piece.thinking
    return (ev.ThinkingDelta(at=at, message_id=message_id, index=index, text=text, parent=parent),)


def _input(message_id: str, index: int, piece: api.InputPiece, parent: str, at: float) -> tuple[Event, ...]:
    json = piece.partial_json
    return (ev.ToolInputDelta(at=at, message_id=message_id, index=index, json=json, parent=parent),)


def _signature(
    message_id: str, index: int, piece: api.SignaturePiece, parent: str, at: float
) -> tuple[Event, ...]:
    return (ev.SignatureDelta(at=at, message_id=message_id, index=index, parent=parent),)


def _citation(
    message_id: str, index: int, piece: api.CitationPiece, parent: str, at: float
) -> tuple[Event, ...]:
    raw = bytes(piece.citation)
    return (ev.CitationsDelta(at=at, message_id=message_id, index=index, raw=raw, parent=parent),)


def _strange_piece(
    message_id: str, index: int, piece: api.UnknownPiece, parent: str, at: float
) -> tuple[Event, ...]:
    return (ev.UnknownSeen(at=at, raw=piece.raw, why=f"unknown delta `{piece.kind}`"),)


_PIECES: dict[type, Callable[[str, int, Any, str, float], tuple[Event, ...]]] = {
    api.TextPiece: _text,
    api.ThinkingPiece: _thinking,
    api.InputPiece: _input,
    api.SignaturePiece: _signature,
    api.CitationPiece: _citation,
    api.UnknownPiece: _strange_piece,
}


# Whole blocks


def _used(message: AssistantMessage, parent: str, at: float) -> ev.MessageCompleted:
    """Its usage, told once more with each block: only worth an event where it is not what was streamed."""
    return ev.MessageCompleted(
        at=at,
        message_id=message.id,
        parent=parent,
        model=message.model or "",
        tokens=tokens(message.usage),
        synthetic=message.model == SYNTHETIC,
    )


def _said(
    message_id: str, index: int | None, block: blocks.Text, parent: str, at: float
) -> tuple[Event, ...]:
    text = block.text
    return (ev.TextCompleted(at=at, message_id=message_id, text=text, index=index, parent=parent),)


def _thought(
    message_id: str, index: int | None, block: blocks.Thinking, parent: str, at: float
) -> tuple[Event, ...]:
    text = block.thinking
    return (ev.ThinkingCompleted(at=at, message_id=message_id, text=text, index=index, parent=parent),)


def _call(
    message_id: str,
    index: int | None,
    block: blocks.ToolUse | blocks.ServerToolUse,
    parent: str,
    at: float,
) -> tuple[Event, ...]:
    if block.name == LEGACY_TOOL:
        return _other(message_id, index, block, parent, at)
    return (
        ev.ToolInputFinalized(
            at=at,
            message_id=message_id,
            tool_use_id=block.id,
            tool=block.name,
            input_json=bytes(block.input),
            index=index,
            parent=parent,
        ),
    )


def _other(
    message_id: str, index: int | None, block: blocks.Block, parent: str, at: float
) -> tuple[Event, ...]:
    kind = kind_of(block)
    place = ev.OtherBlockCompleted(at=at, message_id=message_id, kind=kind, index=index, parent=parent)
    if isinstance(block, blocks.UnknownBlock):
        return (place, _unknown(block, at))
    return (place,)


def _result(
    message_id: str, index: int | None, block: blocks.ToolResult, parent: str, at: float
) -> tuple[Event, ...]:
    returned = ev.ToolResulted(
        at=at,
        tool_use_id=block.tool_use_id,
        text=result_text(block.content),
        is_error=bool(block.is_error),
        parent=parent,
    )
    return (*_other(message_id, index, block, parent, at), returned)


def _server_result(
    message_id: str, index: int | None, block: blocks.ServerResult, parent: str, at: float
) -> tuple[Event, ...]:
    """The result of a tool that the API itself ran stands in the model's own message."""
    text = bytes(block.content).decode("utf-8", "replace")
    returned = ev.ToolResulted(at=at, tool_use_id=block.tool_use_id, text=text, parent=parent)
    return (*_other(message_id, index, block, parent, at), returned)


_COMPLETE: dict[type, Callable[[str, int | None, Any, str, float], tuple[Event, ...]]] = {
    blocks.Text: _said,
    blocks.Thinking: _thought,
    blocks.ToolUse: _call,
    blocks.ServerToolUse: _call,
    blocks.ToolResult: _result,
    blocks.WebSearchResult: _server_result,
    blocks.WebFetchResult: _server_result,
    blocks.AdvisorResult: _server_result,
}
