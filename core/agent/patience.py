"""How long is waited for what: every time limit towards an agent in one table, all in seconds."""

from collections.abc import Mapping

from msgspec import Struct, field

REQUESTS_S: Mapping[str, float] = {
    "initialize": 30.0,  # 0.3 s is usual; a cold disk or a slow settings hook makes it many
    "mcp_reconnect": 30.0,  # the CLI answers only when the server did
    "mcp_set_servers": 30.0,
    "side_question": 120.0,  # a whole answer of the model
    "generate_session_title": 60.0,
    "rewind_files": 30.0,
}
"""Limits of control requests, by subtype; any other one has `Patience.request_s`."""


class Patience(Struct, frozen=True, kw_only=True):
    """The limits; tests shorten them, nobody else does.

    `interrupt_s`: until an interrupt that shows no effect is enforced; `answer_s`: until it is said that
    the CLI has not taken an answer; `close_s`: for one agent to end, however it resists; `undo_s`: how
    long a removed session can be restored.
    """

    request_s: float = 10.0
    requests_s: Mapping[str, float] = field(default_factory=lambda: REQUESTS_S)
    interrupt_s: float = 5.0
    answer_s: float = 10.0
    close_s: float = 5.0
    undo_s: float = 30.0

    def of(self, subtype: str) -> float:
        """The limit of a control request."""
        return self.requests_s.get(subtype, self.request_s)
