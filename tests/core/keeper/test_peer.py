"""Whose process is at the other end, also where it is not Linux that tells."""

import os
import socket
import struct

import pytest

from core.keeper.peer import LOCAL_PEERCRED, SO_PEERCRED, SOL_LOCAL, peer_uid


class Darwin:
    """A socket that answers as Darwin's does."""

    def __init__(self, told: bytes) -> None:
        self.told = told

    def getsockopt(self, level: int, option: int, size: int, /) -> bytes:
        if (level, option) != (SOL_LOCAL, LOCAL_PEERCRED):
            raise OSError(42, "Protocol not available")
        return self.told[:size]


@pytest.mark.skipif(SO_PEERCRED is None, reason="Linux")
def test_linux_tells() -> None:
    one, other = socket.socketpair(socket.AF_UNIX)
    with one, other:
        assert peer_uid(one) == os.getuid()


def test_darwin_tells() -> None:
    xucred = struct.pack("IIh2x16I", 0, 501, 1, 20, *[0] * 15)
    assert len(xucred) == 76
    assert peer_uid(Darwin(xucred), None) == 501


def test_who_does_not_tell_is_unknown() -> None:
    assert peer_uid(Darwin(b""), None) is None
    with socket.socket(socket.AF_INET) as other:
        assert peer_uid(other, None) is None
