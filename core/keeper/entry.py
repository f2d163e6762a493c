"""One line of a journal: what it is made of, how it is written and how it is read.

    {"t":1764000000.25,"dir":"recv","msg":{…}}        a line of the agent's, as it came
    {"t":…,"dir":"send","msg":{…}}                    a line it was given
    {"t":…,"dir":"note","msg":["Wanted",{…}]}         what neither says: an event of our own
    {"t":…,"dir":"head","msg":{"journal":1,…}}        the first line of each file

`t` is seconds since the epoch. A line of the agent's that is no JSON object stands as a JSON text. Pure: no
I/O. It must not know who writes or reads a journal.
"""

import re
from collections.abc import Iterable
from typing import Literal

from msgspec import Raw, Struct
from msgspec.json import Decoder, Encoder

from core.keeper.vocabulary import Written
from core.wire.codec import BAD

VERSION = 1
"""Of the format; a file with a higher one is left alone."""

Direction = Literal["recv", "send", "note", "head"]

REDACTED = b"[redacted]"


class Entry(Struct):
    """A line as it is read. One without `dir` is no journal's: a bare line of an agent."""

    t: float = 0.0
    dir: str = ""
    msg: Raw = Raw(b"null")


class Head(Struct, frozen=True):
    """What a file says about itself; `part` counts the files of one agent from 0."""

    journal: int = VERSION
    key: str = ""
    name: str = ""
    directory: str = ""
    part: int = 0


_entry = Decoder(Entry)
_head = Decoder(Head)
_text = Decoder(str)
_any = Decoder(Raw)
_encoder = Encoder()


def read_entry(line: bytes) -> Entry | None:
    """The line's parts; None for a torn or foreign one. Never raises."""
    try:
        return _entry.decode(line)
    except BAD:
        return None


def read_head(entry: Entry) -> Head:
    """What a `head` line says; an unreadable one says nothing."""
    try:
        return _head.decode(entry.msg)
    except BAD:
        return Head()


def agent_line(entry: Entry) -> bytes:
    """A `recv` or `send` line as it went over the pipe."""
    message = bytes(entry.msg)
    if not message.startswith(b'"'):
        return message
    try:
        return _text.decode(message).encode("utf-8", "replace")
    except BAD:
        return message


def write_line(direction: Direction, t: float, line: bytes) -> bytes:
    """A journal's line for a line of the pipe."""
    line = line.strip()
    message = line if _is_object(line) else _encoder.encode(line.decode("utf-8", "replace"))
    return b'{"t":%.6f,"dir":"%s","msg":%s}\n' % (t, direction.encode(), message)


def write_note(t: float, written: Written) -> bytes:
    """A journal's line for an event of our own."""
    return b'{"t":%.6f,"dir":"note","msg":%s}\n' % (t, _encoder.encode(written))


def write_head(t: float, head: Head) -> bytes:
    """The first line of a file."""
    return b'{"t":%.6f,"dir":"head","msg":%s}\n' % (t, _encoder.encode(head))


def _is_object(line: bytes) -> bool:
    try:
        _any.decode(line)
    except BAD:
        return False
    return line.startswith(b"{")


class _Account(Struct, frozen=True):
    email: str = ""


class _Body(Struct, frozen=True):
    account: _Account | None = None


class _Response(Struct, frozen=True):
    response: _Body | None = None


class _Answer(Struct, frozen=True):
    response: _Response | None = None


_answer = Decoder(_Answer)


def email_in(line: bytes) -> str:
    """The account's e-mail, if this line is the answer that tells it."""
    if b'"email"' not in line or b"control_response" not in line:
        return ""
    try:
        told = _answer.decode(line)
    except BAD:
        return ""
    body = told.response.response if told.response else None
    return body.account.email if body and body.account else ""


def redactor(emails: Iterable[str]) -> re.Pattern[bytes] | None:
    """What finds these e-mails in a line; None without any."""
    found = [re.escape(email.encode()) for email in emails if email]
    return re.compile(b"|".join(found), re.IGNORECASE) if found else None
