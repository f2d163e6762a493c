"""What a request asks, and when it is settled."""

import json

import pytest
from msgspec import Raw

from core.session import events as ev
from core.session.state import Ask, Option, PermissionUpdate, Rule
from core.sources.asks import Asks, ask_of, legacy_ask
from core.wire.codec import decode
from core.wire.content import ToolUse
from core.wire.control import CanUseTool, RequestRecord, Response
from tests.fakes.lines import case, recorded


def recorded_asks(name: str) -> list[Ask]:
    read = [decode(line) for line in recorded(name)]
    return [
        ask_of(record.request_id, record.request, 5.0)
        for record in read
        if isinstance(record, RequestRecord) and isinstance(record.request, CanUseTool)
    ]


def test_a_permission() -> None:
    ask = recorded_asks("agent")[0]
    assert (ask.kind, ask.tool, ask.description, ask.raised_at) == ("permission", "Bash", "Run it", 5.0)
    assert ask.input_json == b'{"command":"touch b.txt","description":"Run it"}'
    assert ask.blocked_path.endswith("/b.txt")
    assert (ask.tool_use_id, ask.agent_id, ask.needs_person) == ("toolu_Bash_0_8", "a620b82dc6c396885", False)
    assert [update.type for update in ask.suggestions] == ["addRules", "addDirectories", "setMode"]
    assert ask.suggestions[0].rules == (Rule("Bash", "touch b.txt"),)
    assert ask.suggestions[2] == PermissionUpdate("setMode", mode="acceptEdits")


def test_a_form() -> None:
    ask = recorded_asks("ask")[0]
    assert (ask.kind, ask.needs_person) == ("question", True)
    assert ask.questions[1].header == "Suites"
    assert ask.questions[1].options[2] == Option("browser", "Ten minutes")


def test_a_plan() -> None:
    assert [(ask.kind, ask.plan) for ask in recorded_asks("plan")] == [("plan", "")] * 2
    request = CanUseTool("ExitPlanMode", Raw(b'{"plan":"# Do it","planFilePath":"/p"}'))
    assert ask_of("r", request, 0).plan == "# Do it"


@pytest.mark.parametrize("raw", [b"null", b"[]", b"7", b'"x"'])
def test_an_input_that_is_no_object_reads_as_an_empty_one(raw: bytes) -> None:
    assert ask_of("r", CanUseTool("Bash", Raw(raw)), 0).input_json == b"{}"


def test_a_form_nobody_can_read_is_still_asked_of_a_person() -> None:
    ask = ask_of("r", CanUseTool("AskUserQuestion", Raw(b'{"questions":"?"}')), 0)
    assert (ask.kind, ask.questions, ask.needs_person) == ("permission", (), True)


def test_a_call_that_is_no_request_in_the_older_form() -> None:
    assert legacy_ask(ToolUse("t", "PermissionPromptTool", Raw(b'{"x":1}')), 0) is None


@pytest.mark.parametrize(
    ("response", "outcome"),
    [
        (Response("success", "r", Raw(b'{"behavior":"allow","updatedInput":{}}')), "allowed"),
        (Response("success", "r", Raw(b'{"behavior":"deny","message":"no"}')), "denied"),
        (Response("error", "r", error="broken"), "withdrawn"),
        (Response("success", "r", Raw(b"7")), "withdrawn"),
    ],
)
def test_the_echo_of_an_answer_settles_once(response: Response, outcome: str) -> None:
    asks = Asks()
    list(asks.raise_(Ask("r", "permission", "Bash"), 0))
    (settled,) = asks.echo(response, 1)
    assert isinstance(settled, ev.AskSettled)
    assert settled.outcome == outcome
    assert list(asks.echo(response, 2)) == []
    assert list(asks.withdraw("r", 2)) == []


def test_the_answer_to_a_request_of_ours_settles_nothing() -> None:
    assert list(Asks().echo(Response("success", "m1"), 0)) == []


def test_two_asks_are_settled_each_by_itself() -> None:
    asks = Asks()
    list(asks.raise_(Ask("a", "permission", "Bash", tool_use_id="t1"), 0))
    list(asks.raise_(Ask("b", "permission", "Bash", tool_use_id="t2"), 0))
    assert [type(event) for event in asks.withdraw("a", 1)] == [ev.AskSettled]
    assert [type(event) for event in asks.returned("t2", "reject", 1)] == [ev.AskSettled]


def test_markup_in_an_option_stays_as_it_is_ctl_09() -> None:
    record = decode(case("CTL-09")[0])
    assert isinstance(record, RequestRecord)
    assert isinstance(record.request, CanUseTool)
    ask = ask_of("r", record.request, 0)
    assert ask.questions[0].options == (Option("Red [x]", "r"), Option("Blue", "[/b]"))
    assert json.loads(ask.input_json) == json.loads(case("CTL-09")[0])["request"]["input"]


def test_an_id_that_waits_is_not_taken_by_another_request() -> None:
    asks = Asks()
    list(asks.raise_(Ask("r", "permission", "Bash", b'{"command":"ls"}'), 0))
    for raw in (b'{"command":"ls"}', b'{"command":"rm -rf /"}'):
        (told,) = asks.raise_(Ask("r", "permission", "Bash", raw), 1)
        assert isinstance(told, ev.UnknownSeen)
    assert len(asks.withdraw("r", 2)) == 1
    (told,) = asks.raise_(Ask("r", "permission", "Bash", b'{"command":"make"}'), 3)
    assert isinstance(told, ev.AskRaised)
