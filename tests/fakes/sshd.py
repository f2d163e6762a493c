"""A real sshd on loopback, with keys, port and settings of its own, as the present user; ended by its pid.

The "other machine" is this one, with another home and state folder.
"""

import getpass
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path

import anyio
import anyio.abc
import pytest

from core.hosts.host import Host
from core.keeper.folder import Folder
from tests.fakes.agents import ROOT
from tests.fakes.keepers import clear

SSHD = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:/sbin:" + os.environ.get("PATH", ""))

needs_sshd = pytest.mark.skipif(SSHD is None, reason="install the Debian package openssh-server")

CONFIG = """
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/key.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
"""


class Machine:
    """The other machine, and the way to it."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        self.home = folder / "far"
        self.env: dict[str, str] = {"PATH": "/usr/bin:/bin", "HOME": str(self.home), "PYTHONPATH": str(ROOT)}
        self._server: anyio.abc.Process | None = None

    @property
    def state(self) -> Folder:
        """Where its keepers live."""
        return Folder(self.home / ".local/state/quarterdeck")

    @property
    def options(self) -> tuple[str, ...]:
        """What ssh has to be told to come here, and to read nothing of the present user's."""
        given = {
            "IdentityFile": self.folder / "key",
            "IdentitiesOnly": "yes",
            "IdentityAgent": "none",
            "UserKnownHostsFile": self.folder / "known",
            "GlobalKnownHostsFile": "/dev/null",
            "StrictHostKeyChecking": "yes",
        }
        options = (("-o", f"{name}={value}") for name, value in given.items())
        return ("-F", "none", "-p", str(self.port), *(word for option in options for word in option))

    @property
    def command(self) -> str:
        """What starts Quarterdeck there."""
        env = (f"{name}={value}" for name, value in self.env.items())
        return shlex.join(("env", "-i", *env, sys.executable, "-m", "dashboard"))

    def host(self, **given: object) -> Host:
        """The machine as the settings name it."""
        destination = f"{getpass.getuser()}@127.0.0.1"
        fields = {"name": "far", "destination": destination, "command": self.command, "options": self.options}
        return Host(**{**fields, **given})  # type: ignore[arg-type]

    def settle(self, text: str) -> None:
        """Write its settings."""
        file = self.home / ".config/quarterdeck/config.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    async def start(self) -> None:
        """Let it be reached."""
        assert SSHD is not None
        command = (SSHD, "-D", "-E", str(self.folder / "log"), "-f", str(self.folder / "config"))
        self._server = await anyio.open_process(command, stdin=None, stdout=None, stderr=None)
        with anyio.fail_after(30):
            while not await _listens(self.port):  # noqa: ASYNC110 — another process: nothing to wait on
                await anyio.sleep(0.02)

    def bridges(self) -> list[int]:
        """The processes a dashboard talks to."""
        return [
            pid for pid in _below(self._server.pid if self._server else 0) if "keeper serve" in _command(pid)
        ]

    def sessions(self) -> list[int]:
        """Sshd's own processes for connections."""
        below = _below(self._server.pid if self._server else 0)
        return [pid for pid in below if _command(pid).startswith("sshd")]

    async def stop(self) -> None:
        """Cut all connections to it; what runs there goes on."""
        sessions = self.sessions()
        server, self._server = self._server, None
        if server is not None:
            server.kill()
            await server.wait()
            for pid in sessions:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def _below(pid: int) -> list[int]:
    """All descendants of a process."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [found for child in map(int, children) for found in (child, *_below(child))]


def _command(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    return b" ".join(words).decode(errors="replace").strip()


async def _listens(port: int) -> bool:
    try:
        stream = await anyio.connect_tcp("127.0.0.1", port)
    except OSError:
        return False
    await stream.aclose()
    return True


def _free_port() -> int:
    """Below those that the system hands out, so that nobody is given it before sshd is, or while that is stopped.

    Each process of the tests begins to look elsewhere.
    """
    for port in count(20_000 + os.getpid() * 7 % 10_000):
        with socket.socket() as found, suppress(OSError):
            found.bind(("127.0.0.1", port))
            return port
    raise AssertionError


def _set_up(folder: Path, env: Mapping[str, str]) -> Machine:
    folder.mkdir(parents=True)
    found = Machine(folder, _free_port())
    found.home.mkdir()
    found.env.update(env)
    for name in ("key", "host_key"):
        command = ("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name))
        subprocess.run(command, check=True)
    public = (folder / "host_key.pub").read_text()
    (folder / "known").write_text(f"[127.0.0.1]:{found.port} {public}")
    (folder / "config").write_text(CONFIG.format(port=found.port, folder=folder))
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # the package's own service makes it, if it runs
    return found


@asynccontextmanager
async def machine(folder: Path, env: Mapping[str, str] | None = None) -> AsyncIterator[Machine]:
    """Another machine; all that runs there is ended with it."""
    found = _set_up(folder, env or {})
    try:
        await found.start()
        yield found
    finally:
        with anyio.CancelScope(shield=True):
            await found.stop()
            await clear(found.state)
