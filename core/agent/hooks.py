"""Hooks that Quarterdeck itself hosts: registered at `initialize`, each call answered exactly once.

Built in, each off by default: a command that must pass before an agent may stop, the person's deny rules also
where the CLI would not ask, and a relay of its notifications. A hook that fails or takes too long is answered
with an error and told of; it never stalls the agent silently (case CTL-10). It must not know the wire's
envelopes.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence

import anyio
import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from core.agent.command import CommandResult, run_command
from core.agent.extras import HookChoice, HookCommand
from core.agent.policy import Policy, decide
from core.agent.sink import Sink
from core.session.events import AskDecided, HookRan, HookStarted, Noticed
from core.session.state import Ask
from core.wire.codec import BAD, one_line
from core.wire.control import HookCallback, HookMatcher
from core.wire.replies import HookDetail, HookOutput

BLOCKS = 2
"""The exit code by which a hook's command blocks, as for the CLI's own hooks."""

LONGEST_NAME = 40

GRACE_S = 5.0
"""How much longer than our own limit the CLI is told to wait, so that it always hears from us."""


class HookInput(Struct, frozen=True):
    """What the CLI tells a hook; what does not belong to its event is empty. `raw` is all of it, as JSON."""

    hook_event_name: str = ""
    tool_name: str = ""
    tool_input: Raw = Raw(b"{}")
    tool_use_id: str = ""
    stop_hook_active: bool = False
    title: str | None = None
    message: str | None = None
    raw: bytes = b"{}"


class Hook(Struct, frozen=True, kw_only=True):
    """One hook: the event it wants to hear of, its name for people, and what it does."""

    event: str
    name: str
    run: Callable[[HookInput], Awaitable[HookOutput | Raw]]
    timeout_s: float = 10.0
    matcher: str = ""


class HookFailed(Exception):  # noqa: N818 — as it reads where it is caught
    """A hook gave no output; the text says why."""


class Hooks:
    """The hooks of one agent."""

    def __init__(self, sink: Sink, hooks: Sequence[Hook]) -> None:
        """The CLI calls a hook by its place in `hooks`."""
        self._sink = sink
        self._hooks = {f"hook_{number}": hook for number, hook in enumerate(hooks)}
        self._runs = 0

    def registration(self) -> Mapping[str, tuple[HookMatcher, ...]] | None:
        """What `initialize` is told; None without hooks."""
        found: dict[str, tuple[HookMatcher, ...]] = {}
        for hook_id, hook in self._hooks.items():
            matcher = HookMatcher(hook.matcher or None, (hook_id,), hook.timeout_s + GRACE_S)
            found[hook.event] = (*found.get(hook.event, ()), matcher)
        return found or None

    async def call(self, callback: HookCallback) -> HookOutput | Raw:
        """Run a hook within its time limit. Raises `HookFailed`; either way the run is an event."""
        hook = self._hooks.get(callback.callback_id)
        if hook is None:
            raise HookFailed(f"There is no hook {callback.callback_id!r}.")
        self._runs += 1
        run_id, outcome = f"{callback.callback_id}-{self._runs}", "cancelled"
        self._sink.emit(HookStarted(at=self._sink.now(), id=run_id, name=hook.name, hook_event=hook.event))
        try:
            output = await self._run(hook, callback)
            outcome = "blocked" if _blocks(output) else "success"
        except HookFailed as failed:
            outcome = "failed"
            self._sink.emit(Noticed(at=self._sink.now(), text=str(failed), level="error"))
            raise
        finally:
            self._told(hook, run_id, outcome)
        return output

    async def _run(self, hook: Hook, callback: HookCallback) -> HookOutput | Raw:
        try:
            given = msgspec.json.decode(callback.input, type=HookInput)
            given = replace(given, raw=bytes(callback.input))
            with anyio.fail_after(hook.timeout_s):
                return await hook.run(given)
        except TimeoutError:
            raise HookFailed(f"The hook `{hook.name}` took longer than {hook.timeout_s:g} s.") from None
        except HookFailed:
            raise
        except BAD as error:
            raise HookFailed(f"The hook `{hook.name}` was told something strange: {error}") from error
        except Exception as error:
            # Whatever it was: the CLI waits for an answer, and the person must see why there is none.
            raise HookFailed(f"The hook `{hook.name}` failed: {type(error).__name__}: {error}") from error

    def _told(self, hook: Hook, run_id: str, outcome: str) -> None:
        now = self._sink.now()
        ran = HookRan(at=now, id=run_id, name=hook.name, hook_event=hook.event, outcome=outcome, ours=True)
        self._sink.emit(ran)


def built_in(
    sink: Sink, choice: HookChoice, policy: Callable[[], Policy], env: Callable[[], Mapping[str, str]]
) -> tuple[Hook, ...]:
    """The hooks that were chosen. `env` is what the agent's processes inherit."""
    hooks: list[Hook] = []
    if choice.until:
        until = Until(sink, choice, env)
        limit_s = choice.until_timeout_s + GRACE_S
        hooks.append(Hook(event="Stop", name="until", run=until.stop, timeout_s=limit_s))
    if choice.guard:
        hooks.append(Hook(event="PreToolUse", name="guard", run=Guarded(sink, policy).before))
    if choice.notifications:
        hooks.append(Hook(event="Notification", name="notification", run=Relay(sink).notify))
    return (*hooks, *(_own(sink, command, env) for command in choice.run))


