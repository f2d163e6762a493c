"""Follows the transcript of a process on a terminal, and feeds the committed channel with it.

It must not know what a line means, nor what becomes of it.
"""

from collections.abc import Callable
from pathlib import Path

import anyio.to_thread

from core.history.running import SESSIONS
from core.history.watch import Watch
from core.terminal.channels.committed import Committed
from core.terminal.channels.hub import Channels
from core.terminal.channels.transcripts import Transcripts


async def follow_transcript(
    channels: Channels, transcripts: Transcripts, pid: Callable[[], int], watch: Watch
) -> None:
    """Follow for ever; `transcripts.note()` comes before the process starts, `watch` runs elsewhere.

    What a resumed session's file says first is past: a turn left open in it has ended.
    """
    committed = Committed()
    while True:
        signal = watch.signal(transcripts.folder, _sessions(watch))
        choice = await anyio.to_thread.run_sync(transcripts.choose, pid())
        if choice is not None:
            channels.read(await anyio.to_thread.run_sync(committed.follow, choice))
        found = await anyio.to_thread.run_sync(committed.look)
        if not found.batches and not found.failed:
            await watch.wait(signal)
            continue
        watch.drop(signal)
        channels.recalls = committed.resumed
        channels.read(committed.read(found))
        if committed.resumed:
            committed.resumed = False
            channels.settle(committed.rest())
            channels.recalls = False


def _sessions(watch: Watch) -> Path:
    return watch.folder / SESSIONS
