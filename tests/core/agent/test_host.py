"""One agent, its CLI played by the test line by line."""

import json

import anyio
import anyio.lowlevel
import pytest

from core.agent.patience import Patience
from core.agent.process import Exit
from core.errors import AgentGone, AskGone, ControlTimeout, RuleError
from core.session.answers import Allow, Deny, Postpone
from core.session.entries import NoticeEntry
from core.session.state import PermissionUpdate, Prompt, Rule
from core.wire.framing import Oversized
from tests.core.agent.driven import RESULT, RUNNING, Driven, case, driven


def notices(agent: Driven) -> list[str]:
    entries = agent.session.conversation.entries()
    return [entry.text for entry in entries if isinstance(entry, NoticeEntry)]


def answers(agent: Driven) -> list[dict[str, object]]:
    return [json.loads(line) for line in agent.process.lines_with(b'"control_response"')]


async def test_nothing_is_said_before_the_cli_has_introduced_itself() -> None:
    async with driven(introduced=False) as agent:
        agent.host.prompts.send(Prompt("p1", "hello"))
        await anyio.wait_all_tasks_blocked()
        assert [b"initialize" in line for line in agent.process.sent] == [True]
        assert (agent.state.status, agent.state.prompts[0].state) == ("starting", "queued")
        agent.answer_request("initialize")
        await agent.until(lambda: agent.process.lines_with(b"hello"))
        await agent.until(lambda: agent.state.prompts[0].state == "sent")
        assert agent.state.status == "idle"


async def test_a_prompt_goes_from_queued_over_sent_to_taken() -> None:
    async with driven() as agent:
        agent.host.prompts.send(Prompt("p1", "hello"))
        await agent.until(lambda: agent.state.prompts[0].state == "sent")
        replay = {"type": "user", "uuid": "p1", "isReplay": True, "message": {"content": "hello"}}
        agent.process.write(json.dumps(replay).encode())
        await agent.until(lambda: not agent.state.prompts)


async def test_ctl_01_allow_gives_the_input_back_and_deny_always_has_words() -> None:
    async with driven() as agent:
        for line in case("CTL-01.ndjson"):
            agent.process.write(line)
        await agent.until(lambda: len(agent.state.asks) == 2)
        agent.host.answer("perm-1", Allow())
        agent.host.answer("perm-2", Deny(""))
        await agent.until(lambda: len(answers(agent)) == 2)
        allow, deny = (json.loads(line) for line in case("CTL-01.expected.ndjson"))
        allowed, denied = answers(agent)
        assert allowed == allow
        deny["response"]["response"]["message"] = "The person denied this."
        assert denied == deny


async def test_ctl_02_a_withdrawn_request_is_never_answered() -> None:
    async with driven() as agent:
        raised, *rest = case("CTL-02.ndjson")
        agent.process.write(raised)
        await agent.until(lambda: agent.state.asks)
        agent.process.write(*rest)
        await agent.until(lambda: [ask.id for ask in agent.state.asks] == ["perm-2"])
        with pytest.raises(AskGone):
            agent.host.answer("perm-1", Allow())
        await anyio.wait_all_tasks_blocked()
        assert answers(agent) == []
        assert agent.state.asks[0].state == "open"


async def test_no_request_is_answered_twice() -> None:
    async with driven() as agent:
        agent.process.write(case("CTL-01.ndjson")[0])
        await agent.until(lambda: agent.state.asks)
        agent.host.answer("perm-1", Allow())
        with pytest.raises(AskGone, match="being answered"):
            agent.host.answer("perm-1", Deny())
        await anyio.wait_all_tasks_blocked()
        assert len(answers(agent)) == 1


