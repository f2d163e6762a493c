"""The process: stdin lines in, records out, and every scene under way, in one thread and one `select`.

A scene is a generator that yields what it waits for: a `Pause`, or the `Await` of an answer from the host. It
must not know what scenes do; turns, tasks and control answers are given to it as functions.
"""

import datetime
import itertools
import json
import math
import os
import select
import signal
import sys
import time
import uuid
from collections import deque
from collections.abc import Callable, Generator
from pathlib import Path
from typing import NamedTuple, TypeAlias

from core.simulator.flags import Flags
from core.simulator.meter import Meter, resolve
from core.simulator.script import Script
from core.simulator.verbs import Json, Plan, Steps

# A process that no longer listens must not outlive a test that forgot it.
LONGEST_UNHEARD_S = 300


class Pause(NamedTuple):
    """Go on after so many seconds (infinity: only when thrown at, or when stdin closes)."""

    seconds: float


class Await(NamedTuple):
    """Go on with the host's answer to this request."""

    request_id: str


Scene: TypeAlias = Generator[Pause | Await, Json | None, None]


class Interrupted(Exception):  # noqa: N818 - a signal, no error
    """Thrown into a turn's scene to end it, and into a task's to stop it."""


class Leave(Exception):  # noqa: N818 - a signal, no error
    """Raised to end the process with a code."""

    def __init__(self, code: int) -> None:
        """Keep the code."""
        super().__init__(code)
        self.code = code


class Prompt(NamedTuple):
    """A prompt of the host; `uuid` is empty if it gave none."""

    content: object
    text: str
    uuid: str = ""


class Notice(NamedTuple):
    """A turn of the agent's own, after a background task ended."""

    steps: Steps
    origin: Json


class Running:
    """A scene and what it waits for."""

    def __init__(self, scene: Scene, name: str) -> None:
        """Ready at once."""
        self.scene, self.name = scene, name
        self.wake = 0.0
        self.awaits = ""
        self.begun = False


