"""The control channel: what we ask the CLI, what it asks us, and the envelopes of both (FACTS §4).

A request we send is a frozen Struct whose type parameter is the body of its answer; requests go out
in a `ControlRequest`, what comes back is a `ResponseRecord`. This module must not know who waits for an
answer, nor for how long.
"""

from collections.abc import Mapping
from typing import Generic, TypeVar, cast, get_args

from msgspec import Raw, Struct, field

from core.wire import bodies

A = TypeVar("A", covariant=True)


class Request(Struct, Generic[A], frozen=True, tag_field="subtype", omit_defaults=True):
    """Something we ask the CLI; `A` is the body of its answer."""


class HookMatcher(Struct, frozen=True, rename="camel", omit_defaults=True):
    """Which tools a hook wants to hear of (all for None), its ids, and how long the CLI waits in seconds."""

    matcher: str | None
    hook_callback_ids: tuple[str, ...]
    timeout: float | None = None


class Initialize(Request[bodies.InitializeAnswer], frozen=True, tag="initialize"):
    """Open the channel; `hooks` maps an event (`Stop` …) to who wants to hear of it."""

    hooks: Mapping[str, tuple[HookMatcher, ...]] | None = None
    sdk_mcp_servers: tuple[str, ...] = field(default=(), name="sdkMcpServers")


class Interrupt(Request[bodies.InterruptAnswer], frozen=True, tag="interrupt"):
    """End this turn."""


class SetModel(Request[bodies.ModelAnswer], frozen=True, tag="set_model"):
    """Change the model. An unknown one is accepted and fails in the next turn (FACTS §4)."""

    model: str


class RenameSession(Request[bodies.Done], frozen=True, tag="rename_session"):
    """Name the session; the CLI writes it to the transcript (seen on 2.1.332)."""

    title: str
    source: str = "host"


class SetPermissionMode(Request[bodies.ModeAnswer], frozen=True, tag="set_permission_mode"):
    """Change the permission mode; `default` is what the flag calls `manual`."""

    mode: str


class McpStatus(Request[bodies.McpStatusAnswer], frozen=True, tag="mcp_status"):
    """Ask how the MCP servers are."""


class McpReconnect(Request[bodies.Done], frozen=True, tag="mcp_reconnect"):
    """Connect an MCP server again."""

    server_name: str = field(name="serverName")


class McpToggle(Request[bodies.Done], frozen=True, tag="mcp_toggle"):
    """Switch an MCP server on or off."""

    server_name: str = field(name="serverName")
    enabled: bool


class McpSetServers(Request[bodies.McpSetAnswer], frozen=True, tag="mcp_set_servers"):
    """Replace the MCP servers of the session; values are their configurations as JSON."""

    servers: dict[str, Raw]


class GetContextUsage(Request[bodies.ContextAnswer], frozen=True, tag="get_context_usage"):
    """Ask what fills the context window."""


class GetUsage(Request[bodies.UsageAnswer], frozen=True, tag="get_usage"):
    """Ask for money and tokens so far."""


class GetSessionCost(Request[bodies.TextAnswer], frozen=True, tag="get_session_cost"):
    """Ask for money and tokens so far, as the CLI's own text."""


class FlagSettings(Struct, frozen=True, omit_defaults=True):
    """Settings that can change while a session runs; what is given replaces what was.

    `permissions` is the whole object of that name: rules in it count at once (seen on 2.1.332).
    """

    effort: str | None = None
    permissions: Mapping[str, Raw] | None = None


class ApplyFlagSettings(Request[bodies.Done], frozen=True, tag="apply_flag_settings"):
    """Change settings of the running session: its effort, its rules."""

    settings: FlagSettings


class RewindFiles(Request[bodies.RewindAnswer], frozen=True, tag="rewind_files"):
    """Put files back to what they were at a prompt; `dry_run` only tells what would change."""

    user_message_id: str
    dry_run: bool = False


class StopTask(Request[bodies.Done], frozen=True, tag="stop_task"):
    """Stop a subagent or a background command."""

    task_id: str


