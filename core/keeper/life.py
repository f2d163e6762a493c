"""A keeper from its start to its end: its event loop, its signals, what it leaves behind.

It must not know what an agent does nor who is attached.
"""

import logging
import os
import signal
import sys
import time
import uuid
from functools import partial
from pathlib import Path

import anyio

from core.agent.find import find_usable_cli
from core.agent.guard import Guard
from core.errors import QuarterdeckError
from core.fleet.agent import Yard
from core.keeper.desk import Desk
from core.keeper.folder import Folder, rename_card
from core.keeper.keeper import Keeper
from core.keeper.orders import Orders, Spot
from core.keeper.server import serving
from core.keeper.wishes import Wishes

log = logging.getLogger(__name__)


def live(orders: Orders, spot: Spot) -> int:
    """Keep the agent; the exit code."""
    logging.basicConfig(level=logging.WARNING, format=f"%(asctime)s {orders.key} %(name)s %(message)s")
    return anyio.run(_live, orders, spot)


async def _live(orders: Orders, spot: Spot) -> int:
    folder = Folder(Path(orders.root))
    async with Guard() as guard:
        try:
            keeper = Keeper(orders, _yard(orders, guard), partial(rename_card, spot.card_fd))
        except QuarterdeckError as error:
            print(error, file=sys.stderr)
            return 1
        async with serving(Desk(keeper), spot.listener), anyio.create_task_group() as tasks:
            tasks.start_soon(_heed_signals, keeper)
            await keeper.run()
            tasks.cancel_scope.cancel()
    folder.socket(orders.key).unlink(missing_ok=True)
    return 0


def _yard(orders: Orders, guard: Guard) -> Yard:
    wishes = Wishes(Path(orders.settings) if orders.settings else None)
    return Yard(
        find_cli=partial(find_usable_cli, orders.cli or None, os.environ),
        env=dict(os.environ),
        clock=time.time,
        new_id=lambda: str(uuid.uuid4()),
        guard=guard,
        policy=wishes.policy,
        terms=wishes.terms,
        notify=wishes.notify,
        hooks=wishes.hooks,
        tools=wishes.tools,
    )


async def _heed_signals(keeper: Keeper) -> None:
    """The machine goes down, or somebody wants it gone: end the agent in order; it is offered again later."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            keeper.over.set()
