"""What one session is at this moment, as frozen data.

Every source's events fold into these Structs (`reduce.py`), and every widget is drawn from them.
This module must not know a wire record, a process, a file or a screen. Times are seconds since the
epoch, money is US dollars, `*_s` are seconds. Ids, tool names, model names and modes are opaque text.
"""

from typing import Literal

from msgspec import Struct

Source = Literal["wire", "proxy", "transcript", "screen"]
Confidence = Literal["high", "medium", "fallback"]

Kind = Literal["driven", "mirrored", "past", "terminal"]
"""Who runs the session: we do, someone else does, nobody any more, or a CLI in a pane of ours."""

Status = Literal["starting", "failed", "ended", "away", "needs-you", "limited", "working", "idle"]
"""The one word for a session; `status_of` says which applies."""

Phase = Literal["idle", "requesting", "thinking", "responding", "tool-input", "tool-use", "awaiting-tool"]
"""What a working session is doing just now (`awaiting-tool`: a tool waits for a person)."""

ToolKind = Literal["command", "file-change", "read", "search", "web", "note", "agent", "mcp", "other"]
ToolState = Literal["input", "waiting", "running", "done", "failed", "denied", "interrupted"]
"""`input`: its arguments still stream in; `waiting`: it waits for a permission."""

AskKind = Literal["permission", "question", "plan"]
AskState = Literal["open", "answering"]
"""`answering`: an answer is on its way; the CLI has not taken it yet."""

Postponement = Literal["outline", "discuss"]
"""Why a plan was sent back: it is to be written out, or talked over, before it is decided on."""

PromptState = Literal["queued", "sent", "taken"]
TurnEnd = Literal["completed", "stopped", "failed"]
"""How a turn ended: `stopped` is the person's own interrupt, `failed` carries an error."""

Cut = Literal["", "error", "transport", "slept", "gap", "left"]
"""Why an answer of the model's broke off: the API's error, the network, a machine asleep, a gap in what was
seen of it, or the agent itself left (an interrupt); "" where the API ended it."""

BudgetScope = Literal["agent", "day", "fleet"]
"""Whose money a budget is about: one agent's, all agents' of one day, that of all agents on the deck."""

BudgetStage = Literal["", "warned", "held", "stopped"]
"""What was done about a budget: `held`: permissions wait for the person; `stopped`: the turn was ended."""

CaptureState = Literal["", "on", "lost"]
"""Whether the API stream of a session is captured; `lost`: it was, and the session goes on without."""

TaskState = Literal["running", "completed", "failed", "stopped"]
Confirmation = Literal["confirmed", "pending", "unknown"]
"""Whether the CLI has confirmed a shown value; `unknown`: it never answered."""


class Choice(Struct, frozen=True):
    """A value the CLI owns (model, mode, effort): what it last confirmed, and what was asked for since."""

    value: str = ""
    wanted: str = ""
    confirmation: Confirmation = "confirmed"
    error: str = ""


class Can(Struct, frozen=True):
    """What may be done to a session; widgets offer nothing else."""

    prompt: bool = False
    answer: bool = False
    interrupt: bool = False
    configure: bool = False
    stop: bool = False
    restart: bool = False
    resume: bool = False
    attach: bool = False


class ModelInfo(Struct, frozen=True):
    """A model the CLI offers: the value to set, its name for people, and its effort levels."""

    value: str
    label: str = ""
    description: str = ""
    efforts: tuple[str, ...] = ()


class CommandInfo(Struct, frozen=True):
    """A slash command the CLI knows."""

    name: str
    description: str = ""
    argument_hint: str = ""


class Account(Struct, frozen=True):
    """How the CLI is logged in, as it reports it; never a credential."""

    token_source: str = ""
    api_key_source: str = ""
    provider: str = ""
    subscription: str = ""


