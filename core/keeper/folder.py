"""Where keepers live: their sockets, their cards, and who of them is alive.

    STATE/keepers/KEY.json      a card: what the agent is; locked for as long as its keeper lives
    STATE/keepers/HASH.sock     where it listens
    STATE/journals/KEY.0000.ndjson

The state folder and not `$XDG_RUNTIME_DIR`: systemd empties that one when the last SSH connection is closed,
which is when keepers are needed. A card whose lock is free belongs to a keeper that died: its agent is
offered again. It must not know what is said on a socket.
"""

import errno
import fcntl
import hashlib
import os
import socket
import stat
import time
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from core.agent.launch import LaunchSpec
from core.errors import KeeperError
from core.wire.codec import BAD

LONGEST_SOCKET = 100
"""In bytes; the system's limit is 104 (macOS) or 108 (Linux), its closing zero included."""

SHORT = Path("/tmp")
"""Not `$TMPDIR`: a dashboard of another shell has another one, and would not find who listens."""

TRIES, TRY_S = 5, 0.02

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_MACHINE = Path("/etc/machine-id")


class Card(Struct, frozen=True, omit_defaults=True):
    """What is known of a kept agent without asking its keeper.

    `host` names the machine (a home folder may be shared by several), `boot` one start of it, `was` how the
    agent was called before it got another name.
    """

    key: str
    spec: LaunchSpec
    pid: int = 0
    host: str = ""
    boot: str = ""
    name: str = ""
    created_at: float = 0.0
    command: tuple[str, ...] | None = None
    was: str = ""


class Folder(Struct, frozen=True):
    """The folders of all keepers of one person; `root` is the state folder."""

    root: Path

    @property
    def keepers(self) -> Path:
        """Cards and sockets."""
        return self.root / "keepers"

    @property
    def journals(self) -> Path:
        """The journals of all agents, living and ended."""
        return self.root / "journals"

    def card(self, key: str) -> Path:
        """The card of an agent."""
        return self.keepers / f"{key}.json"

    def socket(self, key: str) -> Path:
        """The socket of an agent's keeper, in a short folder of /tmp where the path would be too long."""
        name = f"{hashlib.blake2s(key.encode()).hexdigest()[:12]}.sock"
        path = self.keepers / name
        if len(os.fsencode(path)) <= LONGEST_SOCKET:
            return path
        short = hashlib.blake2s(os.fsencode(self.keepers)).hexdigest()[:8]
        return SHORT / f"quarterdeck-{os.getuid()}-{short}" / name

    def make(self, key: str) -> Path:
        """Make the folders, 0700, and return the socket's path. Raises `KeeperError` if one is not ours."""
        path = self.socket(key)
        for folder in (self.keepers, self.journals, path.parent):
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            except OSError as error:
                raise KeeperError(f"{folder} cannot be made: {error.strerror}.") from error
            check_private(folder)
        return path


