"""The blocks of the model's messages: streamed pieces first, the complete block once.

A block is known by its message's id and its index in it; where a source does not tell the index, a
complete block is the next open one of its kind, else the next place of its message (case WIR-06).
It must not know prompts, asks or turns.
"""

from collections import OrderedDict
from collections.abc import Callable
from itertools import chain

from msgspec import Struct

from core.session import events as ev
from core.session.calls import Calls
from core.session.entries import SpeechEntry, ToolEntry
from core.session.log import EntryLog

Block = SpeechEntry | ToolEntry
Fits = Callable[[Block | None], bool]
Delta = ev.TextDelta | ev.ThinkingDelta | ev.ToolInputDelta

MESSAGES_KEPT = 256
"""How many messages may still get blocks; older ones are complete for sure."""


class _Message(Struct):
    parent: str = ""
    blocks: dict[int, Block | None] = {}
    completed: set[int] = set()


class Blocks:
    """The blocks of all messages that may still change."""

    def __init__(self, log: EntryLog, calls: Calls, late: Callable[[Delta], None]) -> None:
        """Write speech to `log` and calls to `calls`; `late` hears of pieces for a block that is closed."""
        self._log = log
        self._late = late
        self._calls = calls
        self._messages: OrderedDict[str, _Message] = OrderedDict()

    def start(self, event: ev.BlockStarted) -> None:
        """A block opened; one that is open or complete already stays as it is."""
        message = self._message(event.message_id, event.parent)
        if event.index in message.blocks or event.index in message.completed:
            return
        block: Block | None = None
        if event.kind == "tool_use":
            block = self._calls.open(event.tool_use_id, event.tool, event.parent, event.at)
        elif event.kind in ("text", "thinking"):
            block = self._speech(event.kind == "thinking", event.parent, event.at)
        message.blocks[event.index] = block
        if block is not None and event.source == "proxy":
            self._log.ahead.append(block)

    def stream(self, event: ev.TextDelta | ev.ThinkingDelta) -> None:
        """More of an open block; a delta whose start was missed opens it, one that comes late is dropped."""
        message = self._messages.get(event.message_id)
        block = message.blocks.get(event.index) if message is not None else None
        if block is None:
            block = self._missed(event)
        if isinstance(block, SpeechEntry) and block.open:
            block.append(event.text)
            self._log.touch(block)
        else:
            self._late(event)

    def stream_input(self, event: ev.ToolInputDelta) -> None:
        """More of a tool call's input."""
        message = self._messages.get(event.message_id)
        block = message.blocks.get(event.index) if message is not None else None
        if isinstance(block, ToolEntry) and block.state == "input":
            self._calls.stream(block, event.json)
        elif message is not None and event.index in message.completed:
            self._late(event)

    def complete_speech(self, event: ev.TextCompleted | ev.ThinkingCompleted) -> None:
        """A whole text or thinking block replaces what was streamed of it; an empty one vanishes."""
        thinking = isinstance(event, ev.ThinkingCompleted)
        message, index = self._claim(event, lambda block: _is_speech(block, thinking))
        block = message.blocks.get(index)
        if not isinstance(block, SpeechEntry):
            if not event.text:
                return
            block = self._speech(thinking, event.parent, event.at)
            message.blocks[index] = block
        if event.text or not thinking:
            block.replace(event.text)
        self._close(message, index, block)

    def complete_call(self, event: ev.ToolInputFinalized) -> None:
        """A whole tool call."""
        message, index = self._claim(event, lambda block: _is_call(block, event.tool_use_id))
        call = self._calls.open(event.tool_use_id, event.tool, event.parent, event.at)
        message.blocks[index] = call
        self._calls.complete(call, event.input_json, event.at)

    def complete_other(self, event: ev.OtherBlockCompleted) -> None:
        """A whole block with nothing to show takes its place."""
        self._claim(event, lambda block: block is None)

    def stop_message(self, event: ev.MessageStopped) -> None:
        """A message has ended: none of its blocks is open any more; a call whose input was cut never ran."""
        message = self._messages.get(event.message_id)
        if message is None:
            return
        self._close_all(message, aborted=bool(event.cut))
        if event.cut:
            for block in message.blocks.values():
                if isinstance(block, ToolEntry):
                    self._calls.cut(block)

    def withdraw(self, event: ev.MessageWithdrawn) -> None:
        """A message is to be read no more; a call of it that was whole stays, as it may have run."""
        message = self._messages.pop(event.message_id, None)
        for block in message.blocks.values() if message is not None else ():
            if isinstance(block, SpeechEntry):
                self._log.remove(block)
            elif isinstance(block, ToolEntry):
                self._calls.withdraw(block)

    def interrupt(self, *, main_only: bool) -> None:
        """A turn is over: what is still open of it never got its end.

        Its messages are still known: a block may be committed after that, in the place where it was streamed.
        """
        for message in self._messages.values():
            if not (main_only and message.parent):
                self._close_all(message, aborted=True)

    def _message(self, message_id: str, parent: str) -> _Message:
        message = self._messages.get(message_id)
        if message is None:
            message = self._messages[message_id] = _Message(parent)
            if len(self._messages) > MESSAGES_KEPT:
                self._messages.popitem(last=False)
        return message

    def _speech(self, thinking: bool, parent: str, at: float) -> SpeechEntry:
        entry = SpeechEntry(id=self._log.next_id(), thinking=thinking, parent=parent, at=at)
        self._log.add(entry)
        return entry

    def _missed(self, event: ev.TextDelta | ev.ThinkingDelta) -> SpeechEntry | None:
        message = self._message(event.message_id, event.parent)
        if event.index in message.blocks or event.index in message.completed:
            return None
        block = self._speech(isinstance(event, ev.ThinkingDelta), event.parent, event.at)
        message.blocks[event.index] = block
        return block

    def _claim(
        self,
        event: ev.TextCompleted | ev.ThinkingCompleted | ev.ToolInputFinalized | ev.OtherBlockCompleted,
        fits: Fits,
    ) -> tuple[_Message, int]:
        """Which place of its message a complete block takes."""
        message = self._message(event.message_id, event.parent)
        index = event.index
        if index is None:
            waiting = sorted(message.blocks.keys() - message.completed)
            after_all = max(chain(message.blocks, message.completed, (-1,))) + 1
            index = next((place for place in waiting if fits(message.blocks[place])), after_all)
        message.completed.add(index)
        return message, index

    def _close(self, message: _Message, index: int, block: SpeechEntry) -> None:
        block.open = False
        if block.text:
            self._log.touch(block)
        else:
            self._log.remove(block)
            message.blocks[index] = None

    def _close_all(self, message: _Message, *, aborted: bool = False) -> None:
        for index, block in list(message.blocks.items()):
            if isinstance(block, SpeechEntry) and block.open:
                block.aborted = aborted
                self._close(message, index, block)


def _is_speech(block: Block | None, thinking: bool) -> bool:
    return isinstance(block, SpeechEntry) and block.thinking is thinking


def _is_call(block: Block | None, call_id: str) -> bool:
    return isinstance(block, ToolEntry) and block.call_id == call_id
