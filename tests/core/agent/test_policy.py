"""What the person's rules say to an ask."""

import json
from pathlib import Path

import pytest

from core.agent.policy import Decision, Policy, Rules, decide, parse_call
from core.errors import RuleError
from core.session.rules import parse_rule
from core.session.state import Ask


def rules(*allow: str, deny: tuple[str, ...] = (), directory: str = "") -> Rules:
    return Rules(directory, tuple(map(parse_rule, allow)), tuple(map(parse_rule, deny)))


def say(call: str, *given: Rules, directory: str = "/work/api") -> Decision:
    policy = Policy(given, home="/home/me", real=lambda path: path)
    return decide(policy, parse_call(call), directory)


def ask(tool: str, given: object = None, **fields: object) -> Ask:
    return Ask(id="1", kind="permission", tool=tool, input_json=json.dumps(given or fields).encode())


@pytest.mark.parametrize(
    ("rule", "call", "verdict"),
    [
        ("Bash(git push:*)", "Bash(git push origin main)", "allow"),
        ("Bash(git push:*)", "Bash(git push && git push a)", "allow"),
        ("Bash(git push:*)", "Bash(git push && touch x)", "ask"),
        ("Bash(git push:*)", "Bash(git push\ntouch x)", "ask"),
        ("Bash(git push:*)", "Bash(git push | tee x)", "ask"),
        ("Bash(git push:*)", "Bash(git push $(touch x))", "ask"),
        ("Bash(git push:*)", "Bash(FOO=1 git push)", "ask"),
        ("Bash(git push:*)", "Bash(sudo git push)", "ask"),
        ("Bash(git push:*)", "Bash(git push > x)", "ask"),
        ("Bash(npm i && touch x)", "Bash(npm i && touch x)", "allow"),
        ("Bash(npm i && touch x)", "Bash(npm i)", "ask"),
        ("Bash", "Bash((anything) > x)", "allow"),
        ("Bash(*)", "Bash((anything) > x)", "allow"),
        ("Bash", "Write(/work/api/a)", "ask"),
        ("Edit(src/**)", "Write(/work/api/src/a.py)", "allow"),
        ("Edit(src/**)", "Write(src/a.py)", "allow"),
        ("Edit(src/**)", "Read(src/a.py)", "allow"),
        ("Edit(src/**)", "Write(src/../b.py)", "ask"),
        ("Edit(src/**)", "NotebookEdit(src/a.ipynb)", "allow"),
        ("Read(src/**)", "Write(src/a.py)", "ask"),
        ("Read(~/notes/**)", "Read(~/notes/a)", "allow"),
        ("Edit", "Edit(a)", "allow"),
        ("Edit", "Write(a)", "ask"),
        ("Edit(**)", "Write(.claude/settings.json)", "ask"),
        ("Write", "Write(.git/config)", "ask"),
        ("Edit(**)", "Read(.git/config)", "allow"),
        ("WebFetch(domain:example.org)", "WebFetch(https://example.org/x)", "allow"),
        ("WebFetch(domain:example.org)", "WebFetch(https://evil.org/example.org)", "ask"),
        ("mcp__github", "mcp__github__get_issue", "allow"),
        ("mcp__github", "mcp__github2__get_issue", "ask"),
        ("mcp__github__*", "mcp__github__get_issue", "allow"),
        ("mcp__github__get_issue", "mcp__github__get_issue", "allow"),
        ("mcp__github__get_issue", "mcp__github__get_issues", "ask"),
        ("mcp__github__get_*", "mcp__github__get_issues", "allow"),
        ("Agent(Explore)", "Task(Explore)", "allow"),
        ("Agent(Explore)", "Agent(Plan)", "ask"),
        ("AskUserQuestion", "AskUserQuestion", "ask"),
        ("ExitPlanMode", "ExitPlanMode", "ask"),
        ("WebSearch", "WebSearch", "allow"),
    ],
)
def test_one_rule_that_allows(rule: str, call: str, verdict: str) -> None:
    decision = say(call, rules(rule))
    assert (decision.verdict, decision.rule) == (verdict, rule if verdict == "allow" else ""), decision
    assert decision.why


