"""What we say to the CLI: prompts, and the answers to what it asks (FACTS §4).

Each function gives one line for its stdin. Every request of the CLI gets exactly one answer, if only an
error: silence would make it wait. This module must not know who decided, nor why.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import Raw, Struct, field

from core.errors import ControlError
from core.session.answers import DENIED, Allow, Answer, Deny, Reply
from core.session.state import Ask, Image
from core.wire.codec import BAD, encode, one_line
from core.wire.updates import WireUpdate, wire_updates


class _Text(Struct, frozen=True, tag="text"):
    text: str


class _Base64(Struct, frozen=True, tag="base64"):
    media_type: str
    data: str


class _Image(Struct, frozen=True, tag="image"):
    source: _Base64


class _Said(Struct, frozen=True):
    content: str | tuple[_Text | _Image, ...]
    role: Literal["user"] = "user"


class _Prompt(Struct, frozen=True, tag="user"):
    message: _Said
    uuid: str
    parent_tool_use_id: None = None
    session_id: str = ""


class _Allowed(Struct, frozen=True, tag_field="behavior", tag="allow", omit_defaults=True):
    updated_input: Raw = field(name="updatedInput")
    updated_permissions: tuple[WireUpdate, ...] = field(default=(), name="updatedPermissions")


class _Denied(Struct, frozen=True, tag_field="behavior", tag="deny", omit_defaults=True):
    message: str
    interrupt: bool = False


class _Success(Struct, frozen=True, tag_field="subtype", tag="success"):
    request_id: str
    response: object


class _Error(Struct, frozen=True, tag_field="subtype", tag="error"):
    request_id: str
    error: str


class _Reply(Struct, frozen=True, tag="control_response"):
    response: _Success | _Error


class _LegacyReply(Struct, frozen=True, tag="control_response", omit_defaults=True):
    request_id: str
    approved: bool
    denial_message: str | None = None


class HookDetail(Struct, frozen=True, rename="camel", omit_defaults=True):
    """The part of a hook's answer that belongs to its event; `updated_input` is JSON."""

    hook_event_name: str
    permission_decision: str | None = None
    permission_decision_reason: str | None = None
    updated_input: Raw | None = None
    additional_context: str | None = None


class HookOutput(
    Struct,
    frozen=True,
    omit_defaults=True,
    rename={
        "continue_": "continue",
        "async_": "async",
        "stop_reason": "stopReason",
        "suppress_output": "suppressOutput",
        "system_message": "systemMessage",
        "specific": "hookSpecificOutput",
    },
):
    """What a hook answers; what is None is not said (case CTL-10)."""

    continue_: bool | None = None
    async_: bool | None = None
    stop_reason: str | None = None
    suppress_output: bool | None = None
    system_message: str | None = None
    decision: str | None = None
    reason: str | None = None
    specific: HookDetail | None = None


class _McpReply(Struct, frozen=True):
    mcp_response: Raw


def prompt(text: str, uuid: str, images: Sequence[Image] = ()) -> bytes:
    """A prompt of the person; its `uuid` comes back when it is taken."""
    words = _sound(text)
    if not images:
        return encode(_Prompt(_Said(words), uuid))
    blocks: list[_Text | _Image] = [_Image(_Base64(image.media_type, image.base64)) for image in images]
    if words:
        blocks.append(_Text(words))
    return encode(_Prompt(_Said(tuple(blocks)), uuid))


def _sound(text: str) -> str:
    """The text with lone surrogates replaced: a paste can hold them, JSON cannot."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def answer(ask: Ask, given: Answer) -> bytes:
    """The answer to an ask, in the form the ask came in.

    An unchanged input goes back byte for byte. Raises `ControlError` if a changed one is no JSON object.
    """
    if ask.legacy:
        return encode(_legacy(ask, given))
    match given:
        case Allow(input_json, updates):
            decision: _Allowed | _Denied = _Allowed(_input(ask, input_json), wire_updates(updates))
        case Reply(answers):
            decision = _Allowed(_answered(ask, answers))
        case Deny(message, interrupt):
            decision = _Denied(_words(message), interrupt)
    return _succeed(ask.id, decision)


def _legacy(ask: Ask, given: Answer) -> _LegacyReply:
    if isinstance(given, Deny):
        return _LegacyReply(ask.id, False, _words(given.message))
    return _LegacyReply(ask.id, True)


def _words(message: str) -> str:
    return _sound(message) if message.strip() else DENIED


def _input(ask: Ask, changed: bytes | None) -> Raw:
    try:
        whole = one_line(ask.input_json if changed is None else changed)
        msgspec.json.decode(whole, type=dict[str, Raw])
    except (ValueError, *BAD) as problem:
        text = f"The changed input of {ask.tool} is no JSON object ({problem}). Correct it."
        raise ControlError("can_use_tool", text) from problem
    return whole


def _answered(ask: Ask, answers: tuple[tuple[str, str], ...]) -> Raw:
    """The form's own input with the answers added; its other values stay byte for byte."""
    fields = msgspec.json.decode(_input(ask, None), type=dict[str, Raw])
    told: dict[str, str] = {}
    for question, text in answers:  # two questions of the same words have one place for their answers
        name = _sound(question)
        told[name] = f"{told[name]}, {_sound(text)}" if name in told else _sound(text)
    fields["answers"] = Raw(msgspec.json.encode(told))
    return Raw(msgspec.json.encode(fields))


def hook_reply(request_id: str, output: HookOutput | Raw) -> bytes:
    """A hook's answer, also as JSON of its own (one line)."""
    return _succeed(request_id, output)


def mcp_reply(request_id: str, message: bytes) -> bytes:
    """An MCP server's JSON-RPC answer, owed for notifications too. Raises ValueError if it is no JSON."""
    return _succeed(request_id, _McpReply(one_line(message)))


def refuse(request_id: str, error: str) -> bytes:
    """An error: for a request nothing here understands, or that went wrong."""
    return encode(_Reply(_Error(request_id, _sound(error))))


def _succeed(request_id: str, body: Struct | Raw) -> bytes:
    return encode(_Reply(_Success(request_id, body)))
