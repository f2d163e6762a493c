"""What the person's agents are kept with, here and on the machines of the settings; no screen is needed."""

import os
from typing import TYPE_CHECKING

from core.paths import folders
from core.settings import Settings, settings_file

if TYPE_CHECKING:
    from core.hosts.hosts import Hosts
    from core.keeper.starting import Keepers


def own_keepers(settings: Settings) -> "Keepers":
    """What all keepers of this machine share."""
    # Late, as in `own_hosts`: the first frame does not wait for the core to be loaded.
    from core.keeper.starting import Keepers

    kept = settings.keeper
    return Keepers(
        root=folders(os.environ).state,
        cli=settings.cli,
        settings=str(settings_file(os.environ)),
        part_bytes=kept.journal_part_mb * 2**20,
        lone_s=kept.idle_hours * 3600,
        journals_s=kept.journal_days * 86400,
    )


def own_hosts(settings: Settings) -> "Hosts | None":
    """The other machines; None without any. Raises `KeeperError`."""
    if not settings.hosts:
        return None
    from core.hosts.hosts import Hosts
    from core.hosts.settings import hosts_of

    return Hosts(tuple(hosts_of(settings).values()), folders(os.environ).state, os.environ)


def serve() -> int:
    """Put the keepers of this machine on stdin and stdout, for a dashboard on another one; the exit code."""
    import anyio

    from core.hosts.bridge import serve as bridge
    from core.settings import load
    from dashboard.cli import own_version

    keepers = own_keepers(load(settings_file(os.environ)))
    anyio.run(bridge, keepers, os.environ, own_version())
    return 0
