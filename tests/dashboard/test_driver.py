"""Case UIX-07: bytes that are no UTF-8 do not silence the keyboard."""

import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
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


@pytest.fixture
def child() -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The app in a terminal of its own, and our end of that terminal."""
    ours, its = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = (sys.executable, "-c", APP)
    process = subprocess.Popen(command, stdin=its, stdout=its, stderr=its, env=env, start_new_session=True)
    os.close(its)
    yield process, ours
    process.kill()
    process.wait()
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


async def test_keys_after_bad_bytes_still_work(child: tuple[subprocess.Popen[bytes], int]) -> None:
    process, terminal = child
    with anyio.fail_after(40):
        await anyio.to_thread.run_sync(read_until, terminal, b"READY")
        os.write(terminal, BAD)
        await anyio.to_thread.run_sync(read_until, terminal, b"never written")
        assert await anyio.to_thread.run_sync(process.wait) == 7
