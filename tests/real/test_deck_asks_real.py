"""Answering the real CLI from the deck: what the person presses and sees, and what the model is told."""

import json

import pytest

from core.settings import AgentDefaults
from tests.real.model_server import SCENES, Reply, call, text
from tests.real.person import Person, at_deck
from tests.real.real_cli import RealCli

pytestmark = pytest.mark.real

ARMED = "^D deny + stop"
"""Stands on a card once it takes keys."""


async def asked(me: Person, directive: str) -> None:
    """A new agent is given `directive` and asks; the card takes keys."""
    await me.start_agent()
    await me.prompt(directive)
    await me.until("needs you", ARMED)


async def asked_again(me: Person, directive: str) -> None:
    """The agent there is asks once more."""
    await me.ask_for(directive)
    await me.until("needs you", ARMED)


def told(cli: RealCli) -> str:
    """What the model was told last, with all before it."""
    return str(cli.server.requests[-1]["messages"])


def just_told(cli: RealCli) -> str:
    """What the model was told last."""
    return str(cli.server.requests[-1]["messages"][-1]).replace("\\", "")


async def test_permissions_denied_allowed_and_changed(cli: RealCli) -> None:
    """One after the other: what ended before is told apart by the count of turns."""
    made, changed = cli.directory / "made.txt", cli.directory / "changed.txt"
    async with at_deck(cli) as me:
        await asked(me, "do:bash touch made.txt")
        await me.until("$ touch made.txt", "wants to: Run it", "1 needs you")
        await me.press("d")
        await me.until_turn_ends("The result was:", "denied", "1 turn", gone=[ARMED])
        assert not made.exists()

        # with words that reach the model
        await asked_again(me, "do:bash touch made.txt")
        before = me.screen.count("denied")
        await me.press("D")
        await me.until("Enter denies")
        await me.type("rather make b.txt")
        await me.press("enter")
        await me.until_turn_ends("2 turns", gone=[ARMED])
        assert me.screen.count("denied") > before
        assert "rather make b.txt" in told(cli)
        assert not made.exists()

        # a change the CLI refuses is said, and nothing runs
        await asked_again(me, "do:bash touch made.txt")
        await me.press("e")
        await me.until("editing command")
        await me.press("shift+tab")
        await me.until("the whole input, as JSON")
        await me.press("f7")
        await me.paste("{}")
        await me.press("ctrl+s")
        await me.until("it is empty, and would run as asked")
        await me.press("f7")
        await me.paste('{"command": 5}')
        await me.press("ctrl+s")
        await me.until_turn_ends(
            "your change was refused by claude: nothing ran", "3 turns", gone=[ARMED, "it is empty"]
        )
        assert not made.exists()

        # a command changed in place is what runs
        await asked_again(me, "do:bash touch made.txt")
        await me.press("e")
        await me.until("editing command")
        await me.press(*["backspace"] * 8)
        await me.type("changed.txt")
        await me.press("escape")
        await me.until("changed by you", "- touch made.txt", "+ touch changed.txt")
        await me.press("a")
        await me.until_turn_ends("The result was:", "4 turns", gone=[ARMED])
        assert (made.exists(), changed.exists()) == (False, True)
        assert me.sees("changed by you, ran as: touch changed.txt")

        # allowed
        await asked_again(me, "do:bash touch made.txt")
        await me.press("a")
        await me.until_turn_ends("The result was:", "5 turns", gone=[ARMED])
        assert made.exists()


