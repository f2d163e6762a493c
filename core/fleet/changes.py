"""Which sessions changed since somebody last looked: a conflating set, never a queue.

A session that changed a thousand times between two looks is there once. It must not know what changed
nor who looks.
"""

import anyio


class Changes:
    """Keys marked as changed. One reader waits and takes; any number of writers mark, on the event loop only.

    Whoever only looks on, and must take nothing from the reader, uses `pass_by`.
    """

    def __init__(self) -> None:
        """Nothing has changed yet."""
        self._keys: dict[str, None] = {}
        self._marked = anyio.Event()
        self._onlookers: list[anyio.Event] = []

    def mark(self, key: str) -> None:
        """Session `key` changed; a key that no longer exists is legal and means that it went."""
        self._keys[key] = None
        self._marked.set()
        if self._onlookers:
            for onlooker in self._onlookers:
                onlooker.set()
            self._onlookers.clear()

    def take(self) -> frozenset[str]:
        """All keys marked since the last call, which are forgotten with it."""
        taken = frozenset(self._keys)
        self._keys.clear()
        self._marked = anyio.Event()
        return taken

    async def wait(self) -> None:
        """Return once anything is marked; at once if something already is."""
        while not self._keys:
            await self._marked.wait()

    async def pass_by(self) -> None:
        """Return at the next mark, whoever takes it."""
        onlooker = anyio.Event()
        self._onlookers.append(onlooker)
        await onlooker.wait()
