"""Typing a prompt at the CLI's own screen so that it arrives as one prompt, and saying so if it did not.

Text and Enter in one write are taken for a paste and wait in the composer; lines typed raw are sent one by
one (case TRM-12). So several lines go as one bracketed paste, Enter follows by itself, and only once the text
(or the `[Pasted text #1]` that stands for it) is seen in the composer. The text is never typed twice. This
module must not know how a composer is recognised: `look` says.
"""

import re
from collections.abc import Callable
from typing import Literal, Protocol

import anyio

from core.errors import PromptNotTyped
from core.session.screen import Screen
from core.terminal.keys import Encoder

ComposerState = Literal["empty", "drafted", "unpainted"]
"""Nothing is written in it, something is, or there is none on the screen (a dialog, a start)."""

PLACEHOLDER = re.compile(r"\[Pasted text #\d+")
PAINT_S = 10.0
SHOW_S = 5.0
TAKE_S = 3.0
SETTLE_S = 0.15
LOOK_S = 0.016
SEEN = 24
"""So many of a text's last characters are looked for on the screen: a long one is wrapped or folded."""


class Composer(Protocol):
    """Where the CLI's prompt is written."""

    @property
    def state(self) -> ComposerState:
        """How it stands."""

    @property
    def text(self) -> str:
        """What is written in it."""


class Typewriter(Protocol):
    """A terminal to type at."""

    def screen(self) -> Screen:
        """What it shows now."""

    def write(self, data: bytes) -> None:
        """Type bytes."""

    @property
    def unread_bytes(self) -> int:
        """What was typed and its program has not read yet."""


async def send_prompt(
    terminal: Typewriter,
    keyboard: Encoder,
    text: str,
    look: Callable[[Screen], Composer] | None,
) -> None:
    """Write a prompt and press Enter. Raises `PromptNotTyped` with what to do, or `AgentGone`.

    Without a `look` the program has no composer we know: Enter follows once its screen has settled.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    typed = _typed(keyboard, text)
    if look is None:
        terminal.write(typed)
        await _settle(terminal)
        terminal.write(keyboard.key("enter"))
        return
    await _be_ready(terminal, look)
    terminal.write(typed)
    await _wait(
        lambda: shows(look(terminal.screen()), text),
        SHOW_S,
        PromptNotTyped(
            "what was typed did not show in the composer", "Look at its screen, then send it again"
        ),
    )
    await _enter(terminal, keyboard, look)


def shows(composer: Composer, text: str) -> bool:
    """Whether a composer shows a text, or what stands for it."""
    if composer.state != "drafted":
        return False
    seen, wanted = _bare(composer.text), _bare(text)
    return bool(PLACEHOLDER.search(composer.text)) or wanted[-SEEN:] in seen


def _typed(keyboard: Encoder, text: str) -> bytes:
    if "\n" not in text:
        return "".join(one for one in text if one.isprintable() or one == " ").encode()
    if not keyboard.bracketed:
        raise PromptNotTyped(
            "it has several lines, and this program would take each for a prompt of its own",
            "Send it as one line",
        )
    return keyboard.paste(text)


async def _be_ready(terminal: Typewriter, look: Callable[[Screen], Composer]) -> None:
    await _wait(
        lambda: look(terminal.screen()).state != "unpainted",
        PAINT_S,
        PromptNotTyped("there is no composer on its screen", "It may ask something first: answer that"),
    )
    if look(terminal.screen()).state == "drafted":
        raise PromptNotTyped("something is written in its composer already", "Send or clear that first")


async def _enter(terminal: Typewriter, keyboard: Encoder, look: Callable[[Screen], Composer]) -> None:
    """Press Enter, a second time if nothing came of it; never the text."""
    for _ in range(2):
        terminal.write(keyboard.key("enter"))
        with anyio.move_on_after(TAKE_S):
            await _until(lambda: look(terminal.screen()).state != "drafted")
            return
    raise PromptNotTyped("it still stands in the composer after Enter", "Look at its screen")


async def _wait(seen: Callable[[], bool], limit_s: float, failure: PromptNotTyped) -> None:
    with anyio.move_on_after(limit_s):
        await _until(seen)
        return
    raise failure


async def _until(seen: Callable[[], bool]) -> None:
    while not seen():  # noqa: ASYNC110 — a screen has no event for "this can be read on it"
        await anyio.sleep(LOOK_S)


async def _settle(terminal: Typewriter) -> None:
    """Wait until all was read and the screen has not changed for a moment, at most `SHOW_S`."""
    with anyio.move_on_after(SHOW_S):
        await _until(lambda: not terminal.unread_bytes)
        before = -1
        while (now := terminal.screen().revision) != before:
            before = now
            await anyio.sleep(SETTLE_S)


def _bare(text: str) -> str:
    """A text without white space, which wrapping changes."""
    return "".join(text.split())
