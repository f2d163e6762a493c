"""A command of the person's, run for an agent: its end, and the last of what it wrote.

It must not know what it is run for.
"""

import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from subprocess import DEVNULL, PIPE, STDOUT

import anyio
from anyio.abc import Process
from msgspec import Struct

TAIL_BYTES = 4000


class CommandResult(Struct, frozen=True):
    """`code` is None if it ran out of time; `tail` is the end of stdout and stderr as one text."""

    code: int | None
    tail: str = ""
    timeout_s: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether it succeeded."""
        return self.code == 0

    @property
    def how(self) -> str:
        """How it ended, to stand after its name."""
        if self.code is None:
            return f"took longer than {self.timeout_s:g} s"
        return "passes" if self.passed else f"fails with code {self.code}"


async def run_command(
    command: str, directory: str, env: Mapping[str, str], timeout_s: float
) -> CommandResult:
    """Run `command` by `/bin/sh` in `directory`; all it started in its own group is ended with it.

    Raises OSError if there is no shell or no directory.
    """
    return await run_words(("/bin/sh", "-c", command), directory, env, timeout_s)


async def run_words(
    words: Sequence[str], directory: str, env: Mapping[str, str], timeout_s: float
) -> CommandResult:
    """As `run_command`, a program and its arguments without a shell. Raises OSError if it does not start."""
    process = await anyio.open_process(
        words,
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=STDOUT,
        cwd=directory,
        env=dict(env),
        start_new_session=True,
    )
    tail = bytearray()
    code: int | None = None
    try:
        with anyio.move_on_after(timeout_s):
            await _drain(process, tail)
            code = await process.wait()
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process)
    return CommandResult(code, bytes(tail).decode("utf-8", "replace").strip(), timeout_s)


async def _drain(process: Process, tail: bytearray) -> None:
    assert process.stdout is not None
    async for chunk in process.stdout:
        tail += chunk
        del tail[:-TAIL_BYTES]


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
    await process.aclose()
