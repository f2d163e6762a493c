"""What the CLI answers to our control requests, one Struct a body (FACTS §4).

A body that is missing reads as an empty one, so every field has a default. This module must not know
the requests themselves.
"""

from msgspec import Raw, Struct, field


class Done(Struct, frozen=True):
    """Success, with nothing more to say."""


class CommandBody(Struct, frozen=True):
    """A slash command."""

    name: str
    description: str | None = None
    argument_hint: str | None = field(default=None, name="argumentHint")


class AgentBody(Struct, frozen=True):
    """A subagent the model can start."""

    name: str
    description: str | None = None
    model: str | None = None


class ModelBody(Struct, frozen=True):
    """A model to choose; `resolved_model` is what an alias stands for."""

    value: str
    display_name: str | None = field(default=None, name="displayName")
    description: str | None = None
    resolved_model: str | None = field(default=None, name="resolvedModel")
    efforts: tuple[str, ...] | None = field(default=None, name="supportedEffortLevels")


class AccountBody(Struct, frozen=True):
    """How the CLI is logged in; never a credential."""

    token_source: str | None = field(default=None, name="tokenSource")
    api_key_source: str | None = field(default=None, name="apiKeySource")
    provider: str | None = field(default=None, name="apiProvider")
    subscription: str | None = field(default=None, name="subscriptionType")


class InitializeAnswer(Struct, frozen=True):
    """What the CLI offers, before the first prompt."""

    models: tuple[ModelBody, ...] = ()
    commands: tuple[CommandBody, ...] = ()
    agents: tuple[AgentBody, ...] = ()
    account: AccountBody | None = None
    pid: int | None = None
    version: str | None = field(default=None, name="claude_code_version")
    mode: str | None = field(default=None, name="current_permission_mode")
    session_state: str | None = None


class InterruptAnswer(Struct, frozen=True):
    """Uuids of the prompts that outlive the interrupt."""

    still_queued: tuple[str, ...] = ()


class ModelAnswer(Struct, frozen=True):
    """The model now set."""

    model: str | None = None


class ModeAnswer(Struct, frozen=True):
    """The permission mode now set."""

    mode: str | None = None


class McpToolBody(Struct, frozen=True):
    """A tool of an MCP server."""

    name: str
    description: str | None = None


class McpConfigBody(Struct, frozen=True):
    """How an MCP server is reached: a link, or a command with its arguments."""

    type: str | None = None
    url: str | None = None
    command: str | None = None
    args: tuple[str, ...] | None = None


class McpServerBody(Struct, frozen=True):
    """An MCP server; `status` is the CLI's word."""

    name: str
    status: str | None = None
    error: str | None = None
    transport: str | None = None
    scope: str | None = None
    config: McpConfigBody | None = None
    tools: tuple[McpToolBody, ...] | None = None


class McpStatusAnswer(Struct, frozen=True):
    """The MCP servers as they stand."""

    servers: tuple[McpServerBody, ...] = field(default=(), name="mcpServers")


class McpSetAnswer(Struct, frozen=True):
    """Which servers were added and removed, and what went wrong, by name."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    errors: dict[str, str] = {}


class ContextCategory(Struct, frozen=True):
    """One part of the context window, in tokens; `kind` is `used`, `deferred`, `buffer` or `free`."""

    name: str
    tokens: int = 0
    kind: str | None = None


class MemoryFile(Struct, frozen=True):
    """A file of instructions that is in the context, in tokens."""

    path: str
    tokens: int = 0


class ContextTool(Struct, frozen=True):
    """An MCP tool whose description is in the context, in tokens."""

    name: str
    tokens: int = 0
    server: str | None = field(default=None, name="serverName")


class ContextAnswer(Struct, frozen=True):
    """What fills the context window, in tokens; `compacts_at` counts only where `compacts` is true."""

    categories: tuple[ContextCategory, ...] = ()
    memory_files: tuple[MemoryFile, ...] | None = field(default=None, name="memoryFiles")
    mcp_tools: tuple[ContextTool, ...] | None = field(default=None, name="mcpTools")
    compacts_at: int | None = field(default=None, name="autoCompactThreshold")
    compacts: bool | None = field(default=None, name="isAutoCompactEnabled")
    total_tokens: int = field(default=0, name="totalTokens")
    max_tokens: int = field(default=0, name="maxTokens")
    percentage: float = 0.0


class ModelUsageBody(Struct, frozen=True, rename="camel"):
    """What one model has used."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cost_usd: float | None = field(default=None, name="costUSD")
    context_window: int | None = None


class SessionUsage(Struct, frozen=True):
    """Money, time (ms) and lines of this process."""

    total_cost_usd: float = 0.0
    total_api_duration_ms: float = 0.0
    total_duration_ms: float = 0.0
    total_lines_added: int = 0
    total_lines_removed: int = 0
    model_usage: dict[str, ModelUsageBody] | None = None


class UsageAnswer(Struct, frozen=True):
    """Money and tokens so far; `rate_limits` is the CLI's own JSON, a view into the line."""

    session: SessionUsage = SessionUsage()
    subscription_type: str | None = None
    rate_limits_available: bool = False
    rate_limits: Raw = Raw()


class TextAnswer(Struct, frozen=True):
    """An answer in words."""

    text: str = ""


class RewindAnswer(Struct, frozen=True):
    """What a rewind changed, or would change."""

    can_rewind: bool = field(default=False, name="canRewind")
    error: str | None = None
    files_changed: tuple[str, ...] | None = field(default=None, name="filesChanged")
    insertions: int | None = None
    deletions: int | None = None


class CancelAnswer(Struct, frozen=True):
    """Whether the prompt was still there to be taken back."""

    cancelled: bool = False


class SideAnswer(Struct, frozen=True):
    """What the model says to a side question; `synthetic`: the CLI's own words about what went wrong."""

    response: str | None = None
    synthetic: bool | None = None


class PlanAnswer(Struct, frozen=True):
    """The plan, where there is one."""

    exists: bool = False
    content: str | None = None
    path: str | None = None


class TitleAnswer(Struct, frozen=True):
    """A title, or None where the CLI has none."""

    title: str | None = None


class AppliedSettings(Struct, frozen=True):
    """What is in force now."""

    model: str | None = None
    effort: str | None = None


class SourceBody(Struct, frozen=True):
    """The settings of one source, as JSON: a view into the line."""

    source: str
    settings: Raw = Raw(b"{}")


class SettingsAnswer(Struct, frozen=True):
    """The settings in force; `effective` is the CLI's own JSON, a view into the line."""

    effective: Raw = Raw()
    sources: tuple[SourceBody, ...] = ()
    applied: AppliedSettings | None = None


class RuleWords(Struct, frozen=True):
    """The CLI's own reading of a rule, in three parts."""

    prefix: str = ""
    emphasis: str | None = None
    suffix: str | None = None


class RuleBody(Struct, frozen=True):
    """A permission rule that counts now, exactly as the session holds it, and where it comes from."""

    rule: str
    behavior: str = "allow"
    source: str = ""
    description: RuleWords | None = None


class RulesState(Struct, frozen=True):
    """All rules of a session."""

    rules: tuple[RuleBody, ...] = ()


class RulesAnswer(Struct, frozen=True):
    """The rules that count, with those of the settings files (seen on 2.1.332)."""

    state: RulesState = RulesState()
