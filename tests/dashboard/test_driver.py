"""Case UIX-07: bytes that are no UTF-8 do not silence the keyboard."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

BAD = (Path(__file__).parents[1] / "data/cases/UIX-07.bin").read_bytes()

APP = """
import sys
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from dashboard.driver import ForgivingDriver

class Keys(App):
    def get_driver_class(self): return ForgivingDriver
    def on_mount(self): self.heard = ""; self.exit_code = 1
    def on_ready(self): sys.__stderr__.write("READY"); sys.__stderr__.flush()
    def on_key(self, event):
        self.heard += event.character or ""
        if event.character == "q": self.exit(return_code=7 if "a" in self.heard and "b" in self.heard else 8)

app = Keys()
app.run()
sys.exit(app.return_code)
"""


Child = tuple[subprocess.Popen[bytes], int]

OWN_TERMINAL = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
"""Makes the terminal the controlling one of the new session: only then its end is told by SIGHUP."""


@contextmanager
def in_terminal(code: str, *, errors: Path | None = None, **more: str) -> Iterator[Child]:
    """A program in a terminal of its own, 120×32, and our end of that terminal; `errors` takes its stderr."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 32, 120, 0, 0))
    env = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(sys.path), **more}
    command = (sys.executable, "-c", OWN_TERMINAL + code)
    with errors.open("wb") if errors is not None else nullcontext(its) as stderr:
        process = subprocess.Popen(
            command, stdin=its, stdout=its, stderr=stderr, env=env, start_new_session=True
        )
    os.close(its)
    try:
        yield process, ours
    finally:
        process.kill()
        process.wait()
        with suppress(OSError):
            os.close(ours)


def read_until(terminal: int, word: bytes) -> bytes:
    """What the app writes, up to `word` or its end."""
    seen = b""
    while word not in seen:
        ready, _, _ = select.select([terminal], [], [], 20)
        assert ready, f"nothing more after {seen[-200:]!r}"
        try:
            seen += os.read(terminal, 65536)
        except OSError:
            break
    return seen


async def test_keys_after_bad_bytes_still_work() -> None:
    with in_terminal(APP) as (process, terminal), anyio.fail_after(40):
        await anyio.to_thread.run_sync(read_until, terminal, b"READY")
        os.write(terminal, BAD)
        await anyio.to_thread.run_sync(read_until, terminal, b"never written")
        assert await anyio.to_thread.run_sync(process.wait) == 7


@pytest.mark.parametrize("how", ["the terminal closes", "it is told to end", "its errors go to a file"])
async def test_the_program_ends_in_order_and_leaves_nothing(how: str, tmp_path: Path) -> None:
    code = "import sys; from dashboard.cli import main; sys.exit(main(['demo']))"
    folders = {"TMPDIR": str(tmp_path), "HOME": str(tmp_path / "home")}
    errors = tmp_path / "errors" if how == "its errors go to a file" else None
    with in_terminal(code, errors=errors, **folders) as (process, terminal), anyio.fail_after(60):
        await anyio.to_thread.run_sync(read_until, terminal, b"api-auth")
        if how == "the terminal closes":
            os.close(terminal)
        else:
            process.terminate()
            await anyio.to_thread.run_sync(read_until, terminal, b"never written")
        assert await anyio.to_thread.run_sync(process.wait) == 0
    assert list_demo_folders(tmp_path) == []
    assert errors is None or b"\x1b" not in errors.read_bytes()


def list_demo_folders(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith("demo-")]