class Tokens(Struct, frozen=True):
    """Token counts by kind."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def context(self) -> int:
        """How many tokens of the context window one message with this usage fills."""
        return self.input + self.output + self.cache_read + self.cache_write

    def plus(self, other: "Tokens") -> "Tokens":
        """The sum, kind by kind."""
        return Tokens(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )


class ModelUsage(Struct, frozen=True):
    """What one model has used in this session, as the CLI adds it up."""

    model: str
    tokens: Tokens = Tokens()
    cost_usd: float = 0.0
    context_window: int = 0


class Usage(Struct, frozen=True):
    """Money, tokens and time of a session.

    `cost_usd` is the session's: the last cumulative figure of the running process on top of
    `cost_base_usd`, what earlier processes (or the time before `/clear`) had already cost. Of it
    `brought_usd` had been spent before the session came here, and `day_usd` on the local date with the
    ordinal `day`. Where it is estimated, the models `unpriced` have no price.
    """

    cost_usd: float = 0.0
    cost_base_usd: float = 0.0
    cost_process_usd: float = 0.0
    brought_usd: float = 0.0
    day: int = 0
    day_usd: float = 0.0
    tokens: Tokens = Tokens()
    by_model: tuple[ModelUsage, ...] = ()
    context_tokens: int = 0
    context_window: int = 0
    turns: int = 0
    api_s: float = 0.0
    wall_s: float = 0.0
    tokens_per_s: float = 0.0
    unpriced: tuple[str, ...] = ()

    @property
    def context_fill(self) -> float | None:
        """The share of the context window in use, 0.0 to 1.0; None while the window is unknown."""
        if not self.context_window or not self.context_tokens:
            return None
        return min(1.0, self.context_tokens / self.context_window)

    @property
    def own_usd(self) -> float:
        """What was spent since the session came here: what a budget is held against."""
        return max(0.0, self.cost_base_usd + self.cost_process_usd - self.brought_usd)

    def on_day(self, day: int) -> float:
        """What was spent on that day (the ordinal of a local date), of the last day that is known."""
        return self.day_usd if day == self.day else 0.0


class Turn(Struct, frozen=True):
    """The turn that is running.

    `changing` pairs a call's id with the file it is about to change; `cost_usd` is what of its cost has been
    told already.
    """

    number: int
    started_at: float
    interrupting_since: float = 0.0
    interrupted_by: str = ""
    output_tokens: int = 0
    changing: tuple[tuple[str, str], ...] = ()
    cost_usd: float = 0.0
    files_changed: frozenset[str] = frozenset()


class TurnSummary(Struct, frozen=True):
    """A turn that has ended; `stopped_by` is who interrupted it where that was not the person."""

    number: int
    end: TurnEnd
    started_at: float = 0.0
    ended_at: float = 0.0
    cost_usd: float = 0.0
    tokens: Tokens = Tokens()
    steps: int = 0
    files_changed: int = 0
    error: str = ""
    error_status: int = 0
    stopped_by: str = ""

    @property
    def duration_s(self) -> float:
        """Wall time from the first record of the turn to its result."""
        return max(0.0, self.ended_at - self.started_at)


class Image(Struct, frozen=True):
    """An image that goes with a prompt: its media type, base64 text, and a name for people."""

    media_type: str
    base64: str
    name: str = ""


class Prompt(Struct, frozen=True):
    """Words of the person on their way to the agent; `id` is the uuid the CLI gives back."""

    id: str
    text: str
    state: PromptState = "queued"
    images: tuple[Image, ...] = ()
    at: float = 0.0


class Rule(Struct, frozen=True):
    """One permission rule in the CLI's own syntax: `Tool` or `Tool(content)`."""

    tool: str
    content: str | None = None

    def __str__(self) -> str:
        """As the CLI writes it."""
        return f"{self.tool}({self.content})" if self.content is not None else self.tool


class PermissionUpdate(Struct, frozen=True):
    """A change of permissions the CLI suggests, or that goes back with an answer.

    `type` is the CLI's word (`addRules`, `setMode`, `addDirectories` …); what does not belong to that
    type is empty.
    """

    type: str
    rules: tuple[Rule, ...] = ()
    behavior: str = ""
    mode: str = ""
    directories: tuple[str, ...] = ()
    destination: str = "session"


class PendingRule(Struct, frozen=True, omit_defaults=True):
    """A permission rule that is to come into one of the CLI's files, or to leave it, with an allowance.

    `source` is the destination as in `PermissionUpdate`, `sent_with` the ask whose allowance took it along.
    """

    text: str
    behavior: str
    source: str
    leaves: bool = False
    sent_with: str = ""


class Option(Struct, frozen=True):
    """One option of a question."""

    label: str
    description: str = ""
    preview: str = ""


class Question(Struct, frozen=True):
    """One question of an AskUserQuestion form.

    `closed`: nothing but its options answers it. `needed`: it cannot be left out of an answer.
    """

    text: str
    header: str = ""
    multiple: bool = False
    options: tuple[Option, ...] = ()
    closed: bool = False
    needed: bool = False


