"""Interactive sessions of a fleet: their screens are a program's, their sessions are their transcripts'."""

from datetime import datetime
from pathlib import Path

import pytest

from core.agent.find import Cli
from core.errors import AgentGone, AskGone, CliNotFound, OnItsScreen, PromptNotTyped, ProxyMissing
from core.fleet.fleet import Fleet
from core.fleet.interactive import DETACHED
from core.fleet.screens import ScreenChoice
from core.proxy.reports import Answered, Piece
from core.proxy.way import Way
from core.session.answers import Allow, Deny
from core.session.state import Image, Prompt
from core.terminal.pty import Size
from tests.fakes.agents import running
from tests.fakes.capture import asks, sse, start, text
from tests.fakes.mitm import telling
from tests.fakes.panes import Ground, background, hosting, shows, until
from tests.fakes.terminals import is_alive
from tests.fakes.transcripts import shown


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


async def test_a_prompt_is_typed_and_the_conversation_read_from_the_transcript(ground: Ground) -> None:
    async with hosting(ground, name="mine") as (fleet, agent):
        key = agent.session.state.key
        await until(fleet, agent, lambda: agent.session.state.status == "idle")
        state = fleet.sessions[key].state
        assert (state.kind, state.name, state.can.prompt, state.can.answer) == (
            "terminal",
            "mine",
            True,
            True,
        )
        fleet.agent(key).send_prompt("hello")
        assert [prompt.text for prompt in agent.session.state.prompts] == ["hello"]
        await until(fleet, agent, lambda: "· You said: hello" in shown(fleet.sessions[key]))
        await until(fleet, agent, lambda: not agent.session.state.prompts)
        await until(fleet, agent, lambda: agent.session.state.usage.turns == 1)
        assert shows(agent, "● You said: hello")


async def test_another_session_in_the_same_pane_is_another_transcript(ground: Ground) -> None:
    async with hosting(ground) as (fleet, agent):
        key, first = agent.session.state.key, agent.session_id
        fleet.agent(key).send_prompt("before")
        await until(fleet, agent, lambda: "· You said: before" in shown(agent.session))
        fleet.agent(key).send_prompt("clear")
        await until(fleet, agent, lambda: agent.session_id != first)
        fleet.agent(key).send_prompt("after")
        await until(fleet, agent, lambda: "· You said: after" in shown(fleet.sessions[key]))
        assert fleet.sessions[key].state.kind == "terminal"


async def test_its_turn_can_be_interrupted(ground: Ground) -> None:
    async with hosting(ground) as (fleet, agent):
        key = agent.session.state.key
        fleet.agent(key).send_prompt("busy")
        await until(fleet, agent, lambda: agent.session.state.status == "working")
        await fleet.agent(key).interrupt()
        await until(fleet, agent, lambda: agent.session.state.status == "idle")


async def test_what_it_asks_is_answered_at_its_dialog(ground: Ground) -> None:
    async with hosting(ground) as (fleet, agent):
        key = agent.session.state.key
        for answer, chosen in ((Deny(), "No"), (Allow(), "Yes")):
            fleet.agent(key).send_prompt("ask")
            await until(fleet, agent, lambda: fleet.sessions[key].state.status == "needs-you")
            (ask,) = fleet.sessions[key].state.asks
            assert (ask.tool, ask.title) == ("Bash", "Do you want to proceed?")
            assert agent.console is not None
            await fleet.agent(key).answer(ask.id, answer)
            await until(fleet, agent, lambda: shows(agent, f"● You chose: {chosen}"))  # noqa: B023
            await until(fleet, agent, lambda: fleet.sessions[key].state.status == "idle")
            assert fleet.sessions[key].state.asks == ()
        with pytest.raises(AskGone):
            await fleet.agent(key).answer(ask.id, Allow())


async def test_a_dialog_answered_on_its_screen_asks_no_more(ground: Ground) -> None:
    async with hosting(ground) as (fleet, agent):
        key = agent.session.state.key
        fleet.agent(key).send_prompt("ask")
        await until(fleet, agent, lambda: fleet.sessions[key].state.asks)
        assert agent.console is not None
        agent.console.press("enter")
        await until(fleet, agent, lambda: not fleet.sessions[key].state.asks)
        await until(fleet, agent, lambda: "· You chose: Yes" in shown(fleet.sessions[key]))


async def test_its_screen_follows_the_size_of_its_pane(ground: Ground) -> None:
    async with hosting(ground) as (fleet, agent):
        agent.resize(Size(50, 12))
        await until(fleet, agent, lambda: agent.console and agent.console.screen().columns == 50)


