"""Turns: which one answers a prompt, how it opens, plays and ends; the local commands /clear and /compact.

Order and shape of the records are those of the real CLI 2.1.332 (`tests/data/recorded`).
"""

import contextlib
import re
import time
import uuid
from collections.abc import Callable

from core.simulator import faults, speak
from core.simulator.act import Act, ApiFailureError, Finished
from core.simulator.message import Speech
from core.simulator.meter import Meter
from core.simulator.stage import Interrupted, Pause, Prompt, Scene, Stage
from core.simulator.tasks import compact
from core.simulator.tools import text_of
from core.simulator.verbs import Compact, Json, Say, Steps


class Playbook:
    """Chooses the steps for a prompt: the first turn whose pattern is found, else the next in order."""

    def __init__(self, stage: Stage) -> None:
        """Start with the first turn."""
        self._stage = stage
        self._matched = [turn for turn in stage.script.turns if turn.match]
        self._ordered = [turn for turn in stage.script.turns if not turn.match]
        self._next = 0
        self._begun = not stage.script.session.begin

    def choose(self, prompt: str) -> Steps:
        """The steps that answer a prompt."""
        for turn in self._matched:
            if re.search(turn.match, prompt, re.IGNORECASE):
                return turn.step
        if not self._ordered:
            return (Say("You said: {prompt}"),)
        turn = self._ordered[min(self._next, len(self._ordered) - 1)]
        self._next += 1
        return turn.step

    def next_turn(self) -> Scene | None:
        """The scene of the next turn, if something waits for one."""
        stage = self._stage
        if not self._begun:
            self._begun = True
            return Turn(stage, self, None).play(self.choose(""))
        if stage.prompts:
            prompt = stage.prompts.popleft()
            command = _local(prompt)
            if command is not None:
                return command(stage, prompt)
            return Turn(stage, self, prompt).play(self.choose(prompt.text))
        if stage.notices:
            notice = stage.notices.popleft()
            return Turn(stage, self, None, notice.origin).play(notice.steps)
        return None


class Turn:
    """One turn of the main agent."""

    def __init__(
        self, stage: Stage, book: Playbook, prompt: Prompt | None, origin: Json | None = None
    ) -> None:
        """Answer a prompt, or (without) speak of itself."""
        self.stage, self.book, self.prompt, self.origin = stage, book, prompt, origin
        self.speech = Speech(stage)
        self.act = Act(stage, self.speech, {"prompt": prompt.text if prompt else ""})
        self.act.after_result = self._take_queued
        self.taken: list[Prompt] = []
        self._since = time.monotonic()
        self._text = ""

    def play(self, steps: Steps) -> Scene:
        """Open, play, end."""
        self._open()
        try:
            yield from self._body(steps)
            ending = self._completed()
        except Interrupted:
            ending = self._interrupted()
        except ApiFailureError as failure:
            ending = self._failed(failure)
        self._close(ending)

    def _body(self, steps: Steps) -> Scene:
        yield Pause(0)
        yield from self._until_finished(steps)
        answered = 0
        while answered < len(self.taken):
            prompt = self.taken[answered]
            answered += 1
            self.act.words["prompt"] = prompt.text
            yield from self._until_finished(self.book.choose(prompt.text))

    def _until_finished(self, steps: Steps) -> Scene:
        with contextlib.suppress(Finished):
            yield from self.act.play(steps)
        self._text = self.speech.last_text
        self.speech.stop()

    def _open(self) -> None:
        stage, prompt = self.stage, self.prompt
        stage.meter.start_turn()
        stage.state("running")
        if prompt and prompt.uuid:
            self.speech.uuids.append(prompt.uuid)
            stage.write(speak.lifecycle(prompt.uuid, "started"))
        stage.write(init_of(stage))
        self.speech.request()
        if prompt:
            take(stage, prompt)

    def _take_queued(self) -> None:
        """As the real CLI does, prompts that came meanwhile join the turn at the next tool result."""
        while self.stage.prompts and _local(self.stage.prompts[0]) is None:
            prompt = self.stage.prompts.popleft()
            self.taken.append(prompt)
            take(self.stage, prompt)
            if prompt.uuid:
                self.speech.uuids.append(prompt.uuid)
                self.stage.write(speak.lifecycle(prompt.uuid, "started"))

    def _completed(self) -> Json:
        words: Json = {"subtype": "success", "terminal_reason": "completed", "stop_reason": "end_turn"}
        return {**words, "api_error_status": None, "result": self._text}

    def _interrupted(self) -> Json:
        in_tool = bool(self.act.open_call)
        self.act.after_result = lambda: None  # what is queued now waits for a turn of its own
        self.act.abandon_call()
        words = "[Request interrupted by user for tool use]" if in_tool else "[Request interrupted by user]"
        self.speech.cut(words)
        reason = "aborted_tools" if in_tool else "aborted_streaming"
        diagnostic = "[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=null"
        stopped: Json = {"subtype": "error_during_execution", "is_error": True, "terminal_reason": reason}
        return {**stopped, "errors": [diagnostic]}

    def _failed(self, failure: ApiFailureError) -> Json:
        self.speech.stop()
        kind = faults.error_words(failure.status)[0]
        usage: Json = {"input_tokens": 0, "output_tokens": 0}
        block: Json = {"type": "text", "text": failure.message}
        marks: Json = {
            "is_api_error_message": True,
            "api_error_status": failure.status,
            "api_error_type": kind,
        }
        marks["error"] = faults.RETRY_WORDS.get(failure.status, kind)
        self.stage.write(speak.assistant(str(uuid.uuid4()), "<synthetic>", [block], usage, **marks))
        ending: Json = {"subtype": "success", "is_error": True, "terminal_reason": "api_error"}
        ending |= {"stop_reason": "stop_sequence", "api_error_status": failure.status, "api_error_type": kind}
        return {**ending, "result": failure.message}

    def _close(self, ending: Json) -> None:
        stage = self.stage
        for prompt in self.taken:
            _complete(stage, prompt)
        spent = int((time.monotonic() - self._since) * 1000)
        fields: Json = {"num_turns": max(1, len(self.speech.message_ids)), "duration_ms": spent}
        fields |= {"duration_api_ms": int(self.speech.api_s * 1000), "permission_denials": self.act.denials}
        fields |= {
            "begun_message_ids": self.speech.message_ids,
            **({"origin": self.origin} if self.origin else {}),
        }
        end_turn(
            stage, {**fields, **ending}, streaming_abort=ending.get("terminal_reason") == "aborted_streaming"
        )
        if self.prompt:
            _complete(stage, self.prompt)


