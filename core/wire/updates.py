"""Permission updates: what the CLI suggests with an ask, and what goes back with an answer (FACTS §4).

This module must not know asks or answers.
"""

from collections.abc import Callable

import msgspec
from msgspec import Raw, Struct, field

from core.session.state import PermissionUpdate, Rule
from core.wire.codec import BAD


class _WireRule(Struct, frozen=True, omit_defaults=True):
    tool: str = field(name="toolName")
    content: str | None = field(default=None, name="ruleContent")


class _RulesUpdate(Struct, frozen=True):
    type: str
    rules: tuple[_WireRule, ...]
    behavior: str
    destination: str


class _DirectoriesUpdate(Struct, frozen=True):
    type: str
    directories: tuple[str, ...]
    destination: str


class _ModeUpdate(Struct, frozen=True):
    type: str
    mode: str
    destination: str


WireUpdate = _RulesUpdate | _DirectoriesUpdate | _ModeUpdate


class _Suggested(Struct, frozen=True):
    type: str
    rules: tuple[_WireRule, ...] = ()
    behavior: str = ""
    mode: str = ""
    directories: tuple[str, ...] = ()
    destination: str = "session"


def _rules(update: PermissionUpdate) -> WireUpdate:
    rules = tuple(_WireRule(rule.tool, rule.content) for rule in update.rules)
    return _RulesUpdate(update.type, rules, update.behavior, update.destination)


def _directories(update: PermissionUpdate) -> WireUpdate:
    return _DirectoriesUpdate(update.type, update.directories, update.destination)


def _mode(update: PermissionUpdate) -> WireUpdate:
    return _ModeUpdate(update.type, update.mode, update.destination)


_UPDATES: dict[str, Callable[[PermissionUpdate], WireUpdate]] = {
    "addRules": _rules,
    "replaceRules": _rules,
    "removeRules": _rules,
    "addDirectories": _directories,
    "removeDirectories": _directories,
    "setMode": _mode,
}


def wire_updates(updates: tuple[PermissionUpdate, ...]) -> tuple[WireUpdate, ...]:
    """Updates in the CLI's form; one it would not take is left out, for it would void all of them."""
    return tuple(_UPDATES[update.type](update) for update in updates if update.type in _UPDATES)


def read_updates(raw: Raw) -> tuple[PermissionUpdate, ...]:
    """The permission updates the CLI suggests; what is not understood is left out."""
    try:
        items = msgspec.json.decode(bytes(raw) or b"null", type=tuple[Raw, ...] | None) or ()
    except BAD:
        return ()
    read = (_read_update(item) for item in items)
    return tuple(update for update in read if update is not None)


def _read_update(raw: Raw) -> PermissionUpdate | None:
    try:
        told = msgspec.json.decode(raw, type=_Suggested)
    except BAD:
        return None
    if told.type not in _UPDATES:
        return None
    return PermissionUpdate(
        type=told.type,
        rules=tuple(Rule(rule.tool, rule.content) for rule in told.rules),
        behavior=told.behavior,
        mode=told.mode,
        directories=told.directories,
        destination=told.destination,
    )
