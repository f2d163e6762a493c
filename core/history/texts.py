"""What of a transcript can be searched: the texts of its lines, with who says them.

Base64 never becomes text, and a tool's result is taken once, from the message, not from the copy beside it.
`searchable` gives a text the form the index and a query share. This module must not know the index.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct

from core.sources.dialogue import is_prompt
from core.sources.texts import is_wrapper, plain_text, result_text
from core.wire.brief import AnswerLine, ResultLine, spoken_line
from core.wire.codec import BAD
from core.wire.content import Block, Content, ServerToolUse, Text, Thinking, ToolResult, ToolUse
from core.wire.transcript import AnyLine, TranscriptLine, content_of, decode_line, moment_of

Role = Literal["user", "assistant", "tool", "result", "note", "title"]
"""Who speaks: the person, the model, a call's input, a call's result, the CLI, or a title."""

ROLES: tuple[Role, ...] = ("user", "assistant", "tool", "result", "note", "title")

INDEXES: dict[str, tuple[Role, ...]] = {
    "prompts": ("user", "title"),
    "replies": ("assistant",),
    "texts": ("tool", "result", "note"),
}
"""Which index holds whose texts. The first are searched first and are a fifteenth of all words: without the
others beside them nothing has to be passed over."""

SOUGHT_FIRST = ("prompts", "replies")

BASE64_CHARS = 256
"""A run of base64 as long as this is data, not words."""

ASCII = bytes(range(128))

_BASE64 = re.compile(rf"[A-Za-z0-9+/_-]{{{BASE64_CHARS},}}={{0,2}}")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_IDEOGRAPHS = re.compile(
    r"([\u1100-\u11ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff])"
)


class Said(Struct, frozen=True):
    """A text of a line; `tool` and `call_id` are those of a call, or of what it returned."""

    role: Role
    text: str
    tool: str = ""
    call_id: str = ""
    model: str = ""
    error: bool = False


def parts_of(lines: Iterable[AnyLine]) -> Iterator[tuple[int, float, Said]]:
    """The texts of what stands on one line of a file, each with its number and its moment (0.0: unknown).

    The same line always gives the same numbers.
    """
    part = 0
    for line in lines:
        if isinstance(line, TranscriptLine):
            for said in _said(line):
                yield part, line.at, said
                part += 1


def parts_in(raw: bytes) -> Iterator[tuple[int, float, Said]]:
    """The same from the bytes of a line: most are read in brief, where only texts are looked at."""
    line = spoken_line(raw)
    if line is None:
        yield from parts_of(decode_line(raw))
        return
    at = 0.0 if line.written is None else moment_of(line.written)
    said = _results(line) if isinstance(line, ResultLine) else _answer(line)
    for part, one in enumerate(said):
        yield part, at, one


def _results(line: ResultLine) -> Iterable[Said]:
    return [said for block in line.message.content for said in _block(block, "note", "", failed=False)]


def _answer(line: AnswerLine) -> Iterable[Said]:
    return _worded(line.message.content, "assistant", line.message.model, failed=line.is_api_error_message)


def _said(line: TranscriptLine) -> Iterable[Said]:
    match line.type:
        case "user" | "assistant":
            return _message(line)
        case "attachment" if line.attachment is not None and line.attachment.type == "queued_command":
            return _queued(plain_text(content_of(line.attachment.prompt)))
        case "system":
            return _text("note", line.text, error=line.level == "error")
    return [Said("title", title) for title in (line.custom_title, line.ai_title, line.summary) if title]


def _queued(text: str) -> Iterable[Said]:
    """What was taken into a running turn: the person's words, or news of a task (seen on 2.1.332)."""
    return _text("note" if is_wrapper(text) else "user", text)


def _message(line: TranscriptLine) -> Iterable[Said]:
    message = line.message
    if message is None or not message.content:
        return ()
    role: Role = "assistant" if line.type == "assistant" else "note"
    if role == "note" and is_prompt(line):
        role = "user"
    return _worded(message.content, role, message.model, failed=line.is_api_error_message)


def _worded(content: Content, role: Role, model: str | None, *, failed: bool | None) -> Iterable[Said]:
    model, failed = model or "", bool(failed)
    if isinstance(content, str):
        return _text(role, content, model=model, error=failed)
    return [said for block in content or () for said in _block(block, role, model, failed=failed)]


def _block(block: Block, role: Role, model: str, *, failed: bool) -> Iterable[Said]:
    match block:
        case ToolResult(call_id, content, is_error):
            text = result_text(content)
            return (Said("result", text, call_id=call_id, error=bool(is_error)),) if text else ()
        case ToolUse(call_id, name, given) | ServerToolUse(call_id, name, given):
            return (Said("tool", f"{name}\n{_words_of(given)}", name, call_id, model),)
        case Text(text) | Thinking(text):
            return _text(role, text, model=model, error=failed)
    return ()


def _text(role: Role, text: str, *, model: str = "", error: bool = False) -> Iterable[Said]:
    return (Said(role, text, model=model, error=error),) if text else ()


def _words_of(given: Raw) -> str:
    """The texts in a tool's input, one a line."""
    try:
        return "\n".join(_leaves(msgspec.json.decode(given)))
    except BAD:
        return ""


def _leaves(value: Any) -> Iterator[str]:
    """The one place here where JSON of any shape is walked."""
    match value:
        case str():
            yield value
        case dict():
            for inner in value.values():
                yield from _leaves(inner)
        case list():
            for inner in value:
                yield from _leaves(inner)
        case bool() | None:
            pass
        case _:
            yield str(value)


# The form in which texts are compared


def readable(text: str) -> str:
    """A text in composed characters, without base64: what is shown of a hit, and what positions are in."""
    if _may_hold_base64(text):
        text = _BASE64.sub(" ", text)
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _may_hold_base64(text: str) -> bool:
    """A run has no blank in it: going from the last blank within its length to the next is far quicker."""
    start = 0
    while start + BASE64_CHARS <= len(text):
        blank = text.rfind(" ", start, start + BASE64_CHARS)
        if blank < 0:
            blank = text.rfind("\n", start, start + BASE64_CHARS)
            if blank < 0:
                return True
        start = blank + 1
    return False


def searchable(text: str) -> str:
    """What goes into the index: ideographs stand alone, so that any of them can be found."""
    text = readable(text)
    return text if text.isascii() else _IDEOGRAPHS.sub(r" \1 ", text)


def folded(text: str) -> str:
    """A readable text without case and accents, character for character."""
    if text.isascii():
        return text.lower()
    # Character for character is slow, and most of them are ASCII, or no letters: as bytes both is quicker.
    raw = text.encode("utf-8", "surrogatepass")
    rare = set(raw.translate(None, ASCII).decode("utf-8", "surrogatepass"))
    if any(_FOLDING[ord(char)] != char for char in rare):
        raw = _NOT_ASCII.sub(_folded_run, text).encode("utf-8", "surrogatepass")
    return raw.lower().decode("utf-8", "surrogatepass")


def _folded_run(found: re.Match[str]) -> str:
    return found[0].translate(_FOLDING)


class _Folding(dict[int, str]):
    """Remembers how a character is folded: `str.translate` asks for each but once."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = _fold(chr(code))
        return plain


def _fold(char: str) -> str:
    base, *marks = list(unicodedata.normalize("NFD", char))
    plain = (base if all(map(unicodedata.combining, marks)) else char).lower()
    return plain if len(plain) == 1 else char


_FOLDING = _Folding()
