"""What a screen means for a session."""

import json

import pytest

from core.session import events as ev
from core.session.events import Event
from core.session.state import Ask
from core.sources.screen import ON_SCREEN, ScreenSource, ask_of
from core.terminal.channels.screen import IDLE_S, STAND_S, ScreenReader
from core.terminal.parsers.dialog import dialog
from tests.fakes.older_screens import case
from tests.fakes.screens import recorded, written


def asked(scene: str, name: str, columns: int = 80) -> Ask:
    found = dialog(recorded(scene, name, columns))
    assert found is not None
    ask = ask_of("screen-1", found, 5.0)
    assert ask is not None
    assert (ask.id, ask.raised_at, ask.needs_person, ask.on_screen) == ("screen-1", 5.0, True, True)
    return ask


class Watching:
    """Screens in, events out."""

    def __init__(self) -> None:
        self.reader = ScreenReader()
        self.source = ScreenSource()

    def see(self, scene: str, name: str, at: float) -> list[Event]:
        seen = self.reader.see(recorded(scene, name), at)
        return [event for told in seen for event in self.source.events(told)]

    def wait(self, at: float) -> list[Event]:
        return [event for told in self.reader.pass_time(at) for event in self.source.events(told)]


@pytest.mark.parametrize("columns", [80, 120, 40])
def test_a_permission_with_the_options_the_cli_offers(columns: int) -> None:
    ask = asked("permission", "bash", columns)
    assert (ask.kind, ask.tool, ask.title) == ("permission", "Bash", "Do you want to proceed?")
    assert json.loads(ask.input_json) == {"command": "touch made.txt", "description": "Run it"}
    assert [update.type.partition(" access")[0] for update in ask.suggestions] == [
        "Yes, and always allow",
        "Yes, and switch to auto mode · auto mode handles these prompts for you",
    ]


def test_a_change_of_a_file() -> None:
    ask = asked("permission", "edit")
    assert ask.tool == "Edit"
    assert json.loads(ask.input_json) == {"file_path": "a.txt", "shown": "1 -alpha\n1 +gamma\n2  beta"}


def test_a_question() -> None:
    ask = asked("question", "multiple")
    (question,) = ask.questions
    assert (ask.kind, question.text, question.multiple) == ("question", "Which suites should run?", True)
    assert [(option.label, option.description) for option in question.options] == [
        ("unit", "Seconds"),
        ("api", "A minute"),
        ("browser", "Ten minutes"),
    ]


def test_the_page_that_sends_the_answers() -> None:
    ask = asked("question", "review")
    assert (ask.kind, ask.title) == ("permission", "Send these answers?")
    assert json.loads(ask.input_json) == {"Which suites should run?": "unit, own words"}


def test_a_plan() -> None:
    assert (asked("plan", "asked").kind, asked("plan", "asked").plan) == (
        "plan",
        "Plan\n\n1. Read the code\n2. Fix it",
    )


def test_trust_and_the_warning() -> None:
    trust, bypass = asked("trust", "no-marked"), asked("bypass", "no-marked")
    assert (trust.tool, trust.title) == ("Trust", "Trust this folder?")
    assert json.loads(trust.input_json)["folder"].endswith("/project")
    assert bypass.title.startswith("Let claude run everything")


def test_which_session_to_resume_and_how() -> None:
    (which,) = asked("resume", "list").questions
    assert [option.label for option in which.options] == ["do:say two", "do:say one"]
    (how,) = asked("resuming", "how").questions
    assert "3d 4h old" in how.text
    assert [option.label for option in how.options][1:] == ["Resume full session as-is", "Don't ask again"]
    assert which.closed
    assert all(question.needed for question in asked("question", "single").questions)
    assert how.closed


def test_a_dialog_the_person_opened_is_no_ask() -> None:
    found = dialog(recorded("picker", "model"))
    assert found is not None
    assert ask_of("screen-1", found, 0.0) is None
    assert Watching().see("picker", "model", 0.0) == []