async def test_a_program_that_fails_says_how_and_can_be_started_again(ground: Ground) -> None:
    async with hosting(ground) as (fleet, agent):
        key = agent.session.state.key
        fleet.agent(key).send_prompt("hello")
        await until(fleet, agent, lambda: "· You said: hello" in shown(agent.session))
        fleet.agent(key).send_prompt("fail")
        await until(fleet, agent, lambda: agent.session.state.exit is not None)
        ended = fleet.sessions[key].state.exit
        assert ended is not None
        assert (ended.code, ended.expected, "it broke" in ended.stderr_tail) == (3, False, True)
        assert agent.session.state.status == "failed"
        with pytest.raises(AgentGone):
            fleet.agent(key).send_prompt("too late")
        first = agent.session_id
        await fleet.restart(key)
        await until(fleet, agent, lambda: shows(agent, f"started --resume={first}"))
        await until(fleet, agent, lambda: agent.session.state.status == "idle")
        assert "· You said: hello" in shown(fleet.sessions[key])


async def test_stopped_or_left_in_order_it_has_ended(ground: Ground) -> None:
    async with hosting(ground) as (fleet, agent):
        await fleet.agent(agent.session.state.key).stop()
        assert agent.session.state.status == "ended"
        assert agent.session.state.can.restart


async def test_a_prompt_that_cannot_be_typed_goes_back(ground: Ground) -> None:
    async with hosting(ground) as (fleet, agent):
        key = agent.session.state.key
        assert agent.console is not None
        agent.console.write(b"half a sentence")
        await until(fleet, agent, lambda: shows(agent, "half a sentence"))
        fleet.agent(key).send_prompt("another")
        await until(fleet, agent, lambda: agent.session.state.notice)
        assert "written in its composer" in agent.session.state.notice
        assert [prompt.text for prompt in fleet.agent(key).take_given_back()] == ["another"]


async def test_what_needs_a_control_channel_is_done_on_its_screen(ground: Ground) -> None:
    async with hosting(ground) as (fleet, agent):
        key = agent.session.state.key
        with pytest.raises(OnItsScreen, match="press i"):
            await fleet.agent(key).set_model("opus")
        with pytest.raises(OnItsScreen):
            await fleet.agent(key).refresh_mcp()
        with pytest.raises(OnItsScreen):
            await fleet.agent(key).measure_context()


async def test_it_is_named_at_its_composer_and_keeps_the_name(ground: Ground) -> None:
    async with hosting(ground, name="mine") as (fleet, agent):
        key = agent.session.state.key
        await fleet.agent(key).rename("api v2")
        await until(fleet, agent, lambda: agent.session.state.name == "api v2")
        assert shows(agent, "Session renamed to: api v2")
        fleet.agent(key).send_prompt("/rename by hand")  # as a person may at its screen
        await until(fleet, agent, lambda: agent.session.state.name == "by hand")
        await fleet.agent(key).stop()
        await fleet.agent(key).rename("after its end")  # there is no conversation to write it to
        assert agent.session.state.name == "after its end"
        await fleet.restart(key)
        await until(fleet, agent, lambda: shows(agent, "for shortcuts"))
        assert agent.session.state.name == "after its end"


async def test_another_session_in_the_same_pane_takes_no_name_away(ground: Ground) -> None:
    async with hosting(ground, name="mine") as (fleet, agent):
        key, first = agent.session.state.key, agent.session_id
        fleet.agent(key).send_prompt("clear")
        await until(fleet, agent, lambda: agent.session_id != first)
        assert agent.session.state.name == "mine"


async def test_a_cli_that_is_not_there_is_a_session_that_says_so(ground: Ground) -> None:
    async def find() -> Cli:
        raise CliNotFound((Path("/none/claude"),))

    async with running(Fleet(find, env=ground.env)) as fleet:
        agent = fleet.interactive(fleet.open_screen(ground.spec()))
        assert agent is not None
        await until(fleet, agent, lambda: agent.session.state.exit is not None)
        assert agent.session.state.exit is not None
        assert "claude was not found" in agent.session.state.exit.reason


async def test_what_it_cost_is_estimated_and_counts_as_that(ground: Ground) -> None:
    just_before = datetime.fromisoformat("2026-03-01T09:59:59Z").timestamp()
    ground.stamp = "2026-03-01T10:00:00.000Z"
    fleet = ground.fleet(lambda: just_before)  # the program's clock stands, too
    fleet.price = lambda answer: 0.5
    async with running(fleet):
        agent = fleet.interactive(fleet.open_screen(ground.spec()))
        assert agent is not None
        await until(fleet, agent, lambda: shows(agent, "for shortcuts"))
        fleet.agent(agent.session.state.key).send_prompt("hello")
        await until(fleet, agent, lambda: agent.session.state.usage.cost_usd == 0.5)
        day, deck = fleet.budgets
        assert (day.spent_usd, day.estimated_usd, deck.estimated_usd) == (0.5, 0.5, 0.5)
        assert (fleet.ledger.cost_usd, fleet.ledger.today_usd) == (0, 0.5)


