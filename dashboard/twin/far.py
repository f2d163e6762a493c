"""A command for an agent on another machine: the same command is run there, through ssh.

Its output, and its exit code but for ssh's own, are those of the command there. Before a terminal ssh may ask
for what it needs; the connection then stays open for a while, and a deck uses it, too. It must not know what
a command does.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence

from core.errors import KeeperError
from core.hosts.host import Host, command_argv, find, sockets_of
from core.hosts.settings import hosts_of
from core.paths import folders
from core.settings import load, settings_file

SSH_FAILED = 255


def split(agent: str, host: str, hosts: Mapping[str, Host]) -> tuple[str, str]:
    """The host ("" is this machine) and the agent that are meant; `NAME:agent` counts if NAME is a host."""
    name, colon, rest = agent.partition(":")
    return (name, rest) if colon and not host and name in hosts else (host, agent)


def known_hosts() -> Mapping[str, Host]:
    """The machines of the person's settings. Raises `SettingsError`."""
    return hosts_of(load(settings_file(os.environ)))


def run_there(hosts: Mapping[str, Host], name: str, words: Sequence[str]) -> int:
    """Run a command of Quarterdeck's there; the exit code. Raises `KeeperError` if it is not reached."""
    host = find(hosts, name)
    may_ask = sys.stdin.isatty() and sys.stderr.isatty()
    argv = command_argv(host, sockets_of(folders(os.environ).state), shlex.join(words), may_ask=may_ask)
    try:
        code = subprocess.run(argv, stdin=subprocess.DEVNULL, check=False).returncode
    except FileNotFoundError as error:
        raise KeeperError("There is no `ssh` on this machine. Install OpenSSH.") from error
    if code == SSH_FAILED:
        raise KeeperError(f"{name} could not be reached. Try `ssh {host.destination}`.")
    if code in (126, 127):
        raise KeeperError(f"There is no `{host.command}` on {name}. Set `command` in [hosts.{name}].")
    return code
