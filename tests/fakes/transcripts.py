"""Transcripts for tests: lines as the CLI writes them, and what a session shows of them."""

import json
from pathlib import Path

from core.history.lines import lines
from core.session.entries import Entry, NoticeEntry, PromptEntry, SpeechEntry, ToolEntry, TurnEntry
from core.session.session import Session
from core.session.state import SessionState
from core.sources.transcript import TranscriptSource
from core.wire.transcript import decode_line

CASES = Path(__file__).parent.parent / "data" / "cases"
SESSION = "5e551011-0000-4000-8000-000000000001"


class Written:
    """A transcript that is being written, line after line, each the child of the one before."""

    def __init__(self, session: str = SESSION, **always: object) -> None:
        self.rows: list[bytes] = []
        self.session = session
        self._always = always
        self._last: str | None = None
        self._number = 0

    @property
    def data(self) -> bytes:
        return b"".join(row + b"\n" for row in self.rows)

    def put(self, kind: str, **fields: object) -> str:
        """A line of any type; returns its uuid."""
        self._number += 1
        uuid = f"{self.session[:8]}-{self._number:04d}"
        row = {
            "type": kind,
            "uuid": uuid,
            "parentUuid": self._last,
            "sessionId": self.session,
            "cwd": "/srv/demo",
            "timestamp": f"2026-03-01T10:{self._number // 60:02d}:{self._number % 60:02d}.000Z",
            **self._always,
            **fields,
        }
        self.rows.append(json.dumps(row).encode())
        self._last = uuid
        return uuid

    def prompt(self, text: str, **fields: object) -> str:
        return self.put("user", message={"role": "user", "content": text}, **fields)

    def says(self, text: str, **fields: object) -> str:
        return self._answers({"type": "text", "text": text}, **fields)

    def calls(self, call_id: str, tool: str = "Bash", **given: object) -> str:
        return self._answers({"type": "tool_use", "id": call_id, "name": tool, "input": given})

    def returns(self, call_id: str, text: str, *, is_error: bool = False, **fields: object) -> str:
        content = [{"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": is_error}]
        return self.put("user", message={"role": "user", "content": content}, **fields)

    def _answers(self, block: dict[str, object], **fields: object) -> str:
        usage = {"input_tokens": 10, "output_tokens": 1}
        message = {
            "id": f"msg_{self._number}",
            "role": "assistant",
            "model": "m",
            "content": [block],
            "usage": usage,
        }
        return self.put("assistant", message=message, **fields)


def read(path: Path) -> tuple[Session, TranscriptSource]:
    """A whole file, folded."""
    session, source = Session(SessionState("s", "past")), TranscriptSource()
    with path.open("rb") as file:
        for line in lines(file):
            for said in decode_line(line.raw):
                for event in source.events(said):
                    session.apply(event)
    for event in source.close():
        session.apply(event)
    return session, source


def shown(session: Session, thread: str = "") -> list[str]:
    """What a person reads in a thread, an entry a line; what stands under a call is indented."""
    return [row for entry in session.conversation.entries(thread) for row in _rows(session, entry)]


def _rows(session: Session, entry: Entry) -> list[str]:
    match entry:
        case PromptEntry(text=text, meta=meta):
            return [f"{'~' if meta else '>'} {text}"]
        case SpeechEntry():
            return [f"· {entry.text}"]
        case ToolEntry():
            under = [f"    {row}" for row in shown(session, entry.call_id)]
            return [f"* {entry.tool} {entry.title} [{entry.state}] {entry.result}".rstrip(), *under]
        case NoticeEntry(text=text, level=level):
            return [f"! {level}: {text}"]
        case TurnEntry(summary=summary):
            return [f"- {summary.end}"]
    return []
