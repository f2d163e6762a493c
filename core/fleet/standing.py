"""The permission rules that count in an agent now: listed, denied from now on, taken back.

What 2.1.332 does with them (tests/real/test_standing_real.py):
- It lists them all, with where each comes from.
- Flag settings can be changed in a running process. Their rules count at once, and are gone with it.
- A rule comes into a file, or leaves one, only with an allowance (`addRules`, `removeRules`). Until then one
  in the flag settings stands for it: one that denies for one to come, one that asks for an allowance to go:
  deny goes before ask before allow. A denial to go still counts.
- No request removes one by itself (looked for in 2.1.332): `update_settings` takes a few keys with strings.

It must not know how a request travels, nor how rules are shown.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress

import anyio
import msgspec
from msgspec import Raw
from msgspec.structs import replace

from core.errors import AgentGone, ControlError, RuleError
from core.fleet.requests import Requests
from core.session.answers import Allow, Answer, Deny, Postpone
from core.session.rules import DESTINATIONS, StandingRule, check_update, parse_stored
from core.session.state import PermissionUpdate
from core.wire import bodies, control
from core.wire.codec import BAD

FLAGS = "flagSettings"
LISTS = ("allow", "ask", "deny")

Flags = Mapping[str, list[str]]
"""The rules of the flag settings, by what they do."""


class Standing:
    """The rules of all agents of a fleet, which of them the person wants back, and which are to be kept."""

    def __init__(self, agent: Callable[[str], Requests]) -> None:
        """`agent` is the one with a key; nothing is taken back yet."""
        self._agent = agent
        self._wanted: dict[str, set[StandingRule]] = {}
        self._coming: dict[str, set[StandingRule]] = {}
        self._changing = anyio.Lock()

    async def rules(self, key: str) -> tuple[StandingRule, ...]:
        """The rules that count in an agent now. Raises `ControlError` for a CLI that does not tell."""
        told = await self._tidied(key, await self._told(key))
        shadows = {rule.text for rule in told if (rule.source, rule.behavior) == (FLAGS, "ask")}
        granted = {rule.text for rule in told if rule.source != FLAGS and rule.behavior == "allow"}
        return tuple(
            self._marked(key, rule, shadows)
            for rule in told
            if not (rule.source == FLAGS and rule.behavior == "ask" and rule.text in granted)
        )

    def _marked(self, key: str, rule: StandingRule, shadows: set[str]) -> StandingRule:
        """The rule with what is to become of it."""
        if rule.source == FLAGS and rule.behavior == "deny":
            coming = (one.source for one in self._of(self._coming, key) if one.text == rule.text)
            return replace(rule, kept_in=next(coming, ""))
        if rule.source in DESTINATIONS and rule.behavior == "allow":
            return replace(rule, taken_back=rule.text in shadows)
        return replace(rule, taken_back=_plain(rule) in self._wanted.get(key, ()))

    async def take_back(self, key: str, rule: StandingRule) -> None:
        """Have it count no more, at once but for a denial; out of a file it is with the next allowance."""
        if rule.source == FLAGS:
            await self._change(key, lambda flags: _without(flags, rule.behavior, rule.text))
            self._forget_coming(key, rule.text)
            return
        if rule.behavior == "allow":
            await self._change(key, lambda flags: _with(flags, "ask", rule.text))
        self._wanted.setdefault(key, set()).add(_plain(rule))

    async def give_again(self, key: str, rule: StandingRule) -> None:
        """Have one that was taken back, and has not left yet, count again."""
        if rule.behavior == "allow":
            await self._change(key, lambda flags: _without(flags, "ask", rule.text))
        self._wanted.get(key, set()).discard(_plain(rule))

    async def answering(self, key: str, answer: Answer | Postpone) -> None:
        """An answer is about to be given: set what it denies; what it grants is not taken back any more."""
        if isinstance(answer, Deny) and answer.rules:
            texts = list(map(str, answer.rules))
            await self._change(key, lambda flags: _with(flags, "deny", *texts))
            self._coming.setdefault(key, set()).update(_kept(answer))
        elif isinstance(answer, Allow) and (again := self._granted_again(key, answer)):
            for rule in again:
                await self.give_again(key, rule)

    def carried(self, key: str, answer: Answer | Postpone) -> Answer | Postpone:
        """The answer, with all that leaves and comes with an allowance, where it allows something."""
        if not isinstance(answer, Allow):
            return answer
        leaving = (_update("removeRules", rule) for rule in self._of(self._wanted, key))
        coming = (_update("addRules", rule) for rule in self._of(self._coming, key))
        more = (*leaving, *coming)
        return replace(answer, updates=(*more, *answer.updates)) if more else answer

    def _of(self, rules: Mapping[str, set[StandingRule]], key: str) -> list[StandingRule]:
        return sorted(rules.get(key, ()), key=lambda rule: (rule.source, rule.text))

    def _forget_coming(self, key: str, text: str) -> None:
        self._coming[key] = {rule for rule in self._coming.get(key, ()) if rule.text != text}

    def _granted_again(self, key: str, answer: Allow) -> list[StandingRule]:
        granted = {
            str(rule)
            for update in answer.updates
            if update.type == "addRules" and update.behavior == "allow"
            for rule in update.rules
        }
        wanted = self._of(self._wanted, key)
        return [rule for rule in wanted if rule.behavior == "allow" and rule.text in granted]

    async def _told(self, key: str) -> tuple[StandingRule, ...]:
        answer = await self._agent(key).request(control.ListPermissionRules())
        return tuple(_read(rule) for rule in answer.state.rules)

    async def _tidied(self, key: str, told: tuple[StandingRule, ...]) -> tuple[StandingRule, ...]:
        """The rules that were told without those that stood for one that has left or come by now."""
        here = set(map(_plain, told))
        with suppress(ControlError, AgentGone):  # one too many only asks, or denies what is denied anyway
            for rule in self._of(self._wanted, key):
                if rule not in here:
                    await self.give_again(key, rule)
                    here.discard(StandingRule(rule.text, "ask", FLAGS))
            for rule in self._of(self._coming, key):
                if rule in here:
                    await self.take_back(key, stand_in := StandingRule(rule.text, "deny", FLAGS))
                    here.discard(stand_in)
        return tuple(rule for rule in told if _plain(rule) in here)

    async def _change(self, key: str, change: Callable[[Flags], Flags]) -> None:
        """Change the rules of the flag settings; all else in their `permissions` stays."""
        async with self._changing:  # it is read, changed and written as a whole
            settings = await self._agent(key).request(control.GetSettings())
            before = next((one.settings for one in settings.sources if one.source == FLAGS), Raw(b"{}"))
            kept = _permissions(before)
            flags = change({name: _texts(kept.get(name)) for name in LISTS})
            written = {name: Raw(msgspec.json.encode(texts)) for name, texts in flags.items()}
            changed = control.FlagSettings(permissions={**kept, **written})
            await self._agent(key).request(control.ApplyFlagSettings(changed))


def _read(told: bodies.RuleBody) -> StandingRule:
    words = told.description or bodies.RuleWords()
    return StandingRule(
        told.rule,
        told.behavior,
        told.source,
        f"{words.prefix}{words.emphasis or ''}{words.suffix or ''}".strip(),
    )


def _kept(answer: Deny) -> set[StandingRule]:
    """Rules to come; one that would void an answer it goes with is denied in this process only."""
    found = set()
    for update in answer.kept:
        with suppress(RuleError):
            check_update(update)
            found |= {StandingRule(str(rule), "deny", update.destination) for rule in update.rules}
    return found


def _update(what: str, rule: StandingRule) -> PermissionUpdate:
    return PermissionUpdate(what, (parse_stored(rule.text),), rule.behavior, destination=rule.source)


def _plain(rule: StandingRule) -> StandingRule:
    """The rule without what changes about it."""
    return StandingRule(rule.text, rule.behavior, rule.source)


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


def _with(flags: Flags, behavior: str, *texts: str) -> Flags:
    return {**flags, behavior: list(dict.fromkeys([*flags[behavior], *texts]))}


def _without(flags: Flags, behavior: str, text: str) -> Flags:
    return {**flags, behavior: [one for one in flags[behavior] if one != text]}