def init_of(stage: Stage) -> Json:
    """The stage's `system/init`."""
    names = [f"mcp__{s['name']}__{tool}" for s in stage.servers for tool in tools_of(s)]
    return speak.init(stage.cwd, stage.model, stage.mode, stage.servers, names)


def tools_of(server: Json) -> list[str]:
    """The names of a connected server's tools."""
    tools = server.get("tools")
    return (
        [str(tool) for tool in tools] if isinstance(tools, list) and server["status"] == "connected" else []
    )


def take(stage: Stage, prompt: Prompt) -> None:
    """A prompt enters the conversation: say so, if the flags ask for it."""
    stage.meter.add_context(prompt.text)
    name = prompt.uuid or str(uuid.uuid4())
    stage.taken[name] = prompt.text
    if stage.flags.replay:
        stage.write(speak.replay(prompt.content, name, stage.now()))


def end_turn(stage: Stage, fields: Json, streaming_abort: bool = False) -> None:
    """Write a `result`."""
    meter = stage.meter
    # The real CLI gives zero usage for a turn cut while streaming, although the cost rose.
    usage = dict.fromkeys(meter.turn_usage(), 0) if streaming_abort else meter.turn_usage()
    fields = {"total_cost_usd": round(meter.cost_usd, 6), **fields}
    fields |= {"queued_turn_count": len(stage.prompts), "result_index": stage.results}
    stage.write(speak.result(dict(usage), meter.model_usage(), meter.model_usage_of_turn(), **fields))
    stage.results += 1
    stage.last_failed = fields.get("is_error") is True


def _complete(stage: Stage, prompt: Prompt) -> None:
    if prompt.uuid:
        stage.write(speak.lifecycle(prompt.uuid, "completed"))


def _clear(stage: Stage, prompt: Prompt) -> Scene:
    """/clear: a new conversation under a new id; the money starts anew, as on the real CLI."""
    stage.state("running")
    fresh = str(uuid.uuid4())
    stage.write({"type": "conversation_reset", "new_conversation_id": fresh, "trigger": "clear"})
    stage.session_id = fresh
    stage.meter = Meter(15000, 0.0)
    stage.meter.start_turn()
    stage.write(speak.system("background_tasks_changed", tasks=[]))
    stage.write(init_of(stage))
    yield Pause(0)
    end_turn(stage, {"subtype": "success", "result": "", "num_turns": 0, "local_command": "clear"})


def _compact(stage: Stage, prompt: Prompt) -> Scene:
    """/compact: the conversation shrinks to a tenth."""
    stage.meter.start_turn()
    stage.state("running")
    if prompt.uuid:
        stage.write(speak.lifecycle(prompt.uuid, "started"))
    act = Act(stage, Speech(stage), {})
    yield from compact(act, Compact(max(4000, stage.meter.context_tokens // 10), "manual"))
    stage.write(init_of(stage))
    take(stage, prompt)
    _complete(stage, prompt)
    end_turn(stage, {"subtype": "success", "result": "", "num_turns": 0, "local_command": "compact"})


_LOCAL = {"/clear": _clear, "/compact": _compact}


def _local(prompt: Prompt) -> Callable[[Stage, Prompt], Scene] | None:
    """The local command a prompt is, whatever follows its name."""
    return _LOCAL.get(prompt.text.strip().partition(" ")[0])


def prompt_of(message: Json) -> Prompt:
    """The prompt in a `user` message of the host."""
    inner = message.get("message")
    content = inner.get("content") if isinstance(inner, dict) else ""
    parts = content if isinstance(content, list) else []
    words = [text_of(part, "text") for part in parts if isinstance(part, dict) and part.get("type") == "text"]
    return Prompt(
        content, content if isinstance(content, str) else "\n".join(words), text_of(message, "uuid")
    )
