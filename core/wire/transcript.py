"""The lines of a transcript file: bytes → `TranscriptLine`, or `UnknownLine` with the reason.

A line of any type is the same Struct: the types are many, new ones come every few days, and most share
their fields (FACTS §7). Every field may be null or absent. Reading is lenient field by field: one of a
wrong shape is left out, the line stays. One bad line costs one line. Nothing here raises on bad input.
`Raw` fields are views into the line: copy what is kept. This module must not know files nor what a
line means for a session.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, TypeVar, get_args

import msgspec
from msgspec import Raw, Struct, field
from msgspec.json import Decoder

from core.wire import lenient
from core.wire.bodies import ModelUsageBody
from core.wire.codec import BAD
from core.wire.content import ApiUsage, Content
from core.wire.records import Decision

S = TypeVar("S", bound=Struct)

SALVAGE_BYTES = 8 * 2**20
"""A broken line longer than this is not searched for a whole one within it."""

SALVAGE_TRIES = 64

BRANCHLESS = frozenset({"", "HEAD"})
"""What stands for the branch where a folder has no git, or no branch is checked out."""

_PADDING = b" \t\r\n\0"
_TRAILING = re.compile(r"trailing characters \(byte (\d+)\)")
_FIRST_YEAR, _LAST_YEAR = 1971, 9998
"""Years whose times can be told in any zone."""

_BEGINNING = re.compile(rb'\{"(?:parentUuid|type|uuid|sessionId|messageId)"\s*:')


class CacheCreation(Struct, frozen=True, gc=False):
    """Cache writes by how long they last. Where they disagree with the total, the total is right."""

    ephemeral_5m_input_tokens: int | None = None
    ephemeral_1h_input_tokens: int | None = None


class ServerTools(Struct, frozen=True, gc=False):
    """How often the API's own tools ran, which cost money by the call."""

    web_search_requests: int | None = None


class LineUsage(ApiUsage, frozen=True, gc=False):
    """Token counts of one API message, as far as they were known when the line was written.

    One message has several lines: the largest output counts, never the sum (FACTS §7.1, case USE-02).
    """

    cache_creation: CacheCreation | None = None
    server_tool_use: ServerTools | None = None
    speed: str | None = None


class LineMessage(Struct, frozen=True):
    """A piece of a conversation: usually one block of an API message, all of a prompt, or tool results."""

    id: str | None = None
    role: str | None = None
    model: str | None = None
    content: Content = None
    stop_reason: str | None = None
    usage: LineUsage | None = None


class CompactMetadata(Struct, frozen=True, rename="camel"):
    """Why the conversation was compacted, and its size before and after, in tokens."""

    trigger: str | None = None
    pre_tokens: int | None = None
    post_tokens: int | None = None


class Origin(Struct, frozen=True):
    """Where words in the user's role come from (`task-notification` …)."""

    kind: str | None = None


class Attachment(Struct, frozen=True, rename="camel"):
    """What the CLI adds by itself; `queued_command` is a prompt taken into a running turn."""

    type: str | None = None
    prompt: Raw = Raw()
    command_mode: str | None = field(default=None, name="commandMode")


class Progress(Struct, frozen=True, rename="camel"):
    """What a running call reports; `agent_progress` holds a whole line of a subagent's (2.1.9 to 2.1.81)."""

    type: str | None = None
    agent_id: str | None = None
    message: Raw = Raw()


class Fork(Struct, frozen=True, rename="camel", gc=False):
    """The session a line was copied from."""

    session_id: str | None = None


class TranscriptLine(Struct, frozen=True, rename="camel"):
    """One line of a transcript. Which fields are there depends on its `type`."""

    type: str | None = None
    uuid: str | None = None
    parent_uuid: str | None = None
    logical_parent_uuid: str | None = None
    written: datetime | None = field(default=None, name="timestamp")
    session_id: str | None = None
    agent_id: str | None = None
    cwd: str | None = None
    git_branch: str | None = None
    version: str | None = None
    permission_mode: str | None = None
    is_sidechain: bool | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    message: LineMessage | None = None
    # the model's
    request_id: str | None = None
    request_session_id: str | None = None
    forked_from: Fork | None = None
    api_block_index: int | None = None
    is_api_error_message: bool | None = None
    api_error_status: int | None = None
    # tool results
    tool_use_result: Raw = Raw()
    permission_decision: Decision | None = None
    # the CLI's own
    subtype: str | None = None
    level: str | None = None
    content: Raw = Raw()
    compact_metadata: CompactMetadata | None = None
    duration_ms: float | None = None
    error: Raw = Raw()
    retry_attempt: int | None = None
    max_retries: int | None = None
    retry_in_ms: float | None = None
    origin: Origin | None = None
    attachment: Attachment | None = None
    data: Progress | None = None
    parent_tool_use_id: str | None = field(default=None, name="parentToolUseID")
    # titles
    custom_title: str | None = None
    agent_name: str | None = None
    ai_title: str | None = None
    last_prompt: str | None = None
    summary: str | None = None
    leaf_uuid: str | None = None
    # the CLI's own total
    total_cost_usd: float | None = field(default=None, name="totalCostUSD")
    model_usage: dict[str, ModelUsageBody] | None = None

    @property
    def at(self) -> float:
        """When it was written, in seconds since the epoch; 0.0 where the line tells no time that can be."""
        return 0.0 if self.written is None else moment_of(self.written)

    @property
    def text(self) -> str:
        """The `content` of a line of the CLI's own, where it is text."""
        return text_of(self.content)


