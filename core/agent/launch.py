"""What an agent is to be, and the command line and environment that make it so: pure but for `check`.

Flags and variables are tables; a change of the CLI is a change of a table. Never a shell. It must not know
how a process is run, nor where the CLI is (`find.py`).
Sources: `claude --help` of 2.1.332 and runs of it; where a value was seen to matter it is said beside it.
"""

import os
import stat
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec

from core.errors import DirectoryForbidden, DirectoryIsFile, DirectoryMissing, DirectoryUnnameable

STREAMS = (
    *("--output-format", "stream-json"),
    *("--input-format", "stream-json"),
    "--verbose",
    "--include-partial-messages",
    *("--permission-prompt-tool", "stdio"),
    "--replay-user-messages",
    "--forward-subagent-text",
    "--include-hook-events",
)
"""Passed to every agent. No `-p`: 2.1.332 needs none with these."""

NO_ATTRIBUTION = {"commit": "", "pr": ""}

EFFORTS = ("low", "medium", "high", "xhigh", "max")
"""The effort levels that models of today have, as `initialize` tells (2.1.332)."""


class LaunchSpec(msgspec.Struct, frozen=True, kw_only=True):
    """All that decides how an agent starts. Empty means: the CLI's own default.

    `directory` is an absolute path. `permission_mode` is spelled as on the control channel (`default`,
    `plan`, …). `mcp_config` holds JSON texts or file paths. `resume` is a session id; `fork` counts only with
    one. `extra_flags` are appended as they are. `environment` wins over everything inherited or set here.
    `settings_json` is one JSON object. `api_billing` lets an inherited `ANTHROPIC_API_KEY` through.
    `until` is a shell command that must pass before the agent may stop (a hook of ours, no flag);
    `budget_usd` is what it may spend, 0 where the settings tell (not the CLI's own `--max-budget-usd`).
    `author_name` and `author_email` are for the agent's git commits; `attribution=False` takes the CLI's
    co-author trailer out of them.
    """

    directory: str
    name: str = ""
    model: str = ""
    effort: str = ""
    permission_mode: str = ""
    allowed_tools: tuple[str, ...] = ()
    disallowed_tools: tuple[str, ...] = ()
    mcp_config: tuple[str, ...] = ()
    resume: str = ""
    fork: bool = False
    extra_flags: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    settings_json: str = ""
    api_billing: bool = False
    until: str = ""
    budget_usd: float = 0.0
    author_name: str = ""
    author_email: str = ""
    attribution: bool = True


def _settings(spec: LaunchSpec) -> str:
    if spec.attribution:
        return spec.settings_json
    given = msgspec.json.decode(spec.settings_json or "{}", type=dict[str, msgspec.Raw])
    return msgspec.json.encode({**given, "attribution": NO_ATTRIBUTION}).decode()


OPTIONS: tuple[tuple[str, Callable[[LaunchSpec], Iterable[str]]], ...] = (
    # `manual` is what --help calls `default`; 2.1.332 takes both and older ones know only `default`.
    ("--permission-mode", lambda spec: (spec.permission_mode.replace("manual", "default"),)),
    ("--model", lambda spec: (spec.model,)),
    ("--effort", lambda spec: (spec.effort,)),  # an unknown level is only a warning on stderr
    ("--resume", lambda spec: (spec.resume,)),
    ("--settings", lambda spec: (_settings(spec),)),
    ("--mcp-config", lambda spec: spec.mcp_config),
    ("--allowedTools", lambda spec: spec.allowed_tools),
    ("--disallowedTools", lambda spec: spec.disallowed_tools),
)
"""Flag → its values; an empty value leaves the flag out (`--model=` would be a model named "")."""

DROPPED = frozenset(
    (
        # Marks a CLI leaves on what it starts (each but the SSE port seen in the environment of a Bash tool
        # of 2.1.332, or set by an SDK host): a child that sees them takes itself for a part of that session.
        *("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_EXECPATH"),
        *("CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_SESSION_KIND", "CLAUDE_CODE_SESSION_NAME"),
        *("CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_SESSION_ACCESS_TOKEN"),
        *("CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_CHILD_NOTES_DIR", "CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS"),
        *("CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_MESSAGING_TOKEN"),
        *("CLAUDE_PID", "CLAUDE_EFFORT", "CLAUDE_ENV_FILE", "CLAUDE_PROJECT_DIR", "CLAUDE_JOB_DIR"),
        *("CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "CLAUDE_SKILL_DIR"),
        *("CLAUDE_AGENT_SDK_VERSION", "CLAUDE_AGENT_SDK_CLIENT_APP", "AI_AGENT"),
        "ANTHROPIC_LOG",  # it writes dozens of non-JSON lines a turn to stdout
    )
)

SET = {
    "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS": "1",
    "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING": "true",
}

AUTHOR: tuple[tuple[str, Callable[[LaunchSpec], str]], ...] = (
    ("GIT_AUTHOR_NAME", lambda spec: spec.author_name),
    ("GIT_COMMITTER_NAME", lambda spec: spec.author_name),
    ("GIT_AUTHOR_EMAIL", lambda spec: spec.author_email),
    ("GIT_COMMITTER_EMAIL", lambda spec: spec.author_email),
)


def argv(spec: LaunchSpec, cli_path: str | Path) -> tuple[str, ...]:
    """The command line. Values are joined to their flag by `=`, as any of them may begin with a dash."""
    chosen = (f"{flag}={value}" for flag, values in OPTIONS for value in values(spec) if value)
    fork = ("--fork-session",) if spec.fork and spec.resume else ()
    return (str(cli_path), *STREAMS, *chosen, *fork, *spec.extra_flags)


def environment(spec: LaunchSpec, inherited: Mapping[str, str]) -> dict[str, str]:
    """The child's whole environment: what the person chose stays, what marks a running session goes."""
    dropped = DROPPED if spec.api_billing else DROPPED | {"ANTHROPIC_API_KEY"}
    kept = {name: value for name, value in inherited.items() if name not in dropped}
    author = {name: value for name, of in AUTHOR if (value := of(spec))}
    return {**kept, **SET, **author, **dict(spec.environment)}


def check(spec: LaunchSpec) -> None:
    """Looks at the folder: raises one of the `Directory…` errors."""
    check_directory(Path(spec.directory))


def check_directory(path: Path) -> None:
    """As `check`, for a bare path. Blocking, but only one `stat` long."""
    try:
        mode = path.stat().st_mode
    except PermissionError:
        raise DirectoryForbidden(path) from None
    except OSError:
        raise DirectoryMissing(path) from None
    if not stat.S_ISDIR(mode):
        raise DirectoryIsFile(path)
    if not os.access(path, os.R_OK | os.X_OK):
        raise DirectoryForbidden(path)
    try:
        str(path.resolve()).encode()  # through a link with a proper name, too, the CLI sees where it is
    except UnicodeEncodeError:
        raise DirectoryUnnameable(path) from None
