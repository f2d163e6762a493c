"""The socket a keeper listens at. It must not know who serves it."""

import os
import socket
from pathlib import Path

BACKLOG = 1024
"""How many may knock at once; a unix socket refuses who comes when it is full. The system may cap it."""


def listen(path: Path) -> socket.socket:
    """A socket that listens at `path`, 0600; what a dead keeper left there is replaced. Raises `OSError`.

    The caller holds the card's lock, so that whatever is there belongs to nobody alive.
    """
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    mask = os.umask(0o177)
    try:
        listener.bind(str(path))
    finally:
        os.umask(mask)
    listener.listen(BACKLOG)
    listener.setblocking(False)
    return listener
