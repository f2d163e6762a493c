"""A past session, opened at its end (or at a hit) and read on from there in both directions.

A file of any size opens at once: only a stretch of it is read, in a worker thread, and put in front of or
behind what is there. What subagents did is read from their own files. Claude Code owns all these files:
nothing is ever written. This module must not know what a line means (`core.sources.transcript`), nor who
looks at the session.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

import anyio.to_thread

from core.history.agents import AgentFile, agents_of
from core.history.lines import Line
from core.history.stretch import (
    FIRST_PART,
    PAST,
    Place,
    Stretch,
    close,
    decode,
    end,
    fold,
    read_after,
    read_agent,
    read_before,
    read_places,
)
from core.history.tail import mark_before, whole_size
from core.session.entries import PromptEntry
from core.session.events import Event
from core.session.session import Session
from core.session.state import Can, Kind, SessionState
from core.sources.branches import branch_text
from core.sources.transcript import TranscriptSource


class PastSession:
    """A session on disk; `session` holds what was read of it so far.

    `start` and `end` are the part of the file that was read, in bytes; `size` is how far the file went
    when it was opened. Make one with `open_session`. Its loads must not overlap: await one, then the next.
    """

    def __init__(self, path: Path, stretch: Stretch, end: int, size: int, mark: bytes = b"") -> None:
        """Hold a first stretch; `mark` is what stands before byte `size`."""
        self.path = path
        self.mark = mark
        self.session = stretch.session
        self.start, self.end, self.size = stretch.start, end, size
        self._back = stretch
        self._places = stretch.places
        self._links = dict(stretch.source.dialogue.subagents.links)
        self._branches = stretch.source.dialogue.branches
        self._agents_read: set[str] = set()

    @property
    def at_start(self) -> bool:
        """Whether nothing older is left."""
        return self.start <= 0

    @property
    def at_end(self) -> bool:
        """Whether nothing newer is left, as far as the file went when it was opened."""
        return self.end >= self.size

    @property
    def share(self) -> float:
        """How much of the file was read, 0.0 to 1.0."""
        return (self.end - self.start) / max(1, self.size)

    @property
    def links(self) -> Mapping[str, str]:
        """Which call started each agent that was named so far, by the agent's id."""
        return self._links

    @property
    def places(self) -> Mapping[int, Sequence[Place]]:
        """Where the records of each entry stand, by the entry's id."""
        return self._places

    async def load_older(self) -> bool:
        """Put one more stretch in front; False if there was none. Raises `OSError`."""
        if self.at_start:
            return False
        stretch = await anyio.to_thread.run_sync(self._read_older)
        self._join(stretch)
        self.start = stretch.start
        self._mark_branches(stretch)
        return True

    async def load_newer(self) -> bool:
        """Put one more stretch behind; False if there was none. Raises `OSError`."""
        if self.at_end:
            return False
        read = partial(read_after, self.path, self.end, self.size)
        self.feed(*await anyio.to_thread.run_sync(read))
        if self.at_end and self.session.state.kind == "past":
            close(self._back)
        return True

    async def load_agents(self) -> int:
        """Read the files of the subagents whose calls were read; how many there were. Raises `OSError`.

        Once the whole session was read, those that no call is known of come in as well.
        """
        count = 0
        while waiting := await self._waiting_agents():
            for agent, thread in waiting:
                self._agents_read.add(agent.id)
                read = partial(read_agent, agent.path, thread, self.session.earlier())
                self._join(await anyio.to_thread.run_sync(read))
                count += 1
        return count

    async def load_all(self) -> None:
        """Read all that is left, subagents too. Raises `OSError`."""
        while await self.load_older() or await self.load_newer():
            pass
        await self.load_agents()

    def feed(self, found: Sequence[Line], until: int) -> None:
        """Take in lines that follow on what was read last, up to byte `until`."""
        for line in found:
            fold(self._back, decode(line), Place(self.path, line.offset))
        self.end = until
        self.size = max(self.size, until)
        self._links |= self._back.source.dialogue.subagents.links

    def rest(self) -> tuple[Event, ...]:
        """What it means that nobody works on the session now."""
        return self._back.source.rest()

    async def raw(self, entry_id: int) -> tuple[bytes, ...]:
        """The records an entry was made of, as they stand in their files."""
        places = tuple(self._places.get(entry_id, ()))
        return await anyio.to_thread.run_sync(partial(read_places, places))

    def entry_at(self, offset: int, path: Path | None = None) -> int | None:
        """The entry made by the line at `offset`, or by the next line; None if not read.

        The line is the session's own, or in the file `path` of one of its subagents.
        """
        path = path or self.path
        if path == self.path and not self.start <= offset < self.end:
            return None
        # The last entry of a line is what it is about: a prompt's line also ends the turn before.
        here = ((place.offset, -entry_id) for entry_id, place in self._in(path) if place.offset >= offset)
        found = min(here, default=None)
        return -found[1] if found is not None else None

    def _in(self, path: Path) -> Iterator[tuple[int, Place]]:
        for entry_id, places in self._places.items():
            yield from ((entry_id, place) for place in places if place.path == path)

    def _read_older(self) -> Stretch:
        stretch = read_before(self.path, self.start, self.session.earlier(), _source(self.path))
        end(stretch)
        return stretch

    def _join(self, stretch: Stretch) -> None:
        self.session.prepend(stretch.session)
        self._places.update(stretch.places)
        self._links |= stretch.source.dialogue.subagents.links

    def _mark_branches(self, stretch: Stretch) -> None:
        """A prompt may turn out to be a branch only once what it stands beside is read."""
        late = {found.uuid: found.beside for found in self._branches.join(stretch.source.dialogue.branches)}
        if not late:
            return
        conversation = self.session.conversation
        for entry in tuple(conversation.entries()):
            if isinstance(entry, PromptEntry) and entry.prompt_id in late:
                conversation.remark(branch_text(late[entry.prompt_id]), before=entry)

    async def _waiting_agents(self) -> list[tuple[AgentFile, str]]:
        known = await anyio.to_thread.run_sync(partial(agents_of, self.path, tuple(self._links)))
        return [
            (agent, thread)
            for agent in known.values()
            if agent.id not in self._agents_read and (thread := self._thread(agent))
        ]

    def _thread(self, agent: AgentFile) -> str:
        """The thread an agent's lines belong to; "" while its call may still be found."""
        call_id = self._links.get(agent.id) or agent.call_id
        if self.session.conversation.call(call_id) is not None:
            return call_id
        return (call_id or agent.id) if self.at_start and self.at_end else ""