def check_private(folder: Path) -> None:
    """See to it that nobody else can enter. Raises `KeeperError`."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise KeeperError(f"{folder} is not a folder of yours. Remove it, or have its owner do so.")
    if found.st_mode & 0o777 != 0o700:
        folder.chmod(0o700)


def new_card(key: str, spec: LaunchSpec, command: tuple[str, ...] | None, created_at: float) -> Card:
    """The card of an agent that starts on this machine now."""
    name = spec.name or Path(spec.directory).name
    return Card(key, spec, os.getpid(), machine_id(), boot_id(), name, created_at, command)


def machine_id() -> str:
    """Which machine this is; its name, which may change, only where the system has nothing better."""
    try:
        return _MACHINE.read_text().strip() or socket.gethostname()
    except OSError:
        return socket.gethostname()


def boot_id() -> str:
    """Which start of the machine this is; "" where it does not tell."""
    try:
        return _BOOT.read_text().strip()
    except OSError:
        return _sysctl("kern.bootsessionuuid")


def _sysctl(name: str) -> str:
    """What Darwin says of itself; "" elsewhere."""
    import subprocess  # late: where there is /proc nobody needs it

    try:
        asked = subprocess.run(("sysctl", "-n", name), capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return asked.stdout.strip() if asked.returncode == 0 else ""


def take_card(path: Path) -> int | None:
    """Open and lock a card for the life of this process; None if its keeper lives."""
    for _ in range(TRIES):
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if _lock(fd) and _is_there(fd, path):
            return fd
        os.close(fd)
        time.sleep(TRY_S)  # somebody who only looks (`alive`) holds it for a moment
    return None


def _lock(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_there(fd: int, path: Path) -> bool:
    """Whether an open card is still the one in the folder: a keeper that ends may have taken it away."""
    try:
        return os.path.samestat(os.fstat(fd), path.stat())
    except OSError:
        return False


def write_card(fd: int, card: Card) -> None:
    """Write a card one holds; in place, as the lock is on the file. Raises `KeeperError`.

    Over a longer one spaces are put, in the same write: who reads it just now never finds a rest of that.
    """
    data = msgspec.json.encode(card)
    try:
        data = data.ljust(os.fstat(fd).st_size)
        whole = os.pwrite(fd, data, 0) == len(data)
    except OSError as error:
        raise _no_room(error.strerror or str(error)) from error
    if not whole:
        raise _no_room(os.strerror(errno.ENOSPC))


def rename_card(fd: int, name: str) -> None:
    """Write another name on a card one holds. Raises `KeeperError`."""
    try:
        card = msgspec.json.decode(os.pread(fd, os.fstat(fd).st_size, 0), type=Card)
    except (OSError, *BAD) as error:
        raise KeeperError(f"The agent's card cannot be read: {error}. Restart the agent.") from error
    if name != card.name:
        write_card(fd, replace(card, name=name, spec=replace(card.spec, name=name), was=card.name))


def rename_dead(path: Path, name: str) -> None:
    """Write another name on the card of an agent whose keeper is gone. Raises `KeeperError`."""
    fd = take_card(path) if path.exists() else None
    if fd is None:
        raise KeeperError("This agent was started again, or removed, just now. Look at it, then try again.")
    try:
        rename_card(fd, name)
    finally:
        os.close(fd)


def _no_room(why: str) -> KeeperError:
    return KeeperError(f"The agent cannot be noted on disk: {why}. Make room there.")


def alive(path: Path) -> bool:
    """Whether a card's keeper lives."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(fd)


def cards(folder: Folder) -> list[Card]:
    """All cards of this machine, oldest agent first; one that cannot be read is left out. Blocking."""
    found = [card for path in folder.keepers.glob("*.json") if (card := read_card(path)) is not None]
    machine = machine_id()
    here = [card for card in found if card.host == machine]
    return sorted(here, key=lambda card: (card.created_at, card.key))


def read_card(path: Path) -> Card | None:
    """A card, or None if it is gone, cannot be read, or is another agent's than its name says."""
    try:
        with open(path, "rb", opener=_at_once) as file:
            card = msgspec.json.decode(file.read(), type=Card)
    except (OSError, *BAD):
        return None
    return card if card.key == path.stem else None


def _at_once(path: str, flags: int) -> int:
    """Open without waiting for anybody: whoever opens a pipe waits for ever."""
    return os.open(path, flags | os.O_NONBLOCK)


def forget(folder: Folder, key: str) -> None:
    """Take an agent's card and socket away; its journal stays."""
    folder.card(key).unlink(missing_ok=True)
    folder.socket(key).unlink(missing_ok=True)


def remains(folder: Folder, card: Card | None, key: str) -> str:
    """Why a keeper that is gone went, in words for its session; cleans its socket away."""
    folder.socket(key).unlink(missing_ok=True)
    if card and card.boot and boot_id() and card.boot != boot_id():
        return "The machine was restarted while this agent ran."
    return "Its keeper was ended from outside, and the agent with it."
