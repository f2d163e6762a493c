"""One speaker's API messages, streamed block by block; knows the stage it writes to, but no script.

The main agent streams (`--include-partial-messages`); a subagent only writes its finished blocks, as the real
one does.
"""

import json
import re
import time

from core.simulator import speak
from core.simulator.meter import tokens
from core.simulator.stage import Pause, Scene, Stage
from core.simulator.verbs import Json

JSON_PIECE = 24  # characters of a tool's input in one delta
_WORDS = re.compile(r"\S+\s*|\s+")


class Speech:
    """What one speaker says; at most one message is open at a time."""

    def __init__(self, stage: Stage, extra: Json | None = None) -> None:
        """`extra` marks every record of a subagent (`parent_tool_use_id`, `agent_id`, …)."""
        self.stage = stage
        self.extra: Json = extra or {}
        self.uuids: list[str] = []
        self.message_ids: list[str] = []
        self.last_text = ""
        self.api_s = 0.0
        self._streams = stage.flags.partial and not self.extra
        self._requested = False
        self._open = ""
        self._started = 0.0
        self._usage: Json = {}
        self._index = 0
        self._output = 0
        self._block: tuple[str, str] = ("", "")  # kind and what was streamed of the open block

    def request(self) -> None:
        """Tell that the API is asked, once a message."""
        if not self._requested and not self.extra:
            marks: Json = {"user_message_uuids": list(self.uuids)} if self.uuids else {}
            self.stage.write(speak.system("status", status="requesting", **marks))
        self._requested = True

    def say(self, text: str, words_per_s: float) -> Scene:
        """Stream a text block."""
        self.last_text = text
        yield from self._stream("text", text, _WORDS.findall(text), words_per_s)

    def think(self, text: str, words_per_s: float) -> Scene:
        """Stream a thinking block."""
        yield from self._stream("thinking", text, _WORDS.findall(text), words_per_s)

    def call(self, call_id: str, name: str, arguments: Json) -> Scene:
        """Stream a tool_use block; its input comes several times as fast as words do."""
        text = json.dumps(arguments, ensure_ascii=False)
        pieces = [text[at : at + JSON_PIECE] for at in range(0, len(text), JSON_PIECE)]
        start: Json = {"type": "tool_use", "id": call_id, "name": name, "input": {}}
        pace = self.stage.script.session.pace
        yield from self._stream("tool_use", text, pieces, pace, start, {**start, "input": arguments})

    def finish(self, stop_reason: str) -> None:
        """Tell why the message stops; `stop` ends it."""
        if self._open and self._output:
            self.stage.meter.answer(self.stage.model, self._output)
            delta: Json = {"stop_reason": stop_reason, "stop_sequence": None}
            self._event({"type": "message_delta", "delta": delta, "usage": {"output_tokens": self._output}})
            self._output = 0

    def stop(self) -> None:
        """End the open message, if there is one."""
        self.finish("end_turn")
        if self._open:
            self._event({"type": "message_stop"})
            self.api_s += time.monotonic() - self._started
        self._open, self._requested, self._index = "", False, 0

    def cut(self, words: str) -> None:
        """Abandon the open message: what was streamed stays, marked `aborted`; `words` tell why."""
        kind, streamed = self._block
        if self._open and kind == "text" and streamed:
            self._say_block({"type": "text", "text": streamed}, aborted=True)
        self.stage.write(speak.words_of_user(words, timestamp=self.stage.now(), **self.extra))
        if not self._open:
            return
        self.stage.meter.answer(self.stage.model, tokens(streamed))
        if kind:
            self._event({"type": "content_block_stop", "index": self._index})
        delta: Json = {"container": None, "stop_details": None, "stop_reason": None, "stop_sequence": None}
        self._event(
            {"type": "message_delta", "context_management": None, "delta": delta, "usage": self._usage}
        )
        abandoned = {"api_message_id": self._open, "from_block_index": self._index + 1}
        self._event({"type": "message_stop"}, abandoned_blocks=abandoned)
        self._open, self._block = "", ("", "")

    def open_flood(self) -> None:
        """Open a text block for `flood`."""
        self._start()
        self._event(
            {"type": "content_block_start", "index": self._index, "content_block": _block("text", "")}
        )

    def flood(self, count: int) -> bytes:
        """So many text deltas of the open block, as bytes, written whatever the flags say."""
        event = _delta_event(self._index, _delta("text", "flood "))
        record: Json = {"type": "stream_event", "event": event, "parent_tool_use_id": None}
        record |= {"session_id": self.stage.session_id, "uuid": "00000000-0000-4000-8000-000000000000"}
        self._block = ("text", self._block[1] + "flood " * count)
        return (json.dumps(record, separators=(",", ":")).encode() + b"\n") * count

    def end_flood(self) -> None:
        """Finish the block `flood` left open."""
        self._end_block({"type": "text", "text": self._block[1]})

    def _stream(
        self,
        kind: str,
        text: str,
        pieces: list[str],
        per_s: float,
        start: Json | None = None,
        end: Json | None = None,
    ) -> Scene:
        if not self._open:
            self.request()
            yield Pause(self.stage.script.session.latency)
        self._start()
        opening = start or _block(kind, "")
        self._event({"type": "content_block_start", "index": self._index, "content_block": opening})
        self._block = (kind, "")
        for piece in pieces:
            self._delta(kind, piece)
            self._block = (kind, self._block[1] + piece)
            yield Pause(1 / per_s if per_s else 0.0)
        if kind == "thinking":
            self._event(_delta_event(self._index, {"type": "signature_delta", "signature": "c2ln"}))
        self._end_block(end or _block(kind, text))

    def _start(self) -> None:
        if self._open:
            return
        self.request()
        self._open = self.stage.new_id("msg_")
        self._started = time.monotonic()
        self.message_ids.append(self._open)
        self._usage = self.stage.meter.request(self.stage.model)
        message: Json = {"id": self._open, "type": "message", "role": "assistant", "model": self.stage.model}
        message |= {"content": [], "stop_reason": None, "stop_sequence": None, "usage": self._usage}
        marks: Json = (
            {"user_message_uuid": self.uuids[-1], "user_message_uuids": list(self.uuids)}
            if self.uuids
            else {}
        )
        self._event({"type": "message_start", "message": message}, ttft_ms=12, **marks)

    def _end_block(self, block: Json) -> None:
        text = self._block[1]
        self._output += tokens(text)
        self.stage.meter.add_context(text)
        self._say_block(block)
        self._event({"type": "content_block_stop", "index": self._index})
        self._index += 1
        self._block = ("", "")

    def _say_block(self, block: Json, **marks: object) -> None:
        if block["type"] != "tool_use" and self.extra and not self.stage.flags.subagent_text:
            return
        record = speak.assistant(
            self._open, self.stage.model, [block], self._usage, **{**marks, **self.extra}
        )
        self.stage.write({**record, "timestamp": self.stage.now()})

    def _delta(self, kind: str, piece: str) -> None:
        if not self._streams:
            return
        if kind == "thinking":
            count = tokens(piece)
            self.stage.write(
                speak.system("thinking_tokens", estimated_tokens=count, estimated_tokens_delta=count)
            )
        self._event(_delta_event(self._index, _delta(kind, piece)))

    def _event(self, event: Json, **marks: object) -> None:
        if self._streams:
            record: Json = {"type": "stream_event", "event": event, "parent_tool_use_id": None}
            self.stage.write({**record, "api_message_id": self._open, **marks})


def _block(kind: str, text: str) -> Json:
    return {"type": "text", "text": text} if kind == "text" else _thinking(text)


def _thinking(text: str) -> Json:
    return {"type": "thinking", "thinking": text, "signature": "c2ln" if text else ""}


def _delta(kind: str, piece: str) -> Json:
    if kind == "text":
        return {"type": "text_delta", "text": piece}
    if kind == "thinking":
        return {"type": "thinking_delta", "thinking": piece}
    return {"type": "input_json_delta", "partial_json": piece}


def _delta_event(index: int, delta: Json) -> Json:
    return {"type": "content_block_delta", "index": index, "delta": delta}
