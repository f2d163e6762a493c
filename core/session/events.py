"""The one vocabulary every source speaks.

A source (`core.sources`) turns what it sees into these events; `reduce.fold` and
`Conversation.apply` turn events into what a person sees. An event says what happened, never what to
draw. `parent` is the id of the tool call a subagent was started by, "" for the main conversation.

A *turn* runs from a prompt to its `result`; a *message* is one answer of the model's API within it;
a *block* is one piece of a message. `at` is seconds since the epoch.
"""

from msgspec import Struct

from core.session.state import (
    Account,
    Ask,
    Budget,
    CaptureState,
    CommandInfo,
    Confidence,
    Cut,
    Image,
    Limit,
    McpServer,
    ModelInfo,
    ModelUsage,
    Pause,
    PendingRule,
    Phase,
    PlanHold,
    PromptState,
    Report,
    Retry,
    Source,
    Task,
    TaskState,
    Tokens,
)


class Event(Struct, frozen=True, kw_only=True, gc=False):
    """What every event carries: when it happened, who says so, and how sure that is."""

    at: float = 0.0
    source: Source = "wire"
    confidence: Confidence = "high"


class Introduced(Event, frozen=True, kw_only=True):
    """The CLI answered `initialize`: what it offers."""

    models: tuple[ModelInfo, ...] = ()
    commands: tuple[CommandInfo, ...] = ()
    account: Account = Account()
    model: str = ""
    mode: str = ""
    version: str = ""


class Initialized(Event, frozen=True, kw_only=True):
    """A turn's `init`: the facts of the session as the CLI has them now."""

    session_id: str = ""
    model: str = ""
    mode: str = ""
    directory: str = ""
    version: str = ""
    mcp: tuple[McpServer, ...] = ()


class TurnStarted(Event, frozen=True, kw_only=True):
    """The agent began to work."""


class TurnCompleted(Event, frozen=True, kw_only=True):
    """The `result`: the turn is over.

    `total_cost_usd` is cumulative over the process, never this turn's own; None where not told.
    `aborted` says the CLI itself calls it an abort (an interrupt).
    """

    is_error: bool = False
    aborted: bool = False
    error: str = ""
    error_status: int = 0
    reason: str = ""
    steps: int = 0
    total_cost_usd: float | None = None
    tokens: Tokens = Tokens()
    by_model: tuple[ModelUsage, ...] = ()
    api_s: float = 0.0
    wall_s: float = 0.0
    still_queued: int = 0


class MessageStarted(Event, frozen=True, kw_only=True):
    """The model began an answer."""

    message_id: str
    parent: str = ""
    model: str = ""
    tokens: Tokens = Tokens()


class MessageDelta(Event, frozen=True, kw_only=True):
    """The model's answer got its stop reason and final token counts."""

    message_id: str
    parent: str = ""
    stop_reason: str = ""
    output_tokens: int = 0


class MessageStopped(Event, frozen=True, kw_only=True):
    """The model's answer has ended on the API, or was `cut`: what is open of it never gets its end."""

    message_id: str
    parent: str = ""
    cut: Cut = ""


class MessageWithdrawn(Event, frozen=True, kw_only=True):
    """A broken-off answer counts no more: the request was made again and is answered under another id."""

    message_id: str
    parent: str = ""


class BlockStarted(Event, frozen=True, kw_only=True):
    """A block opened; `kind` is the API's word (`text`, `thinking`, `tool_use` …)."""

    message_id: str
    index: int
    kind: str
    parent: str = ""
    tool: str = ""
    tool_use_id: str = ""


class TextDelta(Event, frozen=True, kw_only=True):
    """More text of an open block."""

    message_id: str
    index: int
    text: str
    parent: str = ""


class ThinkingDelta(Event, frozen=True, kw_only=True):
    """More thinking of an open block."""

    message_id: str
    index: int
    text: str
    parent: str = ""


class ToolInputDelta(Event, frozen=True, kw_only=True):
    """More of a tool call's input, as raw JSON text."""

    message_id: str
    index: int
    json: str
    parent: str = ""


class SignatureDelta(Event, frozen=True, kw_only=True):
    """A thinking block was signed; there is nothing to show."""

    message_id: str
    index: int
    parent: str = ""


class CitationsDelta(Event, frozen=True, kw_only=True):
    """A citation was attached to an open text block; `raw` is its JSON."""

    message_id: str
    index: int
    raw: bytes = b""
    parent: str = ""


class BlockStopped(Event, frozen=True, kw_only=True):
    """The API closed a block (its complete form comes as `*Completed`, before or after)."""

    message_id: str
    index: int
    parent: str = ""


class TextCompleted(Event, frozen=True, kw_only=True):
    """A whole text block: it replaces what was streamed of it, once.

    `index` is None where the source does not tell it: the next block of that message not completed yet.
    """

    message_id: str
    text: str
    index: int | None = None
    parent: str = ""