@pytest.mark.parametrize(
    ("rule", "call", "verdict"),
    [
        ("Bash(git push:*)", "Bash(ls && sudo git push)", "deny"),
        ("Bash(git push:*)", "Bash(bash -c 'git push')", "deny"),
        ("Bash(git push:*)", "Bash(echo 'git push')", "allow"),
        ("Bash", "Bash(ls)", "deny"),
        ("Read(.env)", "Read(sub/.env)", "deny"),
        ("Read(.env)", "Write(.env)", "deny"),
        ("Read(secret/**)", "Grep(secret/x)", "deny"),
        ("Edit(src/**)", "Read(src/a)", "allow"),
        ("Edit(src/**)", "Write(x/../src/a)", "deny"),
        ("mcp__github__delete_*", "mcp__github__delete_repo", "deny"),
    ],
)
def test_deny_wins_over_everything(rule: str, call: str, verdict: str) -> None:
    everything = ("Bash", "Read", "Write", "Grep", "mcp__github")
    assert say(call, rules(*everything, deny=(rule,))).verdict == verdict


def test_deny_wins_from_a_wider_directory() -> None:
    wide, narrow = rules(deny=("Bash(rm:*)",)), rules("Bash", directory="/work")
    assert say("Bash(rm x)", narrow, wide).verdict == "deny"
    assert say("Bash(ls)", narrow, wide) == Decision("allow", "Bash", "Allowed by your rule Bash.")


def test_rules_hold_for_their_directory_and_below() -> None:
    given = rules("Bash", directory="/work/api")
    assert say("Bash(x)", given, directory="/work/api/sub").verdict == "allow"
    assert say("Bash(x)", given, directory="/work/api2").verdict == "ask"
    assert say("Bash(x)", given, directory="/work").verdict == "ask"


def test_a_leading_slash_means_the_directory_of_the_rules() -> None:
    given = rules("Edit(/docs/**)", directory="/work")
    assert say("Write(/work/docs/a.md)", given).verdict == "allow"
    assert say("Write(docs/a.md)", given).verdict == "ask"


def test_parts_may_be_allowed_by_different_rules() -> None:
    decision = say("Bash(npm ci && npm test)", rules("Bash(npm ci)", "Bash(npm test:*)"))
    assert decision.why == "Allowed by your rule Bash(npm ci), Bash(npm test:*)."
    refused = say("Bash(npm ci && rm x)", rules("Bash(npm ci)"))
    assert refused.why == "No rule speaks of `rm x`."


def test_what_requires_a_person_is_never_allowed_but_may_be_denied() -> None:
    wanted = Ask(id="1", kind="permission", tool="Bash", input_json=b'{"command":"ls"}', needs_person=True)
    policy = Policy((rules("Bash"),))
    assert decide(policy, wanted, "/w").verdict == "ask"
    assert decide(Policy((rules("Bash", deny=("Bash(ls)",)),)), wanted, "/w").verdict == "deny"


@pytest.mark.parametrize(
    "input_json", [b"", b"[1]", b"\xff", b'{"command":7}', b'{"a":{"command":"ls"}}', b"{"]
)
def test_an_input_that_cannot_be_read_is_asked(input_json: bytes) -> None:
    strange = Ask(id="1", kind="permission", tool="Bash", input_json=input_json)
    assert decide(Policy((rules("Bash(ls)", "Bash(ls:*)"),)), strange, "/w").verdict == "ask"


def test_the_last_of_two_equal_keys_counts_as_for_the_cli() -> None:
    twice = Ask(id="1", kind="permission", tool="Bash", input_json=b'{"command":"ls","command":"rm x"}')
    assert decide(Policy((rules("Bash(ls)"),)), twice, "/w").verdict == "ask"


def test_links_are_followed_before_a_path_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "project/src").mkdir(parents=True)
    (tmp_path / "secret").mkdir()
    (tmp_path / "project/src/out").symlink_to(tmp_path / "secret")
    directory = str(tmp_path / "project")
    policy = Policy((rules("Edit(src/**)", deny=("Read(//**/secret/key)",)),))
    assert decide(policy, ask("Write", file_path=f"{directory}/src/a"), directory).verdict == "allow"
    assert decide(policy, ask("Write", file_path=f"{directory}/src/out/a"), directory).verdict == "ask"
    assert decide(policy, ask("Read", file_path=f"{directory}/src/out/key"), directory).verdict == "deny"


def test_a_directory_that_is_a_link_is_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "real/src").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    policy = Policy((rules("Edit(src/**)"),))
    assert (
        decide(policy, ask("Write", file_path=f"{tmp_path}/link/src/a"), f"{tmp_path}/link").verdict
        == "allow"
    )
    assert (
        decide(policy, ask("Write", file_path=f"{tmp_path}/real/src/a"), f"{tmp_path}/link").verdict
        == "allow"
    )


@pytest.mark.parametrize("text", ["", "Bash(x", "Unknown(x)", "(x)"])
def test_a_call_nobody_can_read_is_refused(text: str) -> None:
    with pytest.raises(RuleError):
        parse_call(text)
