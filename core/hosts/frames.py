"""What a dashboard and the bridge on another machine say to each other: one JSON object a line, both ways.

The bridge greets first. What goes between a client and a keeper is carried unread in a `Carry`. Bytes of a
journal travel compressed. It must not know how a line gets there.
"""

import zlib
from typing import ClassVar

import msgspec
from msgspec import Raw, Struct
from msgspec.json import Decoder, Encoder

from core.keeper.folder import Card
from core.keeper.messages import Failure
from core.keeper.orders import Orders
from core.session.state import SessionState

BRIDGE = 1
"""Of these frames; both sides must have the same."""

UNPACKED_BYTES = 64 * 2**20
"""What a frame may unpack to: as much as a line may have."""


class Frame(Struct, frozen=True, tag_field="is", omit_defaults=True, kw_only=True):
    """Anything that is said."""


class Carry(Frame, frozen=True, kw_only=True):
    """A line of a client to the keeper of `key`, or of that keeper to the client."""

    key: str
    line: Raw


class Shut(Frame, frozen=True, kw_only=True):
    """The client let go, or the keeper did: nothing more is carried for `key`."""

    key: str


# What a dashboard says


class Asked(Frame, frozen=True, kw_only=True):
    """Anything that is answered by one `Done` with the same `n`."""

    n: int = 0


class Open(Asked, frozen=True, kw_only=True):
    """Connect with an agent's keeper."""

    key: str


class Start(Asked, frozen=True, kw_only=True):
    """Start a keeper; a directory may begin with `~`."""

    orders: Orders


class Lives(Asked, frozen=True, kw_only=True):
    """Whether a keeper lives."""

    key: str


class Remain(Asked, frozen=True, kw_only=True):
    """What a dead keeper has left: a `Left`."""

    key: str


class Forget(Asked, frozen=True, kw_only=True):
    """Take the card of a dead keeper away."""

    key: str


class Fetch(Asked, frozen=True, kw_only=True):
    """The bytes from `start` to `end` of an agent's whole journal, in pieces, before the `Done`."""

    key: str
    start: int
    end: int


class Look(Asked, frozen=True, kw_only=True):
    """The directories whose path begins like this: a list of texts."""

    path: str


class Find(Asked, frozen=True, kw_only=True):
    """The files below a directory that are meant by some letters, at most so many: a list of texts."""

    directory: str
    query: str
    limit: int


class Ping(Frame, frozen=True, kw_only=True):
    """Still here."""


# What the bridge says


class Welcome(Frame, frozen=True, kw_only=True):
    """The first line."""

    mark: ClassVar[bytes] = b'{"is":"Welcome"'

    bridge: int = 0
    version: str = ""
    home: str = ""


class Agents(Frame, frozen=True, kw_only=True):
    """All agents there are now; said at first and whenever that changes."""

    cards: tuple[Card, ...]


class Tail(Frame, frozen=True, kw_only=True):
    """The end of an agent's journal, before the `Hello` it belongs to; `before` bytes stand before it."""

    key: str
    seed: SessionState
    data: bytes
    before: int


class Piece(Frame, frozen=True, kw_only=True):
    """Some of what was to be fetched."""

    n: int
    data: bytes


class Done(Frame, frozen=True, kw_only=True):
    """What became of what was asked."""

    n: int
    result: Raw = Raw(b"null")
    failure: Failure | None = None


class Left(Struct, frozen=True):
    """Why a keeper went, and how many bytes its agent's journal has."""

    reason: str
    size: int = 0


Heard = Carry | Shut | Open | Start | Lives | Remain | Forget | Fetch | Look | Find | Ping
Told = Welcome | Agents | Carry | Shut | Tail | Piece | Done

_heard: Decoder[Heard] = Decoder(Heard)
_told: Decoder[Told] = Decoder(Told)
_encoder = Encoder()


def read_said(line: bytes) -> Heard:
    """A dashboard's line. Raises `msgspec.MsgspecError`."""
    return _heard.decode(line)


def read_told(line: bytes) -> Told:
    """A bridge's line. Raises `msgspec.MsgspecError`."""
    return _told.decode(line)


def write(frame: Frame) -> bytes:
    """A line, its newline included."""
    return _encoder.encode(frame) + b"\n"


def carry(key: str, line: bytes) -> bytes:
    """A `Carry` as a line; the inner one is not read again."""
    return b'{"is":"Carry","key":%s,"line":%s}\n' % (_encoder.encode(key), line.strip())


def result(value: object) -> Raw:
    """The result of a `Done`."""
    return Raw(_encoder.encode(value))


def packed(data: bytes) -> bytes:
    """Bytes of a journal for a frame."""
    return zlib.compress(data, 1)


def unpacked(data: bytes) -> bytes:
    """The bytes again. Raises `msgspec.MsgspecError`, as any frame that cannot be read does."""
    inflate = zlib.decompressobj()
    try:
        found = inflate.decompress(data, UNPACKED_BYTES)
    except zlib.error as error:
        raise msgspec.DecodeError(str(error)) from error
    if not inflate.eof:
        raise msgspec.DecodeError("a frame is cut off, or unpacks to more than can be taken")
    return found
