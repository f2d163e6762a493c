"""The conversation in a transcript: prompts, notes, the model's messages, results, subagents.

A line of a subagent's belongs to the thread of the call that started it, in every layout. This module must
not know what else a transcript tells of its session.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator
from typing import ClassVar

from msgspec import Raw

from core.session import events as ev
from core.session.events import Event
from core.session.state import Task
from core.sources.branches import Branches, branch_text
from core.sources.messages import SYNTHETIC, Messages
from core.sources.remarks import notified
from core.sources.rounds import Rounds
from core.sources.subagents import Subagents, launched
from core.sources.texts import count_images, is_wrapper, plain_text, result_text, unknown_blocks, unpasted
from core.sources.titles import Titles
from core.wire.content import Content, Text, ToolResult, ToolUse
from core.wire.records import AssistantMessage, Decision
from core.wire.transcript import LineMessage, TranscriptLine, content_of, decode_line

DETAIL_BYTES = 2**20
"""How much of a tool's structured result is kept; a larger one only has its text."""

REJECTED = "The user doesn't want to "
"""How the result of a call begins that the person denied, where nothing else tells so."""

INTERRUPTED = "[Request interrupted"
NOTIFIED = "<task-notification>"

_API_STATUS = re.compile(r"API Error: (\d{3})\b")
_OURS = frozenset({None, "", "human"})
"""Whose words are the person's own, where a line tells their origin at all."""


class Dialogue:
    """What was said in one transcript. For the arguments see `TranscriptSource`."""

    def __init__(self, thread: str, filed: Container[str], titles: Titles) -> None:
        """Start with nothing said."""
        self.branches = Branches()
        self.subagents = Subagents()
        self.rounds = Rounds()
        self._thread = thread
        self._filed = filed
        self._titles = titles
        self._messages = Messages()

    def user(self, line: TranscriptLine, at: float) -> Iterator[Event]:
        """A line in the user's role: results of tools, prompts, notes of the CLI's."""
        message = line.message or LineMessage()
        thread = self._thread_of(line)
        results = [block for block in _blocks(message.content) if isinstance(block, ToolResult)]
        for block in results:
            yield from self._returned(block, line, len(results) == 1, thread, at)
        for strange in unknown_blocks(message.content):
            yield ev.UnknownSeen(at=at, raw=strange.raw, why=f"unknown block `{strange.kind}`")
        yield from self._said(line, message.content, thread, at)

    def assistant(self, line: TranscriptLine, at: float) -> Iterator[Event]:
        """A line of the model's: usually one block of a message."""
        message = line.message or LineMessage()
        thread = self._thread_of(line)
        if line.is_api_error_message or message.model == SYNTHETIC:
            yield from self._cli_spoke(line, plain_text(message.content), thread, at)
            return
        if not thread:
            yield from self.rounds.begin(at)
            self.rounds.answered = isinstance(_last(message.content), Text)
        self.rounds.spend(line)
        said = AssistantMessage(message.id or line.uuid or "", message.model, message.content, message.usage)
        yield from self._messages.whole(said, thread, at)
        for block in _blocks(message.content):
            if isinstance(block, ToolUse):
                self.subagents.called(block, at)

    def attachment(self, line: TranscriptLine, at: float) -> Iterable[Event] | None:
        """What the CLI adds: of that only a prompt taken into a running turn is there to be read."""
        told = line.attachment
        if told is None or told.type != "queued_command":
            return None
        return self._queued(content_of(told.prompt), self._thread_of(line), at)

    def progress(self, line: TranscriptLine, at: float) -> Iterable[Event] | None:
        """What a running call reports: a subagent's own line is within, maybe as a copy of its file's."""
        told = line.data
        if told is None or told.type != "agent_progress" or told.agent_id in self._filed:
            return None
        if told.agent_id and line.parent_tool_use_id:
            self.subagents.link(told.agent_id, line.parent_tool_use_id)
        return self._relayed(told.message, line.parent_tool_use_id or told.agent_id or "", at)

    def _relayed(self, raw: Raw, thread: str, at: float) -> Iterator[Event]:
        outer, self._thread = self._thread, thread
        try:
            for line in decode_line(bytes(raw)):
                read = self._RELAYED.get(line.type or "") if isinstance(line, TranscriptLine) else None
                if read is not None and isinstance(line, TranscriptLine):
                    yield from read(self, line, line.at or at)
        finally:
            self._thread = outer

    _RELAYED: ClassVar[dict[str, Callable[["Dialogue", TranscriptLine, float], Iterator[Event]]]] = {
        "user": user,
        "assistant": assistant,
    }

    def _thread_of(self, line: TranscriptLine) -> str:
        if self._thread:
            return self._thread
        return self.subagents.thread(line) if line.is_sidechain else ""

    # What is said in the user's role

    def _said(self, line: TranscriptLine, content: Content, thread: str, at: float) -> Iterator[Event]:
        own, notes = _apart(content)
        for note in notes:
            yield from self._noted(note, thread, at)
        images = count_images(content)
        if not own and not images:
            return
        if _is_meta(line):
            yield ev.UserSpoke(at=at, text=own, parent=thread, meta=True, images=images)
            return
        if not thread:
            yield from self._prompted(line, own, at)
        yield ev.UserSpoke(at=at, text=own, id=line.uuid or "", parent=thread, images=images)

    def _prompted(self, line: TranscriptLine, text: str, at: float) -> Iterator[Event]:
        """A prompt of the person's begins a turn, and maybe a branch."""
        yield from self.rounds.end()
        beside = self.branches.prompt(line, text)
        if beside is not None:
            yield ev.Noticed(at=at, text=branch_text(beside))
        self._titles.prompt(text)
        yield from self.rounds.begin(at)

    def _queued(self, content: Content, thread: str, at: float) -> Iterator[Event]:
        own, notes = _apart(content)
        for note in notes:
            yield from self._noted(note, thread, at)
        images = count_images(content)
        if own or images:
            yield ev.UserSpoke(at=at, text=own, parent=thread, images=images)

    def _noted(self, text: str, thread: str, at: float) -> Iterator[Event]:
        """Words of the CLI's in the user's role."""
        if text.startswith(NOTIFIED):
            yield from notified(text, at)
        if not thread:
            self._titles.note(text)
        yield ev.UserSpoke(at=at, text=text, parent=thread, meta=True)
        if text.startswith(INTERRUPTED) and not thread:
            yield from self.rounds.stop(at)

    # What else

    def _returned(
        self, block: ToolResult, line: TranscriptLine, only: bool, thread: str, at: float
    ) -> Iterator[Event]:
        for strange in unknown_blocks(block.content):
            yield ev.UnknownSeen(at=at, raw=strange.raw, why=f"unknown block `{strange.kind}` in a result")
        text = result_text(block.content)
        decision, decided_by = _decision(line.permission_decision, text if block.is_error else "")
        yield ev.ToolResulted(
            at=at,
            tool_use_id=block.tool_use_id,
            text=text,
            is_error=bool(block.is_error),
            images=count_images(block.content),
            detail_json=_detail(line.tool_use_result) if only else b"",
            decision=decision,
            decided_by=decided_by,
            parent=thread,
        )
        if only:
            yield from self._launched(block.tool_use_id, line.tool_use_result, at)

    def _launched(self, call_id: str, raw: Raw, at: float) -> Iterator[Event]:
        """The task a call started, and its end where the call waited for it."""
        told = launched(raw)
        task_id = told.agent_id or told.background_task_id
        if not task_id:
            return
        call = self.subagents.call(call_id)
        if told.agent_id and call is not None:
            self.subagents.link(told.agent_id, call_id)
        background = bool(told.is_async or told.background_task_id)
        description, kind = (call.description, call.kind) if call is not None else ("", "")
        started_at = call.at if call is not None else at
        yield ev.TaskStarted(
            at=at,
            task=Task(
                id=task_id,
                description=description,
                kind=kind,
                tool_use_id=call_id,
                background=background,
                started_at=started_at,
            ),
        )
        if not background:
            yield ev.TaskEnded(at=at, id=task_id)

    def _cli_spoke(self, line: TranscriptLine, text: str, thread: str, at: float) -> Iterator[Event]:
        """The CLI's own words in the model's place: mostly an error of the API."""
        if not line.is_api_error_message:
            yield ev.Noticed(at=at, text=text or "no answer", parent=thread)
        elif thread:
            yield ev.Noticed(at=at, text=text or "API error", level="error", parent=thread)
        else:
            found = _API_STATUS.match(text)
            status = line.api_error_status or (int(found[1]) if found is not None else 0)
            yield from self.rounds.fail(at, text or "API error", status)


