"""Our reading of permission rules beside the real CLI's own: never laxer, and what goes back is taken."""

import json
from pathlib import Path

import pytest
from msgspec import Raw
from msgspec.structs import replace

from core.agent.policy import Policy, Rules, decide
from core.fleet.fleet import Fleet
from core.session.answers import Allow, Deny
from core.session.rules import check_update, parse_rule
from core.session.state import Ask, PermissionUpdate, Rule
from core.wire.control import ApplyFlagSettings, FlagSettings
from tests.fakes.agents import until, until_ask, until_turn
from tests.real.model_server import SCENES, Reply, call, text
from tests.real.real_cli import RealCli, tools

pytestmark = pytest.mark.real

Cases = tuple[tuple[str, dict[str, str]], ...]


def bash(*commands: str) -> Cases:
    return tuple(("Bash", {"command": command}) for command in commands)


def write(*paths: str) -> Cases:
    return tuple(("Write", {"file_path": path, "content": "x"}) for path in paths)


COMMANDS = bash(
    "touch x", "touch x y", "touchx", "touch x && rmdir x", "touch x; rmdir x", "touch x | tee x",
    "touch $(rmdir x)", "touch `rmdir x`", "touch x\nrmdir x", "touch x > y", "rmdir x && touch x", "(touch x)",
    "FOO=1 touch x", "touch x && touch y", "touch 'a && b'", r"touch a\;b", "touch <(rmdir x)", "touch x &",
    "touch {a,b}", 'touch "$(rmdir x)"', "sudo touch x", "touch x 2>&1", "touch x 2>/dev/null", "'touch' x",
)  # fmt: skip
PATHS = write(
    "src/x.py", "src/a/b.py", "x.py", "{root}/other/x.py", "{home}/z.py", "src/../y.py", ".git/hooks/x"
)


def _run_all(argument: str, results: list[str]) -> Reply:
    """All calls in one message: the cases stand in the prompt."""
    if results:
        return Reply([text("All done.")])
    return Reply([call(tool, number, **given) for number, (tool, given) in enumerate(json.loads(argument))])