class Ask(Struct, frozen=True):
    """A request that waits for a person.

    `input_json` is the tool's input exactly as it came, so that an unchanged answer is byte-equal.
    `legacy` marks the older form of the request (FACTS §4), which is answered in its own form, `on_screen`
    a dialog of the CLI's own screen: what it would do cannot be changed there. `wordless`: a denial of it
    takes no words and stops no turn. `held` says why nothing but the person may allow it just now. `unseen`:
    it is only known that its session waits, and nothing here can answer it; its dialog does not fit on a
    `small` screen, or has nothing to choose there (`open`).
    """

    id: str
    kind: AskKind
    tool: str
    input_json: bytes = b"{}"
    title: str = ""
    display_name: str = ""
    description: str = ""
    reason: str = ""
    blocked_path: str = ""
    suggestions: tuple[PermissionUpdate, ...] = ()
    questions: tuple[Question, ...] = ()
    plan: str = ""
    tool_use_id: str = ""
    agent_id: str = ""
    raised_at: float = 0.0
    state: AskState = "open"
    needs_person: bool = False
    legacy: bool = False
    on_screen: bool = False
    wordless: bool = False
    held: str = ""
    unseen: Literal["", "small", "open"] = ""

    @property
    def takes_rules(self) -> bool:
        """Whether an answer can carry rules, the person's own too: not one that is a key on a screen."""
        return self.kind == "permission" and not self.legacy and not self.on_screen

    @property
    def offers_rules(self) -> bool:
        """Whether there are rules to answer with: suggested ones, or any a person writes."""
        return self.kind == "permission" and (self.takes_rules or bool(self.suggestions))


class PlanHold(Struct, frozen=True):
    """A plan that was sent back. Until `until` the same one is denied at once, `denied` times so far.

    `count` is how often plans were sent back since one was approved or denied; `done`: what was asked for has
    been done (the outline is written, the person has spoken), so that the next request is shown.
    """

    how: Postponement
    count: int = 1
    since: float = 0.0
    until: float = 0.0
    denied: int = 0
    done: bool = False


class Report(Struct, frozen=True):
    """What an agent told its supervisor of its own accord; `share` is 0.0 to 1.0, None where not said."""

    text: str
    share: float | None = None
    at: float = 0.0


class HookRun(Struct, frozen=True):
    """A hook that runs now, and since when."""

    id: str
    name: str
    since: float = 0.0


class Task(Struct, frozen=True):
    """A subagent or a background command: a counter beside the status, never "working" itself."""

    id: str
    description: str = ""
    kind: str = ""
    tool_use_id: str = ""
    background: bool = False
    state: TaskState = "running"
    doing: str = ""
    last_tool: str = ""
    tokens: int = 0
    tool_uses: int = 0
    started_at: float = 0.0
    ended_at: float = 0.0
    summary: str = ""


class McpTool(Struct, frozen=True):
    """A tool an MCP server offers."""

    name: str
    description: str = ""


class McpServer(Struct, frozen=True):
    """An MCP server as the CLI sees it; `state` is the CLI's word (`connected`, `failed`, `disabled` …)."""

    name: str
    state: str = ""
    error: str = ""
    transport: str = ""
    scope: str = ""
    address: str = ""
    tools: tuple[McpTool, ...] = ()


class Limit(Struct, frozen=True):
    """Why an agent cannot go on for now: a rate limit, a missing login, a spent budget.

    `reached`: the account gets nothing more until the reset.
    """

    kind: Literal["rate", "auth", "budget", "overload"]
    message: str = ""
    window: str = ""
    resets_at: float = 0.0
    used: float | None = None
    reached: bool = False


class Budget(Struct, frozen=True):
    """A limit on money an agent is under, who set it, and what came of it.

    `limit_usd` 0 means that it was lifted. `by` set it (`settings`, `launch` or `you`), `set_at` is when, 0
    where that is not told. `stage` was reached at `since`, with `spent_usd` of it used. `until` is the end
    of the day that a day's budget is for (0: it has none). Of what was spent `estimated_usd` is an estimate,
    for sessions that are not driven; what the models `unpriced` cost there is not known and not in it.
    """

    scope: BudgetScope
    limit_usd: float = 0.0
    by: str = "settings"
    set_at: float = 0.0
    stage: BudgetStage = ""
    spent_usd: float = 0.0
    since: float = 0.0
    until: float = 0.0
    estimated_usd: float = 0.0
    unpriced: tuple[str, ...] = ()