class ThinkingCompleted(Event, frozen=True, kw_only=True):
    """A whole thinking block (its text may be empty: signed only)."""

    message_id: str
    text: str
    index: int | None = None
    parent: str = ""


class ToolInputFinalized(Event, frozen=True, kw_only=True):
    """A whole tool call; `input_json` is its input as it came."""

    message_id: str
    tool_use_id: str
    tool: str
    input_json: bytes = b"{}"
    index: int | None = None
    parent: str = ""


class OtherBlockCompleted(Event, frozen=True, kw_only=True):
    """A whole block of a kind with nothing to show (or not known): it only takes its place."""

    message_id: str
    kind: str = ""
    index: int | None = None
    parent: str = ""


class MessageCompleted(Event, frozen=True, kw_only=True):
    """The CLI told a message's usage; the last one told for a message counts.

    `synthetic`: the CLI's own words, not the model's.
    """

    message_id: str
    parent: str = ""
    model: str = ""
    tokens: Tokens = Tokens()
    synthetic: bool = False


class ToolResulted(Event, frozen=True, kw_only=True):
    """A tool call returned.

    `text` is what the model sees, `patch_json` the structured result where it holds one; `decision`
    and `decided_by` tell who allowed or denied the call, where the CLI says so.
    """

    tool_use_id: str
    text: str = ""
    is_error: bool = False
    images: int = 0
    detail_json: bytes = b""
    decision: str = ""
    decided_by: str = ""
    parent: str = ""


class PhaseChanged(Event, frozen=True, kw_only=True):
    """What the agent is doing changed."""

    phase: Phase


class PromptMoved(Event, frozen=True, kw_only=True):
    """A prompt is queued here, sent to the CLI, or taken by it. A new id is a new prompt."""

    id: str
    state: PromptState
    text: str = ""
    images: tuple[Image, ...] = ()


class PromptWithdrawn(Event, frozen=True, kw_only=True):
    """A prompt was taken back (or could not be sent); `text` returns to the person's draft."""

    id: str
    text: str = ""
    reason: str = ""


class UserSpoke(Event, frozen=True, kw_only=True):
    """Words in the user's role that did not come through our prompt box.

    `meta` marks the CLI's own notes (`[Request interrupted by user]`, command output …); `id` is the
    record's own, where there is one.
    """

    text: str
    id: str = ""
    parent: str = ""
    meta: bool = False
    images: int = 0


class AskRaised(Event, frozen=True, kw_only=True):
    """The agent waits for a person."""

    ask: Ask


class AskDecided(Event, frozen=True, kw_only=True):
    """An ask was answered at once by something the person had set, and never waited: `note` says by what."""

    ask: Ask
    note: str


class AskHeld(Event, frozen=True, kw_only=True):
    """An ask waits for the person whatever their rules say: `why`; "" when that is over."""

    id: str
    why: str = ""


class RulesPending(Event, frozen=True, kw_only=True):
    """Rules wait for an allowance, or went with one (`more`); others do no more (`less`)."""

    more: tuple[PendingRule, ...] = ()
    less: tuple[PendingRule, ...] = ()


class PlanTold(Event, frozen=True, kw_only=True):
    """The text of a plan that was asked about without it."""

    id: str
    text: str


class PlanHeld(Event, frozen=True, kw_only=True):
    """A plan was sent back and cools down, or (None) was approved or denied after all."""

    hold: PlanHold | None = None


class Reported(Event, frozen=True, kw_only=True):
    """The agent told its supervisor how far it is."""

    report: Report


class AskAnswering(Event, frozen=True, kw_only=True):
    """An answer to an ask is on its way to the CLI; `note` says what the person made of the call."""

    id: str
    note: str = ""


class AskSettled(Event, frozen=True, kw_only=True):
    """An ask is gone: answered and taken, or withdrawn by the CLI, an interrupt, the turn's end, the exit."""

    id: str
    outcome: str = "withdrawn"
    note: str = ""


class McpChanged(Event, frozen=True, kw_only=True):
    """The MCP servers as they stand now."""

    servers: tuple[McpServer, ...]


class TaskStarted(Event, frozen=True, kw_only=True):
    """A subagent or background command started."""

    task: Task


class TaskProgressed(Event, frozen=True, kw_only=True):
    """What a task is doing now."""

    id: str
    doing: str = ""
    last_tool: str = ""
    tokens: int = 0
    tool_uses: int = 0


class TaskEnded(Event, frozen=True, kw_only=True):
    """A task has ended."""

    id: str
    state: TaskState = "completed"
    summary: str = ""
    tokens: int = 0


class TasksListed(Event, frozen=True, kw_only=True):
    """The ids of all background tasks that run now; a task not among them has ended."""

    ids: tuple[str, ...]


