"""Where an agent's helpers put what happened, and where they read how the session stands.

It must not know who else reads the session.
"""

from collections.abc import Callable
from typing import NoReturn

import anyio

from core.session.events import Event, PromptWithdrawn
from core.session.session import Session
from core.session.state import Prompt, SessionState


class Sink:
    """One session, seen by the agent that feeds it."""

    def __init__(self, session: Session, changed: Callable[[], None], clock: Callable[[], float]) -> None:
        """`changed` is called after each batch of events; `clock` tells seconds since the epoch."""
        self.given_back: list[Prompt] = []
        self.error: Exception | None = None
        self._broken = anyio.Event()
        self._session = session
        self._changed = changed
        self.now = clock

    @property
    def state(self) -> SessionState:
        """The session as it stands."""
        return self._session.state

    @property
    def session(self) -> Session:
        """What is fed."""
        return self._session

    def hear(self, event: Event) -> None:
        """Fold an event that a line of the agent's means; for most it is one like any other."""
        self.emit(event)

    def emit(self, *events: Event) -> None:
        """Fold events into the session, in order. Never raises: who speaks for an agent may be anybody.

        An event that cannot be folded breaks this session; its agent's own task is told (`broken`).
        """
        try:
            for event in events:
                if isinstance(event, PromptWithdrawn):
                    self._give_back(event.id)
                self._session.apply(event)
        except Exception as error:
            self.fail(error)
        finally:
            self._changed()

    def fail(self, error: Exception) -> None:
        """An event could not be folded."""
        self.error = error
        self._broken.set()

    def take_given_back(self) -> tuple[Prompt, ...]:
        """What was given back since the last call."""
        taken = tuple(self.given_back)
        self.given_back.clear()
        return taken

    async def broken(self) -> NoReturn:
        """Wait until an event could not be folded, and raise what went wrong."""
        await self._broken.wait()
        assert self.error is not None
        raise self.error

    def mend(self) -> None:
        """Another agent is to speak for the session: what broke the last one is forgotten."""
        self.error = None
        self._broken = anyio.Event()

    def _give_back(self, prompt_id: str) -> None:
        """Whoever withdraws a prompt (the person, the CLI, a restart): its words are kept for the person."""
        self.given_back += [prompt for prompt in self.state.prompts if prompt.id == prompt_id]
