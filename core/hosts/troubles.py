"""Why another machine cannot be reached: what ssh says, in words that say what to do next.

Source: OpenSSH 9.2's own messages and exit codes (255 is ssh's own, 127 the shell's "no such command", 126
"cannot be run"). Pure. It must not know a process.
"""

import re
from collections.abc import Callable

from msgspec import Struct

from core.hosts.host import Host
from core.plain import one_line, plain

PAUSES_S = (1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 60.0)
"""Between two tries; the last one again and again."""

STUBBORN_S = 300.0
"""Where only the person can mend it: a server must not take us for somebody who guesses passwords."""


class Trouble(Struct, frozen=True):
    """Why there is no connection; `stubborn`: trying again does not help before the person did something."""

    text: str
    stubborn: bool = False


def pause_s(trouble: Trouble, tries: int) -> float:
    """How long to wait before the next try, after so many that failed."""
    return STUBBORN_S if trouble.stubborn else PAUSES_S[min(tries, len(PAUSES_S) - 1)]


def trouble_of(host: Host, code: int | None, stderr: str, *, greeted: bool) -> Trouble:
    """What went wrong when ssh has ended; `greeted`: Quarterdeck had spoken before."""
    for found, say in _SIGNS:
        if found in stderr:
            return Trouble(say(host), stubborn=True)
    last = _reason(stderr)
    if code in (126, 127) and not greeted:
        return Trouble(_not_there(host), stubborn=True)
    if greeted:
        return Trouble(f"the connection to {host.name} was lost{f' ({last})' if last else ''}")
    if code == 255 or code is None:
        return Trouble(f"{host.name} cannot be reached: {last or 'ssh gave no reason'}")
    return Trouble(f"Quarterdeck on {host.name} ended with code {code}{f': {last}' if last else ''}")


def silent(host: Host, noise: str) -> Trouble:
    """Something was started there, but nothing greeted in time."""
    heard = f", but: {one_line(noise, 80)}" if noise else ""
    return Trouble(f"{host.name} was reached, but Quarterdeck there said nothing{heard}")


def other_release(host: Host, theirs: str) -> Trouble:
    """The two sides do not understand each other."""
    release = one_line(theirs, 40) or "of another release"
    return Trouble(f"{host.name} has Quarterdeck {release}: install the same on both", True)


def no_ssh() -> Trouble:
    """There is no ssh on this machine."""
    return Trouble("there is no `ssh` on this machine: install OpenSSH", True)


def sentence(trouble: Trouble, host: Host) -> str:
    """A trouble as a sentence; a machine's name stays as it is written."""
    text = trouble.text
    return f"{text if text.startswith(host.name) else text[0].upper() + text[1:]}."


def _reason(stderr: str) -> str:
    """The last thing ssh says, without what everybody knows."""
    lines = [line.strip() for line in plain(stderr).splitlines() if line.strip()]
    last = _KNOWN.sub("", lines[-1].rstrip(".")) if lines else ""
    return "" if "closed by remote host" in last or last.startswith("Connection closed") else last


_KNOWN = re.compile(r"^ssh: (connect to host \S+ port \d+: )?")


def _changed_key(host: Host) -> str:
    return f"{host.name} shows another host key than before: find out why, with `ssh {host.destination}`"


def _unknown_key(host: Host) -> str:
    return f"the host key of {host.name} is not known yet: `ssh {host.destination}` once, and accept it"


def _no_login(host: Host) -> str:
    return (
        f"{host.name} refuses the login: it must work without a question; try `ssh {host.destination}`, "
        f"or log in once with `quarterdeck ls --host {host.name}`"
    )


def _not_there(host: Host) -> str:
    return (
        f"there is no `{host.command}` on {host.name}: install it there, or set `command` in "
        f'[hosts.{host.name}] to its path (like "~/.local/bin/quarterdeck")'
    )


_SIGNS: tuple[tuple[str, Callable[[Host], str]], ...] = (
    ("REMOTE HOST IDENTIFICATION HAS CHANGED", _changed_key),
    ("Host key verification failed", _unknown_key),
    ("Permission denied (", _no_login),
    ("Too many authentication failures", _no_login),
)
"""What stands in ssh's stderr, in this order."""
