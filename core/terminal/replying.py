"""An answer to an ask that came from a dialog: typed at it, and what becomes of the ask meanwhile.

The ask is "answering" until its dialog is gone; one that could not be typed is open again. This module must
not know how keys are chosen, nor who answers.
"""

from collections.abc import Awaitable, Callable

from core.errors import AskGone, QuarterdeckError
from core.session import events as ev
from core.session.answers import Allow, Answer, Deny, Postpone
from core.session.events import Event
from core.session.plans import as_answer
from core.sources.screen import SCREEN
from core.terminal.answering import DialogTypist, Keyboard, Limits
from core.terminal.channels.hub import Channels
from core.terminal.parsers.dialog import Dialog


class Replies:
    """The answers to one terminal's dialogs."""

    def __init__(
        self,
        channels: Channels,
        terminal: Keyboard,
        emit: Callable[[Event], None],
        now: Callable[[], float],
        prompt: Callable[[str], Awaitable[None]],
        limits: Limits | None = None,
    ) -> None:
        """`prompt` sends what a dialog had no place for, once it is gone."""
        self._channels = channels
        self._terminal = terminal
        self._typist = DialogTypist(terminal, limits)
        self._emit = emit
        self._now = now
        self._prompt = prompt

    async def answer(self, ask_id: str, given: Answer | Postpone) -> None:
        """Answer; it is taken when this returns.

        Raises `AskGone` if the dialog is not there any more, `AnswerNotTyped` if it does not offer that or
        did not take it, and what `prompt` raises.
        """
        dialog = self._channels.asking.dialog(ask_id)
        if dialog is None:
            raise AskGone(ask_id, "its dialog is not on the screen any more")
        answer = as_answer(given)
        self._emit(ev.AskAnswering(at=self._now(), source=SCREEN, id=ask_id))
        left = await self._type(ask_id, dialog, answer)
        if left:
            await self._prompt(left)

    async def _type(self, ask_id: str, dialog: Dialog, answer: Answer) -> str:
        source = self._channels.asking.source
        source.expect(ask_id, _outcome(answer))
        source.typing = True
        try:
            left = await self._typist.answer(ask_id, dialog, answer)
        except QuarterdeckError:
            source.forget(ask_id)
            self._open_again(ask_id)
            raise
        else:
            self._channels.see(self._terminal.screen(), self._now())
            return left
        finally:
            self._channels.release()

    def _open_again(self, ask_id: str) -> None:
        """It still waits, if its dialog does."""
        ask = self._channels.asking.ask(ask_id)
        if ask is not None:
            self._emit(ev.AskRaised(at=self._now(), source=SCREEN, confidence="medium", ask=ask))


def _outcome(answer: Answer) -> str:
    match answer:
        case Allow():
            return "allowed"
        case Deny():
            return "denied"
    return "answered"
