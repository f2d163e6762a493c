"""Asks of the CLI: raised by a request, settled by the echo of our answer, a withdrawal or the result.

"Approved" is shown once the CLI has taken it: it echoes our answer on its stdout, or the tool returns
(DESIGN §3.2). The phases that follow from it are the fold's. This module must not know who answers.
"""

import msgspec
from msgspec import Raw, Struct, field

from core.session.events import AskRaised, AskSettled, Event, UnknownSeen
from core.session.state import Ask, AskKind, Option, Question
from core.wire.codec import BAD
from core.wire.content import ToolUse
from core.wire.control import CanUseTool, Response
from core.wire.updates import read_updates

LEGACY_TOOL = "PermissionPromptTool"
"""The tool whose call is a request in the older form (FACTS §4)."""

_KINDS: dict[str, AskKind] = {"AskUserQuestion": "question", "ExitPlanMode": "plan"}


class _Option(Struct, frozen=True):
    label: str
    description: str | None = None
    preview: str | None = None


class _Question(Struct, frozen=True):
    question: str
    header: str | None = None
    multiple: bool | None = field(default=None, name="multiSelect")
    options: tuple[_Option, ...] = ()


class _Form(Struct, frozen=True):
    questions: tuple[_Question, ...]


class _Plan(Struct, frozen=True):
    plan: str | None = None


class _Verdict(Struct, frozen=True):
    behavior: str = ""


class _Legacy(Struct, frozen=True):
    request_id: str
    tool_name: str
    tool_input: Raw = Raw(b"{}")


class Asks:
    """The asks of one process that nobody has settled yet."""

    def __init__(self) -> None:
        """Start with none."""
        self._open: dict[str, Ask] = {}

    def raise_(self, ask: Ask, at: float) -> tuple[Event, ...]:
        """The agent waits for a person.

        What comes under the id of one that waits already is not shown: a person has read the first, perhaps
        answered it, and the answer must not reach another.
        """
        if ask.id in self._open:
            why = f"a request with the id of one that waits: {ask.id}"
            return (UnknownSeen(at=at, raw=ask.input_json, why=why),)
        self._open[ask.id] = ask
        return (AskRaised(at=at, ask=ask),)

    def echo(self, response: Response, at: float) -> tuple[Event, ...]:
        """The CLI took an answer of ours; an answer to a request of ours is not meant here."""
        ask = self._open.get(response.request_id)
        if ask is None:
            return ()
        return (self._settle(ask, _outcome(ask, response), at, note=response.error or ""),)

    def withdraw(self, request_id: str, at: float) -> tuple[Event, ...]:
        """The CLI withdraws; an id never seen, or settled already, means nothing (case CTL-02)."""
        ask = self._open.get(request_id)
        return () if ask is None else (self._settle(ask, "withdrawn", at),)

    def returned(self, tool_use_id: str, decision: str, at: float) -> list[Event]:
        """A tool returned: whatever was asked about this call is settled."""
        if not self._open:
            return []
        return [
            self._settle(ask, "denied" if decision == "reject" else _granted(ask), at)
            for ask in [ask for ask in self._open.values() if ask.tool_use_id == tool_use_id]
        ]

    def end_turn(self, at: float) -> list[Event]:
        """The turn is over: what it asked for is void; an agent in the background still waits (CTL-05)."""
        if not self._open:
            return []
        void = [ask for ask in self._open.values() if not ask.agent_id]
        return [self._settle(ask, "withdrawn", at) for ask in void]

    def _settle(self, ask: Ask, outcome: str, at: float, note: str = "") -> AskSettled:
        del self._open[ask.id]
        return AskSettled(at=at, id=ask.id, outcome=outcome, note=note)


def _outcome(ask: Ask, response: Response) -> str:
    if response.subtype != "success":
        return "withdrawn"
    try:
        behavior = msgspec.json.decode(response.response, type=_Verdict).behavior
    except BAD:
        return "withdrawn"
    return "denied" if behavior == "deny" else _granted(ask)


def _granted(ask: Ask) -> str:
    return "answered" if ask.kind == "question" else "allowed"


def ask_of(request_id: str, request: CanUseTool, at: float) -> Ask:
    """What a `can_use_tool` request asks."""
    input_json = _object(request.input)
    kind, questions, plan = _read(request.tool_name, input_json)
    return Ask(
        id=request_id,
        kind=kind,
        tool=request.tool_name,
        input_json=input_json,
        title=request.title or "",
        display_name=request.display_name or "",
        description=request.description or "",
        reason=request.decision_reason or "",
        blocked_path=request.blocked_path or "",
        suggestions=read_updates(request.permission_suggestions),
        questions=questions,
        plan=plan,
        tool_use_id=request.tool_use_id or "",
        agent_id=request.agent_id or "",
        raised_at=at,
        needs_person=bool(request.requires_user_interaction) or request.tool_name in _KINDS,
    )


def legacy_ask(call: ToolUse, at: float) -> Ask | None:
    """What a call of the older permission tool asks; None if it is not one after all."""
    try:
        told = msgspec.json.decode(call.input, type=_Legacy)
    except BAD:
        return None
    input_json = _object(told.tool_input)
    kind, questions, plan = _read(told.tool_name, input_json)
    return Ask(
        id=told.request_id,
        kind=kind,
        tool=told.tool_name,
        input_json=input_json,
        questions=questions,
        plan=plan,
        tool_use_id=call.id,
        raised_at=at,
        needs_person=told.tool_name in _KINDS,
        legacy=True,
    )


def _object(raw: Raw) -> bytes:
    """A copy of the input; what is no object could not be given back, and reads as an empty one."""
    copy = bytes(raw)
    return copy if copy.startswith(b"{") else b"{}"


def _read(tool: str, input_json: bytes) -> tuple[AskKind, tuple[Question, ...], str]:
    """What kind of ask it is, with its questions or its plan; a form nobody can read is a permission."""
    kind = _KINDS.get(tool, "permission")
    try:
        if kind == "question":
            form = msgspec.json.decode(input_json, type=_Form)
            return kind, tuple(_question(question) for question in form.questions), ""
        if kind == "plan":
            return kind, (), msgspec.json.decode(input_json, type=_Plan).plan or ""
    except BAD:
        return "permission" if kind == "question" else kind, (), ""
    return kind, (), ""


def read_form(input_json: bytes) -> tuple[Question, ...]:
    """The questions of an AskUserQuestion call; none where nobody can read them."""
    return _read("AskUserQuestion", input_json)[1]


def _question(told: _Question) -> Question:
    options = tuple(
        Option(option.label, option.description or "", option.preview or "") for option in told.options
    )
    return Question(told.question, told.header or "", bool(told.multiple), options)