def is_prompt(line: TranscriptLine) -> bool:
    """Whether a line holds the person's own words to the main agent."""
    return words_of(line) is not None


def words_of(line: TranscriptLine) -> str | None:
    """The person's own words to the main agent, "" where they are but images; None if a line holds none."""
    if line.type != "user" or line.is_sidechain or line.message is None or _is_meta(line):
        return None
    words = _apart(line.message.content)[0]
    return words if words or count_images(line.message.content) else None


def notes_of(line: TranscriptLine) -> list[str]:
    """The notes of the CLI's in a line of the user's role."""
    return _apart(line.message.content)[1] if line.message is not None else []


def _is_meta(line: TranscriptLine) -> bool:
    origin = line.origin.kind if line.origin is not None else None
    return bool(line.is_meta or line.is_compact_summary or origin not in _OURS)


def _blocks(content: Content) -> tuple[object, ...]:
    return content if isinstance(content, tuple) else ()


def _last(content: Content) -> object:
    return Text(content) if isinstance(content, str) else next(reversed(content or ()), None)


def _apart(content: Content) -> tuple[str, list[str]]:
    """The words themselves, and the CLI's notes among them (a text block each)."""
    if isinstance(content, str):
        texts = [content]
    else:
        texts = [block.text for block in content or () if isinstance(block, Text)]
    notes = [text for text in texts if is_wrapper(text)]
    own = [text for text in texts if text and not is_wrapper(text)]
    return unpasted("\n".join(own)), notes


def _decision(told: Decision | None, error: str) -> tuple[str, str]:
    if told is not None:
        return told.decision or "", told.source or ""
    return ("reject", "") if error.startswith(REJECTED) else ("", "")


def _detail(raw: Raw) -> bytes:
    """The structured result, where it is an object of a bearable size."""
    view = memoryview(raw)
    return bytes(view) if 0 < view.nbytes < DETAIL_BYTES and view[0] == ord("{") else b""
