"""A command of the person's, run for an agent: its end, and the last of what it wrote.

It must not know what it is run for.
"""

import os
import signal
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from subprocess import DEVNULL, PIPE, STDOUT
from typing import IO

import anyio
from anyio.abc import ByteReceiveStream, Process
from msgspec import Struct

TAIL_BYTES = 4000
OUT_BYTES = 2**20


class CommandResult(Struct, frozen=True):
    """`code` is None if it ran out of time; `tail` is the end of stdout and stderr as one text.

    `out` is stdout, as far as it is kept; alone where the command was given something on its stdin.
    """

    code: int | None
    tail: str = ""
    timeout_s: float = 0.0
    out: bytes = b""

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
    command: str, directory: str, env: Mapping[str, str], timeout_s: float, given: bytes | None = None
) -> CommandResult:
    """Run `command` by `/bin/sh` in `directory`, with `given` on its stdin; its whole group ends with it.

    Raises OSError if there is no shell or no directory.
    """
    return await run_words(("/bin/sh", "-c", command), directory, env, timeout_s, given)


async def run_words(
    words: Sequence[str],
    directory: str,
    env: Mapping[str, str],
    timeout_s: float,
    given: bytes | None = None,
) -> CommandResult:
    """As `run_command`, a program and its arguments without a shell. Raises OSError if it does not start."""
    with _input(given) as stdin:
        process = await anyio.open_process(
            words,
            stdin=stdin,
            stdout=PIPE,
            stderr=STDOUT if given is None else PIPE,
            cwd=directory,
            env=dict(env),
            start_new_session=True,
        )
    tail, out = bytearray(), bytearray()
    code: int | None = None
    try:
        with anyio.move_on_after(timeout_s):
            async with anyio.create_task_group() as tasks:
                if process.stderr is not None:
                    tasks.start_soon(_drain, process.stderr, tail, bytearray())
                tasks.start_soon(_drain, process.stdout, tail, out)
            code = await process.wait()
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process)
    return CommandResult(code, bytes(tail).decode("utf-8", "replace").strip(), timeout_s, bytes(out))


@contextmanager
def _input(given: bytes | None) -> Iterator[int | IO[bytes]]:
    """What it reads: a file without a name, not a pipe, for it need not read all of it, or any."""
    if given is None:
        yield DEVNULL
        return
    with tempfile.TemporaryFile() as file:
        file.write(given)
        file.seek(0)
        yield file


async def _drain(stream: ByteReceiveStream | None, tail: bytearray, out: bytearray) -> None:
    assert stream is not None
    async for chunk in stream:
        tail += chunk
        del tail[:-TAIL_BYTES]
        if len(out) < OUT_BYTES:
            out += chunk


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
    await process.aclose()
