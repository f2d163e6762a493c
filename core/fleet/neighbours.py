"""What one agent may see of the others, and how it gives one a message. It must not know how agents run."""

from collections.abc import Callable, Mapping

from core.agent.own_tools import Neighbour, from_agent
from core.session.session import Session
from core.session.state import SessionState


class Around:
    """The other agents, seen from the one with the key `own`."""

    def __init__(self, own: str, sessions: Mapping[str, Session], send: Callable[[str, str], object]) -> None:
        """`send` queues a prompt: the key of a session and the text."""
        self._own = own
        self._sessions = sessions
        self._send = send

    async def others(self) -> list[Neighbour]:
        """All that run, but this one."""
        return [
            Neighbour(state.name, state.status, state.directory, state.doing) for _, state in self._running()
        ]

    async def send(self, name: str, text: str) -> None:
        """Give an agent a message as its next prompt; KeyError unless exactly one is called so.

        Raises a `QuarterdeckError` if it takes none now.
        """
        keys = [key for key, state in self._running() if state.name == name]
        if len(keys) != 1:
            raise KeyError(name)
        sender = self._sessions[self._own].state.name if self._own in self._sessions else "that was removed"
        self._send(keys[0], from_agent(sender, text))

    def _running(self) -> list[tuple[str, SessionState]]:
        return [
            (key, session.state)
            for key, session in self._sessions.items()
            if key != self._own and session.state.exit is None
        ]
