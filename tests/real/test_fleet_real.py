"""The core on the real CLI: each thing a person can do to an agent, as it truly goes."""

import os
import signal
from typing import cast

import pytest
from msgspec.structs import replace

from core.errors import ControlRefused
from core.fleet.agent import Agent
from core.fleet.fleet import Fleet
from core.fleet.requests import get_plan
from core.session.answers import Allow, Deny, Reply
from core.session.state import Image
from tests.fakes.agents import until, until_ask, until_turn
from tests.real.model_server import MARKDOWN, QUESTIONS
from tests.real.real_cli import RealCli, prompts, said, tools

pytestmark = pytest.mark.real

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
ENDLESS = "tail -f /dev/null"


async def test_an_agent_streams_and_tells_what_it_cost(cli: RealCli, fleet: Fleet) -> None:
    key = await fleet.launch(cli.spec(name="docs"), "do:hold")
    await until(fleet, key, lambda state: state.phase == "responding" and said(fleet, key))
    assert "third" not in said(fleet, key)
    cli.server.release()
    await until_turn(fleet, key)
    assert said(fleet, key).split() == ["first", "second", "third"]

    fleet.agent(key).send_prompt("do:markdown")
    state = await until_turn(fleet, key, 2)
    assert said(fleet, key).endswith(f"third\n{MARKDOWN}")
    assert prompts(fleet, key) == ["do:hold", "do:markdown"]
    assert (state.name, state.status, state.prompts) == ("docs", "idle", ())
    assert state.version.startswith("2.")
    assert state.usage.cost_usd > 0
    assert state.usage.context_fill
    assert fleet.ledger.today_usd == pytest.approx(state.usage.cost_usd)


async def test_permissions_denied_withdrawn_allowed_and_for_the_session(cli: RealCli, fleet: Fleet) -> None:
    made = cli.directory / "made.txt"
    key = await fleet.launch(cli.spec(), "do:bash touch made.txt")
    ask = await until_ask(fleet, key)
    await fleet.agent(key).answer(ask.id, Deny("stop", interrupt=True))
    state = await until_turn(fleet, key)
    assert state.last_turn is not None
    assert (state.last_turn.end, state.status) == ("stopped", "idle")

    fleet.agent(key).send_prompt("do:bash touch made.txt")
    await until_ask(fleet, key)
    await fleet.agent(key).interrupt()
    state = await until_turn(fleet, key, 2)
    assert (state.asks, state.status) == ((), "idle")
    assert "The result was" not in said(fleet, key)

    fleet.agent(key).send_prompt("do:bash touch made.txt")
    ask = await until_ask(fleet, key)
    await fleet.agent(key).answer(ask.id, Deny("rather make b.txt"))  # words that reach the model
    await until_turn(fleet, key, 3)
    assert not made.exists()
    assert tools(fleet, key)[2].state == "denied"
    assert "rather make b.txt" in str(cli.server.requests[-1]["messages"])

    fleet.agent(key).send_prompt("do:bash touch made.txt")
    ask = await until_ask(fleet, key)
    assert (ask.tool, fleet.waiting) == ("Bash", [(key, ask)])
    await fleet.agent(key).answer(ask.id, Allow())
    assert fleet.sessions[key].state.asks[0].state == "answering"
    state = await until_turn(fleet, key, 4)
    assert made.exists()
    assert (tools(fleet, key)[3].state, state.asks, fleet.waiting) == ("done", (), [])

    fleet.agent(key).send_prompt("do:twice touch made.txt")
    ask = await until_ask(fleet, key)
    rules = tuple(replace(update, destination="session") for update in ask.suggestions)
    await fleet.agent(key).answer(ask.id, Allow(updates=rules))
    await until_turn(fleet, key, 5)  # the second time it does not ask
    assert [call.state for call in tools(fleet, key)[4:]] == ["done", "done"]


async def test_an_image_reaches_the_model_and_a_question_is_answered(cli: RealCli, fleet: Fleet) -> None:
    key = await fleet.launch(cli.spec(), "what is this?", (Image("image/png", PIXEL, "pixel.png"),))
    await until_turn(fleet, key)
    assert "'media_type': 'image/png'" in str(cli.server.requests[-1]["messages"])

    fleet.agent(key).send_prompt("do:ask")
    ask = await until_ask(fleet, key)
    assert [question.multiple for question in ask.questions] == [False, True]
    answers = zip((str(question["question"]) for question in QUESTIONS), ("SQLite", "unit, api"), strict=True)
    await fleet.agent(key).answer(ask.id, Reply(tuple(answers)))
    await until_turn(fleet, key, 2)
    told = str(cli.server.requests[-1]["messages"])
    assert '="SQLite"' in told
    assert '="unit, api"' in told