class Stage:
    """One simulated process: its state, its output and its scenes."""

    def __init__(self, script: Script, flags: Flags) -> None:
        """Set up from the script, where the flags do not say otherwise."""
        session = script.session
        self.script, self.flags = script, flags
        self.session_id = flags.resume if flags.resume and not flags.fork else str(uuid.uuid4())
        self.cwd = str(Path.cwd())
        self.model = resolve(flags.model or session.model)
        self.mode = flags.mode or session.mode
        self.servers: list[Json] = [{"status": "connected", **server} for server in session.mcp]
        self.meter = Meter(session.context_tokens, session.cost_usd)
        self.rules: list[Json] = []
        self.hooks: Json = {}
        self.settings: Json = {}
        self.prompts: deque[Prompt] = deque()
        self.notices: deque[Notice] = deque()
        self.taken: dict[str, str] = {}
        self.tasks: dict[str, Json] = {}
        self.ignored: set[str] = set()
        self.plan: Plan | None = None
        self.results = 0
        self.last_failed = False
        self.turn: Running | None = None
        self.scenes: list[Running] = []
        self.closing = False
        self.heard: Callable[[Json], None] = lambda message: None
        self.next_turn: Callable[[], Scene | None] = lambda: None
        self._run = uuid.uuid4().hex[:8]
        self._number = itertools.count(1)
        self._woken: list[int] = []
        self._unread = b""
        self._state = "idle"
        self.ignore(session.ignore)

    # output

    def write(self, record: Json) -> None:
        """Write one record with the session's id and a fresh uuid, unless it has its own."""
        if record.get("type") not in ("control_response", "control_request", "control_cancel_request"):
            record = {**record, "session_id": record.get("session_id", self.session_id)}
            record.setdefault("uuid", str(uuid.uuid4()))
        self.write_raw(json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")

    def write_raw(self, data: bytes) -> None:
        """Write bytes as they are; a reader that is gone ends the process."""
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(1, view) :]
        except BrokenPipeError:
            raise Leave(1) from None

    def state(self, word: str) -> None:
        """Tell the session's state when it changes, if the environment asked for it."""
        changed, self._state = word != self._state, word
        if changed and self.flags.state_events:
            self.write({"type": "system", "subtype": "session_state_changed", "state": word})

    def settle_state(self) -> None:
        """Tell what holds now that something ended: an ask that is still open, a turn, or nothing."""
        asking = any(running.awaits for running in self.scenes)
        self.state("requires_action" if asking else "running" if self.turn else "idle")

    def respond(self, request_id: object, response: Json | None) -> None:
        """Answer a control request of the host."""
        body: Json = {"subtype": "success", "request_id": request_id}
        if response is not None:
            body["response"] = response
        self.write({"type": "control_response", "response": body})

    def new_id(self, prefix: str) -> str:
        """A fresh id, short and readable; a session that is resumed must not use those of before again."""
        return f"{prefix}{next(self._number):04d}{self._run}"

    @staticmethod
    def now() -> str:
        """The time as the CLI writes it."""
        return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    # scenes

    def ignore(self, names: tuple[str, ...]) -> None:
        """Ignore these from now on; signals at once."""
        self.ignored.update(names)
        for name, number in (("sigint", signal.SIGINT), ("sigterm", signal.SIGTERM)):
            if name in names:
                signal.signal(number, signal.SIG_IGN)
        if {"stdin", "eof", "sigterm"} & self.ignored:
            signal.alarm(LONGEST_UNHEARD_S)

    def start(self, scene: Scene, name: str) -> Running:
        """Let a scene run beside the others."""
        running = Running(scene, name)
        self.scenes.append(running)
        return running

    def interrupt(self, running: Running) -> None:
        """End a scene: withdraw what it asks, then throw at it."""
        if not running.begun:  # a scene that has not begun cannot catch what is thrown
            self._advance(running)
        if running.awaits:
            self.write({"type": "control_cancel_request", "request_id": running.awaits})
        self._advance(running, thrown=True)

    def answer(self, request_id: str, response: Json) -> bool:
        """Give the host's answer to the scene that waits for it; False if none does."""
        for running in self.scenes:
            if running.awaits == request_id:
                self._advance(running, response)
                return True
        return False

    def heed_sigint(self) -> None:
        """Let SIGINT wake the loop: a handler must not touch a scene that may be running."""
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer)
        signal.signal(signal.SIGINT, lambda number, frame: None)
        self._woken = [reader]

    def _stop(self) -> None:
        """On SIGINT the real CLI ends its turn as interrupted and leaves with code 0."""
        if self.turn is not None:
            self.interrupt(self.turn)
        raise Leave(0)

    def perform(self) -> int:
        """Run until the end; returns the exit code."""
        try:
            while True:
                self._play()
                if self.closing and not self.prompts and self.turn is None and "eof" not in self.ignored:
                    return 1 if self.last_failed else 0
                self._listen(self._patience())
        except Leave as leave:
            return leave.code

    def _play(self) -> None:
        if self.turn is None and (scene := self.next_turn()) is not None:
            self.turn = self.start(scene, "turn")
        for running in list(self.scenes):
            if self.closing and running.awaits:
                self._advance(running, {"behavior": "deny", "message": "Tool permission stream closed"})
            elif not running.awaits and (running.wake <= time.monotonic() or self._hurried(running)):
                self._advance(running)

    def _hurried(self, running: Running) -> bool:
        return self.closing or (self.flags.speed == 0 and running.wake != math.inf)

    def _advance(self, running: Running, answer: Json | None = None, thrown: bool = False) -> None:
        running.awaits, running.begun = "", True
        try:
            cue = running.scene.throw(Interrupted()) if thrown else running.scene.send(answer)
        except (StopIteration, Interrupted):
            self.scenes.remove(running)
            if running is self.turn:
                self.turn = None
                if not self.prompts:
                    self.settle_state()
            return
        if isinstance(cue, Await):
            running.awaits, running.wake = cue.request_id, math.inf
        else:
            running.wake = time.monotonic() + cue.seconds / (self.flags.speed or 1)

    def _patience(self) -> float | None:
        """Seconds to wait for a line before a scene goes on; None is for ever."""
        if self.closing and "eof" in self.ignored and not self.scenes:
            return None
        if self.closing or (self.turn is None and (self.prompts or self.notices)):
            return 0
        ready = [running for running in self.scenes if not running.awaits]
        if any(self._hurried(running) for running in ready):
            return 0
        wake = min((running.wake for running in ready), default=math.inf)
        return None if wake == math.inf else max(0.0, wake - time.monotonic())

    # input

    def _listen(self, patience: float | None) -> None:
        listening = [] if self.closing or "stdin" in self.ignored else [0]
        ready, _, _ = select.select([*listening, *self._woken], [], [], patience)
        if set(ready) & set(self._woken):
            self._stop()
        if 0 not in ready:
            return
        chunk = os.read(0, 1 << 16)
        if not chunk:
            self.closing = True
            return
        *lines, self._unread = (self._unread + chunk).split(b"\n")
        for line in lines:
            if line.strip():
                self._hear(line)

    def _hear(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError as error:
            sys.stderr.write(
                f"Error parsing streaming input line (type=unknown, {len(line)} chars): {error}\n"
            )
            raise Leave(1) from None
        if isinstance(message, dict):
            self.heard(message)
