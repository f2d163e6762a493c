"""The Messages API's stream: a message as it is being written, piece by piece.

The CLI wraps these events in `stream_event` records; the proxy sees them as they are. This module must
not know either of them.
"""

from msgspec import Raw, Struct

from core.wire.content import ApiUsage, Block


class TextPiece(Struct, frozen=True, gc=False, tag="text_delta"):
    """More text."""

    text: str


class ThinkingPiece(Struct, frozen=True, gc=False, tag="thinking_delta"):
    """More thinking."""

    thinking: str = ""


class InputPiece(Struct, frozen=True, gc=False, tag="input_json_delta"):
    """More of a tool call's input, as JSON text cut anywhere."""

    partial_json: str = ""


class SignaturePiece(Struct, frozen=True, gc=False, tag="signature_delta"):
    """The signature of a thinking block; there is nothing to show."""


class CitationPiece(Struct, frozen=True, tag="citations_delta"):
    """A citation for an open text block."""

    citation: Raw = Raw()


class UnknownPiece(Struct, frozen=True, tag="(unknown)"):
    """A delta nothing here understands: its `type`, where it has one, and its JSON."""

    kind: str = ""
    raw: bytes = b""


Piece = TextPiece | ThinkingPiece | InputPiece | SignaturePiece | CitationPiece | UnknownPiece


class OpenedMessage(Struct, frozen=True):
    """A message as it begins: no content yet, and provisional token counts."""

    id: str = ""
    model: str | None = None
    usage: ApiUsage | None = None


class MessageStart(Struct, frozen=True, tag="message_start"):
    """A message begins."""

    message: OpenedMessage


class BlockStart(Struct, frozen=True, tag="content_block_start"):
    """A block of the message begins, numbered from 0."""

    index: int
    content_block: Block


class BlockDelta(Struct, frozen=True, tag="content_block_delta"):
    """A block goes on."""

    index: int
    delta: Piece


class BlockStop(Struct, frozen=True, tag="content_block_stop"):
    """A block is whole."""

    index: int


class Stop(Struct, frozen=True):
    """Why the model stopped (`end_turn`, `tool_use`, `max_tokens` …)."""

    stop_reason: str | None = None


class MessageDelta(Struct, frozen=True, tag="message_delta"):
    """The message's stop reason and final token counts."""

    delta: Stop = Stop()
    usage: ApiUsage | None = None


class MessageStop(Struct, frozen=True, tag="message_stop"):
    """The message has ended."""


class Ping(Struct, frozen=True, tag="ping"):
    """A sign of life."""


class ApiProblem(Struct, frozen=True):
    """An error as the API words it."""

    type: str | None = None
    message: str | None = None


class StreamError(Struct, frozen=True, tag="error"):
    """The stream broke off."""

    error: ApiProblem = ApiProblem()


class UnknownStreamEvent(Struct, frozen=True, tag="(unknown)"):
    """A stream event nothing here understands: its `type`, where it has one, and its JSON."""

    kind: str = ""
    raw: bytes = b""


StreamEvent = (
    MessageStart
    | BlockStart
    | BlockDelta
    | BlockStop
    | MessageDelta
    | MessageStop
    | Ping
    | StreamError
    | UnknownStreamEvent
)
