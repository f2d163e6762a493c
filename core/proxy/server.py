"""`mitmdump` beside one agent: started, read, and ended with it; what it sees comes out as events.

    the agent ⇄ mitmdump ⇄ the API
                   └ our addon ─reports, one a line, on its stdout→ Adapter ─events→ who follows

The pipe is the only buffer there is: who follows slowly makes the addon keep up to 32 MB and then give flows
up as a gap; the agent's own stream never waits. Should mitmdump die, a `tunnel` takes its port over at once:
the agent goes on, without capture. It must not know what an agent is, nor what becomes of the events.
"""

import fcntl
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import anyio
import anyio.to_thread

from core.agent.guard import Guard
from core.agent.process import AgentProcess, start_process
from core.errors import LaunchError, ProxyFailed
from core.proxy import addon, tunnel
from core.proxy.adapter import Adapter
from core.proxy.flow import Captured
from core.proxy.reports import Hello, decode_report
from core.proxy.surroundings import (
    OUR_CA,
    agent_environment,
    allowed,
    check,
    proxy_environment,
    trusted,
    upstream,
)
from core.proxy.way import Way
from core.session.events import Event, Noticed
from core.wire.framing import Oversized

START_S = 30.0
EOF_S = 0.8
TERM_S = 0.4
TICK_S = 1.0
NAP_S = 5.0
"""A machine that was asleep for less has lost no connection."""


Greeting = tuple[Hello, list[bytes | Oversized]]


class Proxy:
    """A running capture; made by `capture`."""

    def __init__(
        self,
        process: AgentProcess,
        greeting: Greeting,
        environment: dict[str, str],
        adapter: Adapter,
    ) -> None:
        """For `capture` only."""
        hello, self._first = greeting
        self.port = hello.port
        self.environment = environment
        self._process = process
        self._adapter = adapter
        self._asleep_s = asleep_s()
        self._clock: Callable[[], float] = time.time

    @property
    def pid(self) -> int:
        """The process id of mitmdump."""
        return self._process.pid

    @property
    def capturing(self) -> bool:
        """Whether mitmdump runs; else the agent goes on without being followed."""
        return self._process.exit is None

    @property
    def flows(self) -> tuple[Captured, ...]:
        """What became of the newest requests, the CLI's own small calls included."""
        return self._adapter.flows

    def turn_over(self) -> Sequence[Event]:
        """Who sees more (the screen, the transcript) says that the turn has ended."""
        return self._adapter.turn_over(self._clock())

    async def events(self) -> AsyncIterator[list[Event]]:
        """What happens, as it does, for one reader, until mitmdump has ended. Cancelling loses nothing."""
        while (lines := await self._lines()) is not None:
            self._look_at_the_clock()
            found: list[Event] = []
            for line in lines:
                report = None if isinstance(line, Oversized) else decode_report(line)
                if report is not None:
                    found += self._adapter.events(report)
            found += self._adapter.tick(self._clock())
            if found:
                yield found
        with anyio.move_on_after(TICK_S):  # its last words come before the news of its end
            await self._process.wait()
        if sealed := [*self._adapter.close(self._clock()), *self._last_words()]:
            yield sealed

    async def keep_way_open(self) -> None:
        """Once mitmdump has died, pass on what the agent sends; for `capture` only."""
        ended = await self._process.wait()
        if not ended.asked:
            try:
                await tunnel.serve(self.port)
            except OSError:
                return  # the port is somebody else's now: the agent says itself that it gets no connection

    async def _lines(self) -> list[bytes | Oversized] | None:
        """The next lines: none after a while without any, None at the end."""
        if self._first:
            first, self._first = self._first, []
            return first
        with anyio.move_on_after(TICK_S):
            async with aclosing(self._process.lines()) as batches:
                return await anext(batches, None)
        return []

    def _look_at_the_clock(self) -> None:
        """Whether the machine was asleep."""
        before, self._asleep_s = self._asleep_s, asleep_s()
        if self._asleep_s - before > NAP_S:
            self._adapter.slept(self._clock())

    def _last_words(self) -> Iterator[Event]:
        ended = self._process.exit
        if ended is not None and ended.asked:
            return
        why = f"mitmdump is gone ({ended.reason})" if ended is not None else "mitmdump tells no more"
        text = f"The capture has ended: {why}. The agent goes on without it."
        yield Noticed(at=self._clock(), source="proxy", text=text, level="warning")