def moment_of(written: datetime) -> float:
    """A line's moment in seconds since the epoch, UTC without a zone; 0.0 for a time that cannot be."""
    if not _FIRST_YEAR <= written.year <= _LAST_YEAR:
        return 0.0
    if written.tzinfo is None:
        written = written.replace(tzinfo=UTC)
    return written.timestamp()


class UnknownLine(Struct, frozen=True):
    """A line, or a piece of one, that cannot be read: its bytes, and why."""

    raw: bytes
    why: str


AnyLine = TranscriptLine | UnknownLine

_SPOKEN = ("user", "assistant")

_line = Decoder(TranscriptLine)
_text = Decoder(str)
_any = Decoder(Raw)
_fields = Decoder(dict[str, Raw])


def decode_line(raw: bytes) -> tuple[AnyLine, ...]:
    """What a line says: one, none for a blank one, more where several were glued together. Never raises."""
    try:
        return (_line.decode(raw),)
    except BAD:
        return tuple(_rescue(raw))


def text_of(raw: Raw) -> str:
    """A JSON string; "" for anything else."""
    try:
        return _text.decode(raw)
    except BAD:
        return ""


def content_of(raw: Raw) -> Content:
    """A content that stands outside a message (a queued prompt); None where there is none."""
    try:
        return lenient.read_content(raw) if memoryview(raw).nbytes else None
    except BAD:
        return None


def _rescue(raw: bytes) -> Iterator[AnyLine]:
    """A line the decoder refused: blank, damaged, several, or with a field of a wrong shape."""
    rest = _valid(lenient.without_lone_surrogates(raw) if b"\\u" in raw else raw)
    while rest:
        end, why = _extent(rest)
        if not end or (end < len(rest) and not rest.startswith(b"{")):
            yield from _salvage(rest, why)
            return
        yield from _one(rest[:end])
        rest = rest[end:].lstrip(_PADDING)


def _extent(raw: bytes) -> tuple[int, str]:
    """Where the first JSON value ends; 0 and the reason if it is broken."""
    try:
        _any.decode(raw)
    except BAD as problem:
        trailing = _TRAILING.search(str(problem))
        return (int(trailing[1]) - 1 if trailing is not None else 0, f"unreadable: {problem}")
    return len(raw), ""


def _one(raw: bytes) -> tuple[AnyLine, ...]:
    """One whole JSON value; of a message that cannot be read its place and time still count."""
    try:
        return (_line.decode(raw),)
    except BAD:
        found = _by_field(raw, TranscriptLine)
    if found is None:
        return (UnknownLine(raw, "not a JSON object"),)
    if found.type in _SPOKEN and found.message is None and b'"message"' in raw:
        return found, UnknownLine(raw, "a message of no known form")
    return (found,)


def _valid(raw: bytes) -> bytes:
    """The line with bytes that are no UTF-8 replaced, and without padding the decoder chokes on."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        raw = raw.decode("utf-8", "replace").encode()
    return raw.removeprefix(b"\xef\xbb\xbf").strip(_PADDING)


def _salvage(raw: bytes, why: str) -> tuple[AnyLine, ...]:
    """A torn line may have a whole one behind it: a crash while writing, then the next line."""
    if len(raw) <= SALVAGE_BYTES:
        for start in _beginnings(raw):
            whole = _whole(raw[start:])
            if whole is not None:
                return (UnknownLine(raw[:start], why), whole)
    return (UnknownLine(raw, why),)


def _whole(raw: bytes) -> TranscriptLine | None:
    """A line of its own; None for a piece of one (a content block is an object with a type, too)."""
    try:
        found = _line.decode(raw)
    except BAD:
        return None
    return found if found.uuid or found.session_id else None


def _beginnings(raw: bytes) -> Iterator[int]:
    found = _BEGINNING.finditer(raw, 1)
    for _, match in zip(range(SALVAGE_TRIES), found, strict=False):
        yield match.start()


# Field by field


def _by_field(raw: bytes | Raw, of: type[S]) -> S | None:
    """All fields of an object that read alone; None if it is no object."""
    try:
        raws = _fields.decode(raw)
    except BAD:
        return None
    read: dict[str, Any] = {}
    for known in msgspec.structs.fields(of):
        piece = raws.get(known.encode_name)
        if piece is not None:
            _read_field(read, known, piece)
    return of(**read)


def _read_field(read: dict[str, Any], known: msgspec.structs.FieldInfo, piece: Raw) -> None:
    try:
        if known.type == Content:
            read[known.name] = lenient.read_content(piece)
        else:
            read[known.name] = msgspec.json.decode(piece, type=known.type)
    except BAD:
        inner = next((part for part in get_args(known.type) if _is_struct(part)), None)
        value = _by_field(piece, inner) if inner is not None else None
        if value is not None:
            read[known.name] = value


def _is_struct(part: object) -> bool:
    return isinstance(part, type) and issubclass(part, Struct)
