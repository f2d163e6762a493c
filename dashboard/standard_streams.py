"""Input, output and errors of the command line, whatever they were made of by who started it.

Closed ones become ones that lead nowhere: else the next file that is opened would be taken for one of them.
It must not know a command.
"""

import errno
import io
import os
import sys
from typing import TextIO

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What is wrong where the output cannot be written."""


def make_sound() -> None:
    """Open what is closed, and have what a terminal's encoding lacks shown as `?` instead of raising."""
    while (fd := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass  # the lowest numbers are taken first: those of what is closed
    os.close(fd)
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115 — they last as long as the process
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() not in ("utf-8", "utf8"):
            stream.reconfigure(errors="replace")


def abandon_output() -> None:
    """Nobody takes what was written: what is left of it goes nowhere, and no complaint follows at the end."""
    _abandon(sys.stdout)


def finish_errors() -> None:
    """Write what is left of the errors, or let go of it: the terminal may be gone, which is no error."""
    try:
        sys.stderr.flush()
    except OSError:
        _abandon(sys.stderr)


def _abandon(stream: TextIO) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