async def test_a_plan_approved(cli: RealCli, fleet: Fleet) -> None:
    key = await fleet.launch(cli.spec(permission_mode="plan"), "do:plan")
    ask = await until_ask(fleet, key)
    assert (ask.kind, fleet.sessions[key].state.mode.value) == ("plan", "plan")
    assert await get_plan(fleet.agent(key)) == ""
    await fleet.agent(key).answer(ask.id, Allow())
    state = await until_turn(fleet, key)
    assert "approved" in said(fleet, key)
    assert state.mode.value == "default"


async def test_an_interrupt_while_it_streams_and_a_queued_prompt_taken_back(
    cli: RealCli, fleet: Fleet
) -> None:
    key = await fleet.launch(cli.spec(), "do:slow 500")
    await until(fleet, key, lambda state: state.phase == "responding")
    await fleet.agent(key).interrupt()
    state = await until_turn(fleet, key)
    assert state.last_turn is not None
    assert (state.last_turn.end, state.status) == ("stopped", "idle")
    fleet.agent(key).send_prompt("still there?")
    await until_turn(fleet, key, 2)
    assert "You said: still there?" in said(fleet, key)

    fleet.agent(key).send_prompt("do:slow 500")
    await until(fleet, key, lambda state: state.phase == "responding")
    prompt = fleet.agent(key).send_prompt("never mind")
    await until(fleet, key, lambda state: any(one.state == "sent" for one in state.prompts))
    assert await fleet.agent(key).take_back(prompt)
    assert [given.text for given in fleet.agent(key).take_given_back()] == ["never mind"]
    assert fleet.sessions[key].state.prompts == ()
    assert not await fleet.agent(key).take_back(prompt)


async def test_an_interrupt_while_a_command_runs(cli: RealCli, fleet: Fleet) -> None:
    key = await fleet.launch(cli.spec(allowed_tools=("Bash",)), f"do:bash {ENDLESS}")
    await until(fleet, key, lambda state: state.phase == "tool-use" and "tail" in state.doing)
    await fleet.agent(key).interrupt()
    state = await until_turn(fleet, key)
    assert state.last_turn is not None
    assert (state.last_turn.end, state.exit) == ("stopped", None)
    assert tools(fleet, key)[0].state == "interrupted"


async def test_what_changes_once_the_cli_says_so_and_why_a_server_is_broken(
    cli: RealCli, fleet: Fleet
) -> None:
    config = '{"mcpServers":{"broken":{"command":"/nonexistent"}}}'
    key = await fleet.launch(cli.spec(mcp_config=(config,)))
    await until(fleet, key, lambda state: any(server.state == "failed" for server in state.mcp))
    (server,) = fleet.sessions[key].state.mcp
    assert (server.name, server.address) == ("broken", "/nonexistent")
    assert server.error
    with pytest.raises(ControlRefused):
        await fleet.agent(key).reconnect_mcp("broken")
    await fleet.agent(key).toggle_mcp("broken", False)
    assert fleet.sessions[key].state.mcp[0].state == "disabled"

    await fleet.agent(key).set_model("haiku")
    await fleet.agent(key).set_mode("acceptEdits")
    await fleet.agent(key).set_effort("high")
    state = fleet.sessions[key].state
    assert (state.model.value, state.mode.value, state.effort.value) == ("haiku", "acceptEdits", "high")
    with pytest.raises(ControlRefused):
        await fleet.agent(key).set_mode("nonsense")
    mode = fleet.sessions[key].state.mode
    assert (mode.value, mode.confirmation) == ("acceptEdits", "confirmed")
    assert mode.error
    fleet.agent(key).send_prompt("hello")
    state = await until_turn(fleet, key)
    assert "haiku" in state.model.value
    assert "haiku" in cli.server.requests[-1]["model"]


async def test_a_crash_shows_itself_and_the_session_goes_on_after_a_restart(
    cli: RealCli, fleet: Fleet
) -> None:
    key = await fleet.launch(cli.spec(), "remember the word marmalade")
    before = await until_turn(fleet, key)
    agent = cast(Agent, fleet._agents[key]).host._process
    assert agent is not None
    os.kill(agent.pid, signal.SIGKILL)
    state = await until(fleet, key, lambda state: state.exit)
    assert state.exit is not None
    assert (state.status, state.exit.signal, state.can.restart) == ("failed", signal.SIGKILL, True)

    await fleet.restart(key)
    await until(fleet, key, lambda state: state.exit is None and state.started)
    fleet.agent(key).send_prompt("which word?")
    state = await until_turn(fleet, key, 2)
    assert state.session_id == before.session_id
    assert "marmalade" in str(cli.server.requests[-1]["messages"])
    # The resumed process goes on counting from what the first one cost (2.1.332): no cent twice.
    assert state.usage.cost_usd == pytest.approx(2 * before.usage.cost_usd, rel=0.01)