def _own(sink: Sink, wish: HookCommand, env: Callable[[], Mapping[str, str]]) -> Hook:
    """A command of the person's as a hook; it is ended by us, before the hook's own limit."""
    name = wish.command if len(wish.command) <= LONGEST_NAME else f"{wish.command[:LONGEST_NAME]}…"
    run = Commanded(sink, wish, env).run
    limit_s = wish.timeout_s + GRACE_S
    return Hook(event=wish.event, name=name, run=run, timeout_s=limit_s, matcher=wish.matcher)


class Until:
    """Keeps an agent going until a command passes, so many times a prompt at most."""

    def __init__(self, sink: Sink, choice: HookChoice, env: Callable[[], Mapping[str, str]]) -> None:
        """`env` is asked at each run."""
        self._sink = sink
        self._choice = choice
        self._env = env
        self._tries = 0

    async def stop(self, given: HookInput) -> HookOutput:
        """The agent wants to stop: run the command, and send it back with the output if that fails."""
        if not given.stop_hook_active:
            self._tries = 0
        command, limit = self._choice.until, self._choice.until_limit
        result = await run_command(
            command, self._sink.state.directory, self._env(), self._choice.until_timeout_s
        )
        if result.passed:
            self._say(f"`{command}` passes.", "info")
            return HookOutput()
        self._tries += 1
        if self._tries > limit:
            text = f"`{command}` still fails after {limit} tries ({result.how}): the agent may stop."
            self._say(text, "warning")
            return HookOutput()
        self._say(f"`{command}` {result.how}: the agent goes on ({self._tries} of {limit}).", "info")
        return HookOutput(decision="block", reason=_reason(command, result))

    def _say(self, text: str, level: str) -> None:
        self._sink.emit(Noticed(at=self._sink.now(), text=text, level=level))


def _reason(command: str, result: CommandResult) -> str:
    return f"Do not stop yet: `{command}` {result.how}. Make it pass.\n\n{result.tail}".rstrip()


