"""The steps of a script: what a simulated agent can say, do and break; pure data, checked by `script`.

The first field of each class is its verb in TOML, the others are the verb's options. Times are seconds.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Json: TypeAlias = dict[str, object]
Lines: TypeAlias = tuple[str, ...]
Tables: TypeAlias = tuple[Json, ...]
Steps: TypeAlias = "tuple[Step, ...]"
Cases: TypeAlias = "tuple[Case, ...]"
NOTHING: Json = {}


class Say(NamedTuple):
    """Stream a text block, word by word; `pace` is words per second (0: the session's)."""

    say: str
    pace: float = 0.0


class Think(NamedTuple):
    """Stream a thinking block."""

    think: str
    pace: float = 0.0


class Tool(NamedTuple):
    """Call a tool; `ask` raises a permission request unless the mode or a rule already allows the call.

    `line` is where an edit begins. `error` makes the call fail with that text. `with_next` puts the next tool
    call into the same message. `detail` is the `tool_use_result`, made up from the input if empty. `suggest`
    replaces the usual suggested rules.
    """

    tool: str
    input: Json = NOTHING
    ask: bool = False
    result: str = ""
    error: str = ""
    takes: float = 0.0
    reason: str = ""
    blocked_path: str = ""
    line: int = 1
    suggest: Tables = ()
    detail: Json = NOTHING
    with_next: bool = False
    granted: Steps = ()
    denied: Steps = ()


class Question(NamedTuple):
    """Ask with AskUserQuestion; the first `when` whose `match` is found in the joined answers is played."""

    question: Tables
    when: Cases = ()
    denied: Steps = ()


class Plan(NamedTuple):
    """Leave plan mode with a Markdown plan; `path` is the plan file (empty: the request's input is empty)."""

    plan: str
    path: str = "plan.md"
    mode_after: str = "default"
    granted: Steps = ()
    denied: Steps = ()


class Subagent(NamedTuple):
    """Start a subagent of that type; in the background it outlives the turn, and then `then` is played."""

    subagent: str
    description: str = "Look around"
    prompt: str = ""
    steps: Steps = ()
    summary: str = "Done."
    in_background: bool = False
    then: Steps = ()


class Background(NamedTuple):
    """Run a command in the background for `takes` seconds; then `then` is played in a turn of its own."""

    background: str
    description: str = "Run it in the background"
    takes: float = 3.0
    exit_code: int = 0
    then: Steps = ()


class Wait(NamedTuple):
    """Do nothing for a while."""

    wait: float


class Hold(NamedTuple):
    """Wait until the turn is interrupted (or stdin closes); works at every speed."""

    hold: bool


class Mcp(NamedTuple):
    """Change the state of an MCP server."""

    mcp: str
    status: str = "failed"
    error: str = ""


class Mode(NamedTuple):
    """Change the permission mode from inside."""

    mode: str


class RateLimit(NamedTuple):
    """Tell the account's limit: status `allowed`, `allowed_warning` or `rejected`."""

    rate_limit: str
    kind: str = "five_hour"
    utilization: float = 0.0
    resets_in: float = 3600.0


class Retry(NamedTuple):
    """Have the API fail with this status some times before it answers."""

    retry: int
    attempts: int = 2
    delay: float = 0.6


class ApiError(NamedTuple):
    """End the turn with an API error of this status."""

    api_error: int
    message: str = ""


class Compact(NamedTuple):
    """Compact the conversation down to this many tokens."""

    compact: int
    trigger: str = "auto"


class Raw(NamedTuple):
    """Write any record; `session_id` and `uuid` are filled in."""

    raw: Json


class Legacy(NamedTuple):
    """Ask for a tool of this name in the older form of the permission request."""

    legacy_permission: str
    input: Json = NOTHING
    granted: Steps = ()
    denied: Steps = ()


class Hook(NamedTuple):
    """Call the host's hooks for this event, if it registered any, and go on with their answer."""

    hook: str
    input: Json = NOTHING


class Exit(NamedTuple):
    """Leave at once with this code, `last_words` printed on stderr before."""

    exit: int
    last_words: str = ""


class Crash(NamedTuple):
    """Leave in the middle of a line with this code, `last_words` printed on stderr before."""

    crash: int
    last_words: str = "panic: out of memory\n"


class Garbage(NamedTuple):
    """Write these lines as they are on stdout."""

    garbage: Lines


class Flood(NamedTuple):
    """Write so many lines at once: text `deltas`, `garbage`, or records of an `unknown` type."""

    flood: int
    kind: str = "deltas"


class HalfLine(NamedTuple):
    """Write this without a line end and go on."""

    half_line: str


class Stderr(NamedTuple):
    """Write this on stderr, `repeat` times."""

    stderr: str
    repeat: int = 1


class Ignore(NamedTuple):
    """Ignore from now on any of: `interrupt`, `control`, `stdin`, `eof`, `sigint`, `sigterm`."""

    ignore: Lines


class Case(NamedTuple):
    """One way a question may be answered."""

    match: str
    steps: Steps = ()


Step: TypeAlias = (
    Say
    | Think
    | Tool
    | Question
    | Plan
    | Subagent
    | Background
    | Wait
    | Hold
    | Mcp
    | Mode
    | RateLimit
    | Retry
    | ApiError
    | Compact
    | Raw
    | Legacy
    | Hook
    | Exit
    | Crash
    | Garbage
    | Flood
    | HalfLine
    | Stderr
    | Ignore
)