class Wanted(Event, frozen=True, kw_only=True):
    """We asked the CLI to change `what` (`model`, `mode`, `effort`); it has not answered yet."""

    what: str
    value: str


class Confirmed(Event, frozen=True, kw_only=True):
    """The CLI confirmed, or announced by itself, a value of `what`."""

    what: str
    value: str


class Refused(Event, frozen=True, kw_only=True):
    """The CLI refused a change (`error` says why), or never answered (`timed_out`)."""

    what: str
    value: str
    error: str
    timed_out: bool = False


class TitleChanged(Event, frozen=True, kw_only=True):
    """The session has a new title."""

    title: str


class ContextMeasured(Event, frozen=True, kw_only=True):
    """The CLI's own measure of the context window."""

    tokens: int
    window: int


class CostMeasured(Event, frozen=True, kw_only=True):
    """The CLI's own running total, asked for.

    `running`: in the middle of its work; else at a process's start, where the first one tells what a resume
    brought along.
    """

    total_cost_usd: float
    by_model: tuple[ModelUsage, ...] = ()
    running: bool = False


class Compacting(Event, frozen=True, kw_only=True):
    """The CLI is compacting the conversation."""


class Compacted(Event, frozen=True, kw_only=True):
    """The conversation was compacted; counts are tokens, 0 where not told."""

    trigger: str = ""
    before: int = 0
    after: int = 0


class ConversationReset(Event, frozen=True, kw_only=True):
    """`/clear`: the model forgot what was said; the process's cost starts again at zero.

    `text` says it otherwise, where it may have been for another reason.
    """

    session_id: str = ""
    text: str = ""


class ApiRetrying(Event, frozen=True, kw_only=True):
    """A request failed and will be tried again."""

    retry: Retry


class ApiFailed(Event, frozen=True, kw_only=True):
    """A request failed on the API, try `attempt` of it; whether it is made again nobody knows yet.

    `kind` is the API's word (`overloaded_error` …), `status` the HTTP status it stands for (0: none).
    """

    text: str
    kind: str = ""
    status: int = 0
    attempt: int = 1
    message_id: str = ""
    parent: str = ""


class CaptureChanged(Event, frozen=True, kw_only=True):
    """The API stream of the session is captured from now on, or is not any more."""

    state: CaptureState


class LimitChanged(Event, frozen=True, kw_only=True):
    """A limit of the account as the CLI reports it; `blocking` when it holds the agent now."""

    limit: Limit
    blocking: bool = False


class BudgetChanged(Event, frozen=True, kw_only=True):
    """A budget was set, lifted (no limit), or has come to another stage."""

    budget: Budget


class Paused(Event, frozen=True, kw_only=True):
    """The person has the agent wait, or (None) go on."""

    pause: Pause | None = None


class Muted(Event, frozen=True, kw_only=True):
    """The person wants to be notified of nothing that this agent does, or of what it does again."""

    muted: bool = True


class HookStarted(Event, frozen=True, kw_only=True):
    """A hook runs: one of the CLI's settings, or one of ours."""

    id: str
    name: str
    hook_event: str = ""


class HookRan(Event, frozen=True, kw_only=True):
    """A hook has run; `ours` says for itself what it did, where that is worth reading."""

    name: str
    id: str = ""
    ours: bool = False
    hook_event: str = ""
    outcome: str = ""
    output: str = ""


class Noticed(Event, frozen=True, kw_only=True):
    """Something the person should read in the conversation; `level` is `info`, `warning` or `error`."""

    text: str
    level: str = "info"
    parent: str = ""


class UnknownSeen(Event, frozen=True, kw_only=True):
    """A record or a piece of one that nothing here understands; kept raw."""

    raw: bytes
    why: str = ""


class Violated(Event, frozen=True, kw_only=True):
    """A source broke the rules of a turn; the event was dropped."""

    what: str


class ProcessStarted(Event, frozen=True, kw_only=True):
    """A process for this session has started (again)."""

    pid: int = 0
    version: str = ""


class ProcessExited(Event, frozen=True, kw_only=True):
    """The process is gone. `expected`: we closed it, or it ended in order."""

    code: int | None = None
    signal: int = 0
    stderr_tail: str = ""
    expected: bool = False
    reason: str = ""


class Resumed(Event, frozen=True, kw_only=True):
    """All that was told so far is past: how it ended then holds the session up no more."""


class Interrupting(Event, frozen=True, kw_only=True):
    """The turn is being interrupted; the CLI has not ended it yet. `by` did it, "" is the person."""

    by: str = ""


class HostLeft(Event, frozen=True, kw_only=True):
    """The machine the session runs on cannot be reached; tried again at `retry_at`, 0 is now."""

    reason: str = ""
    retry_at: float = 0.0


class Renamed(Event, frozen=True, kw_only=True):
    """The person named the session, or its directory's branch changed; None leaves a field as it is."""

    name: str | None = None
    branch: str | None = None
    directory: str | None = None