async def test_an_answer_counts_when_the_cli_has_taken_it() -> None:
    async with driven(Patience(answer_s=0)) as agent:
        agent.process.write(case("CTL-01.ndjson")[0])
        await agent.until(lambda: agent.state.asks)
        agent.host.answer("perm-1", Allow())
        await agent.until(lambda: any("not taken" in text for text in notices(agent)))
        assert agent.state.asks[0].state == "answering"
        agent.process.write(agent.process.lines_with(b'"control_response"')[0].strip())
        await agent.until(lambda: not agent.state.asks)


async def test_ctl_05_stdin_stays_open_and_a_late_request_is_shown_and_answered() -> None:
    async with driven() as agent:
        *turn, late = case("CTL-05.ndjson")
        agent.process.write(*turn)
        await agent.until(lambda: agent.state.usage.turns == 1)
        assert len(agent.state.running_tasks) == 1
        agent.process.write(late)
        await agent.until(lambda: agent.state.status == "needs-you")
        agent.host.answer("perm-late", Allow())
        await agent.until(lambda: answers(agent))
        assert not agent.process.closed


async def test_ctl_07_a_choice_is_shown_when_the_cli_says_so() -> None:
    refused, late, announced = case("CTL-07.ndjson")
    limits = {"set_model": 0.0}
    async with driven(Patience(requests_s=limits)) as agent:
        agent.process.write(RUNNING)
        await agent.until(lambda: agent.state.mode.value == "default")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_choose, agent, "mode", "auto")
            await agent.until(lambda: agent.process.lines_with(b"set_permission_mode"))
            assert (agent.state.mode.value, agent.state.mode.confirmation) == ("default", "pending")
            agent.process.write(_with_id(refused, agent, b"set_permission_mode"))
        mode = agent.state.mode
        assert (mode.value, "cannot set permission mode" in mode.error) == ("default", True)

        with pytest.raises(ControlTimeout):
            await agent.host.choose("model", "opus")
        assert (agent.state.model.value, agent.state.model.confirmation) == ("default-model", "unknown")
        await agent.until(lambda: agent.process.lines_with(b'"set_model"'))
        agent.process.write(_with_id(late, agent, b'"set_model"'))
        await agent.until(lambda: agent.state.model.value == "opus")
        assert agent.state.model.confirmation == "confirmed"
        agent.process.write(announced)
        await agent.until(lambda: agent.state.mode.value == "plan")


async def _choose(agent: Driven, what: str, value: str) -> None:
    with pytest.raises(Exception, match="refused"):
        await agent.host.choose(what, value)


def _with_id(line: bytes, agent: Driven, word: bytes) -> bytes:
    record = json.loads(line)
    record["response"]["request_id"] = json.loads(agent.process.lines_with(word)[-1])["request_id"]
    return json.dumps(record).encode()


@pytest.mark.parametrize(
    "request_",
    [
        {"subtype": "hook_callback", "callback_id": "hook_0", "input": {}},
        {"subtype": "mcp_message", "server_name": "x", "message": {"jsonrpc": "2.0", "method": "m"}},
        {"subtype": "from_the_future"},
        {"subtype": "can_use_tool", "tool_name": 7},
    ],
)
async def test_every_other_request_gets_exactly_one_answer(request_: dict[str, object]) -> None:
    async with driven() as agent:
        line = {"type": "control_request", "request_id": "q1", "request": request_}
        agent.process.write(json.dumps(line).encode())
        await agent.until(lambda: answers(agent))
        await anyio.wait_all_tasks_blocked()
        (answer,) = answers(agent)
        assert answer["response"]["request_id"] == "q1"  # type: ignore[index]
        assert answer["response"]["subtype"] == "error"  # type: ignore[index]


async def test_an_interrupt_that_works_is_one_request() -> None:
    async with driven() as agent:
        agent.process.write(RUNNING)
        await agent.until(lambda: agent.state.turn)
        agent.host.interrupt()
        await agent.until(lambda: agent.process.lines_with(b'"interrupt"'))
        agent.answer_request("interrupt", '{"still_queued":[]}')
        agent.process.write(RESULT)
        await agent.until(lambda: agent.state.turn is None)
        assert (agent.process.signals, agent.process.closed) == (0, False)


