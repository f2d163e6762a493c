"""Anything that reads as a Struct: what a hostile process, a damaged journal or another release may tell."""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

S = TypeVar("S")

TEXTS = st.sampled_from(
    ["", "a", "b", "c", "m1", "toolu_1", "model", "\x1b]52;c;QQ==\x07\x9b2J", "\u202e\n{", "x" * 2000]
)
JSONS = st.sampled_from(
    [
        *(b"", b"{}", b"[", b'"x"', b'{"command":7}', b'{"plan":"x"}', b'{"todos":[{"content":1}]}'),
        *(b'{"file_path":"/x","old_string":"a","new_string":"b"}', b'{"edits":[{"a":1}]}'),
        *(b'{"questions":[{"question":"q","options":[{"label":1}]}]}', b'{"a":' + b"[" * 5000),
    ]
)

_PLAIN: dict[type, st.SearchStrategy[Any]] = {
    inspect.StrType: TEXTS,
    inspect.BytesType: JSONS,
    inspect.RawType: st.sampled_from([msgspec.Raw(b"{}"), msgspec.Raw(b"null"), msgspec.Raw(b"[7]")]),
    inspect.IntType: st.sampled_from([0, 1, -1, 7, 10**6, 2**62]),
    inspect.FloatType: st.sampled_from([0.0, 1.7e9, -1.0, 1e13, 1e300]),
    inspect.BoolType: st.booleans(),
    inspect.NoneType: st.none(),
}


def any_of(kind: type[S]) -> st.SearchStrategy[S]:
    """Values of a Struct's type, each field anything that its own type allows."""
    return _any(inspect.type_info(kind)).map(lambda told: msgspec.convert(told, kind))


def _any(kind: inspect.Type) -> st.SearchStrategy[Any]:
    return _PLAIN[type(kind)] if type(kind) in _PLAIN else _MADE[type(kind)](kind)


def _struct(kind: inspect.StructType) -> st.SearchStrategy[Any]:
    needed = {field.encode_name: _any(field.type) for field in kind.fields if field.required}
    others = {field.encode_name: _any(field.type) for field in kind.fields if not field.required}
    tag = {kind.tag_field: st.just(kind.tag)} if kind.tag_field else {}
    return st.fixed_dictionaries({**tag, **needed}, optional=others)


_MADE: dict[type, Callable[[Any], st.SearchStrategy[Any]]] = {
    inspect.LiteralType: lambda kind: st.sampled_from(kind.values),
    inspect.UnionType: lambda kind: st.one_of(*map(_any, kind.types)),
    inspect.VarTupleType: lambda kind: st.lists(_any(kind.item_type), max_size=2),
    inspect.TupleType: lambda kind: st.tuples(*map(_any, kind.item_types)),
    inspect.DictType: lambda kind: st.dictionaries(_any(kind.key_type), _any(kind.value_type), max_size=2),
    inspect.StructType: _struct,
}


def filled(kind: type[S], text: str) -> S:
    """A value of a Struct's type with everything in it that can be: each text is `text`, also in JSON."""
    return msgspec.convert(_filled(inspect.type_info(kind), text), kind)


def _filled(kind: Any, text: str) -> Any:
    match kind:
        case inspect.StrType():
            return text
        case inspect.BytesType():
            return msgspec.json.encode({"command": text, "file_path": text, text: text})
        case inspect.IntType() | inspect.FloatType() | inspect.BoolType():
            return True if isinstance(kind, inspect.BoolType) else 1
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.UnionType():
            return _filled(next(one for one in kind.types if not isinstance(one, inspect.NoneType)), text)
        case inspect.VarTupleType() | inspect.FrozenSetType():
            return [_filled(kind.item_type, text)]
        case inspect.StructType():
            tag = {kind.tag_field: kind.tag} if kind.tag_field else {}
            return tag | {field.encode_name: _filled(field.type, text) for field in kind.fields}
        case inspect.TupleType():
            return [_filled(one, text) for one in kind.item_types]
        case inspect.DictType():
            return {text: _filled(kind.value_type, text)}
    return None
