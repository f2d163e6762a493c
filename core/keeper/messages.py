"""What a keeper and whoever is attached to it say to each other: one JSON object a line, both ways.

A client says `Attach` first and is answered by `Hello` (the session as it stands) or `Turned`; from then on
it hears `News`, and each command it gives is answered by one `Done`. It must not know a socket.
"""

from typing import TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.json import Decoder, Encoder

from core.agent.launch import LaunchSpec
from core.errors import (
    AgentGone,
    AskGone,
    BudgetSpent,
    ControlError,
    ControlRefused,
    ControlTimeout,
    KeeperError,
    QuarterdeckError,
)
from core.keeper.journal import Place
from core.keeper.vocabulary import Written
from core.session.answers import Allow, Answer, Deny, Postpone, Reply
from core.session.state import Budget, PendingRule, Prompt, SessionState
from core.wire.codec import BAD
from core.wire.control import Request, answer_type, subtype_of

A = TypeVar("A")

PROTOCOL = 1
"""Of these messages; another one is turned away with advice."""


class Said(Struct, frozen=True, tag_field="do", kw_only=True, omit_defaults=True):
    """Anything a client says; `n` counts its commands, and comes back with what became of each."""

    n: int = 0


class Attach(Said, frozen=True, kw_only=True):
    """The first line. `watching` is a dashboard a person sees: what ended before its eyes has been seen.

    `far`: it is on another machine, and may not be there any more; only its `Seen` counts.
    """

    protocol: int = PROTOCOL
    watching: bool = True
    far: bool = False


class Send(Said, frozen=True, kw_only=True):
    """Queue a prompt; one whose id was sent before is not sent again."""

    prompt: Prompt


class TakeBack(Said, frozen=True, kw_only=True):
    """Take a prompt back; the result is whether that worked."""

    prompt_id: str


class AnswerAsk(Said, frozen=True, kw_only=True):
    """Answer an ask: exactly one of the four is given."""

    ask_id: str
    allow: Allow | None = None
    deny: Deny | None = None
    reply: Reply | None = None
    postpone: Postpone | None = None

    @property
    def answer(self) -> Answer | Postpone:
        """The one that is given."""
        return self.allow or self.deny or self.reply or self.postpone or Deny()


class Interrupt(Said, frozen=True, kw_only=True):
    """End the running turn; again is the next step of force."""


class Choose(Said, frozen=True, kw_only=True):
    """Change the `model`, `mode` or `effort`."""

    what: str
    value: str


class Question(Said, frozen=True, kw_only=True):
    """A control request of `core.wire.control`; the result is the body of its answer."""

    request: Raw
    timeout_s: float | None = None


class Restrain(Said, frozen=True, kw_only=True):
    """The limits of the day and of the fleet, as a dashboard sees them."""

    budgets: tuple[Budget, ...]


class SetBudget(Said, frozen=True, kw_only=True):
    """Limit what the agent may spend, in US dollars; 0 lifts it."""

    limit_usd: float


class Suspend(Said, frozen=True, kw_only=True):
    """End the turn and keep prompts queued, until a moment (0: until `Resume`)."""

    until: float = 0.0


class Resume(Said, frozen=True, kw_only=True):
    """Let prompts go again."""


class Mute(Said, frozen=True, kw_only=True):
    """Notify nobody of what the agent does, or of what it does again."""

    muted: bool = True


class AwaitRules(Said, frozen=True, kw_only=True):
    """Rules that an allowance is to take along (`more`), or not any more (`less`)."""

    more: tuple[PendingRule, ...] = ()
    less: tuple[PendingRule, ...] = ()


class RefreshMcp(Said, frozen=True, kw_only=True):
    """Bring the MCP servers up to date."""


class MeasureContext(Said, frozen=True, kw_only=True):
    """Have the CLI measure its context window; the result is a `Context`."""


class Stop(Said, frozen=True, kw_only=True):
    """End the agent; `forget`: the keeper, too, and it is not offered again."""

    forget: bool = False


class Restart(Said, frozen=True, kw_only=True):
    """End what runs and start again, in another directory if given."""

    directory: str = ""


class Seen(Said, frozen=True, kw_only=True):
    """The person has seen that the agent ended."""


Command = (
    Send
    | TakeBack
    | AnswerAsk
    | Interrupt
    | Choose
    | Question
    | Restrain
    | SetBudget
    | Suspend
    | Resume
    | Mute
    | AwaitRules
    | RefreshMcp
    | MeasureContext
    | Stop
    | Restart
    | Seen
)


class Told(Struct, frozen=True, tag_field="is", omit_defaults=True):
    """Anything a keeper says."""


