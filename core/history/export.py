"""A session as a document: Markdown, one HTML file, or JSON, in pieces to be written one after the other.

What is written is what a person reads in the conversation, subagents under their calls; control bytes are
left out in all of them. This module must not know files: whoever asks writes.
"""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, tzinfo

import msgspec
from msgspec import Raw, Struct

from core.history.export_html import document
from core.history.export_parts import Part, facts, heading, parts, when
from core.history.export_safe import without_html
from core.plain import plain
from core.session.entries import Entry, NoticeEntry, PromptEntry, SpeechEntry, ToolEntry, TurnEntry
from core.session.log import UNATTACHED
from core.session.session import Session
from core.wire.codec import BAD

Export = Callable[[Session, tzinfo | None], Iterator[str]]
"""Writes a session, in pieces. Times are in that zone, the machine's own for None."""

_BACKTICKS = re.compile("`+")


# Markdown and HTML


def to_markdown(session: Session, zone: tzinfo | None = None) -> Iterator[str]:
    """A document to be read as text or rendered; what tools said stands in fences."""
    yield (
        f"# {without_html(heading(session.state))}\n\n"
        + " · ".join(_fact(fact) for fact in facts(session.state))
        + "\n"
    )
    for part in parts(session):
        quote = "> " * part.depth
        lines = _markdown(part, zone).split("\n")
        yield "\n" + "".join(f"{quote}{line}".rstrip(" ") + "\n" for line in lines)


def _markdown(part: Part, zone: tzinfo | None) -> str:
    match part.kind:
        case "prompt":
            stamp = f" · {when(part.at, zone)}" if part.at else ""
            return f"## {'Prompt' if part.depth else 'You'}{stamp}\n\n{without_html(part.text)}"
        case "text":
            return without_html(part.text)
        case "tool":
            boxes = "".join(f"\n\n{_inline(name)}\n\n{_fence(text)}" for name, text in part.sections)
            return f"**{_inline(part.title)}** — {part.state}{boxes}"
        case "notice" | "turn":
            return f"*{_inline(part.text)}*"
    return f"{part.kind}\n\n{_fence(part.text)}"


def _fence(text: str) -> str:
    """A fence longer than any run of backticks inside it."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def _fact(text: str) -> str:
    return _inline(text) if "`" in text else f"`{text}`"


def _inline(text: str) -> str:
    """Text on one line in which nothing is markup."""
    return re.sub(r"([\\`*_\[\]<>])", r"\\\1", " ".join(text.split()))


def to_html(session: Session, zone: tzinfo | None = None) -> Iterator[str]:
    """One file, with nothing in it that runs or is fetched."""
    return document(heading(session.state), facts(session.state), parts(session), zone)


# JSON


class Exported(Struct, frozen=True, omit_defaults=True):
    """An entry in JSON; `at` is UTC, `input` the tool's own, `entries` what a subagent did."""

    kind: str
    at: str = ""
    text: str = ""
    meta: bool = False
    images: int = 0
    tool: str = ""
    title: str = ""
    state: str = ""
    input: Raw | str = ""
    result: str = ""
    entries: tuple["Exported", ...] = ()


class ExportedSession(Struct, frozen=True, omit_defaults=True):
    """A session in JSON; `unattached` are subagents whose call was never seen."""

    session_id: str = ""
    title: str = ""
    directory: str = ""
    branch: str = ""
    model: str = ""
    entries: tuple[Exported, ...] = ()
    unattached: tuple[Exported, ...] = ()


def to_json(session: Session, zone: tzinfo | None = UTC) -> Iterator[str]:
    """All entries, with their kinds."""
    state = session.state
    told = ExportedSession(
        session_id=state.session_id,
        title=heading(state),
        directory=state.directory,
        branch=state.branch,
        model=state.model.value,
        entries=_thread(session, "", zone),
        unattached=_thread(session, UNATTACHED, zone),
    )
    yield msgspec.json.format(msgspec.json.encode(told), indent=2).decode() + "\n"


def _thread(session: Session, thread: str, zone: tzinfo | None) -> tuple[Exported, ...]:
    return tuple(_exported(session, entry, zone) for entry in session.conversation.entries(thread))


def _exported(session: Session, entry: Entry, zone: tzinfo | None) -> Exported:
    at = datetime.fromtimestamp(entry.at, zone).isoformat() if entry.at else ""
    match entry:
        case PromptEntry(text=text, meta=meta):
            return Exported("prompt", at, plain(text), meta=meta, images=entry.image_count)
        case SpeechEntry(thinking=thinking):
            return Exported("thinking" if thinking else "text", at, plain(entry.text))
        case ToolEntry():
            return _call(entry, at, _thread(session, entry.call_id, zone))
        case NoticeEntry(text=text, level=level):
            return Exported("notice", at, plain(text), state=level)
        case TurnEntry(summary=summary):
            return Exported("turn", at, plain(summary.error), state=summary.end)
    return Exported("entry", at)


def _call(entry: ToolEntry, at: str, under: tuple[Exported, ...]) -> Exported:
    return Exported(
        "tool",
        at,
        images=entry.result_images,
        tool=entry.tool,
        title=plain(entry.title),
        state=entry.state,
        input=_input(entry.input_json),
        result=plain(entry.result),
        entries=under,
    )


def _input(json: bytes) -> Raw | str:
    """The input as it is; one that was cut off is no JSON, and stands as text."""
    try:
        return msgspec.json.decode(json, type=Raw)
    except BAD:
        return json.decode("utf-8", "replace")


EXPORTS: dict[str, Export] = {"md": to_markdown, "html": to_html, "json": to_json}
"""The forms of a document, by the suffix of its file."""
