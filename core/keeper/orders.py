"""What a keeper is told at its start, and the place it takes: its card, its lock, its socket.

It must be quick to import, as somebody waits for it. It must not know an agent's host.
"""

import socket
from pathlib import Path

import msgspec
from msgspec import Struct

from core.agent.launch import LaunchSpec
from core.errors import KeeperError
from core.keeper.folder import Folder, new_card, take_card, write_card
from core.keeper.listening import listen
from core.session.state import SessionState

PART_BYTES = 64 * 2**20
"""How long one file of a journal may become."""

UNATTENDED_S = 72 * 3600.0
"""For so long an agent that does nothing, and that nobody looks at, is kept."""


class Orders(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a keeper is started with.

    `root` is the state folder; it and what follows from the settings are filled in where the keeper starts
    (`starting.completed`). `state` is how the session stood when an earlier keeper of the same key ended,
    with the prompts its agent never got. `cli` and `settings` are the setting and the file it stands in.
    `lone_s`: how long an idle agent nobody looks at is kept.
    """

    key: str
    spec: LaunchSpec
    root: str = ""
    command: tuple[str, ...] | None = None
    state: SessionState | None = None
    cli: str = ""
    settings: str = ""
    created_at: float = 0.0
    part_bytes: int = PART_BYTES
    lone_s: float = UNATTENDED_S


class Spot(Struct, frozen=True):
    """What a keeper holds for its life: the locked card and the listening socket."""

    card_fd: int
    listener: socket.socket


def read_orders(data: bytes) -> Orders:
    """The orders. Raises `msgspec.MsgspecError`."""
    return msgspec.json.decode(data, type=Orders)


def take_place(orders: Orders) -> Spot:
    """Lock the card and listen. Raises `KeeperError` if another keeper has this agent, or `OSError`."""
    folder = Folder(Path(orders.root))
    path = folder.make(orders.key)
    card_fd = take_card(folder.card(orders.key))
    if card_fd is None:
        raise KeeperError("This agent runs already: another dashboard has started it. Open it from the list.")
    return Spot(card_fd, listen(path))


def sign(orders: Orders, spot: Spot) -> None:
    """Fill in the card, now that the process is the one that stays. Raises `KeeperError`."""
    card = new_card(orders.key, orders.spec, orders.command, orders.created_at)
    write_card(spot.card_fd, card)
