"""The rule one begins with: the call is covered by it, and it is one the CLI takes."""

import msgspec
import pytest

from core.agent.policy import Policy, Rules, decide
from core.session.own_rule import own_rule
from core.session.rules import parse_rule
from core.session.state import Ask


def ask(tool: str, **given: object) -> Ask:
    return Ask("1", "permission", tool, msgspec.json.encode(given))


CASES = [
    (ask("Bash", command="git push -f origin main"), "Bash(git push *)"),
    (ask("Bash", command="git"), "Bash(git *)"),
    (ask("Bash", command="touch made.txt"), "Bash(touch *)"),
    (ask("Bash", command="ls -la | head"), "Bash(ls -la | head)"),
    (ask("Bash", command="rm -rf build"), "Bash(rm -rf build)"),
    (ask("Bash", command="/usr/bin/sudo reboot"), "Bash(/usr/bin/sudo reboot)"),
    (ask("Bash", command="FOO=1 make"), "Bash(FOO=1 make)"),
    (ask("Edit", file_path="/work/src/x.py"), "Edit(//work/src/x.py)"),
    (ask("Write", file_path="src/a/../x.py"), "Edit(./src/x.py)"),
    (ask("Write", file_path="/work/app/[id]/page.tsx"), "Edit(//work/app/?id?/page.tsx)"),
    (ask("NotebookEdit", notebook_path="/work/a.ipynb"), "Edit(//work/a.ipynb)"),
    (ask("Read", file_path="~/notes.md"), "Read(~/notes.md)"),
    (ask("Grep", pattern="x", path="/work/src"), "Read(//work/src)"),
    (ask("WebFetch", url="https://Docs.example.org:8080/a?b"), "WebFetch(domain:docs.example.org)"),
    (ask("Agent", subagent_type="explore", prompt="x"), "Agent(explore)"),
    (ask("Skill", skill="deploy"), "Skill(deploy)"),
    (ask("mcp__github__get_issue", number=4), "mcp__github__get_issue"),
    (ask("WebSearch", query="cats"), "WebSearch"),
    (ask("Write"), "Write"),
    (ask("FromTheFuture", path="/x"), "FromTheFuture"),
]


@pytest.mark.parametrize(("asked", "rule"), CASES, ids=[rule for _, rule in CASES])
def test_it_is_a_rule_that_covers_the_call(asked: Ask, rule: str) -> None:
    assert own_rule(asked) == rule
    policy = Policy((Rules("", (parse_rule(rule),)),), home="/home/me", real=lambda path: path)
    assert decide(policy, asked, "/work").verdict == "allow"


@pytest.mark.parametrize(
    "asked",
    [
        ask("Bash", command="git commit -m 'a\nb'"),
        ask("WebFetch", url="https://[broken"),
        ask("Bash", command=17),
        Ask("1", "permission", "Bash", b"no json"),
        ask("Bash", command="make :*x;"),
    ],
)
def test_an_odd_input_gives_a_text_to_begin_with(asked: Ask) -> None:
    assert own_rule(asked).startswith(asked.tool)
