"""A process without a process: a test says what it writes and sees what it was told."""

from collections.abc import AsyncIterator, Callable
from typing import Self

import anyio

from core.agent.process import Exit


class FakeProcess:
    """Stands in for `core.agent.process.AgentProcess`."""

    pid = 4711

    def __init__(self, told: Callable[[], None], *, deaf: bool = False) -> None:
        """`told` is called when it was told something; a deaf one never is."""
        self.sent: list[bytes] = []
        self.signals = 0
        self._told = told
        self.closed = False
        self.exit = Exit()
        self.deaf = deaf
        self._ended = anyio.Event()
        self._write, self._read = anyio.create_memory_object_stream[list[bytes]](float("inf"))

    def write(self, *lines: bytes) -> None:
        """Have it write lines on stdout."""
        self._write.send_nowait(list(lines))

    def end(self, exit_: Exit) -> None:
        """Have it end."""
        if not self._ended.is_set():
            self.exit = exit_
            self._write.close()
            self._ended.set()

    def lines_with(self, word: bytes) -> list[bytes]:
        """What it was told that holds `word`."""
        return [line for line in self.sent if word in line]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
        self._read.close()

    async def lines(self) -> AsyncIterator[list[bytes]]:
        async for batch in self._read:
            yield batch

    async def send(self, line: bytes) -> None:
        if self.deaf:
            await anyio.sleep_forever()
        self.sent.append(line)
        self._told()

    def interrupt_signal(self) -> None:
        self.signals += 1

    async def wait(self) -> Exit:
        await self._ended.wait()
        return self.exit

    async def close(self) -> Exit:
        self.closed = True
        self.end(Exit(code=0, asked=True))
        return self.exit