async def test_each_further_interrupt_uses_more_force() -> None:
    async with driven() as agent:
        agent.process.write(RUNNING)
        await agent.until(lambda: agent.state.turn)
        agent.host.interrupt()
        await agent.until(lambda: agent.process.lines_with(b'"interrupt"'))
        agent.host.interrupt()
        assert agent.process.signals == 1
        agent.host.interrupt()
        await agent.until(lambda: agent.state.exit)
        assert agent.process.closed
        assert agent.state.status == "ended"


async def test_an_interrupt_without_effect_is_enforced() -> None:
    async with driven(Patience(interrupt_s=0)) as agent:
        agent.process.write(RUNNING)
        await agent.until(lambda: agent.state.turn)
        agent.host.interrupt()
        await agent.until(lambda: agent.state.exit)
        assert agent.process.closed
        assert any("SIGINT" in text for text in notices(agent))


async def test_interrupting_an_idle_agent_does_nothing() -> None:
    async with driven() as agent:
        agent.host.interrupt()
        await anyio.wait_all_tasks_blocked()
        assert not agent.process.lines_with(b'"interrupt"')


async def test_an_interrupt_says_what_keeps_running() -> None:
    async with driven() as agent:
        *turn, result, _ = case("CTL-05.ndjson")
        agent.process.write(*turn)
        await agent.until(lambda: agent.state.running_tasks)
        agent.host.interrupt()
        agent.process.write(result)
        await agent.until(lambda: any("1 background task still running" in text for text in notices(agent)))


async def test_a_crash_keeps_prompts_and_drops_what_was_asked() -> None:
    async with driven(deaf=False) as agent:
        agent.process.write(RUNNING, case("CTL-01.ndjson")[0])
        await agent.until(lambda: agent.state.asks)
        agent.process.deaf = True
        agent.host.prompts.send(Prompt("p1", "kept"))
        agent.process.end(Exit(code=3, stderr_tail="one\nlast words\n"))
        await agent.until(lambda: agent.state.exit)
        exit_ = agent.state.exit
        assert exit_ is not None
        assert (exit_.code, exit_.expected, agent.state.status) == (3, False, "failed")
        assert exit_.stderr_tail.endswith("last words")
        assert agent.state.asks == ()
        assert [prompt.state for prompt in agent.state.prompts] == ["queued"]
        with pytest.raises(AgentGone):
            agent.host.prompts.send(Prompt("p2", "too late"))
        with pytest.raises(AskGone):
            agent.host.answer("perm-1", Allow())


async def test_an_agent_that_does_not_read_holds_up_nobody() -> None:
    async with driven(introduced=False, deaf=True) as agent:
        for number in range(1000):
            agent.host.prompts.send(Prompt(f"p{number}", "x" * 8192))
        assert await agent.host.prompts.take_back("p7")
        assert [prompt.text for prompt in agent.host.sink.given_back] == ["x" * 8192]


async def test_a_flood_lets_others_have_their_turn() -> None:
    async with driven() as agent:
        turns = 0

        async def other() -> None:
            nonlocal turns
            while agent.state.unknown_count < 200_000:
                turns += 1
                await anyio.lowlevel.checkpoint()

        agent.process.write(*[b"x"] * 200_000)
        with anyio.fail_after(60):
            await other()
        assert turns >= 200_000 // 64


async def test_one_line_too_long_is_told_of_and_the_next_is_heard() -> None:
    async with driven() as agent:
        agent.process.write(Oversized(10**8, b'{"type":'), RUNNING)  # type: ignore[arg-type]
        await agent.until(lambda: agent.state.turn)
        assert agent.state.unknown_count == 1
        assert any("100,000,000 bytes" in text for text in notices(agent))


