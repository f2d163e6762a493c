"""Records: the lines a claude process writes to stdout (FACTS §3), one Struct a type.

Only what is used is declared; unknown fields are ignored, null and absent fields are normal. Records
live for one pass through a source: what is kept of a `Raw` is copied first. Those of the control channel
are in `control.py`, the `system` ones in `system.py`. This module must not know what a record means.
"""

from msgspec import Raw, Struct, field

from core.wire.bodies import ModelUsageBody
from core.wire.content import ApiUsage, Content
from core.wire.stream import StreamEvent


class StreamRecord(Struct, frozen=True, tag="stream_event"):
    """A piece of a message that is being written; inside a subagent the parent is set."""

    event: StreamEvent
    parent_tool_use_id: str | None = None


class AssistantMessage(Struct, frozen=True):
    """One block (or more) of a message, and its provisional token counts."""

    id: str = ""
    model: str | None = None
    content: Content = None
    usage: ApiUsage | None = None


class AssistantRecord(Struct, frozen=True, tag="assistant"):
    """Whole blocks of the model's; `error` names an API failure that the CLI tells in its own words."""

    message: AssistantMessage
    parent_tool_use_id: str | None = None
    error: str | None = None


class UserMessage(Struct, frozen=True):
    """A message in the user's role."""

    content: Content = None


class Decision(Struct, frozen=True):
    """Whether a tool call was let through (`accept`, `reject`) and who said so."""

    decision: str | None = None
    source: str | None = None


class ResultMeta(Struct, frozen=True):
    """What the CLI adds about one tool result."""

    id: str | None = None
    non_execution_kind: str | None = None
    permission_decision: Decision | None = None


class UserRecord(Struct, frozen=True, tag="user"):
    """Tool results, the CLI's own notes, or (with `is_replay`) a prompt of ours that was taken."""

    message: UserMessage
    parent_tool_use_id: str | None = None
    uuid: str | None = None
    is_replay: bool | None = field(default=None, name="isReplay")
    is_synthetic: bool | None = field(default=None, name="isSynthetic")
    is_meta: bool | None = field(default=None, name="isMeta")
    is_compact_summary: bool | None = field(default=None, name="isCompactSummary")
    tool_use_result: Raw = Raw()
    tool_result_meta: tuple[ResultMeta, ...] | None = None


class ResultRecord(Struct, frozen=True, tag="result"):
    """The turn is over; `is_error` is the authority, not the subtype (FACTS §3).

    Times are milliseconds; the cost is cumulative over the process. `misread` is the whole line where
    a field was of a wrong shape and left out: the end of a turn must not be lost for that.
    """

    subtype: str = ""
    is_error: bool | None = None
    result: str | None = None
    errors: tuple[str, ...] | None = None
    api_error_status: int | None = None
    terminal_reason: str | None = None
    num_turns: int | None = None
    total_cost_usd: float | None = None
    usage: ApiUsage | None = None
    model_usage: dict[str, ModelUsageBody] | None = field(default=None, name="modelUsage")
    duration_ms: float | None = None
    duration_api_ms: float | None = None
    queued_turn_count: int | None = None
    session_id: str | None = None
    misread: bytes = b""


class LimitWindow(Struct, frozen=True):
    """One window of a subscription: the share used, and when it starts anew (seconds since the epoch)."""

    utilization: float | None = None
    resets_at: float | None = field(default=None, name="resetsAt")
    status: str | None = None


class RateLimitInfo(Struct, frozen=True):
    """The limits of the account: `status` is `allowed`, `allowed_warning` or `rejected`."""

    status: str | None = None
    resets_at: float | None = field(default=None, name="resetsAt")
    window: str | None = field(default=None, name="rateLimitType")
    utilization: float | None = None
    using_overage: bool | None = field(default=None, name="isUsingOverage")
    windows: dict[str, LimitWindow | None] | None = field(default=None, name="unifiedWindows")


class RateLimitRecord(Struct, frozen=True, tag="rate_limit_event"):
    """The account's limits changed; comes also when nothing is limited."""

    rate_limit_info: RateLimitInfo = RateLimitInfo()


class KeepAliveRecord(Struct, frozen=True, tag="keep_alive"):
    """A sign of life, to be ignored."""


class LifecycleRecord(Struct, frozen=True, tag="command_lifecycle"):
    """The fate of a prompt: `queued`, `started`, then `completed`, `cancelled`, `discarded` or `refused`."""

    command_uuid: str
    state: str
    wakeup_source: str | None = None


class ResetRecord(Struct, frozen=True, tag="conversation_reset"):
    """`/clear`; `user_message_uuid` is the prompt that did it."""

    new_conversation_id: str | None = None
    trigger: str | None = None
    user_message_uuid: str | None = None


class ToolProgressRecord(Struct, frozen=True, tag="tool_progress"):
    """A tool is still running."""

    tool_use_id: str | None = None
    elapsed_time_seconds: float | None = None


class ToolSummaryRecord(Struct, frozen=True, tag="tool_use_summary"):
    """The CLI's own summary of some tool calls."""

    summary: str | None = None


class AuthStatusRecord(Struct, frozen=True, tag="auth_status"):
    """The CLI is logging in, or could not."""

    error: str | None = None


class PromptSuggestionRecord(Struct, frozen=True, tag="prompt_suggestion"):
    """What the CLI guesses the person will ask next."""

    suggestion: str | None = None


class Unknown(Struct, frozen=True, tag="(unknown)"):
    """A line nothing here understands, whole, and why."""

    raw: bytes = b""
    why: str = ""
