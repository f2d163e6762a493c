"""Interactive sessions of a fleet on the real CLI: one of its own, and one in the background that is joined."""

import signal
import subprocess
from collections.abc import Callable
from functools import partial

import anyio
import anyio.to_thread
import pytest

from core.agent.reaper import MARK, signal_all, survivors
from core.errors import QuarterdeckError
from core.fleet.fleet import Fleet
from core.fleet.interactive import DETACHED, InteractiveAgent
from core.history.running import running as running_sessions
from core.session.answers import Allow
from core.session.state import Ask
from core.terminal.parsers.composer import composer
from core.terminal.pty import Size
from core.terminal.snapshots import last_rows, markdown
from tests.fakes.agents import running, until_turn
from tests.fakes.panes import shows, until
from tests.fakes.terminals import is_alive
from tests.fakes.transcripts import shown
from tests.real.interactive import furnish
from tests.real.real_cli import RealCli, cli_path

pytestmark = pytest.mark.real


def fleet_of(cli: RealCli, *, trusted: bool) -> Fleet:
    return Fleet(cli.find_cli, env=furnish(cli, trusted=trusted))


def open_on(fleet: Fleet, cli: RealCli, **given: object) -> InteractiveAgent:
    agent = fleet.interactive(fleet.open_screen(cli.spec(permission_mode="manual"), **given))  # type: ignore[arg-type]
    assert agent is not None
    agent.resize(Size(100, 30))
    return agent


async def asked(fleet: Fleet, agent: InteractiveAgent, tool: str) -> Ask:
    await until(fleet, agent, lambda: any(ask.tool == tool for ask in agent.session.state.asks))
    return next(ask for ask in agent.session.state.asks if ask.tool == tool)


async def test_from_the_trust_dialog_to_an_answer_and_again(cli: RealCli) -> None:
    async with running(fleet_of(cli, trusted=False)) as fleet:
        agent = open_on(fleet, cli)
        key = agent.session.state.key
        trust = await asked(fleet, agent, "Trust")
        await until(fleet, agent, lambda: agent.session.state.status == "needs-you")
        fleet.agent(key).send_prompt("do:bash echo made > made.txt")  # waits for the composer
        await fleet.agent(key).answer(trust.id, Allow())
        permission = await asked(fleet, agent, "Bash")
        assert [prompt.text for prompt in agent.session.state.prompts] == []
        await fleet.agent(key).answer(permission.id, Allow())
        await until(fleet, agent, lambda: agent.session.state.usage.turns == 1)
        assert (cli.directory / "made.txt").read_text() == "made\n"
        assert "> do:bash echo made > made.txt" in shown(agent.session)

        fleet.agent(key).send_prompt("do:say one\ntwo **lines**")
        await until(fleet, agent, lambda: any("two" in row for row in shown(agent.session)[-3:]))
        await until(fleet, agent, lambda: agent.session.state.status == "idle")

        await fleet.agent(key).rename("api v2")
        await until(fleet, agent, lambda: agent.session.state.name == "api v2")
        fleet.agent(key).send_prompt("do:hold")
        await until(fleet, agent, lambda: shows(agent, "second"))
        await until(fleet, agent, lambda: agent.session.state.turn is not None)
        await fleet.agent(key).interrupt()
        await until(fleet, agent, lambda: agent.session.state.turn is None)

        first = agent.session_id
        await fleet.agent(key).stop()
        assert agent.session.state.status == "ended"
        assert agent.console is not None
        assert "--resume" in markdown(last_rows(agent.console))
        await fleet.restart(key)
        await until(
            fleet, agent, lambda: agent.console and composer(agent.console.screen()).state != "unpainted"
        )
        assert agent.session_id == first
        await until(fleet, agent, lambda: "> do:bash echo made > made.txt" in shown(agent.session))


async def test_that_it_waits_is_known_where_its_dialog_has_no_room_and_what_it_asks_once_it_has(
    cli: RealCli,
) -> None:
    async with running(fleet_of(cli, trusted=True)) as fleet:
        agent = open_on(fleet, cli)
        key = agent.session.state.key
        await until(fleet, agent, lambda: agent.session.state.status == "idle")
        agent.resize(Size(80, 11))
        fleet.agent(key).send_prompt("do:bash echo made > made.txt")
        await until(fleet, agent, lambda: agent.session.state.asks)
        (ask,) = agent.session.state.asks
        assert (ask.unseen, agent.session.state.status) == ("small", "needs-you")
        with pytest.raises(QuarterdeckError):
            await fleet.agent(key).answer(ask.id, Allow())
        agent.resize(Size(100, 40))
        permission = await asked(fleet, agent, "Bash")
        assert [one.id for one in agent.session.state.asks] == [permission.id]
        await fleet.agent(key).answer(permission.id, Allow())
        await until(fleet, agent, lambda: agent.session.state.usage.turns == 1)
        assert (cli.directory / "made.txt").read_text() == "made\n"
        assert agent.session.state.asks == ()


async def test_a_background_session_is_joined_and_left(cli: RealCli) -> None:
    env = {**furnish(cli), MARK: "background"}
    await run(cli, env, "--bg", "do:slow 600")
    try:
        config = cli.home / ".claude"
        with anyio.fail_after(30):
            while not (found := await anyio.to_thread.run_sync(running_sessions, config)):  # noqa: ASYNC110
                await anyio.sleep(0.05)
        (background,) = found
        assert background.job
        async with running(fleet_of(cli, trusted=True)) as fleet:
            agent = open_on(fleet, cli, attached=background)
            await until(fleet, agent, lambda: shows(agent, "word20"))
            await until(fleet, agent, lambda: "> do:slow 600" in shown(agent.session))
            await until(fleet, agent, lambda: agent.session.state.status == "working")
            await fleet.agent(agent.session.state.key).stop()
            assert agent.session.state.exit is not None
            assert agent.session.state.exit.reason == DETACHED
        assert is_alive(background.pid)
    finally:
        # Its service lingers for some seconds after the last session was stopped.
        signal_all(await anyio.to_thread.run_sync(survivors, 0, "background"), signal.SIGKILL)


async def run(cli: RealCli, env: dict[str, str], *arguments: str) -> None:
    command = (str(cli_path()), *arguments)
    call: Callable[[], object] = partial(
        subprocess.run, command, cwd=cli.directory, env=env, capture_output=True, check=True, timeout=60
    )
    await anyio.to_thread.run_sync(call)


async def test_a_fork_on_a_screen_counts_only_what_was_not_told_by_the_cli(cli: RealCli) -> None:
    """Its transcript holds copies of what a driven agent was answered, each with the session it was given in."""
    fleet = fleet_of(cli, trusted=True)
    fleet.price = lambda answer: 0.5
    async with running(fleet):
        driven = await fleet.launch(cli.spec(), "hello")
        state = await until_turn(fleet, driven)
        await fleet.agent(driven).stop()
        agent = fleet.interactive(fleet.open_screen(cli.spec(resume=state.session_id, fork=True)))
        assert agent is not None
        await until(fleet, agent, lambda: shows(agent, "You said: hello"))
        fleet.agent(agent.session.state.key).send_prompt("and on")
        await until(fleet, agent, lambda: agent.session.state.usage.cost_usd == 0.5)
        day, deck = fleet.budgets
        assert (day.estimated_usd, deck.estimated_usd) == (0.5, 0.5)
        assert day.spent_usd == deck.spent_usd == pytest.approx(0.5 + state.usage.cost_usd)
        assert state.usage.cost_usd > 0