class Pause(Struct, frozen=True):
    """The person has the agent wait since `since`: its prompts stay queued, until `until` (0: for ever).

    `interrupted`: it was at work, or a limit of the account had stopped it, and is to go on with that.
    """

    since: float
    until: float = 0.0
    interrupted: bool = False


class Retry(Struct, frozen=True):
    """The CLI is about to try a failed request again."""

    attempt: int
    of: int
    delay_s: float = 0.0
    status: int = 0
    at: float = 0.0


class Exit(Struct, frozen=True):
    """How the process ended: its exit code or signal, and the last lines it wrote to stderr."""

    code: int | None = None
    signal: int = 0
    stderr_tail: str = ""
    expected: bool = False
    reason: str = ""


class Away(Struct, frozen=True):
    """The machine a session runs on cannot be reached; what is shown is how it stood then.

    `since` and `retry_at` are seconds since the epoch; `retry_at` 0: it is being tried just now.
    """

    reason: str
    since: float = 0.0
    retry_at: float = 0.0


class SessionState(Struct, frozen=True):
    """Everything about a session but its conversation.

    `key` is ours and never changes; `session_id` is the CLI's and does (resume, `/clear`). `pid` is that of
    the process that is driven, 0 where there is none. `host` is another machine's name, "" for this one.
    """

    key: str
    kind: Kind = "driven"
    host: str = ""
    away: Away | None = None
    can: Can = Can()
    name: str = ""
    title: str = ""
    directory: str = ""
    branch: str = ""
    session_id: str = ""
    pid: int = 0
    version: str = ""
    created_at: float = 0.0
    since: float = 0.0
    started: bool = False
    model: Choice = Choice()
    mode: Choice = Choice()
    effort: Choice = Choice()
    models: tuple[ModelInfo, ...] = ()
    commands: tuple[CommandInfo, ...] = ()
    account: Account = Account()
    phase: Phase = "idle"
    doing: str = ""
    turn: Turn | None = None
    last_turn: TurnSummary | None = None
    prompts: tuple[Prompt, ...] = ()
    asks: tuple[Ask, ...] = ()
    pending_rules: tuple[PendingRule, ...] = ()
    plan_hold: PlanHold | None = None
    report: Report | None = None
    tasks: tuple[Task, ...] = ()
    hooks: tuple[HookRun, ...] = ()
    hook_runs: int = 0
    mcp: tuple[McpServer, ...] = ()
    usage: Usage = Usage()
    limit: Limit | None = None
    budgets: tuple[Budget, ...] = ()
    pause: Pause | None = None
    muted: bool = False
    account_limits: tuple[Limit, ...] = ()
    retry: Retry | None = None
    notice: str = ""
    capture: CaptureState = ""
    exit: Exit | None = None
    unknown_count: int = 0
    violation_count: int = 0

    @property
    def status(self) -> Status:
        """The session's one word."""
        return status_of(self)

    @property
    def running_tasks(self) -> tuple[Task, ...]:
        """Tasks that still run."""
        return tuple(task for task in self.tasks if task.state == "running")

    @property
    def budget(self) -> Budget | None:
        """The budget that is furthest used up, of those something was done about."""
        reached = [budget for budget in self.budgets if budget.stage]
        return max(reached, key=lambda budget: _STAGES.index(budget.stage), default=None)

    @property
    def halted(self) -> bool:
        """Whether prompts wait here: the person paused it, or a budget is spent."""
        return self.pause is not None or any(budget.stage == "stopped" for budget in self.budgets)


_STAGES: tuple[BudgetStage, ...] = ("", "warned", "held", "stopped")


def status_of(state: SessionState) -> Status:
    """The first word that applies: ended, out of reach, waiting for a person, limited, working, idle.

    An idle session whose last turn ended in an error is `failed` too: somebody has to look at it.
    """
    if state.exit is not None:
        return "ended" if state.exit.expected else "failed"
    if state.away is not None:
        return "away"
    if state.asks and any(ask.state == "open" for ask in state.asks):
        return "needs-you"
    if state.limit is not None:
        return "limited"
    if not state.started:
        return "starting"
    if state.turn is not None:
        return "working"
    if state.halted:
        return "limited"
    return "failed" if state.last_turn is not None and state.last_turn.end == "failed" else "idle"
