"""Conversations for tests of what is drawn: events applied to a real session, a second apart each."""

import json

import msgspec

from core.session import events as ev
from core.session.conversation import Conversation
from core.session.session import Session
from core.session.state import SessionState

Json = dict[str, object]


class Scene:
    """A session that is told what happens."""

    def __init__(self) -> None:
        self.session = Session(SessionState(key="scene"))
        self.at = 1000.0
        self._count = 0

    @property
    def conversation(self) -> Conversation:
        return self.session.conversation

    def apply(self, event: ev.Event) -> None:
        self.at += 1
        self.session.apply(msgspec.structs.replace(event, at=self.at))

    def prompt(self, text: str, parent: str = "") -> None:
        self.apply(ev.UserSpoke(text=text, parent=parent))

    def say(self, text: str, parent: str = "") -> None:
        self.apply(ev.TextCompleted(message_id=self._next(), index=0, text=text, parent=parent))

    def think(self, text: str) -> None:
        self.apply(ev.ThinkingCompleted(message_id=self._next(), index=0, text=text))

    def open(self, message: str = "open", kind: str = "text", parent: str = "") -> None:
        self.apply(ev.BlockStarted(message_id=message, index=0, kind=kind, parent=parent))

    def stream(self, text: str, message: str = "open") -> None:
        self.apply(ev.TextDelta(message_id=message, index=0, text=text))

    def close(self, text: str, message: str = "open") -> None:
        self.apply(ev.TextCompleted(message_id=message, index=0, text=text))

    def call(self, tool: str, *, parent: str = "", call: str = "", **fields: object) -> str:
        return self._call(tool, fields, parent, call or f"call-{self._next()}")

    def result(
        self, call: str, text: str = "ok", *, failed: bool = False, detail: Json | None = None
    ) -> None:
        raw = json.dumps(detail).encode() if detail is not None else b""
        self.apply(ev.ToolResulted(tool_use_id=call, text=text, is_error=failed, detail_json=raw))

    def tool(self, tool: str, text: str = "ok", *, failed: bool = False, **fields: object) -> str:
        call = self._call(tool, fields, "", f"call-{self._next()}")
        self.result(call, text, failed=failed)
        return call

    def _call(self, tool: str, fields: Json, parent: str, call: str) -> str:
        event = ev.ToolInputFinalized(
            message_id=self._next(),
            tool_use_id=call,
            tool=tool,
            input_json=json.dumps(fields).encode(),
            index=0,
            parent=parent,
        )
        self.apply(event)
        return call

    def _next(self) -> str:
        self._count += 1
        return f"m{self._count}"