def test_what_nobody_opened_is_an_ask_once_it_has_stood_a_moment() -> None:
    watching = Watching()
    assert watching.see("servers", "one", 1.0) == []
    (raised,) = watching.wait(1.0 + STAND_S)
    assert isinstance(raised, ev.AskRaised)
    ask, question = raised.ask, raised.ask.questions[0]
    assert (ask.kind, ask.tool, ask.wordless, question.closed) == ("question", "Dialog", True, True)
    assert question.text.startswith("New MCP server found in this project: git")
    assert question.options[0].label == "Use this MCP server"
    (settled,) = watching.see("composer", "empty", 9.0)[:1]
    assert isinstance(settled, ev.AskSettled)
    assert settled.id == ask.id


def test_boxes_are_a_question_with_several_answers() -> None:
    (question,) = asked("servers", "several").questions
    assert question.multiple
    assert [option.label for option in question.options] == ["git", "tickets", "wiki"]


def test_whether_and_on_which_model_to_resume() -> None:
    (whether,) = asked("whether", "asked").questions
    assert [option.label for option in whether.options] == ["Resume", "Start a new conversation"]
    assert whether.options[1].description.startswith("Claude can look this one up")
    (model,) = asked("model", "asked").questions
    assert [option.label for option in model.options] == ["Keep Opus 5", "Continue with Opus 5.5"]


def test_a_turn_from_spinner_to_silence() -> None:
    watching = Watching()
    first = watching.see("composer", "empty", 0.0)
    assert {type(event) for event in first} >= {ev.Initialized, ev.Confirmed}
    work = watching.see("work", "text", 1.0)
    assert [type(event) for event in work] == [ev.TurnStarted, ev.PhaseChanged, ev.PhaseChanged]
    assert isinstance(work[-1], ev.PhaseChanged)
    assert work[-1].phase == "responding"
    assert not [
        event for event in watching.see("work", "finished", 2.0) if isinstance(event, ev.TurnCompleted)
    ]
    (done,) = watching.wait(2.0 + IDLE_S)
    assert isinstance(done, ev.TurnCompleted)
    assert {event.source for event in (*first, *work, done)} == {"screen"}
    assert "high" not in {event.confidence for event in (*first, *work, done)}


def test_an_ask_is_a_turns_and_closes_as_it_was_answered() -> None:
    watching = Watching()
    raised = watching.see("permission", "bash", 1.0)
    assert [type(event) for event in raised] == [ev.TurnStarted, ev.AskRaised]
    watching.source.expect("screen-1", "denied")
    (settled,) = [
        event for event in watching.see("permission", "denied", 2.0) if isinstance(event, ev.AskSettled)
    ]
    assert (settled.id, settled.outcome, settled.note) == ("screen-1", "denied", "")


def test_one_answered_on_its_own_screen_says_so() -> None:
    watching = Watching()
    watching.see("permission", "bash", 1.0)
    (settled,) = [
        event for event in watching.see("permission", "denied", 2.0) if isinstance(event, ev.AskSettled)
    ]
    assert (settled.outcome, settled.note) == ("withdrawn", ON_SCREEN)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("running", ev.Compacting), ("done", ev.Compacted), ("error", ev.Noticed), ("stopped", None)],
)
def test_compaction(name: str, kind: type | None) -> None:
    told = [type(event) for event in Watching().see("compaction", name, 1.0)]
    assert (kind in told) if kind is not None else ev.Compacting not in told


def test_quoted_words_raise_nothing() -> None:
    """Case TRM-11 (b)."""
    reader, source = ScreenReader(), ScreenSource()
    told = [event for seen in reader.see(written(case("TRM-11.b.bin")), 0.0) for event in source.events(seen)]
    assert not [event for event in told if isinstance(event, ev.AskRaised | ev.TurnStarted)]


def test_what_a_subagent_asks_begins_no_turn_and_outlives_one() -> None:
    told = Watching().see("subagent", "bash", 1.0)
    assert [type(event) for event in told] == [ev.AskRaised]
    ask = asked("subagent", "bash")
    assert (ask.agent_id, ask.reason) == (
        "general-purpose agent",
        "the general-purpose agent asks for it",
    )


_WITHOUT_WORDS = (
    ("trust", "no-marked"),
    ("bypass", "no-marked"),
    ("question", "review"),
    ("resume", "list"),
    ("resuming", "how"),
)


def test_what_takes_no_words_is_denied_without() -> None:
    for scene, name in _WITHOUT_WORDS:
        assert asked(scene, name).wordless
    assert not asked("permission", "bash").wordless
    assert not asked("question", "single").wordless
