"""One connection that speaks in lines, either end of it; nothing here ever waits for the other end.

asyncio's own transport and not anyio's streams: a write that never blocks and a look at how much of it is
still unsent are exactly what "a stuck client is dropped" needs, without a task for each. It must not know
what a line means.
"""

import asyncio
from collections.abc import Callable
from typing import cast

from core.keeper.peer import peer_uid
from core.wire.framing import LineSplitter, Oversized

UNSENT_BYTES = 8 * 2**20
"""How far behind the other end may be before it is dropped."""


class Connection(asyncio.Protocol):
    """Lines in by `heard`, lines out by `send`; `lost` is called once at its end."""

    def __init__(
        self,
        heard: Callable[["Connection", bytes], None],
        lost: Callable[["Connection"], None],
        made: Callable[["Connection"], None] | None = None,
        *,
        unsent_bytes: int = UNSENT_BYTES,
    ) -> None:
        """None of the three may raise."""
        self._heard = heard
        self._lost = lost
        self._made = made
        self._limit = unsent_bytes
        self._lines = LineSplitter()
        self._transport: asyncio.Transport | None = None

    @property
    def open(self) -> bool:
        """Whether something sent now can arrive."""
        return self._transport is not None and not self._transport.is_closing()

    def send(self, line: bytes) -> bool:
        """Send a line; False, and the end, if the other side is too far behind or gone."""
        if self._transport is None or self._transport.is_closing():
            return False
        if self._transport.get_write_buffer_size() > self._limit:  # before: one line may be of any size
            self._transport.abort()
            return False
        self._transport.write(line)
        return True

    def close(self) -> None:
        """End it once all is sent."""
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Of asyncio: it is there."""
        self._transport = cast("asyncio.Transport", transport)
        if self._made is not None:
            self._made(self)

    def data_received(self, data: bytes) -> None:
        """Of asyncio: something came."""
        for line in self._lines.feed(data):
            if isinstance(line, Oversized):
                self.close()
            if not self.open:
                return
            assert isinstance(line, bytes)
            self._heard(self, line)

    def connection_lost(self, exc: Exception | None) -> None:
        """Of asyncio: it is gone."""
        self._lost(self)

    @property
    def peer_uid(self) -> int | None:
        """Whose process the other end is; None where the system does not tell."""
        return peer_uid(self._transport.get_extra_info("socket")) if self._transport is not None else None
