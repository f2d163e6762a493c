"""Content blocks: the pieces of a message, as the Messages API and the CLI write them.

Opaque JSON (a tool's input, an image's bytes) stays `msgspec.Raw`, a view into the line it came in:
copy it with `bytes(raw)` before keeping it, or the whole line stays in memory. This module must not
know records, nor what a block is shown as.
"""

from msgspec import Raw, Struct


class Text(Struct, frozen=True, tag="text"):
    """Words of the model, or of the user."""

    text: str


class Thinking(Struct, frozen=True, tag="thinking"):
    """What the model thinks; empty (signed only) on many releases."""

    thinking: str = ""


class RedactedThinking(Struct, frozen=True, tag="redacted_thinking"):
    """Thinking that the API keeps to itself."""


class ToolUse(Struct, frozen=True, tag="tool_use"):
    """A call of one of the CLI's tools; `input` is its JSON as it came."""

    id: str
    name: str
    input: Raw = Raw(b"{}")


class ServerToolUse(Struct, frozen=True, tag="server_tool_use"):
    """A call of a tool that the API itself runs (`web_search` …)."""

    id: str
    name: str
    input: Raw = Raw(b"{}")


class ImageSource(Struct, frozen=True):
    """Where an image is: `data` is its base64 as a quoted JSON string, empty for a link."""

    media_type: str | None = None
    data: Raw = Raw()


class ImageBlock(Struct, frozen=True, tag="image"):
    """An image in a message."""

    source: ImageSource | None = None


class Document(Struct, frozen=True, tag="document"):
    """A file in a message (a PDF …)."""

    title: str | None = None


class ToolReference(Struct, frozen=True, tag="tool_reference"):
    """The name of a tool that a tool search found."""

    tool_name: str = ""


class SearchResult(Struct, frozen=True, tag="search_result"):
    """One hit of a search that a tool made."""

    title: str | None = None
    source: str | None = None


class ToolResult(Struct, frozen=True, tag="tool_result"):
    """What a tool returned: text, blocks, or nothing."""

    tool_use_id: str
    content: "str | tuple[Block, ...] | None" = None
    is_error: bool | None = None


class WebSearchResult(Struct, frozen=True, tag="web_search_tool_result"):
    """What the API's own web search returned."""

    tool_use_id: str
    content: Raw = Raw()


class WebFetchResult(Struct, frozen=True, tag="web_fetch_tool_result"):
    """What the API's own web fetch returned."""

    tool_use_id: str
    content: Raw = Raw()


class AdvisorResult(Struct, frozen=True, tag="advisor_tool_result"):
    """What the API's own advisor returned."""

    tool_use_id: str
    content: Raw = Raw()


class UnknownBlock(Struct, frozen=True, tag="(unknown)"):
    """A block nothing here understands: its `type`, where it has one, and its JSON."""

    kind: str = ""
    raw: bytes = b""


ServerResult = WebSearchResult | WebFetchResult | AdvisorResult
Block = (
    Text
    | Thinking
    | RedactedThinking
    | ToolUse
    | ServerToolUse
    | ToolResult
    | WebSearchResult
    | WebFetchResult
    | AdvisorResult
    | ImageBlock
    | Document
    | ToolReference
    | SearchResult
    | UnknownBlock
)
Content = str | tuple[Block, ...] | None
"""The content of a message: `null`, absent and other shapes occur (FACTS §7.3)."""


class ApiUsage(Struct, frozen=True):
    """Token counts of one message or of one turn; each may be null or absent."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
