"""A tool's input as texts a person can change, and back again as JSON on one line.

A field of text is changed as it is; what has no such field, or holds what cannot be seen, is changed as JSON.
All other fields keep their bytes. This module must not know an editor or an ask.
"""

import re
from pathlib import PurePath

import msgspec

from core.errors import InputError

WHOLE = ""
"""Stands for the whole input, as JSON."""

FIRST = ("command", "content", "new_string", "new_source", "url", "query", "prompt", "pattern", "file_path")
"""The fields people change most, in this order before all others."""

_UNSEEN = re.compile(r"[^\n -~]")


def fields_of(raw: bytes) -> tuple[str, ...]:
    """The fields of an input that can be changed as text, the most telling first, and `WHOLE` at the end."""
    names = [name for name, value in _fields(raw).items() if _seen(value)]
    names.sort(key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))
    return (*names, WHOLE)


def suffix_of(raw: bytes, field: str) -> str:
    """How a file with the field's text would end, so that an editor knows what it is."""
    if not field:
        return ".json"
    if field == "command":
        return ".sh"
    path = _text(_fields(raw).get("file_path", b'""')) or ""
    return PurePath(path).suffix if field in ("content", "new_string", "old_string") else ".txt"


def text_of(raw: bytes, field: str) -> str:
    """A field as text; the `WHOLE` as JSON for reading, with what cannot be seen escaped."""
    if field:
        return _text(_fields(raw).get(field, b'""')) or ""
    try:
        pretty = msgspec.json.format(raw, indent=2)
    except (msgspec.DecodeError, RecursionError):
        pretty = raw
    return _UNSEEN.sub(_escaped, pretty.decode("utf-8", "replace"))


def with_text(raw: bytes, field: str, text: str) -> bytes:
    """The input with another text in a field, or as the JSON written. Raises `InputError` for no JSON."""
    try:
        if field:
            fields = {name: msgspec.Raw(value) for name, value in _fields(raw).items()}
            return msgspec.json.encode({**fields, field: msgspec.Raw(msgspec.json.encode(text))})
        written = text.encode()
        if not msgspec.json.decode(written, type=dict[str, msgspec.Raw]) and _fields(raw):
            # 2.1.332 takes an empty one for an unchanged one, and runs what was asked.
            raise InputError("it is empty, and would run as asked")
        return msgspec.json.format(written, indent=-1)
    except (ValueError, RecursionError) as error:
        raise InputError(str(error)) from error


def changes(before: bytes, after: bytes) -> tuple[tuple[str, str, str], ...]:
    """What differs: the name of each field, its text before, its text now; what is no text as JSON."""
    old, new = _fields(before), _fields(after)
    names = [name for name in dict.fromkeys((*old, *new)) if _value(old.get(name)) != _value(new.get(name))]
    return tuple((name, _value(old.get(name)), _value(new.get(name))) for name in names)


def _fields(raw: bytes) -> dict[str, bytes]:
    """Every field's own JSON; none where the input is no object."""
    try:
        return {
            name: bytes(value)
            for name, value in msgspec.json.decode(raw, type=dict[str, msgspec.Raw]).items()
        }
    except (msgspec.DecodeError, RecursionError):
        return {}


def _text(value: bytes) -> str | None:
    """A JSON text; None for any other value."""
    try:
        return msgspec.json.decode(value, type=str)
    except msgspec.DecodeError:
        return None


def _value(value: bytes | None) -> str:
    if value is None:
        return ""
    text = _text(value)
    return msgspec.json.format(value, indent=2).decode("utf-8", "replace") if text is None else text


def _seen(value: bytes) -> bool:
    """Whether it is a text of which every character shows in an editor."""
    text = _text(value)
    return text is not None and all(char.isprintable() or char in "\n\t" for char in text)


def _escaped(found: re.Match[str]) -> str:
    """A character as JSON escapes it, where it cannot be seen."""
    char = found[0]
    if char.isprintable():
        return char
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
