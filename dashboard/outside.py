"""A text in the person's own editor, in this terminal: the deck stands aside meanwhile, and agents go on.

It must not know what the text is for.
"""

import asyncio
import shlex
import shutil
import signal
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import anyio
from textual.app import App, SuspendNotSupported

from core.errors import OutsideError

USUAL = ("sensible-editor", "nano", "vi")
"""What is tried where neither `$VISUAL` nor `$EDITOR` names one."""

Run = Callable[[Sequence[str]], Awaitable[int]]
"""Runs a command in the foreground; its exit code."""


def editor_command(env: Mapping[str, str]) -> list[str]:
    """The person's editor, with its own arguments. Raises `OutsideError` if there is none."""
    for name in ("VISUAL", "EDITOR"):
        if env.get(name, "").strip():
            return _split(name, env[name])
    for name in USUAL:
        if found := shutil.which(name, path=env.get("PATH")):
            return [found]
    raise OutsideError("No editor was found. Set $VISUAL or $EDITOR.")


def _split(name: str, command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise OutsideError(f"${name} cannot be read: {error}. Set it to a command.") from error


async def edit(text: str, suffix: str, command: Sequence[str], run: Run) -> str:
    """The text as the editor left it, without the last line end it may have added.

    Raises `OutsideError` if the editor failed or left something that is no text; nothing is kept on disk.
    """
    with tempfile.TemporaryDirectory(prefix="quarterdeck-") as folder:
        file = Path(folder) / f"input{suffix}"
        file.write_text(text, encoding="utf-8", newline="")
        try:
            code = await run([*command, str(file)])
            written = file.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise OutsideError(f"`{command[0]}` did not work: {error}. The text is as it was.") from error
        if code:
            raise OutsideError(f"`{command[0]}` ended with exit code {code}. The text is as it was.")
    return written.removesuffix("\n") if not text.endswith("\n") else written


async def run_aside(app: App[None], command: Sequence[str]) -> int:
    """Run a command that has the terminal for itself. Raises `OutsideError` where it cannot be lent."""
    try:
        with app.batch_update(), app.suspend(), _unstoppable():
            process = await anyio.open_process(command, stdin=None, stdout=None, stderr=None)
            return await process.wait()
    except SuspendNotSupported as error:
        raise OutsideError("This terminal cannot be lent to an editor.") from error


@contextmanager
def _unstoppable() -> Iterator[None]:
    """Ctrl+C is the editor's alone. A handler, not `SIG_IGN`: that one the editor would inherit."""
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, lambda: None)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
