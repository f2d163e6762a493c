import pytest
from msgspec import structs

from core.session.state import (
    Ask,
    Away,
    Budget,
    Exit,
    HookRun,
    Kind,
    Limit,
    Pause,
    Question,
    Retry,
    SessionState,
    Turn,
    TurnSummary,
    Usage,
)
from tests.widgets.screen import BRACKETS, CONTROLS, NOW, session
from widgets import format as fmt
from widgets.summary import budget_text, cost_text, headline, name_of

BASH = Ask("1", "permission", "Bash", title="git push")
FORM = Ask("2", "question", "AskUserQuestion", questions=(Question("Which?"), Question("And?")))
SPENT = Budget("agent", 5.0, "launch", stage="stopped", spent_usd=5.6)
DONE = TurnSummary(1, "completed", NOW - 300, NOW - 48, 0.31, files_changed=3)

LINES: list[tuple[SessionState, str]] = [
    (session(asks=(BASH,)), "Bash · git push"),
    (session(asks=(FORM, BASH)), "2 questions: Which?  +1"),
    (session(asks=(Ask("3", "plan", "ExitPlanMode"),)), "a plan to approve"),
    (
        session(asks=(Ask("3", "plan", "ExitPlanMode", b'{"plan":"# Faster\\nx"}', plan="# Faster\nx"),)),
        "plan: Faster",
    ),
    (session(turn=Turn(1, NOW), doing="Edit a.py"), "Edit a.py"),
    (session(turn=Turn(1, NOW), phase="thinking"), "thinking"),
    (session(turn=Turn(1, NOW, interrupting_since=NOW)), "interrupting …"),
    (session(turn=Turn(1, NOW), retry=Retry(2, 10, 4, 529, NOW)), "API error 529, try 2 of 10 in 4 s"),
    (session(turn=Turn(1, NOW), retry=Retry(2, 0, status=529, at=NOW)), "API error 529, try 2"),
    (
        session(turn=Turn(1, NOW), doing="Edit a.py", hooks=(HookRun("1", "until", NOW - 3),)),
        "waits for the hook until",
    ),
    (session(turn=Turn(1, NOW), doing="Edit a.py", hooks=(HookRun("1", "until", NOW - 1),)), "Edit a.py"),
    (session(limit=Limit("auth")), "not logged in"),
    (session(budgets=(SPENT,)), "budget: $5.60 of $5.00 (set at its start)"),
    (
        session(budgets=(structs.replace(SPENT, scope="day", by="you"),)),
        "budget: $5.60 of $5.00 for today (set by you)",
    ),
    (session(pause=Pause(NOW)), "paused by you"),
    (session(pause=Pause(NOW, NOW + 60)), f"paused by you, goes on at {fmt.clock(NOW + 60)}"),
    (session(started=False), "starting"),
    (session(away=Away("far is gone", NOW, NOW + 5)), "again in 0:05 · far is gone"),
    (session(away=Away("far is gone", NOW)), "trying again … · far is gone"),
    (session(), "ready"),
    (session(last_turn=DONE), "3 files changed in 4m 12s"),
    (
        session(last_turn=TurnSummary(1, "failed", error="no [/] model", error_status=404)),
        "failed 404: no [/] model",
    ),
    (
        session(last_turn=TurnSummary(1, "failed", error="Overloaded", error_status=529)),
        "failed 529: the API has trouble: send it again in a moment",
    ),
    (session(exit=Exit(1, stderr_tail="a\nError: b\n")), "exit code 1: Error: b"),
    (session(exit=Exit(None, reason="The folder is gone.")), "The folder is gone."),
    (session(exit=Exit(None, 9)), "signal 9"),
    (session(exit=Exit(0, expected=True)), "ended"),
]


@pytest.mark.parametrize(("state", "line"), LINES)
def test_one_line_says_what_it_is_about(state: SessionState, line: str) -> None:
    assert headline(state, NOW) == line


def test_after_a_reset_it_says_what_to_do() -> None:
    limited = session(limit=Limit("rate", "The 5h limit is reached.", resets_at=NOW + 9))
    assert headline(limited, NOW).startswith("The 5h limit is reached. · resets ")
    assert headline(limited, NOW + 9).endswith("send the prompt again")


def test_a_session_always_has_a_name() -> None:
    assert name_of(session(name="", title="", directory="/src/app/")) == "app"
    assert name_of(session(name="\x1b[2J", title="[b]")) == "[b]"
    assert name_of(SessionState("k")) == "k"


@pytest.mark.parametrize("text", [*BRACKETS, CONTROLS])
def test_outside_text_is_one_harmless_line(text: str) -> None:
    for state in (session(doing=text, turn=Turn(1, 0)), session(exit=Exit(1, stderr_tail=text))):
        line = headline(state, NOW)
        assert all(c >= " " and not "\x7f" <= c <= "\x9f" for c in line)
        assert text is CONTROLS or " ".join(text.split()) in line


def test_an_estimate_is_marked_and_says_what_it_lacks() -> None:
    def cost(usage: Usage, kind: Kind = "mirrored") -> str:
        return cost_text(SessionState("k", kind, usage=usage))

    assert cost(Usage(cost_usd=1.2), "driven") == "$1.20"
    assert cost(Usage(cost_usd=1.2)) == "~$1.20"
    assert cost(Usage(cost_usd=1.2, cost_process_usd=1.2)) == "$1.20"
    assert cost(Usage(cost_usd=1.2, unpriced=("new",))) == "~$1.20+?"
    assert cost(Usage(unpriced=("new",))) == "?"
    assert cost(Usage()) == ""
    assert (
        budget_text(Budget("day", 5.0, spent_usd=4.0, estimated_usd=1.0))
        == "budget: ~$4.00 of $5.00 for today"
    )
