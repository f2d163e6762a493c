"""Another machine, and the ssh command line that reaches its Quarterdeck.

Everything on the way is OpenSSH's: who one is, which key the machine must have, one connection for all
(`ControlMaster`). Nothing here may ever ask a question on the terminal. It must not know what is said.
"""

import hashlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from core.errors import KeeperError
from core.keeper.folder import check_private

COMMAND = "quarterdeck"

LONGEST_SOCKET = 84
"""Of the master's socket, in bytes; while it is made, ssh appends 17 to its name (limit 104 on macOS)."""

OPTIONS = (
    *("-o", "ConnectTimeout=10"),
    *("-o", "ServerAliveInterval=5"),
    *("-o", "ServerAliveCountMax=3"),
    *("-o", "ControlMaster=auto"),
)
"""ssh takes the first value it is given: the person's own options stand before these."""

ENDS = ("-o", "ControlPersist=no")
"""A deck's connection is shared for as long as it runs, and leaves nothing behind."""

STAYS = ("-o", "ControlPersist=10m")
"""A command's stays for the next one, or for a deck that may not ask for what the person has just typed."""

QUIET = ("-T", "-o", "BatchMode=yes")
"""No terminal there, no question here."""


class Host(Struct, frozen=True, kw_only=True):
    """A machine by the person's name for it.

    `destination` is what `ssh` is given; `command` starts Quarterdeck there, a piece of shell; `options` are
    further arguments for ssh.
    """

    name: str
    destination: str
    command: str = COMMAND
    options: tuple[str, ...] = ()


def bridge_argv(host: Host, sockets: Path) -> tuple[str, ...]:
    """The command line that talks to all keepers there, without ever asking anything."""
    return (*_ssh(host, sockets), *ENDS, *QUIET, "--", host.destination, f"{host.command} keeper serve")


def command_argv(host: Host, sockets: Path, words: str, *, may_ask: bool) -> tuple[str, ...]:
    """The command line that runs one command of Quarterdeck's there; `words` is shell, quoted by the caller.

    `may_ask`: a person sits before a terminal and can be asked for a password or a second factor.
    """
    quiet = ("-T",) if may_ask else QUIET
    return (*_ssh(host, sockets), *STAYS, *quiet, "--", host.destination, f"{host.command} {words}")


def sockets_of(state: Path) -> Path:
    """The folder of ssh's own sockets, made 0700, below `state` unless that path is too long for one.

    Raises `KeeperError` if it cannot be made, or belongs to somebody else.
    """
    folder = state / "ssh"
    if len(os.fsencode(folder)) > LONGEST_SOCKET - 41:  # a slash and the forty letters of %C
        short = hashlib.blake2s(os.fsencode(folder)).hexdigest()[:8]
        folder = Path(tempfile.gettempdir()) / f"quarterdeck-{os.getuid()}-{short}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise KeeperError(f"{folder} cannot be made: {error.strerror}.") from error
    check_private(folder)
    return folder


def find(hosts: Mapping[str, Host], name: str) -> Host:
    """The host of that name. Raises `KeeperError` with the names there are."""
    if name in hosts:
        return hosts[name]
    known = ", ".join(hosts) or "none is set"
    raise KeeperError(f"There is no host `{name}` in the settings ({known}). Add a table [hosts.{name}].")


def _ssh(host: Host, sockets: Path) -> Sequence[str]:
    return ("ssh", *host.options, "-o", f"ControlPath={sockets}/%C", *OPTIONS)
