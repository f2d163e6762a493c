"""A simulated agent as a real child process, for tests: write lines, wait for records."""

import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import anyio
from anyio.abc import Process

ROOT = Path(__file__).parent.parent.parent
FLAGS = (
    *("--output-format", "stream-json", "--input-format", "stream-json", "--verbose"),
    *("--include-partial-messages", "--permission-prompt-tool", "stdio", "--replay-user-messages"),
    "--forward-subagent-text",
)
LIMIT_S = 60.0
Record = dict[str, Any]


def parse(line: bytes) -> Record | None:
    """The record in a line, or None if it holds none."""
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


class Simulated:
    """One child; every wait is bounded, and a child that is left is killed."""

    def __init__(self, script: Path, *flags: str, speed: str = "0") -> None:
        self.command = [sys.executable, "-m", "core.simulator", str(script), *FLAGS, *flags]
        self.environment = {
            **os.environ,
            "QUARTERDECK_SIM_SPEED": speed,
            "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS": "1",
        }
        self.records: list[Record] = []
        self.broken: list[bytes] = []
        self._unread = b""

    async def __aenter__(self) -> Self:
        self.process: Process = await anyio.open_process(self.command, cwd=ROOT, env=self.environment)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.returncode is None:
            self.process.kill()
        with anyio.CancelScope(shield=True):
            await self.process.wait()
            await self.process.aclose()

    async def write(self, message: Record | bytes) -> None:
        assert self.process.stdin
        line = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
        await self.process.stdin.send(line)

    async def prompt(self, text: str, uuid: str | None = None) -> None:
        body: Record = {
            "type": "user",
            "message": {"role": "user", "content": text},
            "parent_tool_use_id": None,
        }
        await self.write({**body, **({"uuid": uuid} if uuid else {})})

    async def answer(self, request: Record, **response: Any) -> None:
        body = {"subtype": "success", "request_id": request["request_id"], "response": response}
        await self.write({"type": "control_response", "response": body})

    async def allow(self, request: Record, **more: Any) -> None:
        await self.answer(request, behavior="allow", updatedInput=request["request"]["input"], **more)

    async def control(self, subtype: str, **body: Any) -> Record:
        """Send a control request and wait for its response."""
        request_id = f"c{len(self.records)}-{subtype}"
        request = {"subtype": subtype, **body}
        await self.write({"type": "control_request", "request_id": request_id, "request": request})
        record = await self.until(
            lambda r: r["type"] == "control_response" and r["response"]["request_id"] == request_id
        )
        response: Record = record["response"]
        return response

    async def until(self, wanted: Callable[[Record], bool] | str) -> Record:
        """The next record of this type (or for which this holds); fails when the child ends before."""
        with anyio.fail_after(LIMIT_S):
            async for record in self._read():
                if record["type"] == wanted if isinstance(wanted, str) else wanted(record):
                    return record
        raise EOFError(f"ended before {wanted}; last: {self.records[-3:]}")

    async def turn(self, text: str) -> list[Record]:
        """Send a prompt and read to the end of its turn, where nothing is asked."""
        start = len(self.records)
        await self.prompt(text)
        await self.until("result")
        return self.records[start:]

    async def close(self) -> int:
        """Close stdin, read what is left, and wait for the end; the exit code."""
        assert self.process.stdin
        await self.process.stdin.aclose()
        return await self.end()

    async def end(self) -> int:
        """Read what is left and wait for the end; the exit code."""
        with anyio.fail_after(LIMIT_S):
            async for _ in self._read():
                pass
            return await self.process.wait()

    async def stderr(self) -> str:
        assert self.process.stderr
        return b"".join([chunk async for chunk in self.process.stderr]).decode()

    async def _read(self) -> AsyncIterator[Record]:
        assert self.process.stdout
        while True:
            line, newline, rest = self._unread.partition(b"\n")
            if newline:
                self._unread = rest
                if (record := parse(line)) is None:
                    self.broken.append(line)
                else:
                    self.records.append(record)
                    yield record
                continue
            try:
                self._unread += await self.process.stdout.receive()
            except anyio.EndOfStream:
                self.broken += [self._unread] if self._unread else []
                self._unread = b""
                return


@asynccontextmanager
async def simulated(
    folder: Path, script: str, *flags: str, speed: str = "0", environment: dict[str, str] | None = None
) -> AsyncIterator[Simulated]:
    """A child that plays this script text."""
    path = folder / "play.toml"
    path.write_text(script)
    child = Simulated(path, *flags, speed=speed)
    child.environment |= environment or {}
    async with child:
        yield child