class Guarded:
    """The person's deny rules, also for what the CLI would run without asking."""

    def __init__(self, sink: Sink, policy: Callable[[], Policy]) -> None:
        """`policy` tells the rules as they are now."""
        self._sink = sink
        self._policy = policy

    async def before(self, given: HookInput) -> HookOutput:
        """A tool is about to run: deny it if a rule does."""
        ask = Ask(
            id="",
            kind="permission",
            tool=given.tool_name,
            input_json=bytes(given.tool_input),
            tool_use_id=given.tool_use_id,
        )
        decision = decide(self._policy(), ask, self._sink.state.directory)
        if decision.verdict != "deny":
            return HookOutput()
        note = f"denied by your rule {decision.rule}"
        self._sink.emit(AskDecided(at=self._sink.now(), ask=ask, note=note))
        detail = HookDetail("PreToolUse", "deny", f"The person's rule {decision.rule} denies this.")
        return HookOutput(specific=detail)


class Commanded:
    """A command that is asked at an event, and answers as a hook of the CLI's settings would."""

    def __init__(self, sink: Sink, wish: HookCommand, env: Callable[[], Mapping[str, str]]) -> None:
        """`env` is asked at each run."""
        self._sink = sink
        self._wish = wish
        self._env = env

    async def run(self, given: HookInput) -> HookOutput | Raw:
        """Run it. Raises `HookFailed`, after which the agent goes on."""
        wish = self._wish
        directory = self._sink.state.directory
        result = await run_command(wish.command, directory, self._env(), wish.timeout_s, given.raw)
        if result.code == BLOCKS:
            reason = result.tail or f"`{wish.command}` blocks this."
            self._say(f"`{wish.command}` blocks {given.tool_name or wish.event}: {reason}", "warning")
            return _blocked(wish.event, reason)
        if not result.passed:
            tail = f": {result.tail}" if result.tail else ""
            raise HookFailed(f"The hook `{wish.command}` ({wish.event}) {result.how}{tail}")
        if not result.out.lstrip().startswith(b"{"):
            if result.tail:
                self._say(f"`{wish.command}` ({wish.event}): {result.tail}", "info")
            return HookOutput()
        try:
            output = one_line(result.out)
        except ValueError as error:
            raise HookFailed(f"The hook `{wish.command}` answers something strange: {error}") from error
        if verdict := _blocks(output):
            self._say(f"`{wish.command}` blocks {given.tool_name or wish.event}: {verdict}", "warning")
        return output

    def _say(self, text: str, level: str) -> None:
        self._sink.emit(Noticed(at=self._sink.now(), text=text, level=level))


class _Detail(Struct, frozen=True, rename="camel"):
    permission_decision: str | None = None
    permission_decision_reason: str | None = None


class _Verdict(Struct, frozen=True, rename={"continue_": "continue", "specific": "hookSpecificOutput"}):
    """What of a hook's output says whether the agent may go on as it wants to."""

    continue_: bool | None = None
    decision: str | None = None
    reason: str | None = None
    specific: _Detail = _Detail()


def _blocks(output: HookOutput | Raw) -> str:
    """Why a hook's output blocks what was to happen, "" if it does not."""
    try:
        told = msgspec.json.decode(one_line(msgspec.json.encode(output)), type=_Verdict)
    except BAD:
        return ""  # the CLI reads it as it likes
    if told.specific.permission_decision == "deny":
        return told.specific.permission_decision_reason or "no reason given"
    if told.decision in ("block", "deny") or told.continue_ is False:
        return told.reason or "no reason given"
    return ""


def _blocked(event: str, reason: str) -> HookOutput:
    if event == "PreToolUse":
        return HookOutput(specific=HookDetail(event, "deny", reason))
    return HookOutput(decision="block", reason=reason)


class Relay:
    """Tells the person what the CLI would notify them of in a terminal."""

    def __init__(self, sink: Sink) -> None:
        """Notifications become lines of the conversation."""
        self._sink = sink

    async def notify(self, given: HookInput) -> HookOutput:
        """A notification of the CLI."""
        text = ": ".join(part for part in (given.title, given.message) if part)
        if text:
            self._sink.emit(Noticed(at=self._sink.now(), text=text))
        return HookOutput()
