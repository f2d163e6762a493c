"""An agent's process, listened at: each line of both directions goes past the recorder.

A line the journal keeps is handed on alone, so that what it leads to stands right behind it. It must not know
what a line means.
"""

from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Self

from core.agent.process import AgentProcess, Exit
from core.keeper.recorder import is_piece
from core.wire.framing import Oversized


class TappedProcess:
    """Stands in for an `AgentProcess`."""

    def __init__(
        self, process: AgentProcess, heard: Callable[[bytes], None], said: Callable[[bytes], None]
    ) -> None:
        """`heard` gets what it writes, before anybody else does; `said` what it was given."""
        self.pid = process.pid
        self._process = process
        self._heard = heard
        self._said = said

    async def __aenter__(self) -> Self:
        """The process itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """As `close`."""
        await self._process.close()

    async def lines(self) -> AsyncIterator[list[bytes | Oversized]]:
        """As of the process; runs of streamed pieces stay together, any other line comes alone."""
        async for batch in self._process.lines():
            pieces: list[bytes | Oversized] = []
            for line in batch:
                if isinstance(line, bytes) and is_piece(line):
                    pieces.append(line)
                    continue
                if pieces:
                    yield self._listen(pieces)
                    pieces = []
                yield self._listen([line])
            if pieces:
                yield self._listen(pieces)

    async def send(self, line: bytes) -> None:
        """As of the process."""
        await self._process.send(line)
        self._said(line)

    def interrupt_signal(self) -> None:
        """As of the process."""
        self._process.interrupt_signal()

    async def wait(self) -> Exit:
        """As of the process."""
        return await self._process.wait()

    async def close(self) -> Exit:
        """As of the process."""
        return await self._process.close()

    def _listen(self, lines: list[bytes | Oversized]) -> list[bytes | Oversized]:
        if isinstance(lines[0], bytes):
            self._heard(lines[0])
        return lines
