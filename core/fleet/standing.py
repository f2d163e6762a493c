"""The permission rules that count in an agent now: listed, denied from now on, taken back.

What 2.1.332 does with them (tests/real/test_standing_real.py):
- It lists them all, with where each comes from.
- Flag settings can be changed in a running process. Their rules count at once, and are gone with it.
- A rule comes into a file, or leaves one, only with an allowance (`addRules`, `removeRules`). Until then one
  in the flag settings stands for it: one that denies for one to come, one that asks for an allowance to go:
  deny goes before ask before allow. A denial to go still counts.
- No request removes one by itself (looked for in 2.1.332): `update_settings` takes a few keys with strings.

What is to come or to leave is a part of the session's state, as its host has it: whoever gives the next
allowance, from here, from another deck or from a shell, gives these along (`core.agent.pending`).

It must not know how a request travels, nor how rules are shown.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

import anyio
from msgspec.structs import replace

from core.agent.control import Requests
from core.agent.flags import FLAGS, Flags, change_flags, stands_for, with_rules, without_rule
from core.errors import AgentGone, ControlError, KeeperError, RuleError
from core.session.answers import Allow, Answer, Deny, Postpone
from core.session.rules import DESTINATIONS, StandingRule, check_update
from core.session.state import PendingRule, SessionState
from core.wire import bodies, control


class Ruled(Requests, Protocol):
    """An agent whose rules are looked at."""

    @property
    def state(self) -> SessionState:
        """The session as it stands."""

    async def await_rules(self, more: Sequence[PendingRule] = (), less: Sequence[PendingRule] = ()) -> None:
        """Have an allowance take these rules along, or not any more."""


class Standing:
    """The rules of all agents of a fleet, which of them the person wants back, and which are to be kept."""

    def __init__(self, agent: Callable[[str], Ruled]) -> None:
        """`agent` is the one with a key."""
        self._agent = agent
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
            return replace(rule, kept_in=next((one.source for one in self._coming(key, rule.text)), ""))
        if rule.source in DESTINATIONS and rule.behavior == "allow":
            return replace(rule, taken_back=rule.text in shadows)
        leaving = (_of(one) for one in self._pending(key) if one.leaves)
        return replace(rule, taken_back=_plain(rule) in leaving)

    async def take_back(self, key: str, rule: StandingRule) -> None:
        """Have it count no more, at once but for a denial; out of a file it is with the next allowance."""
        if rule.source == FLAGS:
            await self._change(key, lambda flags: without_rule(flags, rule.behavior, rule.text))
            await self._await(key, less=self._coming(key, rule.text))
            return
        if rule.behavior == "allow":
            await self._change(key, lambda flags: with_rules(flags, "ask", rule.text))
        await self._await(key, more=[_leaving(rule)])

    async def give_again(self, key: str, rule: StandingRule) -> None:
        """Have one that was taken back, and has not left yet, count again."""
        if rule.behavior == "allow":
            await self._change(key, lambda flags: without_rule(flags, "ask", rule.text))
        await self._await(key, less=[_leaving(rule)])

    async def answering(self, key: str, answer: Answer | Postpone) -> None:
        """An answer is about to be given: set what it denies; what it grants is not taken back any more."""
        if isinstance(answer, Deny) and answer.rules:
            texts = list(map(str, answer.rules))
            await self._change(key, lambda flags: with_rules(flags, "deny", *texts))
            await self._await(key, more=_kept(answer))
        elif isinstance(answer, Allow) and (again := self._granted_again(key, answer)):
            for rule in again:
                await self.give_again(key, rule)

    def _pending(self, key: str) -> tuple[PendingRule, ...]:
        return self._agent(key).state.pending_rules

    def _coming(self, key: str, text: str) -> list[PendingRule]:
        return [one for one in self._pending(key) if not one.leaves and one.text == text]

    async def _await(
        self, key: str, more: Sequence[PendingRule] = (), less: Sequence[PendingRule] = ()
    ) -> None:
        if more or less:
            await self._agent(key).await_rules(more, less)

    def _granted_again(self, key: str, answer: Allow) -> list[StandingRule]:
        granted = {
            str(rule)
            for update in answer.updates
            if update.type == "addRules" and update.behavior == "allow"
            for rule in update.rules
        }
        leaving = (_of(one) for one in self._pending(key) if one.leaves)
        return [rule for rule in leaving if rule.behavior == "allow" and rule.text in granted]

    async def _told(self, key: str) -> tuple[StandingRule, ...]:
        answer = await self._agent(key).request(control.ListPermissionRules())
        return tuple(_read(rule) for rule in answer.state.rules)

    async def _tidied(self, key: str, told: tuple[StandingRule, ...]) -> tuple[StandingRule, ...]:
        """The rules that were told, with those in the flag settings that stand for one to come or to go.

        One that has come or gone by now needs none any more. One that has not although it went with an
        allowance goes with another one.
        """
        here = dict.fromkeys(map(_plain, told))
        with suppress(
            ControlError, AgentGone, KeeperError
        ):  # one too many only asks, or denies what is denied
            for one in self._pending(key):
                rule, stand_in = _of(one), _stand_in(one)
                if (rule in here) != one.leaves:
                    await self._settle(key, one)
                    here = {rule: None for rule in here if rule != stand_in}
                    continue
                if one.sent_with and not self._is_asked(key, one.sent_with):
                    await self._await(key, more=[replace(one, sent_with="")])
                if stand_in is not None and stand_in not in here:
                    await self._set(key, stand_in)
                    here[stand_in] = None
        known = {_plain(rule): rule for rule in told}
        return tuple(known.get(rule, rule) for rule in here)

    async def _settle(self, key: str, one: PendingRule) -> None:
        """It has come, or has left."""
        if (stand_in := _stand_in(one)) is not None:
            await self._change(key, lambda flags: without_rule(flags, stand_in.behavior, stand_in.text))
        await self._await(key, less=[one])

    async def _set(self, key: str, stand_in: StandingRule) -> None:
        await self._change(key, lambda flags: with_rules(flags, stand_in.behavior, stand_in.text))

    def _is_asked(self, key: str, ask_id: str) -> bool:
        return any(ask.id == ask_id for ask in self._agent(key).state.asks)

    async def _change(self, key: str, change: Callable[[Flags], Flags]) -> None:
        """Change the rules of the flag settings; all else in their `permissions` stays."""
        async with self._changing:  # it is read, changed and written as a whole
            await change_flags(self._agent(key), change)


def _read(told: bodies.RuleBody) -> StandingRule:
    words = told.description or bodies.RuleWords()
    return StandingRule(
        told.rule,
        told.behavior,
        told.source,
        f"{words.prefix}{words.emphasis or ''}{words.suffix or ''}".strip(),
    )


def _kept(answer: Deny) -> list[PendingRule]:
    """Rules to come; one that would void an answer it goes with is denied in this process only."""
    found: dict[PendingRule, None] = {}
    for update in answer.kept:
        with suppress(RuleError):
            check_update(update)
            found |= dict.fromkeys(
                PendingRule(str(rule), "deny", update.destination) for rule in update.rules
            )
    return list(found)


def _of(pending: PendingRule) -> StandingRule:
    return StandingRule(pending.text, pending.behavior, pending.source)


def _leaving(rule: StandingRule) -> PendingRule:
    return PendingRule(rule.text, rule.behavior, rule.source, leaves=True)


def _stand_in(pending: PendingRule) -> StandingRule | None:
    """The rule of the flag settings that counts in its place."""
    behavior = stands_for(pending)
    return StandingRule(pending.text, behavior, FLAGS) if behavior else None


def _plain(rule: StandingRule) -> StandingRule:
    """The rule without what changes about it."""
    return StandingRule(rule.text, rule.behavior, rule.source)
