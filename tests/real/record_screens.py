"""Records screens of the real CLI for the tests of the parsers: `python -m tests.real.record_screens [SCENE …]`.

Each scene is played in a world of its own at three sizes; what is kept goes to `tests/data/screens/`, one file a
scene and size, by name. Looking at the differences is part of recording anew: a release may have moved things.
"""

import asyncio
import logging
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from core.session.screen import Screen
from core.terminal.pty import Size
from tests.fakes.screens import FOLDER, encoded
from tests.real.aged import ENVS, RESTS_S, Form, age_session, prepare
from tests.real.interactive import CLEAR, DOWN, RIGHT, SHIFT_TAB, UP, Seat, seated, serve
from tests.real.real_cli import real_cli

SIZES = (Size(80, 24), Size(120, 40), Size(40, 24))
MANUAL = ("--permission-mode", "manual")
SPAN_S = 0.5
"""How long a spinner may turn before it is looked at, and a dialog stand before a key is pressed."""


class Recorder:
    """Keeps screens by name."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.kept: dict[str, Screen] = {}

    def keep(self, name: str, screen: Screen) -> None:
        """Under that name."""
        self.kept[name] = screen

    async def press(self, keys: str, name: str) -> None:
        """Press keys, and keep what comes of it."""
        self.keep(name, await self.seat.press(keys))

    async def see(self, words: str, name: str) -> None:
        """Wait for words, and keep the screen with them once it is still."""
        await self.seat.until(words)
        self.keep(name, await self.seat.still())


async def trust(record: Recorder) -> None:
    await record.see("Security guide", "no-marked")
    await record.press(DOWN, "yes-marked")


async def bypass(record: Recorder) -> None:
    await record.see("Yes, I accept", "no-marked")
    await record.press(DOWN, "yes-marked")
    await record.press("\r", "ready")


async def composer(record: Recorder) -> None:
    seat = record.seat
    record.keep("empty", await seat.ready())
    await record.press("hello there", "drafted")
    lines = "\n".join(f"line {number}" for number in range(30))
    await record.press(f"\x1b[200~{lines}\x1b[201~", "pasted")
    await seat.press(CLEAR)
    await record.press("\x1b[200~first line\nsecond line\x1b[201~", "two-lines")
    await record.press(CLEAR, "cleared")
    for name in ("accept-edits", "plan-mode", "auto-mode"):
        await record.press(SHIFT_TAB, name)
    await record.press("!", "shell")
    await seat.press("\x7f")
    await record.press("?", "shortcuts")


async def picker(record: Recorder) -> None:
    seat = record.seat
    await seat.ready()
    await record.press("/", "first")
    await record.press(DOWN, "second")
    await record.press("mo", "filtered")
    await record.press(DOWN, "filtered-second")
    await seat.press(CLEAR)
    await seat.prompt("/model")
    await record.see("Select model", "model")
    await record.press(DOWN, "model-second")


async def work(record: Recorder) -> None:
    seat = record.seat
    await seat.ready()
    await seat.prompt("do:slow 60")
    record.keep("text", await seat.until("word3"))
    record.keep("text-longer", await seat.until("word40"))
    await record.see("word59", "last-word")
    record.keep("finished", await seat.until(lambda screen: " for " in screen.text))
    await seat.prompt("do:hold")
    record.keep("held", await seat.until("second"))
    seat.type("queued words")
    record.keep("drafted", await seat.until("queued words"))
    await anyio.sleep(SPAN_S)
    seat.type("\r")
    record.keep("queued", await seat.until("Queued"))
    seat.type("\x1b")
    await record.see("Interrupted", "interrupted")
    await seat.press(CLEAR)
    await seat.prompt("do:say Do you want to proceed? ❯ 1. Yes 2. No esc to interrupt")
    await record.see("● Do you want to proceed?", "quoted")
    await seat.prompt("do:fail 529")
    await record.see("API Error", "api-error")


async def permission(record: Recorder) -> None:
    seat = record.seat
    await seat.ready()
    await seat.prompt("do:bash touch made.txt")
    await record.see("Do you want to proceed?", "bash")
    await record.press(DOWN, "second-marked")
    await record.press(UP + UP, "no-marked")
    await record.press("\t", "no-amended")
    await record.press("use another name", "no-with-words")
    await seat.press("\r")
    await record.see("Not run", "denied")
    await seat.prompt("do:bash touch b.txt && sleep 9")
    await seat.until("Tab to amend")
    await anyio.sleep(SPAN_S)  # a dialog takes no key at once
    seat.type("1")
    record.keep("tool-running", await seat.until(lambda screen: "proceed?" not in screen.text))
    await seat.press("\x1b")
    await seat.prompt("do:edit a.txt alpha gamma")
    await record.see("make this edit", "edit")
    await seat.press("\x1b")
    await seat.prompt("do:write new.txt")
    await record.see("Do you want to create", "write")


async def question(record: Recorder) -> None:
    seat = record.seat
    await seat.ready()
    await seat.prompt("do:ask 1")
    await record.see("Chat about this", "single")
    await record.press(DOWN, "single-second")
    await record.press(DOWN, "single-other")
    await record.press("my own", "single-typed")
    seat.type("\r")
    await record.see("The result was", "single-answered")
    await seat.prompt("do:ask 2")
    await record.see("Chat about this", "multiple")
    await record.press("\r", "multiple-ticked")
    await record.press(DOWN * 3 + "own words", "multiple-typed")
    await record.press(DOWN, "multiple-submit")
    await record.press("\r", "review")
    await seat.press("\r")
    await seat.prompt("do:ask")
    await record.see("Chat about this", "first-of-two")
    await record.press("\r", "second-of-two")
    await record.press(RIGHT, "review-half")


async def preview(record: Recorder) -> None:
    seat = record.seat
    await seat.ready()
    await seat.prompt("do:ask 3")
    await record.see("Chat about this", "first")
    await record.press(DOWN, "second")
    await record.press(DOWN, "chat")


async def subagent(record: Recorder) -> None:
    seat = record.seat
    await seat.ready()
    await seat.prompt("do:agent do:bash touch made.txt")
    await record.see("Do you want to proceed?", "bash")


async def plan(record: Recorder) -> None:
    seat = record.seat
    await seat.ready()
    await seat.prompt("do:draft # Plan\\n\\n1. Read the code\\n2. Fix it")
    await record.see("Tell Claude what to change", "asked")
    await record.press(DOWN + DOWN, "last-marked")
    await record.press("not so", "with-words")


async def compaction(record: Recorder) -> None:
    seat = record.seat
    await seat.ready()
    await seat.prompt("do:say one")
    await seat.until(lambda screen: " for " in screen.text)
    await seat.prompt("/compact do:hold")
    record.keep("running", await seat.until("Compacting conversation"))
    await record.press("\x1b", "stopped")
    await seat.press(CLEAR)
    await seat.prompt("/compact")
    await record.see("Compacted", "done")
    await seat.prompt("do:say again")
    await seat.until("● again")
    await seat.prompt("/compact do:fail 400")
    await record.see("Error during compaction", "error")


async def resume(record: Recorder) -> None:
    seat = record.seat
    for text in ("one", "two"):
        async with seated(seat.cli, *MANUAL, size=Size(80, 24)) as earlier:
            await earlier.ready()
            await earlier.prompt(f"do:say {text}")
            await earlier.until(f"● {text}")
    await seat.ready()
    await seat.prompt("/resume")
    await record.see("do:say one", "list")
    await record.press(DOWN, "list-second")


async def resuming(record: Recorder) -> None:
    async with _resumed(record, "how"):
        await record.see("Esc to cancel", "how")
        await record.press(DOWN, "how-second")
        await record.press(DOWN, "how-last")


async def whether(record: Recorder) -> None:
    async with _resumed(record, "whether"):
        await record.see("Esc to resume", "asked")
        await record.press(DOWN, "second")


async def rested(record: Recorder) -> None:
    """Takes five minutes; in the CI nobody waits for it."""
    await record.seat.ready()
    prepare(record.seat.cli, "rested")
    async with _again(record, env=ENVS["rested"]):
        await record.seat.ready()
        await record.seat.prompt("do:say one")
        await record.seat.until("● one")
        await anyio.sleep(RESTS_S)
        await record.see("Esc to dismiss", "asked")
        await record.press("\x1b[200~a draft\x1b[201~", "drafted")
        await record.press(DOWN, "drafted-second")


async def model(record: Recorder) -> None:
    async with _resumed(record, "model"):
        await record.see("Esc to cancel", "asked")
        await record.press(DOWN, "second")


async def servers(record: Recorder) -> None:
    await record.seat.ready()
    serve(record.seat.cli, "git")
    async with _again(record):
        await record.see("Esc to reject", "one")
    serve(record.seat.cli, "git", "tickets", "wiki")
    async with _again(record):
        await record.see("Space to select", "several")
        await record.press(DOWN, "second")
        await record.press(" ", "unticked")
        await record.press(DOWN + DOWN, "submit")


@asynccontextmanager
async def _resumed(record: Recorder, form: Form) -> AsyncIterator[None]:
    """A session of which it is asked in that form."""
    await record.seat.ready()
    await record.seat.prompt("do:say one")
    await record.seat.until("● one")
    await record.seat.console.stop()
    async with _again(record, "--resume", age_session(record.seat.cli, form), env=ENVS[form]):
        yield


@asynccontextmanager
async def _again(
    record: Recorder, *arguments: str, env: Mapping[str, str] | None = None
) -> AsyncIterator[None]:
    """The CLI ended and started again."""
    await record.seat.console.stop()
    size = Size(record.seat.screen().columns, record.seat.screen().height)
    async with seated(record.seat.cli, *MANUAL, *arguments, size=size, env=env) as record.seat:
        yield


Scene = Callable[[Recorder], Awaitable[None]]
SCENES: dict[str, tuple[Scene, tuple[str, ...]]] = {
    "trust": (trust, ()),
    "bypass": (bypass, ("--dangerously-skip-permissions",)),
    "composer": (composer, MANUAL),
    "picker": (picker, MANUAL),
    "work": (work, MANUAL),
    "permission": (permission, MANUAL),
    "question": (question, MANUAL),
    "preview": (preview, MANUAL),
    "subagent": (subagent, MANUAL),
    "plan": (plan, ("--permission-mode", "plan")),
    "compaction": (compaction, MANUAL),
    "resume": (resume, MANUAL),
    "resuming": (resuming, MANUAL),
    "whether": (whether, MANUAL),
    "rested": (rested, MANUAL),
    "model": (model, MANUAL),
    "servers": (servers, MANUAL),
}


async def record(name: str, size: Size) -> None:
    """Play one scene and write what it kept."""
    scene, arguments = SCENES[name]
    with tempfile.TemporaryDirectory(prefix="screens-") as root:
        async with (
            real_cli(Path(root)) as cli,
            seated(cli, *arguments, size=size, trusted=name != "trust") as seat,
        ):
            recorder = Recorder(seat)
            await scene(recorder)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}-{size.columns}.json").write_text(encoded(recorder.kept))
    print(name, size.columns, len(recorder.kept), flush=True)


async def _main(names: list[str]) -> None:
    logging.disable(logging.CRITICAL)  # the model server's clients hang up, as they may
    for name in names or SCENES:
        for size in SIZES:
            await record(name, size)


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1:]))
