"""What the CLI leaves on disk about the sessions in our own panes: who runs, and what was written.

One watch serves all of them. Nothing is ever written. It must not know a pane.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread

from core.history.running import SESSIONS, Running, running
from core.history.watch import Watch

if TYPE_CHECKING:
    from core.history.spending import PriceOf, Tell

POLL_S = 1.0
"""How long a change may go unseen where a folder does not exist yet, so that it cannot be watched."""


class Lookout:
    """Watches Claude Code's folder `config`. `run` it in a task group."""

    def __init__(self, config: Path, price: "PriceOf | None" = None, estimated: "Tell | None" = None) -> None:
        """Watch nothing yet; without a `price` no cost is estimated, `estimated` hears of what is."""
        self.config = config
        self.price = price
        self.estimated = estimated
        self.watch = Watch(config, poll_s=POLL_S)

    async def run(self) -> None:
        """Watch for ever."""
        await self.watch.run()

    async def follow(self, is_wanted: Callable[[Running], bool], tell: Callable[[Running], None]) -> None:
        """Tell what one running session says of itself; again after each change."""
        while True:
            signal = self.watch.signal(self.config / SESSIONS)
            found = await anyio.to_thread.run_sync(self._look, is_wanted)
            if found is not None:
                tell(found)
            await self.watch.wait(signal)

    def _look(self, is_wanted: Callable[[Running], bool]) -> Running | None:
        return next((one for one in running(self.config) if is_wanted(one)), None)


def is_written(config: Path, session_id: str) -> bool:
    """Whether a session has a transcript anywhere. Blocks."""
    return any(config.glob(f"projects/*/{session_id}.jsonl"))
