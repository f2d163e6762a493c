"""Answers typed at a dialog: only while that very dialog is on the screen, one step after the other.

Each key is pressed after a look: is it still the same dialog, where does its mark stand? Enter is pressed
once the mark stands where it should, and the answer counts once the dialog is gone. A dialog takes no Enter
in its first moment (2.1.332: about 0.2 s, so that nobody answers what they did not see); so one is pressed
again if nothing came of it, never the words. This module must not know sessions, nor who answers.
"""

from collections.abc import Callable
from typing import Protocol

import anyio
from msgspec import Struct

from core.errors import AnswerNotTyped, AskGone
from core.session.answers import Answer, Reply
from core.session.screen import Screen
from core.terminal.parsers.dialog import Dialog, identity, read_dialog
from core.terminal.parsers.furniture import View, view
from core.terminal.parsers.menu import ENTER, ESCAPE, TAB, Item, Menu
from core.terminal.parsers.question import QuestionPage, ReviewPage
from core.terminal.strokes import Plan, Stroke, strokes

SPACE = b" "


class Keyboard(Protocol):
    """A terminal to look at and to type on."""

    def screen(self) -> Screen:
        """What it shows now."""

    def write(self, data: bytes) -> None:
        """Type bytes. Raises `AgentGone`."""

    @property
    def exit(self) -> object | None:
        """How its program ended, None while it runs."""


class Limits(Struct, frozen=True, kw_only=True):
    """How long is waited for what, in seconds.

    `stand_s`: before the first Enter on a dialog that has just appeared; `step_s`: until a key shows its
    effect; `gone_s`: until the dialog is gone after Enter; `look_s`: between two looks.
    """

    stand_s: float = 0.4
    step_s: float = 3.0
    gone_s: float = 3.0
    look_s: float = 0.016


class DialogTypist:
    """Types answers at one terminal, one answer at a time."""

    def __init__(self, terminal: Keyboard, limits: Limits | None = None) -> None:
        """Type at `terminal`."""
        self._terminal = terminal
        self._limits = limits or Limits()
        self._lock = anyio.Lock()

    async def answer(self, ask_id: str, shown: Dialog, answer: Answer) -> str:
        """Type an answer to the dialog that was shown to the person; it is taken when this returns.

        A reply is typed page by page, as far as it answers, and sent. Returns the words that had no place:
        they are to be sent as a prompt. Raises `AskGone` if another dialog or none stands there,
        `AnswerNotTyped` if it does not offer that or did not take it.
        """
        async with self._lock:
            left, page = "", shown
            while True:
                here = _Here(self._terminal, self._limits, ask_id, identity(page))
                plan = strokes(here.dialog(), answer)
                await anyio.sleep(self._limits.stand_s)
                await _follow(here, plan)
                left = left or plan.left
                after = _next_page(page, here.other_dialog(), answer)
                if after is None:
                    return left
                page = after


class _Here:
    """One dialog on the screen."""

    def __init__(self, terminal: Keyboard, limits: Limits, ask_id: str, wanted: str) -> None:
        self.terminal = terminal
        self.limits = limits
        self.ask_id = ask_id
        self._wanted = wanted

    def dialog(self) -> Dialog:
        """It, as it stands now. Raises `AskGone` if it does not."""
        found = read_dialog(self._view())
        if found is None or identity(found) != self._wanted:
            raise AskGone(self.ask_id, "its dialog is not on the screen any more")
        return found

    def menu(self) -> Menu:
        """Its options."""
        return self.dialog().menu

    def is_replaced(self) -> bool:
        """Whether something else stands in its place: the composer, another dialog, or no program at all."""
        if self.terminal.exit is not None:
            return True
        seen = self._view()
        found = read_dialog(seen)
        return seen.frame is not None if found is None else identity(found) != self._wanted

    def stands(self) -> bool:
        """Whether it is on the screen."""
        found = read_dialog(self._view())
        return found is not None and identity(found) == self._wanted

    def other_dialog(self) -> Dialog | None:
        """What stands in its place."""
        return read_dialog(self._view())

    async def see(self, seen: Callable[[], bool], limit_s: float) -> bool:
        """Wait until something can be seen; False if it was not within the limit."""
        with anyio.move_on_after(limit_s):
            while not seen():  # noqa: ASYNC110 - a screen has no event for "this can be read on it"
                await anyio.sleep(self.limits.look_s)
            return True
        return False

    def _view(self) -> View:
        return view(self.terminal.screen())


