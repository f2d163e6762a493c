"""Acts: a run of steps by one speaker, each step played by the function for its kind.

A turn is one act of the main agent; a subagent's work is one inside it or beside it. What goes wrong on
purpose is in `faults`, what runs beside the turn in `tasks`; both add their players when the process starts.
"""

import re
import uuid
from collections.abc import Callable
from typing import Any, NamedTuple

from core.simulator import permission, rules, speak, tools, verbs
from core.simulator.message import Speech
from core.simulator.permission import Deciding, Decision
from core.simulator.stage import Await, Interrupted, Pause, Scene, Stage
from core.simulator.verbs import Json, Steps, Tool

_PLACE = re.compile(r"\{(prompt|answer|reason|model|mode|cwd)\}")
_ACCEPTED_BY_RULE: Json = {"permission_decision": {"decision": "accept", "source": "config"}}
_ACCEPTED: Json = {"permission_decision": {"decision": "accept", "source": "user_temporary"}}
_REFUSED: Json = {
    "non_execution_kind": "permission-rule",
    "permission_decision": {"decision": "reject", "source": "user_reject"},
}
_STOPPED: Json = {"non_execution_kind": "user-rejected"}


class Finished(Exception):  # noqa: N818 - a signal, no error
    """Raised where the rest of the steps is not played: a denial took the story elsewhere."""


class ApiFailureError(Exception):
    """Raised to end the turn with an API error."""

    def __init__(self, status: int, message: str) -> None:
        """Keep the status and the words."""
        super().__init__(message)
        self.status, self.message = status, message


class Call(NamedTuple):
    """A tool call that has been said and not yet run."""

    call_id: str
    step: Tool


class Act:
    """One speaker's run of steps."""

    def __init__(self, stage: Stage, speech: Speech, words: dict[str, str]) -> None:
        """`words` fill the places in texts."""
        self.stage, self.speech, self.words = stage, speech, words
        self.calls: list[Call] = []
        self.open_call = ""
        self.denials: list[Json] = []
        self.after_call: Callable[[str, Json], None] = lambda name, arguments: None
        self.after_result: Callable[[], None] = lambda: None

    def play(self, steps: Steps) -> Scene:
        """Play these steps one after the other."""
        for step in steps:
            yield from PLAYERS[type(step)](self, step)

    def fill(self, text: str) -> str:
        """Put the words in their places."""
        stage = self.stage
        words = {"model": stage.model, "mode": stage.mode, "cwd": stage.cwd, **self.words}
        return _PLACE.sub(lambda place: words.get(place[1], ""), text)

    def fill_all(self, value: Any) -> Any:
        """The same, in every text of a table."""
        if isinstance(value, str):
            return self.fill(value)
        if isinstance(value, dict):
            return {key: self.fill_all(item) for key, item in value.items()}
        return [self.fill_all(item) for item in value] if isinstance(value, list) else value

    def divert(self, decision: Decision, steps: Steps) -> Scene:
        """Play what follows a denial, in place of the rest."""
        self.words["reason"] = decision.reason
        default = verbs.Say(f"Understood, I leave that undone: {decision.reason}")
        yield from self.play(steps or (default,))
        raise Finished

    def put_result(
        self, call_id: str, content: object, detail: object, meta: Json, is_error: bool = False
    ) -> None:
        """Write a tool's result."""
        stage, extra = self.stage, self.speech.extra
        record = speak.tool_result(call_id, content, is_error, detail, meta, timestamp=stage.now(), **extra)
        stage.write(record)
        stage.meter.add_context(str(content))
        self.open_call = ""
        self.after_result()

    def refuse(self, call_id: str, name: str, decision: Decision) -> None:
        """Write the result of a call that was denied; raises `Interrupted` if the denial says so."""
        self.denials.append({"tool_name": name, "tool_use_id": call_id, "tool_input": decision.input})
        if decision.interrupts:
            raise Interrupted
        self.put_result(call_id, decision.reason, f"Error: {decision.reason}", _REFUSED, is_error=True)

    def abandon_call(self) -> None:
        """Write the result of the call an interrupt ended."""
        if self.open_call:
            self.put_result(self.open_call, speak.REJECTED, "User rejected tool use", _STOPPED, is_error=True)


def _say(act: Act, step: verbs.Say) -> Scene:
    yield from act.speech.say(act.fill(step.say), step.pace or act.stage.script.session.pace)


def _think(act: Act, step: verbs.Think) -> Scene:
    yield from act.speech.think(act.fill(step.think), step.pace or act.stage.script.session.pace * 1.5)


def _tool(act: Act, step: Tool) -> Scene:
    step = step._replace(input=act.fill_all(step.input), result=act.fill(step.result))
    call_id = act.stage.new_id("toolu_")
    yield from act.speech.call(call_id, step.tool, step.input)
    act.after_call(step.tool, step.input)
    act.calls.append(Call(call_id, step))
    if step.with_next:
        return
    act.speech.finish("tool_use")
    calls, act.calls = act.calls, []
    for call in calls:
        yield from _run(act, call)


