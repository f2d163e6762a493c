"""The messages that stream just now: what of them is not in the journal, as events.

Whoever attaches in the middle gets them; a block that never becomes whole (an interrupt, an error in the
middle) goes into the journal from here, for a person has read it. Pure. It must not know who wants them.
"""

from collections.abc import Sequence

from msgspec import Struct

from core.keeper.vocabulary import Piece, joined
from core.session import events as ev
from core.session.events import Event

STREAMED: frozenset[type[Event]] = frozenset(
    {
        ev.MessageStarted,
        ev.MessageDelta,
        ev.MessageStopped,
        ev.BlockStarted,
        ev.BlockStopped,
        ev.TextDelta,
        ev.ThinkingDelta,
        ev.ToolInputDelta,
        ev.SignatureDelta,
        ev.CitationsDelta,
        ev.PhaseChanged,
    }
)
"""What a journal leaves out: the whole blocks, which follow, say it again."""


class _Message(Struct):
    id: str
    blocks: dict[int, list[Event]] = {}


class Openings:
    """The open blocks of one agent, by thread ("" is the main one)."""

    def __init__(self) -> None:
        """Nothing streams."""
        self._messages: dict[str, _Message] = {}

    def see(self, event: Event) -> Sequence[Event]:
        """Follow an event; returns what it leaves behind unfinished, for the journal to be told before it."""
        match event:
            case ev.TextDelta() | ev.ThinkingDelta() | ev.ToolInputDelta() | ev.BlockStarted():
                self._more(event)
            case (
                ev.TextCompleted()
                | ev.ThinkingCompleted()
                | ev.ToolInputFinalized()
                | ev.OtherBlockCompleted()
            ):
                self._whole(event.parent, event.message_id, event.index)
            case ev.MessageStopped():
                self._messages.pop(event.parent, None)
            case ev.MessageStarted():
                return self._abandon(event.parent)
            case ev.TurnCompleted() | ev.ProcessExited() | ev.ProcessStarted():
                return [left for parent in list(self._messages) for left in self._abandon(parent)]
        return ()

    @property
    def events(self) -> Sequence[Event]:
        """What is open now, in the order it came."""
        return [
            event
            for message in self._messages.values()
            for index in sorted(message.blocks)
            for event in joined(message.blocks[index])
        ]

    def _message(self, parent: str, message_id: str) -> _Message:
        message = self._messages.get(parent)
        if message is None or message.id != message_id:
            message = self._messages[parent] = _Message(message_id, {})
        return message

    def _more(self, event: Piece | ev.BlockStarted) -> None:
        pieces = self._message(event.parent, event.message_id).blocks.setdefault(event.index, [])
        pieces.append(event)
        if len(pieces) > 64:  # a long block in small pieces must not cost a list of them
            pieces[:] = joined(pieces)

    def _whole(self, parent: str, message_id: str, index: int | None) -> None:
        message = self._messages.get(parent)
        if message is not None and message.id == message_id and index is not None:
            message.blocks.pop(index, None)

    def _abandon(self, parent: str) -> Sequence[Event]:
        message = self._messages.pop(parent, None)
        if message is None:
            return ()
        return [event for index in sorted(message.blocks) for event in joined(message.blocks[index])]