class Hello(Told, frozen=True):
    """The session as it stands: its state, where its journal is, and the events of what streams just now."""

    key: str
    spec: LaunchSpec
    state: SessionState
    place: Place = Place()
    open: tuple[Written, ...] = ()
    given_back: tuple[Prompt, ...] = ()
    pid: int = 0
    protocol: int = PROTOCOL


class News(Told, frozen=True):
    """What happened since."""

    events: tuple[Written, ...]


class Failure(Struct, frozen=True, omit_defaults=True):
    """An error on its way to the one who caused it."""

    kind: str
    text: str
    subject: str = ""
    reason: str = ""
    limit_s: float = 0.0


class Done(Told, frozen=True):
    """What became of a command."""

    n: int
    result: Raw = Raw(b"null")
    failure: Failure | None = None


class Turned(Told, frozen=True):
    """Nothing more is said on this connection."""

    why: str


_said: Decoder[Attach | Command] = Decoder(Attach | Command)
_told: Decoder[Hello | News | Done | Turned] = Decoder(Hello | News | Done | Turned)
_encoder = Encoder()


def read_said(line: bytes) -> Attach | Command:
    """A client's line. Raises `msgspec.MsgspecError`."""
    return _said.decode(line)


def read_told(line: bytes) -> Hello | News | Done | Turned:
    """A keeper's line. Raises `msgspec.MsgspecError`."""
    return _told.decode(line)


def write(message: Said | Told) -> bytes:
    """A line, its newline included."""
    return _encoder.encode(message) + b"\n"


def answering(n: int, ask_id: str, answer: Answer | Postpone) -> AnswerAsk:
    """The command that gives this answer."""
    match answer:
        case Allow():
            return AnswerAsk(n=n, ask_id=ask_id, allow=answer)
        case Deny():
            return AnswerAsk(n=n, ask_id=ask_id, deny=answer)
        case Reply():
            return AnswerAsk(n=n, ask_id=ask_id, reply=answer)
        case Postpone():
            return AnswerAsk(n=n, ask_id=ask_id, postpone=answer)


_REQUESTS: dict[str, Decoder[Request[object]]] = {
    str(kind.__struct_config__.tag): Decoder(kind) for kind in Request.__subclasses__()
}


class _Subtype(Struct):
    subtype: str = ""


def read_request(raw: Raw) -> Request[object]:
    """The control request inside a `Question`. Raises `KeeperError` for one not known here."""
    try:
        subtype = msgspec.json.decode(raw, type=_Subtype).subtype
        return _REQUESTS[subtype].decode(raw)
    except (KeyError, *BAD):
        raise KeeperError("This agent's keeper does not know that request. Restart the agent.") from None


def asking(n: int, request: Request[A], timeout_s: float | None) -> Question:
    """The command that puts this request."""
    return Question(n=n, request=Raw(_encoder.encode(request)), timeout_s=timeout_s)


def read_result(request: Request[A], result: Raw) -> A:
    """The answer's body out of a `Done`. Raises `ControlError`."""
    try:
        return msgspec.json.decode(result, type=answer_type(request))
    except BAD as problem:
        subtype = subtype_of(request)
        raise ControlError(subtype, f"The answer to `{subtype}` cannot be read: {problem}.") from problem


def failure_of(error: QuarterdeckError) -> Failure:
    """An error as it travels."""
    text = str(error)
    match error:
        case AskGone():
            return Failure("AskGone", text, error.ask_id, error.reason)
        case AgentGone():
            return Failure("AgentGone", text, error.stderr_tail, error.reason)
        case ControlRefused():
            return Failure("ControlRefused", text, error.subtype, error.reason)
        case ControlTimeout():
            return Failure("ControlTimeout", text, error.subtype, limit_s=error.timeout_s)
        case ControlError():
            return Failure("ControlError", text, error.subtype)
        case _:
            return Failure(type(error).__name__, text)


def error_of(failure: Failure) -> QuarterdeckError:
    """The error again; one not known here keeps its words."""
    match failure.kind:
        case "AskGone":
            return AskGone(failure.subject, failure.reason)
        case "AgentGone":
            return AgentGone(failure.reason, failure.subject)
        case "BudgetSpent":
            return BudgetSpent(failure.text)
        case "ControlRefused":
            return ControlRefused(failure.subject, failure.reason)
        case "ControlTimeout":
            return ControlTimeout(failure.subject, failure.limit_s)
        case "ControlError":
            return ControlError(failure.subject, failure.text)
        case _:
            return KeeperError(failure.text)
