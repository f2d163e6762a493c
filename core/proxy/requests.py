"""What a captured request is for: the conversation, a subagent, a summary, or a small call of the CLI's own.

2.1.332 says so itself (`x-claude-code-request-class`, seen: main, subagent, compaction, auxiliary), and names
the prompt and the subagent it works for; of releases that do not, the request's shape tells. What that shape
was is known from public descriptions of older ones only, so such an answer is `sure=False`. This module must
not know answers or turns.
"""

from collections.abc import Callable
from typing import Literal

from msgspec import Raw, Struct
from msgspec.json import Decoder

from core.proxy.reports import BAD, Asked
from core.sources.texts import plain_text
from core.wire.content import ToolResult
from core.wire.lenient import read_content, without_lone_surrogates

Purpose = Literal["main", "subagent", "compaction", "auxiliary"]
"""`auxiliary` is what is no part of a conversation: titles, checks, quota probes, warm-ups, token counts."""

CLASS = "x-claude-code-request-class"
PROMPT = "x-claude-code-prompt-id"
SESSION = "x-claude-code-session-id"
AGENT = "x-claude-code-agent-id"

_SUBAGENT = "You are an agent for Claude Code"
_SUMMARY = ("Your task is to create a detailed summary", "tasked with summarizing conversations")
_WARM_UP = "Warmup"
_OLD_SESSION = "_session_"


class Request(Struct, frozen=True):
    """One request, as far as it matters here.

    `prompt_id`, `session_id` and `agent_id` are "" where the CLI does not tell them. `conversation` is the
    same for a request and its retries. `results` are the tool results the agent has just sent back, `first`
    the words its conversation begins with. `why` says in a word what made it auxiliary.
    """

    purpose: Purpose = "auxiliary"
    why: str = ""
    sure: bool = True
    model: str = ""
    prompt_id: str = ""
    session_id: str = ""
    agent_id: str = ""
    conversation: int = 0
    results: tuple[ToolResult, ...] = ()
    first: str = ""


class _Message(Struct, frozen=True):
    role: str = ""
    content: Raw = Raw(b'""')


class _Metadata(Struct, frozen=True):
    user_id: str | None = None


class _Body(Struct, frozen=True):
    model: str | None = None
    max_tokens: int | None = None
    system: Raw = Raw(b'""')
    tools: Raw = Raw(b"[]")
    messages: Raw = Raw(b"[]")
    metadata: _Metadata | None = None


class _User(Struct, frozen=True):
    session_id: str = ""


_body = Decoder(_Body)
_messages = Decoder(tuple[_Message, ...])
_user = Decoder(_User)


def read_request(asked: Asked) -> Request:
    """What a request is for. Never raises: one that cannot be read is auxiliary."""
    if asked.method != "POST" or not asked.path.endswith("/v1/messages"):
        return Request(why="no message")
    try:
        body = _body.decode(_readable(asked.body))
        messages = _messages.decode(body.messages)
    except BAD:
        body, messages = _Body(), ()
    headers = asked.headers
    purpose, why, sure = _purpose(headers.get(CLASS, ""), body, messages)
    return Request(
        purpose=purpose,
        why=why,
        sure=sure,
        model=body.model or "",
        prompt_id=headers.get(PROMPT, ""),
        session_id=headers.get(SESSION, "") or _session(body),
        agent_id=headers.get(AGENT, ""),
        conversation=hash((headers.get(AGENT, ""), bytes(body.messages))),
        results=_results(messages) if purpose in ("main", "subagent") else (),
        first=_first_words(messages) if purpose == "subagent" else "",
    )


def _readable(raw: bytes) -> bytes:
    """The CLI cuts strings by UTF-16 units as well; only a body that has such a half is looked through."""
    return without_lone_surrogates(raw) if b"\\ud" in raw or b"\\uD" in raw else raw


def _purpose(told: str, body: _Body, messages: tuple[_Message, ...]) -> tuple[Purpose, str, bool]:
    match told:
        case "main" | "subagent" | "compaction":
            return told, "", True
        case "":
            return _guess(body, messages)
        case _:
            return "auxiliary", told, True


def _guess(body: _Body, messages: tuple[_Message, ...]) -> tuple[Purpose, str, bool]:
    """By shape; the first rule that applies."""
    for purpose, why, applies in _RULES:
        if applies(body, messages):
            return purpose, why, False
    return "main", "", False


_RULES: tuple[tuple[Purpose, str, Callable[[_Body, tuple[_Message, ...]], bool]], ...] = (
    ("auxiliary", "unreadable", lambda _, messages: not messages),
    ("auxiliary", "quota probe", lambda body, _: body.max_tokens is not None and body.max_tokens <= 1),
    ("auxiliary", "warm-up", lambda _, messages: _words(messages[-1]).strip() == _WARM_UP),
    ("compaction", "", lambda body, messages: _is_summary(body, messages)),
    ("auxiliary", "no tools", lambda body, _: bytes(body.tools).strip() in (b"[]", b"null")),
    ("subagent", "", lambda body, _: _SUBAGENT.encode() in bytes(body.system)),
)


def _is_summary(body: _Body, messages: tuple[_Message, ...]) -> bool:
    words = _words(messages[-1])
    return any(mark in words or mark.encode() in bytes(body.system) for mark in _SUMMARY)


def _words(message: _Message) -> str:
    return plain_text(read_content(message.content))


def _first_words(messages: tuple[_Message, ...]) -> str:
    return next((_words(message) for message in messages if message.role == "user"), "")


def _results(messages: tuple[_Message, ...]) -> tuple[ToolResult, ...]:
    """What came back since the model spoke last; notes in the system's role may stand between."""
    found: list[ToolResult] = []
    for message in reversed(messages):
        if message.role == "assistant":
            break
        content = read_content(message.content) if message.role == "user" else ()
        found[:0] = [block for block in content or () if isinstance(block, ToolResult)]
    return tuple(found)


def _session(body: _Body) -> str:
    """The session's id inside the user's, as JSON or (older) after a mark."""
    told = (body.metadata.user_id if body.metadata is not None else "") or ""
    try:
        return _user.decode(told.encode()).session_id
    except BAD:
        return told.rpartition(_OLD_SESSION)[2] if _OLD_SESSION in told else ""