async def test_an_edit_is_shown_as_a_diff(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.prompt(f"do:read {cli.directory}/a.txt")
        await me.until_turn_ends()
        await me.ask_for(f"do:edit {cli.directory}/a.txt beta gamma")
        await me.until("- beta", "+ gamma", ARMED)
        await me.press("a")
        await me.until("The file", "updated", gone=[ARMED])
        assert (cli.directory / "a.txt").read_text() == "alpha\ngamma\n"


async def test_a_request_withdrawn_by_an_interrupt_vanishes_and_one_is_denied_and_stopped(
    cli: RealCli,
) -> None:
    async with at_deck(cli) as me:
        await asked(me, "do:bash touch made.txt")
        await me.interrupt()
        await me.until("stopped by you", "idle", "1 turn", gone=[ARMED, "needs you"])
        await me.press("a")
        await me.until("asks for nothing")
        assert not (cli.directory / "made.txt").exists()

        await asked_again(me, "do:bash touch made.txt")
        await me.press("ctrl+d")
        await me.until("stopped by you", "idle", "2 turns", gone=[ARMED])
        assert not me.sees("The result was:")


async def test_rules_that_are_kept_are_not_asked_again(cli: RealCli) -> None:
    """One of one's own, kept where one says; then one for the session, as it is offered."""
    async with at_deck(cli) as me:
        await asked(me, "do:twice touch made.txt")
        await me.press("A")
        await me.until("Space picks", "n new")
        await me.press("n")
        await me.until("Bash(touch *)", "takes the rule")
        await me.press("backspace", "enter")
        await me.until("✗ a rule is `Tool`")
        await me.press(")", "enter", "right")
        await me.until("[x] allow Bash(touch *)", "this project, only you")
        await me.press("enter")
        await me.until_turn_ends("Call 2.", "The result was:", "1 turn", gone=[ARMED])
        kept = json.loads((cli.directory / ".claude" / "settings.local.json").read_text())
        assert kept["permissions"]["allow"] == ["Bash(touch *)"]

        before = len(cli.server.requests)
        await asked_again(me, "do:twice mkdir -p made")
        await me.press("A")
        await me.until("Space picks", "Enter allows")
        await me.press("enter")
        await me.until_turn_ends("Call 2.", "The result was:", "2 turns", gone=[ARMED])
        assert len(cli.server.requests) >= before + 3
        assert (cli.directory / "made").is_dir()


async def test_a_suggested_mode_and_directory_are_reworded(cli: RealCli) -> None:
    asked_for, meant = cli.home.parent / "asked-for", cli.home.parent / "meant"
    asked_for.mkdir()
    meant.mkdir()
    (meant / "f.txt").write_text("what was meant\n")
    async with at_deck(cli) as me:
        await asked(me, f"do:write {asked_for}/made.txt")
        await me.press("A")
        await me.until("mode acceptEdits", "allow directory")
        await me.press("e", "ctrl+u")
        await me.until("✗ it is none of default")
        await me.type("plan")
        await me.press("enter")
        await me.until("[x] mode plan")
        await me.press("down", "e", *["backspace"] * len("asked-for"))
        await me.type("meant")
        await me.press("enter")
        await me.until("[x] allow directory")
        await me.press("enter")
        await me.until_turn_ends("plan", gone=[ARMED])
        assert (asked_for / "made.txt").exists()
        await me.press("i")
        await me.prompt(f"do:read {meant}/f.txt")
        await me.until_turn_ends("what was meant", gone=[ARMED])


async def test_questions_are_answered_skipped_and_shown_with_previews(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        # one choice, then several
        await asked(me, "do:ask")
        await me.until("Which database should the tests use?", "SQLite", "PostgreSQL")
        await me.press("a", "2", "enter")
        await me.until("Which suites should run?", "browser")
        await me.press("space", "down", "space", "enter")
        await me.until_turn_ends("1 turn", gone=["asks you"])
        assert '="PostgreSQL"' in just_told(cli)
        assert '="unit, api"' in just_told(cli)

        # one that is skipped is not told
        await asked_again(me, "do:ask")
        await me.press("a", "s")
        await me.until("Which suites should run?", "browser")
        await me.press("3", "enter")
        await me.until_turn_ends("2 turns", gone=["asks you"])
        assert '"Which suites should run?"="browser"' in just_told(cli)
        assert "PostgreSQL" not in just_told(cli)

        # in one's own words, there and back
        await asked_again(me, "do:ask")
        await me.press("a", "right")
        await me.until("Which suites should run?", "browser")
        await me.press("left")
        await me.until("Which database should the tests use?", "PostgreSQL")
        await me.press("3")
        await me.until("your own words")
        await me.type("DuckDB, please")
        await me.press("enter")
        await me.until("Which suites should run?", "browser")
        await me.press("3", "enter")
        await me.until_turn_ends("3 turns", gone=["asks you"])
        assert '="DuckDB, please"' in just_told(cli)
        assert '="browser"' in just_told(cli)

        # what has a preview shows it
        await asked_again(me, "do:ask 3")
        await me.until("Which layout", "| a | b |", ARMED)
        await me.press("a", "down")
        await me.until("| b |", gone=["| a | b |"])
        await me.press("enter")
        await me.until_turn_ends("4 turns", gone=["asks you"])
        assert '="One column"' in just_told(cli)


async def test_plans_sent_back_commented_and_approved(cli: RealCli) -> None:
    async with at_deck(cli, agents=AgentDefaults(mode="plan")) as me:
        await asked(me, "do:plan")
        await me.press("D")
        await me.until("Enter denies")
        await me.type("test it first")
        await me.press("enter")
        await me.until_turn_ends("· plan", "1 turn", gone=[ARMED])
        assert "test it first" in told(cli)

        await asked_again(me, "do:draft # The plan\\n\\n1. Read the code\\n2. Delete it")
        await me.press("L", "down", "down")
        await me.until("^S denies with the comments")
        await me.press("enter")
        await me.type("keep it")
        await me.press("enter")
        await me.until("» keep it")
        await me.press("ctrl+s")
        await me.until_turn_ends("· plan", "2 turns", gone=[ARMED])
        assert r"> 2. Delete it\nkeep it" in told(cli)

        await asked_again(me, "do:draft # Another plan\\n\\n1. Read the **code**\\n2. Fix it")
        await me.until("Another plan", "1. Read the code", "a approve", "· plan")
        await me.press("a")
        await me.until_turn_ends("· default", "approved", "3 turns", gone=[ARMED])


def _stubborn(argument: str, results: list[str]) -> Reply:
    """An agent that comes back at once with the same plan, then gives in."""
    plan = call("ExitPlanMode", plan="# Plan\n\n1. Do it")
    return Reply([plan]) if len(results) < 2 else Reply([text("All right.")])


async def test_a_plan_sent_back_is_held_for_a_while(cli: RealCli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SCENES, "stubborn", _stubborn)
    async with at_deck(cli, agents=AgentDefaults(mode="plan")) as me:
        await asked(me, "do:stubborn")
        await me.press("t")
        await me.until_turn_ends("All right.", "plan held: to be discussed", "· 0:", "1 denied", gone=[ARMED])
        assert "let us talk it over" in told(cli)
        assert "the same request is denied without being shown" in told(cli)
