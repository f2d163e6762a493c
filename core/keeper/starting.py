"""Starting a keeper as a process of its own, and what all keepers of a fleet are started with.

It must not know who attaches to it.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

import anyio
import msgspec
from msgspec import Struct
from msgspec.structs import replace

import core
from core.errors import KeeperError
from core.keeper.folder import Folder
from core.keeper.orders import PART_BYTES, UNATTENDED_S, Orders

START_S = 20.0

COMMAND = (sys.executable, "-m", "core.keeper")
"""Run where the package is, so that it is found however it was installed."""

HOME = Path(core.__file__).parents[1]


class Keepers(Struct, frozen=True, kw_only=True):
    """What all keepers of one dashboard share; `root` is the state folder, most as in `Orders`.

    `journals_s`: for so long the journal of an ended agent is kept.
    """

    root: Path
    cli: str = ""
    settings: str = ""
    part_bytes: int = PART_BYTES
    lone_s: float = UNATTENDED_S
    journals_s: float = 30 * 86400.0

    @property
    def folder(self) -> Folder:
        """Where they live."""
        return Folder(self.root)


def completed(orders: Orders, keepers: Keepers) -> Orders:
    """The orders of one agent with what all of them share."""
    return replace(
        orders,
        root=str(keepers.root),
        cli=keepers.cli,
        settings=keepers.settings,
        part_bytes=keepers.part_bytes,
        lone_s=keepers.lone_s,
    )


async def start_keeper(orders: Orders, env: Mapping[str, str]) -> None:
    """Start a keeper; it listens when this returns. Raises `KeeperError` with the reason."""
    try:
        with anyio.fail_after(START_S):
            done = await anyio.run_process(
                COMMAND,
                input=msgspec.json.encode(orders),
                env=dict(env),
                cwd=HOME,
                check=False,
                start_new_session=True,
            )
    except TimeoutError:
        raise KeeperError(f"The keeper did not start within {START_S:g} s. Try again.") from None
    except OSError as error:
        raise KeeperError(f"The keeper cannot be started: {error.strerror}.") from error
    if done.returncode != 0:
        why = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["it gave no reason"]
        raise KeeperError(f"The keeper did not start: {why[-1]}")