async def test_a_fork_is_a_session_of_its_own(cli: RealCli, fleet: Fleet) -> None:
    first = await fleet.launch(cli.spec(), "remember marmalade")
    session = (await until_turn(fleet, first)).session_id
    spent = fleet.ledger.cost_usd
    fork = await fleet.launch(cli.spec(resume=session, fork=True), "which?")
    state = await until_turn(fleet, fork)
    assert state.session_id not in ("", session)
    assert "marmalade" in str(cli.server.requests[-1]["messages"])
    # What the fork inherited was spent by the first session, and counts once.
    assert fleet.ledger.cost_usd == pytest.approx(2 * spent, rel=0.01)


async def test_an_api_error_ends_the_turn_and_says_why(cli: RealCli, fleet: Fleet) -> None:
    key = await fleet.launch(cli.spec(environment=(("CLAUDE_CODE_MAX_RETRIES", "0"),)), "hello")
    await until_turn(fleet, key)
    turns = 1
    for status, held in ((400, ""), (401, "auth"), (429, "rate"), (529, "")):
        fleet.agent(key).send_prompt(f"do:fail {status}")
        state = await until_turn(fleet, key, turns + 1)
        assert state.last_turn is not None
        assert (state.last_turn.end, state.last_turn.error_status) == ("failed", status)
        assert state.last_turn.error
        assert (state.limit.kind if state.limit else "") == held
        fleet.agent(key).send_prompt("hello")
        assert (await until_turn(fleet, key, turns + 2)).status == "idle"
        turns += 2


async def test_an_agent_that_cannot_start_says_why_and_can_be_moved(cli: RealCli, fleet: Fleet) -> None:
    key = await fleet.launch(cli.spec(directory=str(cli.directory / "gone")))
    state = await until(fleet, key, lambda state: state.exit)
    assert state.exit is not None
    assert (state.status, "There is no folder" in state.exit.reason) == ("failed", True)
    await fleet.restart(key, str(cli.directory))
    state = await until(fleet, key, lambda state: state.exit is None and state.started)
    assert state.directory == str(cli.directory)


async def test_an_exit_code_and_the_last_words(cli: RealCli, fleet: Fleet) -> None:
    key = await fleet.launch(cli.spec(resume="11111111-1111-4111-8111-111111111111"), "hello")
    state = await until(fleet, key, lambda state: state.exit)
    assert state.exit is not None
    assert (state.exit.code, state.exit.expected) == (1, False)
    assert "No conversation found" in state.exit.stderr_tail
    assert [prompt.state for prompt in state.prompts] == ["queued"]


async def test_without_a_login_it_says_how_to_log_in(cli: RealCli, fleet: Fleet) -> None:
    key = await fleet.launch(cli.spec(api_billing=False))
    state = await until(fleet, key, lambda state: state.limit)
    assert state.limit is not None
    assert (state.status, state.limit.kind) == ("limited", "auth")
    assert "log in" in state.limit.message


def on_branch(cli: RealCli, name: str) -> None:
    (cli.directory / ".git").mkdir(exist_ok=True)
    (cli.directory / ".git" / "HEAD").write_text(f"ref: refs/heads/{name}\n")


async def test_the_branch_is_shown_and_follows(cli: RealCli, fleet: Fleet) -> None:
    on_branch(cli, "main")
    key = await fleet.launch(cli.spec(), "hello")
    await until(fleet, key, lambda state: state.branch == "main")
    await until_turn(fleet, key)
    on_branch(cli, "fix")
    fleet.agent(key).send_prompt("hello")
    await until(fleet, key, lambda state: state.branch == "fix")


async def test_closing_leaves_no_agent_behind(cli: RealCli, fleet: Fleet) -> None:
    keys = [await fleet.launch(cli.spec(allowed_tools=("Bash",)), f"do:bash {ENDLESS}") for _ in range(2)]
    for key in keys:
        await until(fleet, key, lambda state: state.phase == "tool-use")
    pids = [cast(Agent, fleet._agents[key]).host._process.pid for key in keys]  # type: ignore[union-attr]
    await fleet.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