@pytest.mark.parametrize(
    ("rules", "cases"),
    [
        (("Bash(touch:*)", "Bash(touch x)", "Bash(touch * y)", "Bash(* x)", "Bash"), COMMANDS),
        (
            ("Edit(src/**)", "Edit(/src/**)", "Edit(./src/*)", "Edit(*.py)", "Edit(src)", "Edit(~/**)",
             "Edit(//**/other/**)", "Edit", "Write"),
            PATHS,
        ),
    ],
    ids=["commands", "paths"],
)  # fmt: skip
async def test_what_we_allow_the_cli_allows_too(
    cli: RealCli, fleet: Fleet, rules: tuple[str, ...], cases: Cases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The CLI has one rule at a time in its settings; what it still asks for, we must not allow either."""
    monkeypatch.setitem(SCENES, "all", _run_all)
    given = _placed(cases, cli)
    key = await fleet.launch(cli.spec())
    laxer: dict[str, list[bytes]] = {}
    for turn, rule in enumerate(rules, 1):
        permissions = {"allow": Raw(json.dumps([rule]).encode())}
        await fleet.agent(key).request(ApplyFlagSettings(FlagSettings(permissions=permissions)))
        fleet.agent(key).send_prompt(f"do:all {json.dumps(given)}")
        asked = await _deny_all(fleet, key, turn)
        assert len(tools(fleet, key)) == turn * len(given), rule
        policy = Policy((Rules("", (parse_rule(rule),)),), home=str(cli.home))
        laxer[rule] = [
            ask.input_json for ask in asked if decide(policy, ask, str(cli.directory)).verdict == "allow"
        ]
    # `/src` is relative to the settings that name it: ours mean the agent's directory, --settings does not.
    laxer.pop("Edit(/src/**)", None)
    assert laxer == {rule: [] for rule in laxer}


async def _deny_all(fleet: Fleet, key: str, turn: int) -> list[Ask]:
    """What is asked until that turn ends; all is denied."""
    asked: list[Ask] = []
    while True:
        state = await until(
            fleet,
            key,
            lambda state: state.usage.turns >= turn or any(ask.state == "open" for ask in state.asks),
        )
        if state.usage.turns >= turn:
            return asked
        ask = state.asks[0]
        asked.append(ask)
        await fleet.agent(key).answer(ask.id, Deny("no"))
        await _settled(fleet, key, ask.id)


async def _settled(fleet: Fleet, key: str, ask_id: str) -> None:
    await until(fleet, key, lambda state: ask_id not in {ask.id for ask in state.asks})


def _placed(cases: Cases, cli: RealCli) -> list[tuple[str, dict[str, str]]]:
    root, home = str(cli.directory.parent), str(cli.home)
    return [
        (tool, {name: value.replace("{root}", root).replace("{home}", home) for name, value in given.items()})
        if tool == "Write"
        else (tool, given)
        for tool, given in cases
    ]


async def test_a_rule_of_ours_answers_and_is_seen(cli: RealCli, fleet: Fleet) -> None:
    fleet.policy = Policy((Rules("", (parse_rule("Bash(touch:*)"),), (parse_rule("Bash(rmdir:*)"),)),))
    key = await fleet.launch(cli.spec(), "do:bash touch made.txt")
    await until_turn(fleet, key)
    assert (cli.directory / "made.txt").exists()
    assert (tools(fleet, key)[0].state, tools(fleet, key)[0].note) == (
        "done",
        "allowed by your rule Bash(touch:*)",
    )
    fleet.agent(key).send_prompt("do:bash rmdir gone")
    await until_turn(fleet, key, 2)
    assert (tools(fleet, key)[1].state, tools(fleet, key)[1].note) == (
        "denied",
        "denied by your rule Bash(rmdir:*)",
    )
    assert "rule Bash(rmdir:*) denies this" in str(cli.server.requests[-1]["messages"])


async def test_a_question_is_never_answered_by_a_rule(cli: RealCli, fleet: Fleet) -> None:
    fleet.policy = Policy((Rules("", (Rule("AskUserQuestion"), Rule("Bash"))),))
    key = await fleet.launch(cli.spec(), "do:ask")
    assert (await until_ask(fleet, key)).kind == "question"


async def test_an_update_we_let_through_does_not_void_the_others(cli: RealCli, fleet: Fleet) -> None:
    key = await fleet.launch(cli.spec())
    others = (
        PermissionUpdate("addRules", (Rule("mcp__a__b"), Rule("New", "x")), "ask"),
        PermissionUpdate("addDirectories", directories=("/tmp",)),
        PermissionUpdate("replaceRules", (Rule("Bash", "touch made3.txt"),), "allow"),
        PermissionUpdate("setMode", mode="acceptEdits"),
    )
    for turn, other in enumerate(others, 1):
        command = f"touch made{turn}.txt"
        fleet.agent(key).send_prompt(f"do:twice {command}")
        ask = await until_ask(fleet, key)
        check_update(other)
        rule = PermissionUpdate("addRules", (Rule("Bash", command),), "allow")
        await fleet.agent(key).answer(ask.id, Allow(updates=(rule, other)))
        await until_turn(fleet, key, turn)
        assert [one.state for one in tools(fleet, key)[-2:]] == ["done", "done"], other


async def test_a_rule_goes_where_the_person_wants_it(cli: RealCli, fleet: Fleet) -> None:
    key = await fleet.launch(cli.spec())
    kept = (
        ("touch", "localSettings", cli.directory / ".claude/settings.local.json"),
        ("mkdir", "projectSettings", cli.directory / ".claude/settings.json"),
        ("rmdir", "userSettings", cli.home / ".claude/settings.json"),
    )
    for turn, (command, destination, file) in enumerate(kept, 1):
        fleet.agent(key).send_prompt(f"do:bash {command} made{turn}")
        ask = await until_ask(fleet, key)
        (suggested, *_) = ask.suggestions
        rule = replace(suggested, rules=(parse_rule(f"Bash({command}:*)"),), destination=destination)
        await fleet.agent(key).answer(ask.id, Allow(updates=(rule,)))
        await until_turn(fleet, key, turn)  # the project's own rules count from the next session on (2.1.332)
        assert _allowed(file) == [f"Bash({command}:*)"]


def _allowed(file: Path) -> list[str]:
    found: list[str] = json.loads(file.read_text())["permissions"]["allow"]
    return found
