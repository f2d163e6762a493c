"""The tokens of a transcript's turns: each API message once, whatever number of lines it has.

Source: FACTS §7.1, cases USE-01 and USE-02. This module must not know prices.
"""

from core.session.state import Tokens
from core.sources.offers import tokens
from core.wire.transcript import TranscriptLine

Key = tuple[str, str]
"""What one answer of the API is known by: (message id, request id)."""


class Accounts:
    """What was used, by API message."""

    def __init__(self) -> None:
        """Start with nothing used."""
        self._turn: dict[Key, Tokens] = {}
        self._settled: set[Key] = set()

    def see(self, line: TranscriptLine) -> None:
        """A line of the model's: the one with the largest output tells its message's use."""
        message = line.message
        if message is None or not message.id:
            return
        key = (message.id, line.request_id or "")
        told = tokens(message.usage)
        if key in self._settled:
            return
        if told.output >= self._turn.get(key, Tokens()).output:
            self._turn[key] = told

    @property
    def steps(self) -> int:
        """How many answers of the API this turn has."""
        return len(self._turn)

    def settle(self) -> Tokens:
        """The turn is over: what it used. Later copies of its messages count no more."""
        total = Tokens()
        for told in self._turn.values():
            total = total.plus(told)
        self._settled |= self._turn.keys()
        self._turn = {}
        return total
