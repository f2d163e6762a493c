"""What an agent may be given beside its CLI: hooks and tools of ours, as the person chose them.

It must not know what they do, nor load it: the settings are read before the first frame.
"""

from msgspec import Struct


class HookChoice(Struct, frozen=True, kw_only=True):
    """Which hooks an agent has.

    `until` is a shell command that must pass before it may stop, `guard` has the deny rules hold where the
    CLI does not ask, `notifications` has what it would notify of stand in the conversation.
    """

    until: str = ""
    until_limit: int = 5
    until_timeout_s: float = 300.0
    guard: bool = False
    notifications: bool = False


class ToolChoice(Struct, frozen=True, kw_only=True):
    """Whether an agent gets our tools, and whether those that reach other agents are among them."""

    enabled: bool = False
    neighbours: bool = False
