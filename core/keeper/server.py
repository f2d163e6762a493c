"""Where a keeper listens: a unix socket for its own user, many clients at once.

It must not know what clients say; a keeper's desk does.
"""

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from core.keeper.connection import UNSENT_BYTES, Connection
from core.keeper.desk import Desk
from core.keeper.listening import BACKLOG
from core.keeper.messages import Turned, write


@asynccontextmanager
async def serving(
    desk: Desk, listener: socket.socket, *, uid: int | None = None, unsent_bytes: int = UNSENT_BYTES
) -> AsyncIterator[None]:
    """Serve clients of the user `uid` (by default our own) until left."""
    allowed = os.getuid() if uid is None else uid

    def made(client: Connection) -> None:
        if client.peer_uid not in (None, allowed):
            client.send(write(Turned("This agent belongs to another user.")))
            client.close()

    def connection() -> Connection:
        return Connection(desk.hear, desk.lose, made, unsent_bytes=unsent_bytes)

    loop = asyncio.get_running_loop()
    server = await loop.create_unix_server(connection, sock=listener, backlog=BACKLOG)
    try:
        yield
    finally:
        server.close()
