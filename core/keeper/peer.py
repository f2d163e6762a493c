"""Whose process the other end of a unix socket is, as the kernel tells it. It must not know what is refused.

Source: unix(7) for Linux; `sys/un.h` and `sys/ucred.h` of Darwin and the BSDs, where `LOCAL_PEERCRED` gives
an `xucred`: a version, the user's id, and groups.
"""

import socket
import struct
from collections.abc import Callable
from typing import Protocol

SO_PEERCRED = getattr(socket, "SO_PEERCRED", None)
SOL_LOCAL, LOCAL_PEERCRED = 0, 1
XUCRED_BYTES = 76


class Asked(Protocol):
    """What is asked of a socket."""

    def getsockopt(self, level: int, option: int, size: int, /) -> bytes:
        """As of `socket.socket`."""


def peer_uid(connected: Asked, peercred: int | None = SO_PEERCRED) -> int | None:
    """The user's id; None where the system does not tell. `peercred` is Linux's option, if there is one."""
    ask: Callable[[], int] = (
        (lambda: _linux(connected, peercred)) if peercred is not None else lambda: _bsd(connected)
    )
    try:
        return ask()
    except (OSError, struct.error):
        return None


def _linux(connected: Asked, peercred: int) -> int:
    _, uid, _ = struct.unpack("3i", connected.getsockopt(socket.SOL_SOCKET, peercred, struct.calcsize("3i")))
    return int(uid)


def _bsd(connected: Asked) -> int:
    _, uid = struct.unpack_from("2I", connected.getsockopt(SOL_LOCAL, LOCAL_PEERCRED, XUCRED_BYTES))
    return int(uid)
