"""What the CLI answers to our own requests, as the vocabulary of a session. It must not know who asked."""

from core.session.context import Context, Part
from core.session.events import CostMeasured, Introduced
from core.session.state import Account, CommandInfo, McpServer, McpTool, ModelInfo, ModelUsage, Tokens
from core.wire.bodies import (
    ContextAnswer,
    InitializeAnswer,
    McpConfigBody,
    McpServerBody,
    McpStatusAnswer,
    ModelUsageBody,
    UsageAnswer,
)
from core.wire.content import ApiUsage


def introduced(answer: InitializeAnswer, at: float) -> Introduced:
    """The answer to `initialize`. It does not tell which model is set; `init` will."""
    account = answer.account
    return Introduced(
        at=at,
        models=tuple(
            ModelInfo(model.value, model.display_name or "", model.description or "", model.efforts or ())
            for model in answer.models
        ),
        commands=tuple(
            CommandInfo(command.name, command.description or "", command.argument_hint or "")
            for command in answer.commands
        ),
        account=Account()
        if account is None
        else Account(
            account.token_source or "",
            account.api_key_source or "",
            account.provider or "",
            account.subscription or "",
        ),
        mode=answer.mode or "",
        version=answer.version or "",
    )


def mcp_servers(answer: McpStatusAnswer) -> tuple[McpServer, ...]:
    """The answer to `mcp_status`."""
    return tuple(_server(server) for server in answer.servers)


def _server(told: McpServerBody) -> McpServer:
    return McpServer(
        name=told.name,
        state=told.status or "",
        error=told.error or "",
        transport=told.transport or "",
        scope=told.scope or "",
        address=_address(told.config),
        tools=tuple(McpTool(tool.name, tool.description or "") for tool in told.tools or ()),
    )


def _address(config: McpConfigBody | None) -> str:
    if config is None:
        return ""
    return config.url or " ".join((config.command or "", *(config.args or ()))).strip()


def context(answer: ContextAnswer) -> Context:
    """The answer to `get_context_usage`."""
    return Context(
        parts=tuple(Part(part.name, part.tokens, part.kind or "used") for part in answer.categories),
        tokens=answer.total_tokens,
        window=answer.max_tokens,
        files=tuple(Part(file.path, file.tokens) for file in answer.memory_files or ()),
        tools=tuple(
            Part(f"{tool.server}: {tool.name}" if tool.server else tool.name, tool.tokens)
            for tool in answer.mcp_tools or ()
        ),
        compacts_at=(answer.compacts_at or 0) if answer.compacts else 0,
    )


def cost_measured(answer: UsageAnswer, at: float) -> CostMeasured:
    """The answer to `get_usage`."""
    session = answer.session
    return CostMeasured(at=at, total_cost_usd=session.total_cost_usd, by_model=by_model(session.model_usage))


def by_model(told: dict[str, ModelUsageBody] | None) -> tuple[ModelUsage, ...]:
    """What each model has used, as the CLI adds it up."""
    if not told:
        return ()
    return tuple(
        [
            ModelUsage(model, tokens(usage), usage.cost_usd or 0.0, usage.context_window or 0)
            for model, usage in told.items()
        ]
    )


def tokens(usage: ApiUsage | ModelUsageBody | None) -> Tokens:
    """Token counts of the API, whose fields may be null."""
    if usage is None:
        return Tokens()
    return Tokens(
        usage.input_tokens or 0,
        usage.output_tokens or 0,
        usage.cache_read_input_tokens or 0,
        usage.cache_creation_input_tokens or 0,
    )
