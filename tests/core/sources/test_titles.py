"""What a session is called."""

import pytest

from core.sources.titles import Title, Titles, command_of, title_text
from core.wire.transcript import TranscriptLine


def test_the_best_kind_wins_and_the_newest_of_a_kind() -> None:
    titles = Titles()
    assert titles.best == Title()
    titles.see(TranscriptLine("summary", summary="Another session"))
    assert titles.best == Title("Another session", "summary")
    titles.note("<command-name>/model</command-name><command-args>opus</command-args>")
    assert titles.best == Title("/model opus", "command")
    titles.prompt(" \n ")
    titles.prompt("fix it")
    titles.prompt("and that")
    assert titles.best == Title("fix it", "first-prompt")
    titles.see(TranscriptLine("last-prompt", last_prompt="and that"))
    assert titles.best == Title("and that", "last-prompt")
    titles.see(TranscriptLine("ai-title", ai_title="Old"))
    titles.see(TranscriptLine("ai-title", ai_title="New"))
    assert titles.best == Title("New", "ai")
    titles.see(TranscriptLine("agent-name", agent_name="fixer"))
    titles.see(TranscriptLine("custom-title", custom_title="Mine"))
    assert titles.best == Title("Mine", "custom")
    titles.see(TranscriptLine("custom-title", custom_title=""))
    assert titles.best == Title("fixer", "agent")


def test_an_agents_name_on_other_lines_is_no_title() -> None:
    titles = Titles()
    titles.see(TranscriptLine("user", agent_name="fixer"))
    assert titles.best == Title()


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("<command-name>/clear</command-name>", "/clear"),
        ("<bash-input>ls -l</bash-input>", "! ls -l"),
        ("<local-command-stdout>x</local-command-stdout>", ""),
        ("[Request interrupted by user]", ""),
        ("plain words", "plain words"),
    ],
)
def test_commands(text: str, command: str) -> None:
    assert command_of(text) == command


def test_a_title_is_one_line_without_control_bytes() -> None:
    assert title_text("a\t\x1b[31mb\x1b[0m\n\nc\x07") == "a b c"
    assert len(title_text("x" * 5000)) == 400
