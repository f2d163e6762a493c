"""All other machines of one dashboard: a link and a ground for each, for as long as it runs.

It must not know what agents do there.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import anyio

from core.agent.guard import Guard
from core.hosts import troubles
from core.hosts.host import Host, sockets_of
from core.hosts.link import Link
from core.hosts.there import There
from core.hosts.troubles import Trouble


class Hosts:
    """The machines, by name, in the order of the settings."""

    def __init__(
        self,
        hosts: Sequence[Host],
        state: Path,
        env: Mapping[str, str],
        *,
        pause_s: Callable[[Trouble, int], float] = troubles.pause_s,
    ) -> None:
        """`state` is the state folder of this machine, `env` what ssh gets. Raises `KeeperError`."""
        sockets = sockets_of(state) if hosts else state
        self.heard: Callable[[There], None] = _nothing
        self._pause_s = pause_s
        self.there = {host.name: self._ground(host, sockets, env) for host in hosts}

    async def run(self, guard: Guard) -> None:
        """Keep all connections up until cancelled."""
        with ExitStack() as stack:
            for there in self.there.values():
                stack.callback(there.close)
            async with anyio.create_task_group() as tasks:
                for there in self.there.values():
                    tasks.start_soon(there.link.run, guard)

    def _ground(self, host: Host, sockets: Path, env: Mapping[str, str]) -> There:
        there: There

        def changed() -> None:
            self.heard(there)

        there = There(Link(host, sockets=sockets, env=env, changed=changed, pause_s=self._pause_s))
        return there


async def visit(hosts: Iterable[Host], state: Path, env: Mapping[str, str]) -> dict[str, str]:
    """Reach each once; what is wrong with it as a sentence, "" if nothing is. Raises `KeeperError`."""
    found = Hosts(tuple(hosts), state, env)

    async def look(there: There) -> None:
        while not there.link.up and there.link.trouble is None:
            await there.link.moved.wait()

    async with Guard() as guard, anyio.create_task_group() as tasks:
        tasks.start_soon(found.run, guard)
        async with anyio.create_task_group() as looking:
            for there in found.there.values():
                looking.start_soon(look, there)
        wrong = {name: "" if there.link.up else there.link.sentence for name, there in found.there.items()}
        tasks.cancel_scope.cancel()
    return wrong


def _nothing(there: There) -> None:
    """Nobody looks yet."""
