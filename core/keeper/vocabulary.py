"""Events of `core.session.events` ↔ JSON: `["TextDelta", {…}]`, by the event's name.

A name this release does not know (a newer keeper) is no error: it reads as None and is left out. It must not
know what an event means, nor who reads it.
"""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Raw
from msgspec.json import Decoder
from msgspec.structs import replace

from core.session import events as ev
from core.session.events import Event
from core.wire.codec import BAD

_TYPES: dict[str, type[Event]] = {kind.__name__: kind for kind in Event.__subclasses__()}
_DECODERS: dict[str, Decoder[Event]] = {name: Decoder(kind) for name, kind in _TYPES.items()}
_encoder = msgspec.json.Encoder()
_named = Decoder(tuple[str, Raw])

Written = tuple[str, Raw]
"""An event as it stands in a frame or a journal: its name and its fields as JSON."""


def write(event: Event) -> Written:
    """An event as JSON, to be put into any message."""
    return type(event).__name__, Raw(_encoder.encode(event))


def read(written: Written) -> Event | None:
    """The event again; None for one this release does not know or cannot read."""
    name, fields = written
    decoder = _DECODERS.get(name)
    try:
        return decoder.decode(fields) if decoder is not None else None
    except BAD:
        return None


def read_json(line: bytes | Raw) -> Event | None:
    """As `read`, from the JSON of the pair."""
    try:
        return read(_named.decode(line))
    except BAD:
        return None


def joined(events: Iterable[Event]) -> Sequence[Event]:
    """The same events with neighbouring pieces of one block made one: nobody could see the difference."""
    told: list[Event] = []
    for event in events:
        if told and (whole := _join(told[-1], event)) is not None:
            told[-1] = whole
        else:
            told.append(event)
    return told


def _join(one: Event, other: Event) -> Event | None:
    match one, other:
        case (ev.TextDelta() as first, ev.TextDelta() as then):
            return replace(then, text=first.text + then.text) if _same(first, then) else None
        case (ev.ThinkingDelta() as first, ev.ThinkingDelta() as then):
            return replace(then, text=first.text + then.text) if _same(first, then) else None
        case (ev.ToolInputDelta() as first, ev.ToolInputDelta() as then):
            return replace(then, json=first.json + then.json) if _same(first, then) else None
    return None


Piece = ev.TextDelta | ev.ThinkingDelta | ev.ToolInputDelta


def _same(one: Piece, other: Piece) -> bool:
    return (one.message_id, one.index, one.parent) == (other.message_id, other.index, other.parent)
