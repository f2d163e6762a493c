"""decode(line) → Record, encode(message) → line: the one place where JSON becomes Structs and back.

Past this module there is no dict and no `Any`. Decoding never raises: what is not understood becomes
`Unknown`, with its bytes and the reason. This module must not know what a record means.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.json import Decoder, Encoder

from core.errors import ControlError, ControlRefused
from core.wire import lenient, records, system
from core.wire.control import (
    A,
    CancelRecord,
    CanUseTool,
    HookCallback,
    McpMessage,
    OtherRequest,
    Request,
    RequestRecord,
    Response,
    ResponseRecord,
    answer_type,
    subtype_of,
)
from core.wire.stream import StreamEvent, UnknownStreamEvent

S = TypeVar("S")

BAD = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What the decoders raise on bad bytes, absurd nesting included."""


class _System(Struct, frozen=True, tag="system"):
    subtype: str


class _Asked(Struct, frozen=True, tag="control_request"):
    request_id: str
    request: Raw


class _Head(Struct, frozen=True):
    type: str = ""


class _Subtype(Struct, frozen=True):
    subtype: str = ""


_Plain = (
    records.StreamRecord
    | records.AssistantRecord
    | records.UserRecord
    | records.ResultRecord
    | records.RateLimitRecord
    | records.KeepAliveRecord
    | records.LifecycleRecord
    | records.ResetRecord
    | records.ToolProgressRecord
    | records.ToolSummaryRecord
    | records.AuthStatusRecord
    | records.PromptSuggestionRecord
    | ResponseRecord
    | CancelRecord
)
Record = _Plain | system.SystemRecord | RequestRecord | records.Unknown

_Inbound = CanUseTool | HookCallback | McpMessage

_decode: Callable[[bytes], Any] = Decoder(_Plain | _System | _Asked).decode
_inbound: Decoder[_Inbound] = Decoder(_Inbound)
_head = Decoder(_Head)
_subtype = Decoder(_Subtype)
_systems: dict[str, Decoder[system.SystemRecord]] = {
    subtype: Decoder(record) for subtype, record in system.BY_SUBTYPE.items()
}
_encoder = Encoder()


def decode(line: bytes) -> Record | None:
    """What a line of the CLI's stdout says; None for a blank one. Never raises."""
    try:
        record = _decode(line)
        kind = type(record)
        if kind is _System:
            return _read_system(line, record)
        return _read_request(record) if kind is _Asked else record
    except BAD as problem:
        return _rescue(line, problem)


def decode_event(data: bytes) -> StreamEvent:
    """What one event of the Messages API's stream says (the `data:` of an SSE event). Never raises."""
    try:
        return lenient.read_event(data)
    except BAD:
        return UnknownStreamEvent("", data)


def _read_system(line: bytes, head: _System) -> Record:
    decoder = _systems.get(head.subtype)
    if decoder is None:
        return records.Unknown(line, f"unknown system record `{head.subtype}`")
    return decoder.decode(line)


def _read_request(asked: _Asked) -> Record:
    try:
        return RequestRecord(asked.request_id, _inbound.decode(asked.request))
    except BAD as problem:
        why = str(problem)
    # It must be answered all the same, else the CLI waits for ever.
    return RequestRecord(
        asked.request_id, OtherRequest(_subtype_in(asked.request), bytes(asked.request), why)
    )


def _subtype_in(raw: Raw) -> str:
    try:
        return _subtype.decode(raw).subtype
    except BAD:
        return ""


def _rescue(line: bytes, problem: Exception) -> Record | None:
    """A line the decoders refused: blank, broken, unknown, or known with something unknown in it."""
    if not line.strip():
        return None
    if b"\\u" in line:
        whole = lenient.without_lone_surrogates(line)
        if whole != line:
            return decode(whole)
    try:
        kind = _head.decode(line).type
    except msgspec.ValidationError:
        return records.Unknown(line, "not a JSON object")
    except BAD as broken:
        return records.Unknown(line, f"unreadable: {broken}")
    return _second_chance(line, kind, problem)


def _second_chance(line: bytes, kind: str, problem: Exception) -> Record:
    chance = lenient.BY_TYPE.get(kind)
    if chance is not None:
        try:
            return chance(line)
        except BAD:
            pass
    if isinstance(problem, msgspec.ValidationError) and kind not in _KNOWN:
        return records.Unknown(line, f"unknown record `{kind}`")
    return records.Unknown(line, f"`{kind}` of a wrong shape: {problem}")


_KNOWN = {str(record.__struct_config__.tag) for record in (*_Plain.__args__, _System, _Asked)}


def encode(message: Struct) -> bytes:
    r"""One line for the CLI's stdin, b"\n" included. Raw JSON inside must be one line (`one_line`)."""
    return _encoder.encode(message) + b"\n"


def one_line(json: bytes) -> Raw:
    """JSON from elsewhere, checked and without line breaks: a malformed line would end the CLI.

    Raises `ValueError` if it is not JSON. Bytes without line breaks stay exactly as they are.
    """
    try:
        msgspec.json.decode(json, type=Raw)
        return Raw(json if not _BREAKS & set(json) else msgspec.json.format(json, indent=-1))
    except BAD as problem:
        raise ValueError(f"not JSON: {problem}") from problem


_BREAKS = frozenset(b"\r\n")


def read_answer(response: Response, of: type[S], subtype: str = "") -> S:
    """The body of an answer to a request of ours; `subtype` names the request in errors.

    Raises `ControlRefused` if the CLI answered with an error, `ControlError` if the body is of a shape
    that `of` does not know.
    """
    if response.subtype != "success":
        raise ControlRefused(subtype, response.error or response.error_code or "")
    body = bytes(response.response)
    try:
        return msgspec.json.decode(b"{}" if body in (b"", b"null") else body, type=of)
    except BAD as problem:
        text = f"claude answered `{subtype}` in a form not known here ({problem}). Update Quarterdeck."
        raise ControlError(subtype, text) from problem


def read_reply(request: Request[A], response: Response) -> A:
    """The answer to `request`, typed. Raises as `read_answer` does."""
    return read_answer(response, answer_type(request), subtype_of(request))