async def test_what_was_counted_already_and_what_others_spent_is_in_no_figure(ground: Ground) -> None:
    async with running(ground.fleet()) as fleet:
        fleet.price = lambda answer: 0.5
        old = fleet.interactive(fleet.open_screen(ground.spec()))
        assert old is not None
        await until(fleet, old, lambda: shows(old, "for shortcuts"))
        fleet.agent(old.session.state.key).send_prompt("of another pane")
        await until(fleet, old, lambda: old.session.state.usage.turns == 1)
        await old.stop()
        agent = fleet.interactive(fleet.open_screen(ground.spec(resume=old.session_id)))
        assert agent is not None
        key, first = agent.session.state.key, agent.session_id

        async def say(text: str, turns: int) -> None:
            fleet.agent(key).send_prompt(text)
            await until(fleet, agent, lambda: f"· You said: {text}" in shown(agent.session))
            await until(fleet, agent, lambda: figures() == (turns, turns * 0.5))

        def figures() -> tuple[int, float]:
            usage = agent.session.state.usage
            return usage.turns, usage.cost_usd

        await until(fleet, agent, lambda: "· You said: of another pane" in shown(agent.session))
        await until(fleet, agent, lambda: shows(agent, "for shortcuts"))
        await say("one", 1)
        fleet.agent(key).send_prompt("clear")
        await until(fleet, agent, lambda: agent.session_id != first)
        await say("two", 2)
        fleet.agent(key).send_prompt(f"/resume {first}")
        await until(fleet, agent, lambda: shown(agent.session).count("· You said: one") == 2)
        await say("three", 3)


async def test_leaving_the_dashboard_ends_it(ground: Ground) -> None:
    async with hosting(ground) as (fleet, agent):
        assert agent.console is not None
        pid = agent.console.pid
        await fleet.leave()
    assert not is_alive(pid)


async def test_a_client_of_a_background_session_leaves_it_running(ground: Ground) -> None:
    session = "5e551011-0000-4000-8000-00000000000a"
    with background(ground, session) as attached:
        async with running(ground.fleet()) as fleet:
            agent = fleet.interactive(fleet.open_screen(ground.spec(), attached))
            assert agent is not None
            await until(fleet, agent, lambda: shows(agent, "started attach job7"))
            assert agent.session.state.session_id == session
            assert fleet.drives(0, session)
            await fleet.agent(agent.session.state.key).stop()
            assert agent.session.state.exit is not None
            assert agent.session.state.exit.reason == DETACHED
            assert not fleet.drives(0, session)
        assert is_alive(attached.pid)


async def test_images_cannot_be_typed(ground: Ground) -> None:
    async with hosting(ground) as (_, agent):
        with pytest.raises(PromptNotTyped, match="images cannot be typed"):
            agent.send(Prompt("p", "look", images=(Image("image/png", ""),)))


HEAD = Answered(flow=1, headers={"content-type": "text/event-stream"})
HALF = Piece(flow=1, at=1.0, data=sse(start(), *text("while it is said", open_=True)))


def way_to(program: Path, folder: Path) -> ScreenChoice:
    """Screens that are captured by this program."""
    way = Way(program=program, hosts=("api.anthropic.com",), folder=folder / "proxy")
    return ScreenChoice(find_way=lambda: way)


async def test_what_is_captured_is_read_while_it_is_said(ground: Ground, tmp_path: Path) -> None:
    fleet = ground.fleet()
    fleet.screens = way_to(telling(tmp_path, asks(1), HEAD, HALF), tmp_path)
    async with running(fleet):
        agent = fleet.interactive(fleet.open_screen(ground.spec()))
        assert agent is not None
        await until(fleet, agent, lambda: "· while it is said" in shown(agent.session))
        assert agent.session.state.capture == "on"


async def test_a_capture_that_is_lost_is_marked_and_the_session_goes_on(
    ground: Ground, tmp_path: Path
) -> None:
    fleet = ground.fleet()
    fleet.screens = way_to(telling(tmp_path, then="sys.exit(1)"), tmp_path)
    async with running(fleet):
        agent = fleet.interactive(fleet.open_screen(ground.spec()))
        assert agent is not None
        await until(fleet, agent, lambda: agent.session.state.capture == "lost")
        assert any("goes on without it" in line for line in shown(agent.session))
        fleet.agent(agent.session.state.key).send_prompt("hello")
        await until(fleet, agent, lambda: "· You said: hello" in shown(agent.session))


async def test_without_a_mitmdump_it_says_so_and_starts(ground: Ground) -> None:
    def missing() -> Way | None:
        raise ProxyMissing

    fleet = ground.fleet()
    fleet.screens = ScreenChoice(find_way=missing)
    async with running(fleet):
        agent = fleet.interactive(fleet.open_screen(ground.spec()))
        assert agent is not None
        await until(fleet, agent, lambda: any("proxy install" in line for line in shown(agent.session)))
        await until(fleet, agent, lambda: agent.session.state.status == "idle")
        assert agent.session.state.capture == ""
