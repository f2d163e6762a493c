"""The captured API stream → events: one answer of the model, streamed or whole.

Strict: a piece for a block that is not open becomes `Violated`, is dropped, and never mended. What was
captured half is sealed: an open call never becomes a call, an open text is closed as cut. This module must
not know requests, flows or turns.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import msgspec
from msgspec import Raw, Struct
from msgspec.json import Decoder

from core.session import events as ev
from core.session.events import Event
from core.session.state import Confidence, Cut, Tokens
from core.sources.offers import tokens
from core.sources.texts import kind_of
from core.wire import content as blocks
from core.wire import stream as api
from core.wire.content import ApiUsage
from core.wire.lenient import read_content

Events = Sequence[Event]

STOPS: dict[str, str] = {
    "max_tokens": "The answer was cut at its greatest length (max_tokens). Send `continue` to have the rest.",
    "model_context_window_exceeded": "The context window is full: the answer was cut. /compact makes room.",
    "refusal": "The model declined to answer (refusal). Put it in other words, or go back before it.",
}
"""Stop reasons a person must hear of, and what to do; others end an answer in order."""

_THINKING = ("thinking", "redacted_thinking")


class _Open(Struct):
    """A block while it streams."""

    kind: str
    pieces: list[str]
    tool: str = ""
    call_id: str = ""
    input: bytes = b""


class _Whole(Struct, frozen=True):
    """An answer that was not streamed."""

    id: str = ""
    model: str | None = None
    content: Raw = Raw(b"[]")
    stop_reason: str | None = None
    usage: ApiUsage | None = None


_whole = Decoder(_Whole)


def merged(before: ApiUsage | None, after: ApiUsage | None) -> ApiUsage | None:
    """Token counts as told last; what is missing or null in the later ones is unchanged."""
    if before is None or after is None:
        return after or before
    fields = ApiUsage.__struct_fields__
    later = {name: value for name in fields if (value := getattr(after, name)) is not None}
    return msgspec.structs.replace(before, **later)


class Answer:
    """One answer as it is captured.

    `opened` and `stopped` tell how far it is, `stop_reason` why the API ended it, `final` whether its token
    counts are: until then they are those of its start, an estimate.
    """

    def __init__(self, parent: str = "", confidence: Confidence = "high") -> None:
        """`parent` is the call whose subagent it belongs to; `confidence` goes on every event."""
        self.message_id = ""
        self.model = ""
        self.stop_reason = ""
        self.opened = False
        self.stopped = False
        self.final = False
        self._parent = parent
        self._confidence: Confidence = confidence
        self._usage: ApiUsage | None = None
        self._blocks: dict[int, _Open] = {}
        self._texts: list[str] = []

    @property
    def tokens(self) -> Tokens:
        """What it has used, as far as was told."""
        return tokens(self._usage)

    @property
    def text(self) -> str:
        """All the words of it, those of a block that is open still included."""
        streaming = ["".join(block.pieces) for block in self._blocks.values() if block.kind == "text"]
        return "".join((*self._texts, *streaming))

    def events(self, event: api.StreamEvent, at: float) -> Events:
        """What one event of the API's stream means."""
        kind = type(event)
        if (self.stopped or not self.opened) and kind in _WITHIN:
            when = "after the end" if self.stopped else "before the beginning"
            return (self._violated(f"a piece came {when} of its answer", at),)
        return self._TABLE[kind](self, event, at)

    def whole(self, raw: bytes, at: float) -> Events:
        """All of an answer that was not streamed. Raises `msgspec.MsgspecError` for one that is none."""
        told = _whole.decode(raw)
        found: list[Event] = []
        start = api.OpenedMessage(told.id, told.model, told.usage)
        found += self._start(api.MessageStart(start), at)
        for index, block in enumerate(_listed(read_content(told.content))):
            opened, piece = _as_streamed(block)
            found += self._start_block(api.BlockStart(index, opened), at)
            if piece is not None:
                found += self._piece(api.BlockDelta(index, piece), at)
            found += self._stop_block(api.BlockStop(index), at)
        found += self._delta(api.MessageDelta(api.Stop(told.stop_reason), told.usage), at)
        found += self._stop(api.MessageStop(), at)
        return found

    def seal(self, cut: Cut, at: float) -> Events:
        """It broke off: close it as it stands. Nothing for one that has not begun or has ended."""
        if not self.opened or self.stopped:
            return ()
        self.stopped = True
        stopped = ev.MessageStopped(cut=cut, message_id=self.message_id, **self._common(at))
        return (stopped, self._completed(at))

    def _common(self, at: float) -> dict[str, Any]:
        return {"at": at, "source": "proxy", "confidence": self._confidence, "parent": self._parent}

    def _violated(self, what: str, at: float) -> Event:
        return ev.Violated(at=at, source="proxy", confidence=self._confidence, what=what)

    # The hot path: one event a piece

    def _piece(self, event: api.BlockDelta, at: float) -> Events:
        block = self._blocks.get(event.index)
        if block is None:
            return (self._violated(f"a piece for block {event.index}, which is not open", at),)
        delta = event.delta
        kind = type(delta)
        if kind is api.TextPiece:
            block.pieces.append(delta.text)  # type: ignore[union-attr]
            return (
                ev.TextDelta(
                    at=at,
                    source="proxy",
                    confidence=self._confidence,
                    message_id=self.message_id,
                    index=event.index,
                    text=delta.text,  # type: ignore[union-attr]
                    parent=self._parent,
                ),
            )
        return self._PIECES[kind](self, event.index, block, delta, at)

    def _thinking(self, index: int, block: _Open, piece: api.ThinkingPiece, at: float) -> Events:
        block.pieces.append(piece.thinking)
        place = self._common(at)
        return (ev.ThinkingDelta(message_id=self.message_id, index=index, text=piece.thinking, **place),)

    def _input(self, index: int, block: _Open, piece: api.InputPiece, at: float) -> Events:
        block.pieces.append(piece.partial_json)
        place = self._common(at)
        return (ev.ToolInputDelta(message_id=self.message_id, index=index, json=piece.partial_json, **place),)

    def _signature(self, index: int, _: _Open, piece: api.SignaturePiece, at: float) -> Events:
        return (ev.SignatureDelta(message_id=self.message_id, index=index, **self._common(at)),)

    def _citation(self, index: int, _: _Open, piece: api.CitationPiece, at: float) -> Events:
        raw = bytes(piece.citation)
        return (ev.CitationsDelta(message_id=self.message_id, index=index, raw=raw, **self._common(at)),)

    def _strange_piece(self, index: int, _: _Open, piece: api.UnknownPiece, at: float) -> Events:
        return self._strange(piece.raw, f"unknown delta `{piece.kind}`", at)

    # Blocks and messages

    def _start(self, event: api.MessageStart, at: float) -> Events:
        if self.opened:
            return (self._violated("a second beginning of one answer", at),)
        message = event.message
        self.opened = True
        self.message_id, self.model, self._usage = message.id, message.model or "", message.usage
        started = ev.MessageStarted(
            message_id=message.id, model=self.model, tokens=self.tokens, **self._common(at)
        )
        return (started,)

    def _start_block(self, event: api.BlockStart, at: float) -> Events:
        if event.index in self._blocks:
            return (self._violated(f"block {event.index} began twice", at),)
        block = event.content_block
        opened = self._blocks[event.index] = _opened(block)
        started = ev.BlockStarted(
            message_id=self.message_id,
            index=event.index,
            kind="tool_use" if opened.tool else opened.kind,
            tool=opened.tool,
            tool_use_id=opened.call_id,
            **self._common(at),
        )
        if isinstance(block, blocks.UnknownBlock):
            return (started, *self._strange(block.raw, f"unknown block `{block.kind}`", at))
        if isinstance(block, blocks.WebSearchResult | blocks.WebFetchResult | blocks.AdvisorResult):
            return (started, self._server_result(block, at))
        return (started,)

    def _stop_block(self, event: api.BlockStop, at: float) -> Events:
        block = self._blocks.pop(event.index, None)
        if block is None:
            return (self._violated(f"block {event.index} ended and was not open", at),)
        text = "".join(block.pieces)
        place = {"message_id": self.message_id, "index": event.index, **self._common(at)}
        stopped = ev.BlockStopped(**place)
        if block.tool:
            return (stopped, *self._call(block, text, place))
        if block.kind == "text":
            self._texts.append(text)
            return (stopped, ev.TextCompleted(text=text, **place))
        if block.kind in _THINKING:
            return (stopped, ev.ThinkingCompleted(text=text, **place))
        return (stopped, ev.OtherBlockCompleted(kind=block.kind, **place))

    def _call(self, block: _Open, text: str, place: dict[str, Any]) -> Events:
        """The whole call, its input parsed; one whose input is no JSON is none."""
        raw = text.encode("utf-8", "replace") or block.input or b"{}"
        try:
            msgspec.json.decode(raw, type=dict[str, Raw])
        except (msgspec.MsgspecError, RecursionError):
            why = f"the input of {block.tool} is no JSON object"
            other = ev.OtherBlockCompleted(kind="tool_use", **place)
            return (other, *self._strange(raw, why, place["at"]))
        call = ev.ToolInputFinalized(tool_use_id=block.call_id, tool=block.tool, input_json=raw, **place)
        return (call,)

    def _delta(self, event: api.MessageDelta, at: float) -> Events:
        """Stop reason and token counts; told more than once they are still one event."""
        self._usage = merged(self._usage, event.usage)
        self.final = self.final or event.usage is not None
        reason = event.delta.stop_reason or ""
        if not reason or self.stop_reason:
            return ()
        self.stop_reason = reason
        common = self._common(at)
        told = ev.MessageDelta(
            message_id=self.message_id, stop_reason=reason, output_tokens=self.tokens.output, **common
        )
        words = STOPS.get(reason)
        return (told,) if words is None else (told, ev.Noticed(text=words, level="warning", **common))

    def _stop(self, event: api.MessageStop, at: float) -> Events:
        self.stopped = True
        stopped = ev.MessageStopped(message_id=self.message_id, **self._common(at))
        return (stopped, self._completed(at))

    def _completed(self, at: float) -> Event:
        return ev.MessageCompleted(
            message_id=self.message_id, model=self.model, tokens=self.tokens, **self._common(at)
        )

    def _server_result(self, block: blocks.ServerResult, at: float) -> Event:
        text = bytes(block.content).decode("utf-8", "replace")
        return ev.ToolResulted(tool_use_id=block.tool_use_id, text=text, **self._common(at))

    def _strange(self, raw: bytes, why: str, at: float) -> Events:
        return (ev.UnknownSeen(at=at, source="proxy", confidence=self._confidence, raw=raw, why=why),)

    def _strange_event(self, event: api.UnknownStreamEvent, at: float) -> Events:
        return self._strange(event.raw, f"unknown stream event `{event.kind}`", at)

    def _nothing(self, *_: object) -> Events:
        return ()

    _TABLE: ClassVar[dict[type, Callable[["Answer", Any, float], Events]]] = {
        api.BlockDelta: _piece,
        api.BlockStart: _start_block,
        api.BlockStop: _stop_block,
        api.MessageStart: _start,
        api.MessageDelta: _delta,
        api.MessageStop: _stop,
        api.UnknownStreamEvent: _strange_event,
        api.Ping: _nothing,  # it proves life, and says nothing of the model
        api.StreamError: _nothing,  # whose flow it is has failed; that is not for an answer to say
    }
    _PIECES: ClassVar[dict[type, Callable[["Answer", int, _Open, Any, float], Events]]] = {
        api.ThinkingPiece: _thinking,
        api.InputPiece: _input,
        api.SignaturePiece: _signature,
        api.CitationPiece: _citation,
        api.UnknownPiece: _strange_piece,
    }


_WITHIN = (api.BlockDelta, api.BlockStart, api.BlockStop, api.MessageDelta, api.MessageStop)


def _listed(content: blocks.Content) -> tuple[blocks.Block, ...]:
    return (blocks.Text(content),) if isinstance(content, str) else content or ()


def _opened(block: blocks.Block) -> _Open:
    if isinstance(block, blocks.ToolUse | blocks.ServerToolUse):
        return _Open(kind_of(block), [], block.name, block.id, bytes(block.input))
    started = block.text if isinstance(block, blocks.Text) else ""
    return _Open(kind_of(block), [started] if started else [])


def _as_streamed(block: blocks.Block) -> tuple[blocks.Block, api.Piece | None]:
    """A whole block as a stream would have told it: empty at first, then all at once."""
    match block:
        case blocks.Text(text):
            return blocks.Text(""), api.TextPiece(text)
        case blocks.Thinking(thinking):
            return blocks.Thinking(), api.ThinkingPiece(thinking)
        case blocks.ToolUse() | blocks.ServerToolUse():
            return block, api.InputPiece(bytes(block.input).decode("utf-8", "replace"))
    return block, None
