"""The `system` records of stdout, one Struct a subtype, and the table of them (FACTS §3).

Others will come with each release: a subtype that is not in the table is `Unknown`. This module must not
know what a record means to a session.
"""

from msgspec import Struct, field


class InitServer(Struct, frozen=True):
    """An MCP server as `init` tells it."""

    name: str
    status: str | None = None


class Init(Struct, frozen=True):
    """The facts of the session, told at the start of each turn."""

    session_id: str | None = None
    model: str | None = None
    cwd: str | None = None
    mode: str | None = field(default=None, name="permissionMode")
    version: str | None = field(default=None, name="claude_code_version")
    mcp_servers: tuple[InitServer, ...] | None = None


class StatusRecord(Struct, frozen=True):
    """`requesting`, `compacting` or null; a mode that changed from inside comes here too."""

    status: str | None = None
    mode: str | None = field(default=None, name="permissionMode")
    compact_result: str | None = None
    compact_error: str | None = None


class SessionStateChanged(Struct, frozen=True):
    """`running`, `requires_action` or `idle` (only with the environment variable of FACTS §2)."""

    state: str


class ApiRetry(Struct, frozen=True):
    """A request failed; it will be tried again after `retry_delay_ms`."""

    attempt: int = 0
    max_retries: int = 0
    retry_delay_ms: float = 0.0
    error_status: int | None = None
    error: str | None = None


class ThinkingTokens(Struct, frozen=True):
    """How much the model has thought, roughly."""

    estimated_tokens: int = 0


class TaskUsage(Struct, frozen=True):
    """What a task has used."""

    total_tokens: int | None = None
    tool_uses: int | None = None


class TaskStartedRecord(Struct, frozen=True):
    """A subagent or a background command started."""

    task_id: str
    tool_use_id: str | None = None
    description: str | None = None
    subagent_type: str | None = None
    task_type: str | None = None
    is_backgrounded: bool | None = None


class TaskProgressRecord(Struct, frozen=True):
    """What a task does now."""

    task_id: str
    description: str | None = None
    last_tool_name: str | None = None
    usage: TaskUsage | None = None


class TaskPatch(Struct, frozen=True):
    """What changed of a task; `status` is `running`, `completed`, `failed` or `killed`."""

    status: str | None = None
    error: str | None = None


class TaskUpdatedRecord(Struct, frozen=True):
    """Something of a task changed."""

    task_id: str
    patch: TaskPatch = TaskPatch()


class TaskNotificationRecord(Struct, frozen=True):
    """A task has ended, with its summary."""

    task_id: str
    status: str | None = None
    summary: str | None = None
    usage: TaskUsage | None = None


class ListedTask(Struct, frozen=True):
    """A task that runs in the background."""

    task_id: str


class BackgroundTasksChanged(Struct, frozen=True):
    """All tasks that run in the background now."""

    tasks: tuple[ListedTask, ...] = ()


class CompactMetadata(Struct, frozen=True):
    """How a conversation was compacted, in tokens."""

    trigger: str | None = None
    pre_tokens: int | None = None
    post_tokens: int | None = None


class CompactBoundary(Struct, frozen=True):
    """The conversation was compacted here."""

    compact_metadata: CompactMetadata | None = None


class HookStarted(Struct, frozen=True):
    """A hook of the person's own settings starts."""

    hook_id: str | None = None
    hook_name: str | None = None
    hook_event: str | None = None


class HookProgress(Struct, frozen=True):
    """A hook is still running."""

    hook_name: str | None = None


class HookResponse(Struct, frozen=True):
    """A hook has run; `outcome` is `success`, `error` or `cancelled`."""

    hook_id: str | None = None
    hook_name: str | None = None
    hook_event: str | None = None
    output: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    outcome: str | None = None
    exit_code: int | None = None


class RequestProgress(Struct, frozen=True):
    """A control request of ours is being worked on."""

    request_id: str | None = None
    status: str | None = None


class Informational(Struct, frozen=True):
    """A line the CLI would show; `level` is `info`, `notice`, `suggestion` or `warning`."""

    content: str | None = None
    level: str | None = None


class LocalCommandOutput(Struct, frozen=True):
    """What a slash command that never reaches the model printed."""

    content: str | None = None


class Notification(Struct, frozen=True):
    """A note beside the conversation; `priority` is `low`, `medium`, `high` or `immediate`."""

    text: str | None = None
    priority: str | None = None


class SessionTitleChanged(Struct, frozen=True):
    """The session's name now."""

    title: str | None = None


class PermissionDenied(Struct, frozen=True):
    """The CLI denied a tool call by itself; the tool's result says so too."""

    tool_name: str | None = None
    tool_use_id: str | None = None


class ModelFallback(Struct, frozen=True):
    """The turn goes on with another model."""

    content: str | None = None
    original_model: str | None = None
    fallback_model: str | None = None


SystemRecord = (
    Init
    | StatusRecord
    | SessionStateChanged
    | ApiRetry
    | ThinkingTokens
    | TaskStartedRecord
    | TaskProgressRecord
    | TaskUpdatedRecord
    | TaskNotificationRecord
    | BackgroundTasksChanged
    | CompactBoundary
    | HookStarted
    | HookProgress
    | HookResponse
    | RequestProgress
    | Informational
    | LocalCommandOutput
    | Notification
    | SessionTitleChanged
    | PermissionDenied
    | ModelFallback
)

BY_SUBTYPE: dict[str, type[SystemRecord]] = {
    "init": Init,
    "status": StatusRecord,
    "session_state_changed": SessionStateChanged,
    "api_retry": ApiRetry,
    "thinking_tokens": ThinkingTokens,
    "task_started": TaskStartedRecord,
    "task_progress": TaskProgressRecord,
    "task_updated": TaskUpdatedRecord,
    "task_notification": TaskNotificationRecord,
    "background_tasks_changed": BackgroundTasksChanged,
    "compact_boundary": CompactBoundary,
    "hook_started": HookStarted,
    "hook_progress": HookProgress,
    "hook_response": HookResponse,
    "control_request_progress": RequestProgress,
    "informational": Informational,
    "local_command_output": LocalCommandOutput,
    "notification": Notification,
    "session_title_changed": SessionTitleChanged,
    "permission_denied": PermissionDenied,
    "model_fallback": ModelFallback,
    "model_consent_fallback": ModelFallback,
    "model_refusal_fallback": ModelFallback,
    "model_refusal_no_fallback": ModelFallback,
}
