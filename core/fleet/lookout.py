"""What the CLI leaves on disk about the sessions in our own panes: who runs, and what was written.

One watch over each folder serves all of them. Nothing is ever written. It must not know a pane.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import anyio
import anyio.to_thread

from core.history.elsewhere import transcript_of
from core.history.locate import project_name
from core.history.running import SESSIONS, Running, running
from core.history.usage import Spent
from core.history.watch import Watch

POLL_S = 1.0
"""How long a change may go unseen where a folder does not exist yet, so that it cannot be watched."""

Price = Callable[[Iterable[Spent]], float]
"""An estimate of what usage cost, in US dollars."""


class Lookout:
    """Watches Claude Code's folder `config`. `run` it in a task group."""

    def __init__(self, config: Path, price: Price | None = None) -> None:
        """Watch nothing yet; without a `price` no cost is estimated."""
        self.config = config
        self.price = price
        self.projects = Watch(config / "projects", poll_s=POLL_S)
        self._sessions = Watch(config / SESSIONS, poll_s=POLL_S)

    async def run(self) -> None:
        """Watch for ever."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.projects.run)
            tasks.start_soon(self._sessions.run)

    def expected(self, session_id: str, directory: str) -> Path:
        """Where the transcript of a session that began in `directory` is, or will be."""
        return self.config / "projects" / project_name(Path(directory)) / f"{session_id}.jsonl"

    async def follow(
        self, is_wanted: Callable[[Running], bool], tell: Callable[[Running, Path | None], None]
    ) -> None:
        """Tell of one running session and its transcript, if it has one by now; again after each change."""
        while True:
            signal = self._sessions.signal(self._sessions.folder)
            found = await anyio.to_thread.run_sync(self._look, is_wanted)
            if found is not None:
                tell(*found)
            await self._sessions.wait(signal)

    def _look(self, is_wanted: Callable[[Running], bool]) -> tuple[Running, Path | None] | None:
        one = next((one for one in running(self.config) if is_wanted(one)), None)
        return (one, transcript_of(self.config, one)) if one is not None else None