class CancelAsyncMessage(Request[bodies.CancelAnswer], frozen=True, tag="cancel_async_message"):
    """Take a queued prompt back."""

    message_uuid: str


class SideQuestion(Request[bodies.SideAnswer], frozen=True, tag="side_question"):
    """Ask the model something that does not enter the conversation."""

    question: str


class GetPlan(Request[bodies.PlanAnswer], frozen=True, tag="get_plan"):
    """Ask for the plan the agent wrote."""


class GenerateSessionTitle(Request[bodies.TitleAnswer], frozen=True, tag="generate_session_title"):
    """Ask for a title of what `description` describes."""

    description: str


class GetSettings(Request[bodies.SettingsAnswer], frozen=True, tag="get_settings"):
    """Ask for the settings in force."""


class ListPermissionRules(Request[bodies.RulesAnswer], frozen=True, tag="list_permission_rules"):
    """Ask which permission rules count now."""


class SetMaxThinkingTokens(Request[bodies.Done], frozen=True, tag="set_max_thinking_tokens"):
    """Limit thinking, in tokens; None takes the session's own limit again."""

    max_thinking_tokens: int | None


class EndSession(Request[bodies.Done], frozen=True, tag="end_session"):
    """End the session in order."""


def subtype_of(request: Request[A]) -> str:
    """The request's name on the wire."""
    return cast(str, type(request).__struct_config__.tag)


def answer_type(request: Request[A]) -> type[A]:
    """The Struct its answer's body is read into."""
    # The type parameter is the one place that says it; a table beside it would have to be kept in step.
    (base,) = type(request).__orig_bases__  # type: ignore[attr-defined]
    return cast("type[A]", get_args(base)[0])


class ControlRequest(Struct, Generic[A], frozen=True, tag="control_request"):
    """The envelope of a request of ours."""

    request_id: str
    request: Request[A]


class ControlCancel(Struct, frozen=True, tag="control_cancel_request"):
    """We no longer want an answer to a request of ours."""

    request_id: str


class CanUseTool(Struct, frozen=True, tag_field="subtype", tag="can_use_tool"):
    """The CLI asks whether a tool may run. `input` and `permission_suggestions` are views into the line."""

    tool_name: str
    input: Raw = Raw(b"{}")
    display_name: str | None = None
    title: str | None = None
    description: str | None = None
    permission_suggestions: Raw = Raw()
    blocked_path: str | None = None
    decision_reason: str | None = None
    tool_use_id: str | None = None
    agent_id: str | None = None
    requires_user_interaction: bool | None = None


class HookCallback(Struct, frozen=True, tag_field="subtype", tag="hook_callback"):
    """The CLI calls a hook of ours. `input` is a view into the line."""

    callback_id: str
    input: Raw = Raw(b"{}")
    tool_use_id: str | None = None


class McpMessage(Struct, frozen=True, tag_field="subtype", tag="mcp_message"):
    """A JSON-RPC message for an MCP server of ours. `message` is a view into the line."""

    server_name: str
    message: Raw = Raw(b"{}")


class OtherRequest(Struct, frozen=True, tag_field="subtype", tag="(unknown)"):
    """A request nothing here understands, or of a wrong shape (`why`): answer it with an error."""

    kind: str = ""
    raw: bytes = b""
    why: str = ""


InboundRequest = CanUseTool | HookCallback | McpMessage | OtherRequest


class RequestRecord(Struct, frozen=True, tag="control_request"):
    """A request of the CLI: exactly one answer is owed."""

    request_id: str
    request: InboundRequest


class CancelRecord(Struct, frozen=True, tag="control_cancel_request"):
    """The CLI withdraws a request of its own; no answer is owed any more."""

    request_id: str


class Response(Struct, frozen=True):
    """`response` is the body of a success, a view into the line (empty where there is none)."""

    subtype: str
    request_id: str
    response: Raw = Raw()
    error: str | None = None
    error_code: str | None = None


class ResponseRecord(Struct, frozen=True, tag="control_response"):
    """An answer to a request of ours, or the echo of our answer to one of the CLI's."""

    response: Response
