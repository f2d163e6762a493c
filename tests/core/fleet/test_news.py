import pytest
from msgspec.structs import replace

from core.fleet.news import Gathering, News, headline, news, still, variables, words
from core.session.state import (
    Account,
    Ask,
    Budget,
    Exit,
    Limit,
    Pause,
    Prompt,
    Question,
    SessionState,
    Turn,
    TurnSummary,
)

IDLE = SessionState("k", name="api", started=True, directory="/src/api")
BUSY = replace(IDLE, turn=Turn(1, 1.0))
BASH = Ask("1", "permission", "Bash", b'{"command":"git push"}')
DONE = TurnSummary(1, "completed", 0.0, 42.0, files_changed=1)
LONG = TurnSummary(1, "completed", 0.0, 413.2)
LIMITED = replace(IDLE, limit=Limit("rate", "The 5h limit is reached.", "five_hour", 100.0, reached=True))


@pytest.mark.parametrize(
    ("before", "after", "kind", "text"),
    [
        (BUSY, replace(BUSY, asks=(BASH,)), "needs_you", "Bash: git push"),
        (BUSY, replace(BUSY, asks=(replace(BASH, agent_id="t"),)), "needs_you", "Bash: git push"),
        (
            BUSY,
            replace(BUSY, asks=(Ask("2", "question", "AskUserQuestion", questions=(Question("Which?"),)),)),
            "needs_you",
            "asks: Which?",
        ),
        (BUSY, replace(BUSY, asks=(Ask("3", "plan", "ExitPlanMode"),)), "needs_you", "a plan to approve"),
        (BUSY, replace(IDLE, last_turn=DONE), "finished", "done in 42 s, 1 file changed"),
        (BUSY, replace(IDLE, last_turn=LONG), "finished", "done in 6 min 53 s"),
        (BUSY, replace(IDLE, last_turn=TurnSummary(1, "failed", error="overloaded")), "failed", "overloaded"),
        (BUSY, replace(IDLE, exit=Exit(1, reason="it crashed")), "failed", "it crashed"),
        (BUSY, LIMITED, "limited", "The 5h limit is reached."),
        (
            BUSY,
            replace(IDLE, budgets=(Budget("agent", 5.0, stage="stopped", spent_usd=5.6),)),
            "limited",
            "the budget is spent: $5.60 of $5.00 for this agent (set by the settings)",
        ),
    ],
)
def test_what_a_person_wants_to_know_is_news(
    before: SessionState, after: SessionState, kind: str, text: str
) -> None:
    item = news(before, after)
    assert item is not None
    assert (item.kind, item.name, item.text) == (kind, "api", text)
    assert news(after, after) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (replace(BUSY, asks=(BASH,)), replace(BUSY, asks=(replace(BASH, state="answering"),))),
        (BUSY, replace(IDLE, last_turn=replace(DONE, end="stopped"))),
        (BUSY, replace(BUSY, last_turn=DONE)),
        (BUSY, replace(IDLE, last_turn=DONE, prompts=(Prompt("p", "and then"),))),
        (BUSY, replace(IDLE, exit=Exit(0, expected=True))),
        (IDLE, replace(IDLE, pause=Pause(1.0))),
        (IDLE, BUSY),
    ],
)
def test_the_rest_is_none(before: SessionState, after: SessionState) -> None:
    assert news(before, after) is None


def test_what_was_answered_meanwhile_is_no_news_any_more() -> None:
    item = news(BUSY, asking := replace(BUSY, asks=(BASH,)))
    assert item is not None
    assert still(item, asking)
    assert not still(item, BUSY)
    assert not still(item, None)


def item(name: str, kind: str = "needs_you", text: str = "Bash: make") -> News:
    return News(name, name, kind, text, f"/src/{name}")  # type: ignore[arg-type]


def test_several_become_one_word() -> None:
    assert headline([item("api")]) == ("quarterdeck: api needs you", "Bash: make")
    several = [item("api"), item("docs"), item("web", "finished"), item("api", "failed")]
    assert headline(several) == ("quarterdeck: 2 need you, 1 failed, 1 has finished", "api, docs, web")


def test_a_limit_of_an_account_is_told_once_whoever_meets_it() -> None:
    gathering = Gathering()
    one, other = news(BUSY, LIMITED), news(replace(BUSY, key="b"), replace(LIMITED, key="b"))
    assert one is not None
    assert other is not None
    assert gathering.add(one)
    assert not gathering.add(other)
    assert len(gathering.take(lambda _: True)) == 1
    assert not gathering.add(other)
    assert gathering.add(replace(other, account=Account(subscription="team")))
    assert not gathering.add(replace(other, about="five_hour 900.0")), "the next window, in the same word"
    assert len(gathering.take(lambda _: True)) == 2


def test_the_command_gets_it_as_words_and_in_its_environment() -> None:
    told = [item("api", text="{title}; rm -rf /")]
    assert words(("notify-send", "--"), told)[2:] == ("quarterdeck: api needs you", "{title}; rm -rf /")
    assert words(("say", "{name}: {text}", "{other}"), told) == ("say", "api: {title}; rm -rf /", "{other}")
    found = variables(told)
    assert (found["QUARTERDECK_STATE"], found["QUARTERDECK_AGENT"]) == ("needs_you", "api")
    assert (found["QUARTERDECK_DIRECTORY"], found["QUARTERDECK_COUNT"]) == ("/src/api", "1")


def test_nothing_an_agent_wrote_has_control_bytes() -> None:
    evil = replace(
        BUSY, name="a\x1b]0;x\x07b", asks=(replace(BASH, input_json=b'{"command":"a\\u001b[2J\\nb"}'),)
    )
    found = news(BUSY, evil)
    assert found is not None
    assert all(c >= " " for text in headline([found]) for c in text)
