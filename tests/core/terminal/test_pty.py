import asyncio
import hashlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import anyio
import pytest

from core.agent.guard import Guard
from core.agent.reaper import MARK
from core.errors import AgentGone, CliIsDirectory, CliNotExecutable, CliNotFound, DirectoryMissing
from core.terminal.hearing import TURN_BYTES
from core.terminal.line import UNREAD_BYTES
from core.terminal.pty import Pty, Size, start_pty
from tests.fakes.terminals import is_alive

ENV = {"PATH": os.environ["PATH"]}


class Ear:
    """Keeps what a program printed; one may wait for a piece of it."""

    def __init__(self) -> None:
        self.heard = b""
        self.largest = 0
        self._loop = asyncio.get_running_loop()
        self._more = anyio.Event()

    def __call__(self, data: bytes) -> None:
        self.heard += data
        self.largest = max(self.largest, len(data))
        self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._more.set()
        self._more = anyio.Event()

    async def hears(self, piece: bytes) -> None:
        with anyio.fail_after(30):
            while piece not in self.heard:
                await self._more.wait()


async def start(
    script: str, ear: Callable[[bytes], None], size: Size | None = None, *, marked: bool = True
) -> Pty:
    argv = (sys.executable, "-u", "-I", "-S", "-c", dedent(script))
    return await start_pty(argv, "/", ENV, size or Size(), ear, marked=marked)


async def ended(pty: Pty) -> None:
    with anyio.fail_after(30):
        await pty.exited.wait()


async def test_it_is_the_programs_own_terminal() -> None:
    ear = Ear()
    pty = await start(
        """
        import os
        print([os.isatty(fd) for fd in (0, 1, 2)], os.getsid(0) == os.getpid() == os.getpgrp())
        print(os.path.samefile(os.ttyname(0), "/dev/tty") or os.open("/dev/tty", os.O_RDWR) > 0)
        print(os.tcgetpgrp(0) == os.getpid(), tuple(os.get_terminal_size()))
        """,
        ear,
        Size(91, 17),
    )
    await ended(pty)
    assert ear.heard.split(b"\r\n")[:3] == [b"[True, True, True] True", b"True", b"True (91, 17)"]
    assert pty.exit is not None
    assert pty.exit.code == 0
    await pty.close()


async def test_the_end_comes_after_all_that_was_written() -> None:
    ear = Ear()
    pty = await start("print('x' * 200_000); print('last'); raise SystemExit(3)", ear)
    await ended(pty)
    assert ear.heard.endswith(b"last\r\n")
    assert len(ear.heard) == 200_000 + len(b"\r\nlast\r\n")
    assert ear.largest <= TURN_BYTES
    assert pty.exit is not None
    assert (pty.exit.code, pty.exit.failed) == (3, True)
    with pytest.raises(AgentGone):
        pty.write(b"x")
    await pty.close()


async def test_what_is_written_arrives_whole_however_slowly_it_is_read() -> None:
    """The loop goes on meanwhile, and a terminal's small buffer loses nothing."""
    ear = Ear()
    pty = await start(
        """
        import hashlib, os, tty
        tty.setraw(0)
        print("ready")
        digest, size = hashlib.sha256(), 0
        while size < 600_000:
            data = os.read(0, 1000)
            digest.update(data)
            size += len(data)
        print(digest.hexdigest(), size)
        """,
        ear,
    )
    await ear.hears(b"ready")
    pieces = [bytes([65 + n % 26]) * 6000 for n in range(100)]
    for piece in pieces:
        pty.write(piece)
    assert pty.pending_bytes > 0
    await ear.hears(hashlib.sha256(b"".join(pieces)).hexdigest().encode() + b" 600000")
    assert pty.pending_bytes == 0
    await pty.close()


