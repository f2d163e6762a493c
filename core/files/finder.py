"""Finding files for whoever types: each directory is listed once, then again when the list has grown old.

The looking is done in threads. It must not know where paths are shown.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

import anyio
import anyio.to_thread

from core.files.index import Index
from core.files.listing import folders_of, list_files, list_folder

FRESH_S, FRESH_TIMES = 5.0, 30.0
"""For so many seconds a list is taken as it is, and for so many times as long as it took to make."""

KEPT = 4
"""So many directories are kept listed: some 20 MB for each hundred thousand files."""

OUTSIDE = ("/", "~/", "./", "../")
"""What a path outside the directory begins with."""


class _Listed:
    def __init__(self) -> None:
        self.lock = anyio.Lock()
        self.index: Index | None = None
        self.at = 0.0
        self.took_s = 0.0


class Finder:
    """The files of some directories."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Nothing is listed yet; `clock` tells seconds."""
        self._clock = clock
        self._listed: OrderedDict[str, _Listed] = OrderedDict()

    async def find(self, directory: str, query: str, limit: int) -> Sequence[str]:
        """The paths meant by some letters, the likeliest first; folders end with `/`.

        From the list there is, however old; the first time it is made, which takes a moment.
        """
        if query.startswith(OUTSIDE) or query == "~":
            found = await anyio.to_thread.run_sync(list_folder, directory, query, abandon_on_cancel=True)
            return found[:limit]
        listed = self._of(directory)
        if listed.index is None:
            await self.refresh(directory)
        assert listed.index is not None
        return await anyio.to_thread.run_sync(listed.index.find, query, limit, abandon_on_cancel=True)

    def is_old(self, directory: str) -> bool:
        """Whether files may have come or gone since the directory was listed."""
        listed = self._of(directory)
        return self._clock() - listed.at > max(FRESH_S, FRESH_TIMES * listed.took_s)

    async def refresh(self, directory: str) -> None:
        """List it again, unless somebody else just did."""
        listed = self._of(directory)
        async with listed.lock:
            if listed.index is None or self.is_old(directory):
                began = self._clock()
                listed.index = await anyio.to_thread.run_sync(_index, directory, abandon_on_cancel=True)
                listed.at = self._clock()
                listed.took_s = listed.at - began

    def _of(self, directory: str) -> _Listed:
        listed = self._listed.setdefault(directory, _Listed())
        self._listed.move_to_end(directory)
        if len(self._listed) > KEPT:
            self._listed.popitem(last=False)
        return listed


def _index(directory: str) -> Index:
    files = list_files(directory)
    return Index([*files, *folders_of(files)])
