"""Captured flows for tests: the handed bodies, requests as the CLI makes them, answers as the API streams them."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from core.proxy.adapter import Adapter
from core.proxy.reports import Answered, Asked, Ended, Piece
from core.session.conversation import Conversation
from core.session.events import Event
from core.session.session import Session
from core.session.state import SessionState
from tests.fakes.lines import DATA

HOST = "api.anthropic.com"


def body(name: str) -> bytes:
    """The body of a handed case (`PXY-01` …)."""
    return (DATA / "cases" / f"{name}.sse").read_bytes()


def chunks(name: str) -> list[bytes]:
    """The same as it was cut on the way."""
    return [
        bytes.fromhex(piece) for piece in json.loads((DATA / "cases" / f"{name}.chunks.json").read_text())
    ]


def sse(*events: dict[str, Any]) -> bytes:
    """Events of the API as its stream writes them."""
    return b"".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n".encode() for one in events)


def start(message_id: str = "msg_1", **usage: Any) -> dict[str, Any]:
    """How an answer begins."""
    usage = usage or {"input_tokens": 25, "output_tokens": 1}
    return {"type": "message_start", "message": {"id": message_id, "model": "claude-opus", "usage": usage}}


def block(
    index: int, content: dict[str, Any], *deltas: dict[str, Any], open_: bool = False
) -> list[dict[str, Any]]:
    """One block with its deltas."""
    found = [{"type": "content_block_start", "index": index, "content_block": content}]
    found += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
    return found if open_ else [*found, {"type": "content_block_stop", "index": index}]


def text(words: str, index: int = 0, *, open_: bool = False) -> list[dict[str, Any]]:
    """A text block, one delta a word."""
    deltas = [{"type": "text_delta", "text": word} for word in re.findall(r"\S+\s*", words)]
    return block(index, {"type": "text", "text": ""}, *deltas, open_=open_)


def tool(
    name: str, pieces: Sequence[str], index: int = 0, call_id: str = "toolu_1", *, open_: bool = False
) -> list[dict[str, Any]]:
    """A call, its input in pieces."""
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return block(index, {"type": "tool_use", "id": call_id, "name": name, "input": {}}, *deltas, open_=open_)


def stop(reason: str = "end_turn", **usage: Any) -> list[dict[str, Any]]:
    """How an answer ends."""
    return [
        {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage or {"output_tokens": 15}},
        {"type": "message_stop"},
    ]


def answer(words: str = "all good", message_id: str = "msg_1", reason: str = "end_turn") -> bytes:
    """A whole answer of one text."""
    return sse(start(message_id), *text(words), *stop(reason))


def asks(
    flow: int, at: float = 0.0, *, words: str = "do it", headers: dict[str, str] | None = None, **fields: Any
) -> Asked:
    """A request as 2.1.332 makes it for the conversation; other headers make another of it."""
    told = {
        "x-claude-code-request-class": "main",
        "x-claude-code-prompt-id": "p1",
        "x-claude-code-session-id": "s1",
    }
    wanted = {
        "model": "claude-opus",
        "max_tokens": 32000,
        "messages": [{"role": "user", "content": words}],
        **fields,
    }
    return Asked(
        flow=flow,
        at=at,
        host=HOST,
        path="/v1/messages",
        headers=told | (headers or {}),
        body=json.dumps(wanted).encode(),
    )


class Capture:
    """An adapter that is fed flows, and a session that what it says is folded into."""

    def __init__(self, adapter: Adapter | None = None) -> None:
        self.adapter = adapter or Adapter((HOST,))
        self.session = Session(SessionState(key="captured"))
        self.events: list[Event] = []

    @property
    def conversation(self) -> Conversation:
        return self.session.conversation

    def take(self, events: Iterable[Event]) -> list[Event]:
        """Fold what the adapter said."""
        found = list(events)
        for event in found:
            self.session.apply(event)
        self.events += found
        return found

    def ask(self, flow: int, at: float = 0.0, **fields: Any) -> list[Event]:
        return self.take(self.adapter.events(asks(flow, at, **fields)))

    def reply(
        self, flow: int, *pieces: bytes, at: float = 1.0, status: int = 200, kind: str = "text/event-stream"
    ) -> list[Event]:
        """The head and the pieces of an answer."""
        found = self.take(
            self.adapter.events(Answered(flow=flow, at=at, status=status, headers={"content-type": kind}))
        )
        for piece in pieces:
            found += self.more(flow, piece, at=at)
        return found

    def more(self, flow: int, piece: bytes, at: float = 1.0) -> list[Event]:
        return self.take(self.adapter.events(Piece(flow=flow, at=at, data=piece)))

    def end(self, flow: int, at: float = 2.0, *, truncated: bool = False) -> list[Event]:
        return self.take(self.adapter.events(Ended(flow=flow, at=at, truncated=truncated)))

    def whole(
        self,
        flow: int,
        *pieces: bytes,
        at: float = 1.0,
        status: int = 200,
        kind: str = "text/event-stream",
        **fields: Any,
    ) -> list[Event]:
        """A flow from its request to its end."""
        return [
            *self.ask(flow, at, **fields),
            *self.reply(flow, *pieces, at=at, status=status, kind=kind),
            *self.end(flow, at=at),
        ]

    def of(self, *kinds: type[Event]) -> list[Event]:
        """The events of some kinds."""
        return [event for event in self.events if type(event) in kinds]

    @property
    def said(self) -> list[str]:
        """What a person reads, each entry by its kind and text."""
        return self.read()

    def read(self, thread: str = "") -> list[str]:
        """The same of any thread."""
        return [shown(entry) for entry in self.conversation.entries(thread)]


def shown(entry: Any) -> str:
    """An entry in a word: what it is, and what it says."""
    kind = type(entry).__name__.removesuffix("Entry").lower()
    match kind:
        case "speech":
            cut = " (cut)" if entry.aborted else " …" if entry.open else ""
            return f"{'thinks' if entry.thinking else 'says'} {entry.text}{cut}"
        case "tool":
            return f"calls {entry.tool} {entry.state}: {entry.input_json.decode()}"
        case "turn":
            return f"turn {entry.summary.end} {entry.summary.error}".rstrip()
    return f"{kind} {entry.text}"
