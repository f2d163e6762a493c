"""What an agent may be given beside its CLI: hooks and tools of ours, as the person chose them.

It must not know what they do, nor load it: the settings are read before the first frame.
"""

from msgspec import Struct

HOOK_EVENTS = (
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "PreModelSwitch",
    "PostModelSwitch",
    "PermissionRequest",
    "PermissionDenied",
    "Setup",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "WorktreeCreate",
    "WorktreeRemove",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "MessageDisplay",
    "PreSkillShellCommand",
)
"""The hook events of the CLI, by its own list (2.1.332); later releases may have more."""


class HookCommand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A shell command of the person's that is run for a hook event of the CLI, any that it has.

    It gets what the CLI tells on stdin as JSON, and answers as a hook of the CLI's own settings does: a JSON
    object on stdout, or exit code 2 to block, with the reason on stderr. `matcher` is the CLI's own: which
    tools, say.
    """

    event: str
    command: str
    matcher: str = ""
    timeout_s: float = 60.0


class HookChoice(Struct, frozen=True, kw_only=True):
    """Which hooks an agent has.

    `until` is a shell command that must pass before it may stop, `guard` has the deny rules hold where the
    CLI does not ask, `notifications` has what it would notify of stand in the conversation. `run` are
    commands for any event.
    """

    until: str = ""
    until_limit: int = 5
    until_timeout_s: float = 300.0
    guard: bool = False
    notifications: bool = False
    run: tuple[HookCommand, ...] = ()


class ToolChoice(Struct, frozen=True, kw_only=True):
    """Whether an agent gets our tools, and whether those that reach other agents are among them.

    `approve`: each message to another agent is asked for, also in a permission mode that asks for nothing.
    """

    enabled: bool = False
    neighbours: bool = False
    approve: bool = False