def _run(act: Act, call: Call) -> Scene:
    step = call.step
    act.open_call = call.call_id
    asked = permission.asks(act.stage, step)
    if rules.is_denied(act.stage, step.tool, step.input):
        decision = Decision(
            False, step.input, "Permission to use this tool was denied by a rule.", by_person=False
        )
    else:
        decision = yield from _decide(act, call) if asked else _free(act, step)
    act.speech.stop()
    if not decision.allowed:
        act.refuse(call.call_id, step.tool, decision)
        yield from act.divert(decision, step.denied)
    if step.takes:
        yield Pause(step.takes)
    words, detail = tools.outcome(step, decision.input)
    meta = _ACCEPTED if asked else _ACCEPTED_BY_RULE
    act.put_result(call.call_id, words, detail, meta, is_error=bool(step.error))
    yield from act.play(step.granted)


def _decide(act: Act, call: Call) -> Deciding:
    if act.stage.mode == "dontAsk":
        return Decision(
            False, call.step.input, "Permission to use this tool was denied: the mode is dontAsk."
        )
    body = permission.request_of(call.step, call.call_id, act.speech.extra)
    return (yield from ask(act, body))


def _free(act: Act, step: Tool) -> Deciding:
    yield Pause(0)
    return Decision(True, step.input)


def ask(act: Act, body: Json) -> Deciding:
    """Raise a request, end the open message, and wait for the answer."""
    request_id = permission.raise_ask(act.stage, body)
    act.speech.stop()
    return (yield from permission.settle(act.stage, request_id, body))


def _question(act: Act, step: verbs.Question) -> Scene:
    arguments: Json = {"questions": act.fill_all(list(step.question))}
    call_id, body = yield from _interact(act, "AskUserQuestion", arguments, arguments)
    decision = yield from ask(act, body)
    if not decision.allowed:
        act.refuse(call_id, "AskUserQuestion", decision)
        yield from act.divert(decision, step.denied)
    answers = {
        str(question): str(label) for question, label in tools.table_of(decision.input, "answers").items()
    }
    said = ", ".join(f'"{question}"="{label}"' for question, label in answers.items())
    words = f"Your questions have been answered: {said}. You can now continue with these answers in mind."
    act.put_result(call_id, words, decision.input, _ACCEPTED)
    act.words["answer"] = "; ".join(answers.values()) or "nothing"
    for case in step.when:
        if re.search(case.match, act.words["answer"], re.IGNORECASE):
            yield from act.play(case.steps)
            return


def _plan(act: Act, step: verbs.Plan) -> Scene:
    plan = act.fill(step.plan)
    act.stage.plan = step
    shown: Json = {"plan": plan, "planFilePath": step.path} if step.path else {}
    call_id, body = yield from _interact(act, "ExitPlanMode", {"plan": plan}, shown)
    decision = yield from ask(act, body)
    if not decision.allowed:
        act.refuse(call_id, "ExitPlanMode", decision)
        yield from act.divert(decision, step.denied)
    permission.change_mode(act.stage, step.mode_after)
    detail: Json = {"plan": plan, "isAgent": False, "filePath": step.path}
    act.put_result(call_id, "User has approved exiting plan mode. You can now proceed.", detail, _ACCEPTED)
    yield from act.play(step.granted)


def _interact(act: Act, name: str, said: Json, asked: Json) -> Any:
    """Say a call that always needs the person; gives its id and the request's body."""
    call_id = act.stage.new_id("toolu_")
    yield from act.speech.call(call_id, name, said)
    act.speech.finish("tool_use")
    act.open_call = call_id
    body: Json = {"subtype": "can_use_tool", "tool_name": name, "display_name": name, "input": asked}
    return call_id, {**body, "tool_use_id": call_id, "requires_user_interaction": True}


def _legacy(act: Act, step: verbs.Legacy) -> Scene:
    act.speech.stop()
    request_id = permission.legacy_request(act.stage, step.legacy_permission, step.input)
    decision = yield from permission.settle_legacy(request_id, step.input)
    if not decision.allowed:
        yield from act.divert(decision, step.denied)
    yield from act.play(step.granted)


def _hook(act: Act, step: verbs.Hook) -> Scene:
    for hook in tools.tables_of(act.stage.hooks, step.hook):
        callbacks = hook.get("hookCallbackIds")
        for callback in callbacks if isinstance(callbacks, list) else []:
            request_id = str(uuid.uuid4())
            event: Json = {"hook_event_name": step.hook, "session_id": act.stage.session_id, **step.input}
            body: Json = {"subtype": "hook_callback", "callback_id": callback, "input": event}
            act.stage.write({"type": "control_request", "request_id": request_id, "request": body})
            answer = yield Await(request_id)
            act.words["answer"] = tools.text_of(answer or {}, "reason")


def _wait(act: Act, step: verbs.Wait) -> Scene:
    yield Pause(step.wait)


def _hold(act: Act, step: verbs.Hold) -> Scene:
    yield Pause(float("inf"))


PLAYERS: dict[type, Callable[[Act, Any], Scene]] = {
    verbs.Say: _say,
    verbs.Think: _think,
    verbs.Tool: _tool,
    verbs.Question: _question,
    verbs.Plan: _plan,
    verbs.Legacy: _legacy,
    verbs.Hook: _hook,
    verbs.Wait: _wait,
    verbs.Hold: _hold,
}