@asynccontextmanager
async def capture(way: Way, env: Mapping[str, str], *, guard: Guard | None = None) -> AsyncIterator[Proxy]:
    """Capture an agent that would have `env`: start it with `environment` instead and follow `events`.

    Raises `ProxyFailed` or `NothingToCapture`. At the end mitmdump is stopped, in two seconds at most.
    """
    check(way.hosts, env)
    await anyio.to_thread.run_sync(_make_private, way.folder)
    process, greeting = await _begin(way, env, guard)
    try:
        certificate = await anyio.to_thread.run_sync(trusted, way.folder, env)
        environment = agent_environment(greeting[0].port, certificate, env)
        proxy = Proxy(process, greeting, environment, Adapter(way.hosts))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(proxy.keep_way_open)
            yield proxy
            tasks.cancel_scope.cancel()
    finally:
        await process.close(eof_s=EOF_S, term_s=TERM_S)


def arguments(way: Way, env: Mapping[str, str]) -> tuple[str, ...]:
    """The command line of mitmdump."""
    further = upstream(way.hosts, env)
    settings = {
        "confdir": str(way.folder),
        "connection_strategy": "lazy",
        "flow_detail": "0",  # nothing of what passes is printed
        "termlog_verbosity": "error",
        "onboarding": "false",
    }
    return (
        str(way.program),
        *("--listen-host", "127.0.0.1", "--listen-port", str(way.port)),
        *(word for name, value in settings.items() for word in ("--set", f"{name}={value}")),
        *(word for pattern in allowed(way.hosts) for word in ("--allow-hosts", pattern)),
        *(("--mode", f"upstream:{further.address}") if further.address else ()),
        *("-s", addon.__file__),
        *way.options,
    )


async def _begin(way: Way, env: Mapping[str, str], guard: Guard | None) -> tuple[AgentProcess, Greeting]:
    """A mitmdump that listens. Two that start for the first time would each make certificates: one by one."""
    new = not (way.folder / OUR_CA).exists()
    lock = await anyio.to_thread.run_sync(_lock, way.folder) if new else None
    try:
        process = await start_process(
            arguments(way, env), way.folder, proxy_environment(way.hosts, way.folder, env), guard=guard
        )
        try:
            return process, await _greeting(process, way.port)
        except BaseException:
            await process.close(eof_s=EOF_S, term_s=TERM_S)
            raise
    except LaunchError as error:
        raise ProxyFailed(str(error).rstrip(".")) from error
    finally:
        if lock is not None:
            os.close(lock)


async def _greeting(process: AgentProcess, port: int) -> Greeting:
    """What the addon says first, and lines that came with it."""
    with anyio.move_on_after(START_S):
        async with aclosing(process.lines()) as batches:
            async for batch in batches:
                for place, line in enumerate(batch, 1):
                    report = None if isinstance(line, Oversized) else decode_report(line)
                    if isinstance(report, Hello):
                        return report, batch[place:]
        ended = await process.wait()
        raise ProxyFailed(_why(ended.stderr_tail, port) or ended.reason, ended.stderr_tail)
    raise ProxyFailed(f"it did not listen within {START_S:g} s", process.stderr_tail)


def _why(said: str, port: int) -> str:
    """The cause in what mitmdump wrote."""
    if "address already in use" in said.lower():
        return f"port {port} is taken"
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if "rror" in line), lines[-1] if lines else "").rstrip(".")


def _make_private(folder: Path) -> None:
    """The folder of the certificates is ours alone: who holds their key can read what the agent says."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)


def _lock(folder: Path) -> int:
    descriptor = os.open(folder / "lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor


def asleep_s() -> float:
    """For how long this machine has been asleep, from a point of its own: only differences count."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)
    return time.time() - time.monotonic()  # the latter stands still meanwhile