async def test_too_much_for_who_does_not_read_is_refused_whole() -> None:
    ear = Ear()
    pty = await start("import tty, time; tty.setraw(0); print('ready'); time.sleep(60)", ear)
    await ear.hears(b"ready")
    pty.write(b"x" * UNREAD_BYTES)
    with pytest.raises(AgentGone, match="does not read"):
        pty.write(b"x" * UNREAD_BYTES)
    with anyio.fail_after(30):
        await pty.close()


async def test_a_new_size_is_told_once() -> None:
    ear = Ear()
    pty = await start(
        """
        import os, signal
        signal.signal(signal.SIGWINCH, lambda *_: os.write(1, b"now (%d, %d)\\n" % os.get_terminal_size()))
        print("ready")
        while True:
            signal.pause()
        """,
        ear,
    )
    await ear.hears(b"ready")
    pty.resize(Size(100, 30))
    await ear.hears(b"now (100, 30)")
    pty.resize(Size(100, 30))
    pty.resize(Size(0, 0))
    await ear.hears(b"now (1, 1)")
    assert ear.heard.count(b"now (100, 30)") == 1
    await pty.close()


@pytest.mark.parametrize("deaf", [(), (signal.SIGHUP,), (signal.SIGHUP, signal.SIGTERM)])
async def test_it_is_ended_by_whatever_it_takes(deaf: tuple[signal.Signals, ...]) -> None:
    ear = Ear()
    numbers = [int(number) for number in deaf]
    pty = await start(
        f"import signal, time\nfor n in {numbers}: signal.signal(n, signal.SIG_IGN)\nprint('up')\ntime.sleep(60)",
        ear,
    )
    await ear.hears(b"up")
    with anyio.fail_after(30):
        how = await pty.close(hangup_s=0.2, term_s=0.2)
    assert how.asked
    assert not how.failed
    assert how == await pty.close()


async def test_what_it_started_in_a_session_of_its_own_goes_with_it() -> None:
    ear = Ear()
    pty = await start(
        """
        import subprocess, sys, time
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
        print("child", child.pid, "up")
        time.sleep(60)
        """,
        ear,
    )
    await ear.hears(b"up")
    child = int(ear.heard.split()[1])
    await pty.close()
    assert not is_alive(child)


async def test_a_client_of_what_is_not_ours_ends_alone() -> None:
    ear = Ear()
    pty = await start(
        f"""
        import os, subprocess, sys, time
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
        print("child", child.pid, {MARK!r} in os.environ, "up")
        time.sleep(60)
        """,
        ear,
        marked=False,
    )
    await ear.hears(b"up")
    child = int(ear.heard.split()[1])
    assert b"False up" in ear.heard
    with anyio.fail_after(30):
        await pty.close()
    assert is_alive(child)
    os.kill(child, signal.SIGKILL)


async def test_a_guard_knows_it_as_long_as_it_runs() -> None:
    async with Guard() as guard:
        pty = await start_pty(("/bin/cat",), "/", ENV, Size(), lambda data: None, guard=guard)
        assert guard.pid is not None
        await pty.close()


async def test_what_is_wrong_with_program_or_folder_is_said(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("no program")
    for program, folder, error in (
        (tmp_path / "none", tmp_path, CliNotFound),
        (tmp_path, tmp_path, CliIsDirectory),
        (plain, tmp_path, CliNotExecutable),
        (Path("/bin/cat"), tmp_path / "none", DirectoryMissing),
    ):
        with pytest.raises(error):
            await start_pty((str(program),), folder, ENV, Size(), lambda data: None)


async def test_a_program_that_stops_itself_at_ctrl_z_goes_on() -> None:
    ear = Ear()
    pty = await start(
        """
        import os, signal, tty
        tty.setraw(0)
        signal.signal(signal.SIGCONT, lambda *_: print("back"))
        print("ready")
        while os.read(0, 100):
            print("stopped")
        """,
        ear,
    )
    await ear.hears(b"ready")
    pty.write(b"\x1a")
    await ear.hears(b"back")
    await pty.close()