async def open_session(path: Path, key: str, *, at: int | None = None, kind: Kind = "past") -> PastSession:
    """Open a session's own file at its end, or around the line at byte `at`. Raises `OSError`.

    A `mirrored` one still runs: its last line counts once it is whole, and what is open may go on.
    """
    return await anyio.to_thread.run_sync(partial(_open, path, key, at, kind))


async def read_session(path: Path, key: str, tell: Callable[[float], object] = bool) -> Session:
    """A whole past session with its subagents: for export. Raises `OSError`.

    `tell` hears which share of it was read, 0.0 to 1.0, after each stretch.
    """
    past = await open_session(path, key)
    tell(past.share)
    while await past.load_older() or await past.load_newer():
        tell(past.share)
    await past.load_agents()
    return past.session


def _open(path: Path, key: str, at: int | None, kind: Kind) -> PastSession:
    with _file(path) as file:
        size = whole_size(file) if kind == "mirrored" else file.seek(0, 2)
        mark = mark_before(file, size)
    state = SessionState(key, kind, can=PAST if kind == "past" else Can(), session_id=path.stem, started=True)
    until = size if at is None else min(at, size)
    stretch = read_before(path, until, Session(state), _source(path), FIRST_PART)
    past = PastSession(path, stretch, until, size, mark)
    if not past.at_end:
        past.feed(*read_after(path, past.end, size))
    if past.at_end and kind == "past":
        close(stretch)
    return past


def _file(path: Path) -> BinaryIO:
    """Open a regular file; OSError for anything else: whoever opens a pipe waits for ever."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "It is not a file", str(path))
    return os.fdopen(fd, "rb")


def _source(path: Path) -> TranscriptSource:
    return TranscriptSource(filed=frozenset(agents_of(path)))
