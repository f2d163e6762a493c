"""What a person reads of a session, as parts of a document in reading order, made safe.

A part is text already, and knows how deep it stands under a subagent's call. This module must not know
Markdown nor HTML.
"""

from collections.abc import Iterator
from datetime import datetime, tzinfo

import msgspec
from msgspec import Raw, Struct

from core.plain import plain
from core.session.entries import Entry, NoticeEntry, PromptEntry, SpeechEntry, ToolEntry, TurnEntry
from core.session.log import UNATTACHED
from core.session.session import Session
from core.session.state import SessionState, TurnSummary
from core.session.tools import name_of
from core.wire.codec import BAD

_IMAGES = {0: "", 1: "[image]"}


class Part(Struct, frozen=True):
    """A piece of the document: `kind` is prompt, note, text, thinking, tool, notice or turn.

    `sections` are a tool call's input by its fields, then its result: (name, text).
    """

    kind: str
    text: str = ""
    title: str = ""
    state: str = ""
    depth: int = 0
    at: float = 0.0
    sections: tuple[tuple[str, str], ...] = ()


def heading(state: SessionState) -> str:
    """What the session is called."""
    return plain(state.name or state.title or state.session_id or "Session")


def facts(state: SessionState) -> tuple[str, ...]:
    """Where it ran, and as what."""
    told = (state.directory, state.branch, state.model.value, state.session_id)
    return tuple(plain(fact) for fact in told if fact)


def when(at: float, zone: tzinfo | None) -> str:
    """A time for people; in the machine's own zone for None."""
    return f"{datetime.fromtimestamp(at, zone):%Y-%m-%d %H:%M}" if at else ""


def parts(session: Session) -> Iterator[Part]:
    """The whole session; agents whose call was never seen come last."""
    yield from _thread(session, "", 0)
    if session.conversation.entries(UNATTACHED):
        yield Part("notice", "Agents whose call was not seen")
        yield from _thread(session, UNATTACHED, 1)


def _thread(session: Session, thread: str, depth: int) -> Iterator[Part]:
    for entry in session.conversation.entries(thread):
        yield _part(entry, depth)
        if isinstance(entry, ToolEntry):
            yield from _thread(session, entry.call_id, depth + 1)


def _part(entry: Entry, depth: int) -> Part:
    match entry:
        case PromptEntry(text=text, meta=meta):
            images = _IMAGES.get(entry.image_count, f"[{entry.image_count} images]")
            shown = "\n".join(piece for piece in (plain(text), images) if piece)
            return Part("note" if meta else "prompt", shown, depth=depth, at=entry.at)
        case SpeechEntry(thinking=thinking):
            return Part("thinking" if thinking else "text", plain(entry.text), depth=depth, at=entry.at)
        case ToolEntry():
            title = plain(f"{name_of(entry.tool)} {entry.title}".rstrip())
            sections = tuple(_sections(entry))
            return Part("tool", title=title, state=entry.state, depth=depth, at=entry.at, sections=sections)
        case NoticeEntry(text=text, level=level):
            return Part("notice", plain(text), state=level, depth=depth, at=entry.at)
        case TurnEntry(summary=summary):
            return Part("turn", _turn(summary), state=summary.end, depth=depth, at=entry.at)
    return Part("note", depth=depth)


def _sections(call: ToolEntry) -> Iterator[tuple[str, str]]:
    """The input field by field: texts as they are, everything else as JSON."""
    try:
        fields = msgspec.json.decode(call.input_json, type=dict[str, Raw])
    except BAD:
        fields = {}
        if call.input_json:
            yield "input", plain(call.input_json.decode("utf-8", "replace"))
    for name, raw in fields.items():
        yield plain(name), plain(_value(raw))
    if call.result:
        yield "result", plain(call.result)


def _value(raw: Raw) -> str:
    try:
        return msgspec.json.decode(raw, type=str)
    except BAD:
        return bytes(raw).decode("utf-8", "replace")


def _turn(summary: TurnSummary) -> str:
    seconds = f" after {summary.duration_s:.0f} s" if summary.duration_s else ""
    cost = f" · ${summary.cost_usd:.2f}" if summary.cost_usd else ""
    error = f": {plain(summary.error)}" if summary.error else ""
    return f"{summary.end}{seconds}{cost}{error}"
