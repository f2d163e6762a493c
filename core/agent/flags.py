"""The rules in a process's flag settings: what counts in it at once, and is gone with it.

They are read, changed and written as a whole. It must not know who wants a rule, but that some stand for
one that waits to come into a file or to leave it.
"""

from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec import Raw

from core.agent.control import Requests
from core.session.state import PendingRule
from core.wire import control
from core.wire.codec import BAD

FLAGS = "flagSettings"
LISTS = ("allow", "ask", "deny")

Flags = Mapping[str, list[str]]
"""The rules of the flag settings, by what they do."""


async def change_flags(asked: Requests, change: Callable[[Flags], Flags]) -> None:
    """Change the rules; all else in their `permissions` stays. Raises `ControlError` or `AgentGone`."""
    settings = await asked.request(control.GetSettings())
    before = next((one.settings for one in settings.sources if one.source == FLAGS), Raw(b"{}"))
    kept = _permissions(before)
    old = {name: _texts(kept.get(name)) for name in LISTS}
    new = change(old)
    written = {name: Raw(msgspec.json.encode(texts)) for name, texts in new.items() if texts != old[name]}
    changed = control.FlagSettings(permissions={**kept, **written})
    await asked.request(control.ApplyFlagSettings(changed))


async def stand_in(asked: Requests, pending: Sequence[PendingRule]) -> None:
    """Have what waits for an allowance count in a process that has just started, too.

    Raises `ControlError` or `AgentGone`.
    """
    waiting = (rule for rule in pending if not rule.sent_with)
    wanted = [(behavior, rule.text) for rule in waiting if (behavior := stands_for(rule))]

    def add(flags: Flags) -> Flags:
        for behavior, text in wanted:
            flags = with_rules(flags, behavior, text)
        return flags

    if wanted:
        await change_flags(asked, add)


def stands_for(pending: PendingRule) -> str:
    """What its rule in the flag settings does, "" for none: a denial that is to go counts until then."""
    if pending.leaves:
        return "ask" if pending.behavior == "allow" else ""
    return "deny"


def with_rules(flags: Flags, behavior: str, *texts: str) -> Flags:
    """The rules with these, each once."""
    return {**flags, behavior: list(dict.fromkeys([*flags[behavior], *texts]))}


def without_rule(flags: Flags, behavior: str, text: str) -> Flags:
    """The rules without this one."""
    return {**flags, behavior: [one for one in flags[behavior] if one != text]}


def _permissions(settings: Raw) -> dict[str, Raw]:
    try:
        found = msgspec.json.decode(settings, type=dict[str, Raw])
        return msgspec.json.decode(found.get("permissions", Raw(b"{}")), type=dict[str, Raw])
    except BAD:
        return {}


def _texts(raw: Raw | None) -> list[str]:
    try:
        return msgspec.json.decode(raw, type=list[str]) if raw is not None else []
    except BAD:
        return []
