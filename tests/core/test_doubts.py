"""Words of the CLI's in the settings: slips, and those of a release to come."""

import pytest

from core.agent.extras import HOOK_EVENTS
from core.agent.launch import EFFORTS
from core.doubts import doubts, meant
from core.settings import decode


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("hihg", "high"),
        ("HIGH", "high"),
        ("hig", "high"),
        ("highh", "high"),
        ("hugh", "high"),
        ("mex", "max"),
        ("ultra", ""),
        ("extra-high", ""),
        ("minimal", ""),
    ],
)
def test_one_letter_off_is_a_slip(word: str, other: str) -> None:
    assert meant(word, EFFORTS) == other


@pytest.mark.parametrize("word", ["PreToolUseFailure", "PreToolBatch", "StopRequest", "SubagentIdle"])
def test_an_event_that_may_come_is_none(word: str) -> None:
    assert meant(word, HOOK_EVENTS) == ""


def test_what_is_not_known_is_kept_and_said() -> None:
    settings = decode("[agents]\neffort = 'ultra'\n[[hooks.run]]\nevent = 'SubagentIdle'\ncommand = 'x'\n")
    assert (settings.agents.effort, settings.hooks.run[0].event) == ("ultra", "SubagentIdle")
    effort, event = doubts(settings)
    assert "agents.effort is 'ultra'" in effort
    assert "low, medium, high, xhigh, max" in effort
    assert "hooks.run.event is 'SubagentIdle'" in event


def test_what_is_known_or_not_set_is_not_spoken_of() -> None:
    assert doubts(decode("")) == ()
    assert doubts(decode("agents.effort = 'max'\n[[hooks.run]]\nevent = 'Stop'\ncommand = 'x'")) == ()