async def _follow(here: _Here, plan: Plan) -> None:
    for stroke in plan.strokes:
        await _STEPS[stroke.manner](here, stroke)


async def _mark(here: _Here, index: int) -> None:
    """Move the mark to an option, looking after each batch of moves."""
    for _ in range(3):
        moves = here.menu().moves_to(index)
        if not moves:
            return
        here.terminal.write(b"".join(moves))
        if await here.see(lambda: here.menu().selected == index, here.limits.step_s):
            return
    raise AnswerNotTyped("its mark cannot be moved")


async def _choose(here: _Here, stroke: Stroke) -> None:
    await _mark(here, stroke.index)
    await _end(here, ENTER)


async def _stir(here: _Here, stroke: Stroke) -> None:
    """Have another option marked than that one, if that one is."""
    if here.menu().selected == stroke.index:
        await _mark(here, stroke.index - 1 if stroke.index else 1)


async def _leave(here: _Here, stroke: Stroke) -> None:
    here.dialog()
    await _end(here, ESCAPE)


async def _end(here: _Here, key: bytes) -> None:
    """Press what ends the dialog; once more if it still stands there after a while."""
    for _ in range(2):
        here.terminal.write(key)
        if await here.see(here.is_replaced, here.limits.gone_s) or not here.stands():
            return
    raise AnswerNotTyped("its dialog still stands there")


async def _tick(here: _Here, stroke: Stroke) -> None:
    wanted = stroke.manner == "tick"
    if here.menu().items[stroke.index].checked is wanted:
        return
    await _mark(here, stroke.index)
    here.terminal.write(SPACE)
    if not await here.see(lambda: here.menu().items[stroke.index].checked is wanted, here.limits.step_s):
        raise AnswerNotTyped("an option cannot be ticked")


async def _open(here: _Here, stroke: Stroke) -> None:
    """Have an option take words: it changes, and says so."""
    await _mark(here, stroke.index)
    before = here.menu().items[stroke.index].label
    here.terminal.write(TAB)
    if not await here.see(lambda: here.menu().items[stroke.index].label != before, here.limits.step_s):
        raise AnswerNotTyped("it takes no words", "Deny it without, and send them as a prompt")


async def _write(here: _Here, stroke: Stroke) -> None:
    await _mark(here, stroke.index)
    printable = "".join(one for one in stroke.words if one.isprintable())
    here.terminal.write(printable.encode())
    if not await here.see(lambda: _holds(here.menu().items[stroke.index], printable), here.limits.step_s):
        raise AnswerNotTyped("the words do not show", "Look at its screen")


def _holds(item: Item, words: str) -> bool:
    """Whether an option shows the end of what was written in it, wherever it wraps."""
    return _bare(words)[-_SEEN:] in _bare(item.whole)


_SEEN = 16
_STEPS = {
    "choose": _choose,
    "stir": _stir,
    "leave": _leave,
    "tick": _tick,
    "untick": _tick,
    "open": _open,
    "write": _write,
}


def _next_page(page: Dialog, now: Dialog | None, answer: Answer) -> Dialog | None:
    """What stands there now, if the reply is for that, too: its next question, or the page that sends it."""
    if not isinstance(page, QuestionPage) or not isinstance(answer, Reply):
        return None
    match now:
        case QuestionPage() if any(_bare(question) == _bare(now.question) for question, _ in answer.answers):
            return now
        case ReviewPage() if _shows(now, page):
            return now
    return None


def _shows(page: ReviewPage, answered: QuestionPage) -> bool:
    """Whether a page of answers holds one for the question, and for every other."""
    told = [_bare(question) for question, _ in page.answers]
    tabs = [tab for tab in answered.tabs if tab.header != "Submit"]
    is_whole = all(answer for _, answer in page.answers) and len(told) >= len(tabs)
    return _bare(answered.question) in told and is_whole


def _bare(text: str) -> str:
    return "".join(text.split())
