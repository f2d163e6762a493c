"""What the addon in mitmdump reports, a JSON object a line: flows as they pass, byte for byte.

A *flow* is one HTTP exchange, known by its number; `at` is seconds since the epoch as mitmdump's machine has
it. Headers are those of a short list in the addon: none that could hold a credential. Bytes are base64 on the
line. This module must not know what a flow means.
"""

import msgspec
from msgspec import Struct

BAD = (msgspec.MsgspecError, UnicodeError, RecursionError)


class Report(Struct, frozen=True, kw_only=True):
    """What every report of a flow carries."""

    flow: int = 0
    at: float = 0.0


class Hello(Report, frozen=True, kw_only=True, tag="hello"):
    """The proxy listens; the addon speaks first once it does."""

    host: str = ""
    port: int = 0
    version: str = ""


class Asked(Report, frozen=True, kw_only=True, tag="asked"):
    """A request went out. `path` has no query; `whole` is False where its body was too much to pass on."""

    method: str = "POST"
    host: str = ""
    path: str = ""
    headers: dict[str, str] = {}
    body: bytes = b""
    whole: bool = True


class Answered(Report, frozen=True, kw_only=True, tag="answered"):
    """The head of an answer came."""

    status: int = 200
    headers: dict[str, str] = {}


class Piece(Report, frozen=True, kw_only=True, tag="piece"):
    """More of an answer's body, its content encoding undone."""

    data: bytes = b""


class Ended(Report, frozen=True, kw_only=True, tag="ended"):
    """An answer's body is whole; `truncated`: its compressed stream broke off all the same."""

    truncated: bool = False


class Broke(Report, frozen=True, kw_only=True, tag="broke"):
    """A flow ended before its answer did; `by_client`: the agent left."""

    why: str = ""
    by_client: bool = False


class Lost(Report, frozen=True, kw_only=True, tag="lost"):
    """The reader was too slow: of this flow nothing more is reported."""


class Unreadable(Report, frozen=True, kw_only=True, tag="unreadable"):
    """An answer's body is in an encoding nobody here can undo, or is broken; its bytes are not reported."""

    encoding: str = ""
    why: str = ""


class Distrusted(Report, frozen=True, kw_only=True, tag="distrusted"):
    """An agent did not take the proxy's certificate, or the proxy not the API's."""

    host: str = ""
    why: str = ""


AnyReport = Hello | Asked | Answered | Piece | Ended | Broke | Lost | Unreadable | Distrusted

_decoder: msgspec.json.Decoder[AnyReport] = msgspec.json.Decoder(AnyReport)


def decode_report(line: bytes) -> AnyReport | None:
    """The report on a line; None for a line that is none (mitmdump's own words, before the addon speaks)."""
    try:
        return _decoder.decode(line)
    except BAD:
        return None
