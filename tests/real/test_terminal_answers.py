"""An interactive CLI understood from its screen and its transcript, and answered from an ask's card; no proxy."""

import json

import pytest

from core.session.answers import Allow, Deny, Reply
from tests.real.aged import ENV, ENVS, age_session
from tests.real.interactive import serve
from tests.real.real_cli import RealCli
from tests.real.supervised import supervised

pytestmark = pytest.mark.real

MANUAL = ("--permission-mode", "manual")


async def test_trust_permissions_questions_interrupt_and_compaction(cli: RealCli) -> None:
    async with supervised(cli, *MANUAL, trusted=False) as one:
        trust = await one.answer("Trust", Allow())
        assert trust.title == "Trust this folder?"
        await one.idle()
        assert one.state.mode.value == "default"

        await one.prompt("do:bash touch made.txt")
        asked = await one.answer("Bash", Allow())
        assert b"touch made.txt" in asked.input_json
        await one.idle()
        assert (cli.directory / "made.txt").exists()

        await one.prompt("do:bash touch not.txt")
        await one.answer("Bash", Deny("use another name"))
        await one.idle()
        assert not (cli.directory / "not.txt").exists()
        assert one.has("the user said:\nuse another name")

        await one.prompt("do:write new.txt")
        await one.until(lambda: any(b"three" in ask.input_json for ask in one.state.asks))  # the call itself
        await one.answer("Write", Deny())
        await one.idle()
        assert not (cli.directory / "new.txt").exists()

        await one.prompt("do:ask")
        await one.until(lambda: any(len(ask.questions) == 2 for ask in one.state.asks))
        database, suites = "Which database should the tests use?", "Which suites should run?"
        await one.answer("AskUserQuestion", Reply(((database, "PostgreSQL"), (suites, "unit, my own"))))
        await one.idle()
        assert one.has('"Which database should the tests use?"="PostgreSQL"')
        assert one.has('"Which suites should run?"="unit, my own"')

        await one.prompt("do:hold")
        await one.seat.until("second")
        await one.until(lambda: one.state.status == "working")
        one.seat.console.interrupt()
        await one.until(lambda: one.state.last_turn is not None and one.state.last_turn.end == "stopped")
        await one.seat.press("\x03")  # the prompt it gives back
        await one.idle()

        await one.prompt("/compact")
        await one.until(lambda: one.has("compacted · manual"))
        await one.idle()
        assert one.state.asks == ()
        assert one.state.violation_count == 0
        what = [decision.what for decision in one.channels.ownership.decisions]
        assert what.count("turn started") == what.count("turn ended") >= 5


async def test_an_old_session_is_resumed_from_the_list_by_its_summary_and_a_plan_sent_back(
    cli: RealCli,
) -> None:
    async with supervised(cli, *MANUAL) as one:
        await one.seat.ready()
        await one.prompt("do:say one")
        await one.until(lambda: one.has("one") and one.state.turn is None)
        first = one.state.session_id
    age_session(cli)
    async with supervised(cli, "--permission-mode", "plan", "--resume", env=ENV) as one:
        asked = await one.asked("Resume")
        assert [option.label for option in asked.questions[0].options] == ["do:say one"]
        await one.answer("Resume", Reply((("Which session?", "do:say one"),)))
        await one.until(lambda: one.state.session_id == first and one.has("one"))
        summary = "Resume from summary (instant, recommended)"
        how = await one.answer("Resume", Reply((("How?", summary),)))
        assert how.questions[0].text.startswith("This session is 3d 4h old and 1")
        await one.until(lambda: one.has("compacted"))
        await one.idle()

        await one.prompt("do:draft # Plan\\n\\n1. Read the code\\n2. Fix it")
        plan = await one.answer("ExitPlanMode", Deny("Test it, too."))
        assert plan.plan.endswith("Plan\n\n1. Read the code\n2. Fix it")  # "# ", if the call is known by now
        await one.idle()
        assert one.has("Test it, too.")


async def test_what_it_asks_of_itself_is_answered_too(cli: RealCli) -> None:
    """MCP servers of the project it does not know, and the two other questions about an old session."""
    serve(cli, "git", "tickets", "wiki")
    async with supervised(cli, *MANUAL) as one:
        asked = await one.answer("Dialog", Reply((("Which?", "git, wiki"),)))
        assert [option.label for option in asked.questions[0].options] == ["git", "tickets", "wiki"]
        await one.idle()
        await one.prompt("do:say one")
        await one.until(lambda: one.has("one") and one.state.turn is None)
        first = one.state.session_id
    chosen = json.loads((cli.directory / ".claude" / "settings.local.json").read_text())
    assert (chosen["enabledMcpjsonServers"], chosen["disabledMcpjsonServers"]) == (
        ["git", "wiki"],
        ["tickets"],
    )

    resumed = (*MANUAL, "--resume", age_session(cli, "model"))
    async with supervised(cli, *resumed, env=ENVS["model"]) as one:
        await one.answer("Resume", Reply((("Which model?", "Continue with Opus 5.5"),)))
        await one.seat.until("Continuing with Opus 5.5")
        await one.idle()
    age_session(cli, "whether")
    async with supervised(cli, *resumed, env=ENVS["whether"]) as one:
        await one.answer("Resume", Reply((("Whether?", "Start a new conversation"),)))
        await one.until(lambda: one.state.session_id not in ("", first))
        assert one.state.asks == ()
