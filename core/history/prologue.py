"""What was said before a session was gone on with: the CLI does not tell it again, its transcript does.

It is put in front of the conversation that is driven now, a stretch at a time. Nothing is ever written.
This module must not know who drives the session.
"""

from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
from msgspec.structs import replace

from core.history.stretch import Stretch, apply, read_before
from core.session.session import Session
from core.sources.transcript import TranscriptSource


class Prologue:
    """The part of a transcript before byte `start`, which is not in front of the session yet."""

    def __init__(self, path: Path, session: Session, end: int) -> None:
        """`end` is how far the file went, in bytes, before anybody went on with it."""
        self.path = path
        self.session = session
        self.start = end
        self._conversation = session.conversation
        self._lock = anyio.Lock()

    @property
    def stale(self) -> bool:
        """Whether the session has been read anew since, so that this is not in front of it any more."""
        return self.session.conversation is not self._conversation

    async def load_older(self) -> bool:
        """Put one more stretch in front; False if there was none. Raises `OSError`."""
        async with self._lock:
            if self.start <= 0:
                return False
            stretch = await anyio.to_thread.run_sync(partial(self._read, self.session.earlier()))
            usage = self.session.state.usage
            self.session.prepend(stretch.session)
            # What it cost before is told by the CLI itself, and was not spent here.
            self.session.state = replace(self.session.state, usage=usage)
            self.start = stretch.start
            return True

    def _read(self, earlier: Session) -> Stretch:
        stretch = read_before(self.path, self.start, earlier, TranscriptSource())
        apply(stretch.session, stretch.source.rest())
        apply(stretch.session, stretch.source.close())
        return stretch
