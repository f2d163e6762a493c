"""Second chances: what can be saved of a record that the strict decoders refused.

Only the slow path comes here. An unknown block, delta or stream event must not lose the rest of its
record, and the end of a turn must not be lost for one odd field. Nothing here raises on bad input but
`msgspec.MsgspecError`, `UnicodeError` and `RecursionError`. It must not know sources or sessions.
"""

import re
from collections.abc import Callable

import msgspec
from msgspec import Raw, Struct, ValidationError
from msgspec.json import Decoder

from core.wire.content import ApiUsage, Block, Content, ToolResult, UnknownBlock
from core.wire.records import (
    AssistantMessage,
    AssistantRecord,
    ResultRecord,
    StreamRecord,
    UserMessage,
    UserRecord,
)
from core.wire.stream import BlockDelta, BlockStart, Piece, StreamEvent, UnknownPiece, UnknownStreamEvent

_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)",
    re.DOTALL,
)
_LONE_ESCAPE_BYTES = 6


class _Kind(Struct, frozen=True):
    type: str = ""


class _LooseMessage(Struct, frozen=True):
    id: str = ""
    model: str | None = None
    content: Raw = Raw(b"null")
    usage: ApiUsage | None = None


class _LooseAssistant(Struct, frozen=True, tag="assistant"):
    message: _LooseMessage
    parent_tool_use_id: str | None = None
    error: str | None = None


class _LooseUser(Struct, frozen=True, tag="user"):
    message: _LooseMessage
    parent_tool_use_id: str | None = None
    uuid: str | None = None
    is_replay: bool | None = msgspec.field(default=None, name="isReplay")
    tool_use_result: Raw = Raw()


class _LooseStream(Struct, frozen=True, tag="stream_event"):
    event: Raw
    parent_tool_use_id: str | None = None


class _LooseResult(Struct, frozen=True):
    tool_use_id: str
    content: Raw = Raw(b"null")
    is_error: bool | None = None


class _LooseStart(Struct, frozen=True):
    index: int
    content_block: Raw


class _LooseDelta(Struct, frozen=True):
    index: int
    delta: Raw


_kind = Decoder(_Kind)
_text = Decoder(str | None)
_items = Decoder(tuple[Raw, ...])
_fields = Decoder(dict[str, Raw])
_block: Decoder[Block] = Decoder(Block)
_event: Decoder[StreamEvent] = Decoder(StreamEvent)
_piece: Decoder[Piece] = Decoder(Piece)
_loose_result = Decoder(_LooseResult)
_loose_start = Decoder(_LooseStart)
_loose_delta = Decoder(_LooseDelta)
_loose_assistant = Decoder(_LooseAssistant)
_loose_user = Decoder(_LooseUser)
_loose_stream = Decoder(_LooseStream)


def without_lone_surrogates(line: bytes) -> bytes:
    r"""The line with each escaped half of a surrogate pair replaced by U+FFFD.

    JavaScript cuts strings by UTF-16 units, so half an emoji is written as `\ud83d`; no decoder takes it.
    """
    return _ESCAPE.sub(_whole_or_replaced, line)


def _whole_or_replaced(match: re.Match[bytes]) -> bytes:
    escape = match[0]
    return b"\\ufffd" if len(escape) == _LONE_ESCAPE_BYTES else escape


def kind_of(raw: Raw | bytes) -> str:
    """The `type` of a JSON object; empty where it has none."""
    try:
        return _kind.decode(raw).type
    except ValidationError:
        return ""


def read_content(raw: Raw) -> Content:
    """The content of a message: each block alone, what is no known block as `UnknownBlock`."""
    try:
        return _text.decode(raw)
    except ValidationError:
        pass
    try:
        return tuple(read_block(item) for item in _items.decode(raw))
    except ValidationError:
        return (UnknownBlock("", bytes(raw)),)


def read_block(raw: Raw) -> Block:
    """One block, whatever it is."""
    try:
        return _block.decode(raw)
    except ValidationError:
        kind = kind_of(raw)
    if kind == "tool_result":
        try:
            loose = _loose_result.decode(raw)
            return ToolResult(loose.tool_use_id, read_content(loose.content), loose.is_error)
        except ValidationError:
            pass
    return UnknownBlock(kind, bytes(raw))


def read_event(raw: Raw | bytes) -> StreamEvent:
    """One event of the API's stream, whatever it is."""
    try:
        return _event.decode(raw)
    except ValidationError:
        kind = kind_of(raw)
    try:
        if kind == "content_block_start":
            start = _loose_start.decode(raw)
            return BlockStart(start.index, read_block(start.content_block))
        if kind == "content_block_delta":
            loose = _loose_delta.decode(raw)
            return BlockDelta(loose.index, _read_piece(loose.delta))
    except ValidationError:
        pass
    return UnknownStreamEvent(kind, bytes(raw))


def _read_piece(raw: Raw) -> Piece:
    try:
        return _piece.decode(raw)
    except ValidationError:
        return UnknownPiece(kind_of(raw), bytes(raw))


def assistant(line: bytes) -> AssistantRecord:
    """An assistant line, each block alone."""
    loose = _loose_assistant.decode(line)
    said = loose.message
    message = AssistantMessage(said.id, said.model, read_content(said.content), said.usage)
    return AssistantRecord(message, loose.parent_tool_use_id, loose.error)


def user(line: bytes) -> UserRecord:
    """A user line, each block alone."""
    loose = _loose_user.decode(line)
    return UserRecord(
        UserMessage(read_content(loose.message.content)),
        loose.parent_tool_use_id,
        loose.uuid,
        loose.is_replay,
        tool_use_result=loose.tool_use_result,
    )


def stream(line: bytes) -> StreamRecord:
    """A stream line, its event piece by piece."""
    loose = _loose_stream.decode(line)
    return StreamRecord(read_event(loose.event), loose.parent_tool_use_id)


def result(line: bytes) -> ResultRecord:
    """The end of a turn: every field that reads alone; the whole line goes along as `misread`."""
    raws = _fields.decode(line)
    read: dict[str, object] = {}
    for known in msgspec.structs.fields(ResultRecord):
        if known.encode_name in raws and known.name != "misread":
            try:
                read[known.name] = msgspec.json.decode(raws[known.encode_name], type=known.type)
            except ValidationError:
                continue
    return msgspec.structs.replace(ResultRecord(misread=line), **read)


BY_TYPE: dict[str, Callable[[bytes], AssistantRecord | UserRecord | StreamRecord | ResultRecord]] = {
    "assistant": assistant,
    "user": user,
    "stream_event": stream,
    "result": result,
}
"""Which types of record get a second chance."""