async def test_silence_at_the_start_is_told_of() -> None:
    async with driven(Patience(requests_s={"initialize": 0.0}), introduced=False) as agent:
        await agent.until(lambda: any("has not answered" in text for text in notices(agent)))
        await agent.until(lambda: agent.process.sent)
        agent.answer_request("initialize")
        await agent.until(lambda: agent.state.started)


async def test_without_an_account_it_is_limited() -> None:
    async with driven(introduced=False) as agent:
        await agent.until(lambda: agent.process.sent)
        account = '{"account":{"tokenSource":"none","apiProvider":"firstParty"}}'
        agent.answer_request("initialize", account)
        await agent.until(lambda: agent.state.status == "limited")
        assert agent.state.limit is not None
        assert agent.state.limit.kind == "auth"


async def test_an_update_the_cli_would_not_take_is_refused_and_nothing_is_sent() -> None:
    async with driven() as agent:
        agent.process.write(case("CTL-01.ndjson")[0])
        await agent.until(lambda: agent.state.asks)
        wrong = PermissionUpdate("addRules", (Rule("Bash", ":*"),), "allow")
        with pytest.raises(RuleError):
            agent.host.answer("perm-1", Allow(updates=(wrong,)))
        await anyio.wait_all_tasks_blocked()
        assert answers(agent) == []
        assert agent.state.asks[0].state == "open"


PLAN = b'{"type":"control_request","request_id":"%s","request":{"subtype":"can_use_tool","tool_name":"ExitPlanMode","input":{}}}'


@pytest.mark.parametrize(("again", "shown"), [("# Do it", False), ("# Do another thing", True)])
async def test_a_plan_sent_back_is_known_again_though_its_text_has_to_be_fetched(
    again: str, shown: bool
) -> None:
    async with driven() as agent:
        agent.process.write(RUNNING, PLAN % b"p1")
        await agent.until(lambda: agent.process.lines_with(b'"get_plan"'))
        agent.answer_request("get_plan", '{"exists":true,"content":"# Do it"}')
        await agent.until(lambda: agent.state.asks[0].plan)
        agent.host.answer("p1", Postpone("outline"))
        agent.process.write(PLAN % b"p2")
        await agent.until(lambda: len(agent.process.lines_with(b'"get_plan"')) == 2)
        agent.answer_request("get_plan", f'{{"exists":true,"content":"{again}"}}')
        denied = b'"request_id":"p2"'
        await agent.until(lambda: len(agent.state.asks) == 2 or agent.process.lines_with(denied))
        assert [ask.plan for ask in agent.state.asks if ask.id == "p2"] == ([again] if shown else [])
        assert bool(agent.process.lines_with(denied)) is not shown


async def test_a_plan_withdrawn_while_its_text_is_fetched_is_not_asked_for() -> None:
    async with driven() as agent:
        agent.process.write(RUNNING, PLAN % b"p1")
        await agent.until(lambda: agent.state.asks)
        agent.host.answer("p1", Postpone("discuss"))
        agent.process.write(PLAN % b"p2", b'{"type":"control_cancel_request","request_id":"p2"}')
        await agent.until(lambda: len(agent.process.lines_with(b'"get_plan"')) == 2)
        agent.answer_request("get_plan", '{"exists":false}')
        await anyio.wait_all_tasks_blocked()
        assert agent.process.lines_with(b'"request_id":"p2"') == []
        assert [ask.id for ask in agent.state.asks] == ["p1"]


async def test_a_plan_asked_about_without_its_text_is_fetched() -> None:
    asked = b'{"type":"control_request","request_id":"p1","request":{"subtype":"can_use_tool","tool_name":"ExitPlanMode","input":{}}}'
    async with driven() as agent:
        agent.process.write(RUNNING)
        agent.process.write(asked)
        await agent.until(lambda: agent.process.lines_with(b'"get_plan"'))
        assert agent.state.asks[0].plan == ""
        agent.answer_request("get_plan", '{"exists":true,"content":"# Do it"}')
        await agent.until(lambda: agent.state.asks[0].plan == "# Do it")
