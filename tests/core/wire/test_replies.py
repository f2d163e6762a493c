"""What goes to the CLI: prompts and answers, in exactly its own form."""

import json

import pytest
from msgspec import Raw

from core.errors import ControlError
from core.session.answers import DENIED, Allow, Answer, Deny, Reply
from core.session.state import Ask, Image, PermissionUpdate, Rule
from core.sources.asks import ask_of, legacy_ask
from core.wire import replies
from core.wire.codec import decode
from core.wire.content import ToolUse
from core.wire.control import CanUseTool, HookCallback, RequestRecord
from tests.fakes.lines import case

ASK = Ask(id="r", kind="permission", tool="Bash", input_json=b'{ "command" : "caf\\u00e9",  "n":1.0}')


def asks(name: str) -> list[Ask]:
    read = [decode(line) for line in case(name)]
    return [
        ask_of(record.request_id, record.request, 0)
        for record in read
        if isinstance(record, RequestRecord) and isinstance(record.request, CanUseTool)
    ]


def body(line: bytes) -> dict[str, object]:
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    answer = json.loads(line)["response"]
    assert answer["subtype"] == "success"
    return dict(answer["response"])


def test_allow_and_empty_denial_ctl_01() -> None:
    allowed, denied = asks("CTL-01")
    expected = [json.loads(line) for line in case("CTL-01.expected")]
    assert json.loads(replies.answer(allowed, Allow())) == expected[0]
    line = json.loads(replies.answer(denied, Deny("")))
    assert line["response"]["response"].pop("message").strip()
    expected[1]["response"]["response"].pop("message")
    assert line == expected[1]


def test_an_unchanged_input_goes_back_byte_for_byte() -> None:
    assert b'"updatedInput":' + ASK.input_json in replies.answer(ASK, Allow())


def test_a_changed_input_goes_out_on_one_line() -> None:
    assert body(replies.answer(ASK, Allow(b'{\n  "command": "ls"\n}')))["updatedInput"] == {"command": "ls"}


@pytest.mark.parametrize("changed", [b"", b"{", b"[]", b'"x"', b"{\n"])
def test_a_broken_change_never_reaches_the_cli(changed: bytes) -> None:
    with pytest.raises(ControlError, match="no JSON object"):
        replies.answer(ASK, Allow(changed))


@pytest.mark.parametrize("words", ["", "  \n"])
def test_a_denial_always_has_words_ctl_01(words: str) -> None:
    assert body(replies.answer(ASK, Deny(words))) == {"behavior": "deny", "message": DENIED}


def test_deny_and_interrupt() -> None:
    told = body(replies.answer(ASK, Deny("stop it", interrupt=True)))
    assert told == {"behavior": "deny", "message": "stop it", "interrupt": True}


def test_half_an_emoji_in_a_message_is_no_broken_line() -> None:
    assert body(replies.answer(ASK, Deny("\ud83d no")))["message"] == "\ufffd no"


def test_a_form_is_answered_with_its_input_and_the_answers_ctl_09() -> None:
    (ask,) = asks("CTL-09")
    given = Reply((("Which colour?", "Blue"), ("Which parts?", "A, C")))
    told = body(replies.answer(ask, given))
    asked = json.loads(case("CTL-09")[0])["request"]["input"]
    answers = {"Which colour?": "Blue", "Which parts?": "A, C"}
    assert told == {"behavior": "allow", "updatedInput": {**asked, "answers": answers}}


def test_questions_of_the_same_words_share_the_place_of_their_answers() -> None:
    (ask,) = asks("CTL-09")
    told = body(replies.answer(ask, Reply((("", "Blue"), ("", "A")))))
    asked = json.loads(case("CTL-09")[0])["request"]["input"]
    assert told["updatedInput"] == {**asked, "answers": {"": "Blue, A"}}


def test_suggested_rules_go_back_as_they_came_ctl_01() -> None:
    (ask, _) = asks("CTL-01")
    told = body(replies.answer(ask, Allow(updates=ask.suggestions)))
    assert told["updatedPermissions"] == json.loads(case("CTL-01")[0])["request"]["permission_suggestions"]


def test_an_update_the_cli_would_not_take_voids_no_others() -> None:
    updates = (PermissionUpdate("zz"), PermissionUpdate("addRules", (Rule("Bash"),), "allow"))
    told = body(replies.answer(ASK, Allow(updates=updates)))
    assert told["updatedPermissions"] == [
        {"type": "addRules", "rules": [{"toolName": "Bash"}], "behavior": "allow", "destination": "session"}
    ]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (Allow(), {"approved": True}),
        (Deny("no"), {"approved": False, "denial_message": "no"}),
        (Deny(""), {"approved": False, "denial_message": DENIED}),
    ],
)
def test_the_older_form_is_answered_in_its_own(given: Answer, told: dict[str, object]) -> None:
    call = ToolUse(
        "t1", "PermissionPromptTool", Raw(b'{"type":"control_request","request_id":"old","tool_name":"Bash"}')
    )
    ask = legacy_ask(call, 0)
    assert ask is not None
    line = replies.answer(ask, given)
    assert json.loads(line) == {"type": "control_response", "request_id": "old", **told}


def test_a_hooks_answer_has_the_names_of_the_wire_ctl_10() -> None:
    asked = decode(case("CTL-10")[0])
    assert isinstance(asked, RequestRecord)
    assert isinstance(asked.request, HookCallback)
    output = replies.HookOutput(continue_=False, stop_reason="budget")
    assert json.loads(replies.hook_reply("hk-1", output)) == json.loads(case("CTL-10.expected")[0])


def test_a_hooks_decision_stands_with_its_event_ctl_10() -> None:
    detail = replies.HookDetail("PreToolUse", permission_decision="deny", permission_decision_reason="no")
    told = body(replies.hook_reply("h", replies.HookOutput(async_=True, specific=detail)))
    assert told == {
        "async": True,
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": "no",
        },
    }


def test_a_hook_with_nothing_to_say_still_answers() -> None:
    assert body(replies.hook_reply("h", replies.HookOutput())) == {}


def test_an_mcp_answer_is_wrapped() -> None:
    told = body(replies.mcp_reply("m", b'{"jsonrpc":"2.0",\n"id":1,"result":{}}'))
    assert told == {"mcp_response": {"jsonrpc": "2.0", "id": 1, "result": {}}}
    with pytest.raises(ValueError, match="not JSON"):
        replies.mcp_reply("m", b"oops")


def test_silence_is_never_an_answer() -> None:
    assert json.loads(replies.refuse("x", "unsupported")) == {
        "type": "control_response",
        "response": {"subtype": "error", "request_id": "x", "error": "unsupported"},
    }


def test_a_prompt_of_words() -> None:
    assert json.loads(replies.prompt("hi\nthere \ud83d", "u-1")) == {
        "type": "user",
        "message": {"role": "user", "content": "hi\nthere \ufffd"},
        "uuid": "u-1",
        "parent_tool_use_id": None,
        "session_id": "",
    }


def test_a_prompt_with_an_image() -> None:
    line = replies.prompt("see", "u-1", (Image("image/png", "QUJD"),))
    assert line.count(b"\n") == 1
    assert json.loads(line)["message"]["content"] == [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}},
        {"type": "text", "text": "see"},
    ]
    assert len(json.loads(replies.prompt("", "u", (Image("image/png", "QUJD"),)))["message"]["content"]) == 1
