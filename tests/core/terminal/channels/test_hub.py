"""One stream of events out of three channels."""

from pathlib import Path

import msgspec
import pytest

from core.session import events as ev
from core.session.events import Event
from core.session.session import Session
from core.session.state import SessionState, Tokens
from core.terminal.channels.channel import Channel
from core.terminal.channels.committed import Entry, FileChosen, TailFailed
from core.terminal.channels.hub import Channels
from core.terminal.channels.screen import IDLE_S, ProgressChanged
from core.wire.transcript import UnknownLine
from tests.fakes.dialogs import TRUST, FakeProgram
from tests.fakes.older_screens import case
from tests.fakes.screens import recorded, written


class Fed:
    """A session that is fed."""

    def __init__(self) -> None:
        self.session = Session(SessionState("k", "terminal"))
        self.channels = Channels(self.session.apply)
        self.shadow = heard(self.channels.shadow)

    @property
    def status(self) -> str:
        """The session's word, as it is now."""
        return self.session.state.status

    def texts(self) -> list[str]:
        return [getattr(entry, "text", "") for entry in self.session.conversation.entries()]


def heard(channel: "Channel[Event | ProgressChanged]") -> list[Event | ProgressChanged]:
    told: list[Event | ProgressChanged] = []
    channel.hear_all(told.append)
    return told


def proxy(text: str, at: float = 2.0) -> list[Event]:
    return [
        ev.TurnStarted(at=at, source="proxy"),
        ev.MessageStarted(at=at, source="proxy", message_id="m1"),
        ev.BlockStarted(at=at, source="proxy", message_id="m1", index=0, kind="text"),
        ev.TextDelta(at=at, source="proxy", message_id="m1", index=0, text=text),
    ]


def test_without_a_capture_the_screen_tells_phases_and_no_text() -> None:
    fed = Fed()
    fed.channels.see(recorded("composer", "empty"), 0.0)
    assert fed.status == "idle"
    assert fed.session.state.mode.value == "default"
    fed.channels.see(recorded("work", "text"), 1.0)
    assert (fed.status, fed.session.state.phase) == ("working", "responding")
    assert fed.texts() == []
    assert [one.progress.kind for one in fed.shadow if isinstance(one, ProgressChanged)] == ["text"]
    fed.channels.see(recorded("work", "finished"), 2.0)
    assert fed.status == "working"
    assert fed.channels.due == 2.0 + IDLE_S
    fed.channels.pass_time(2.0 + IDLE_S)
    assert fed.status == "idle"


def test_with_one_the_text_streams_and_the_screen_is_a_shadow() -> None:
    fed = Fed()
    fed.channels.see(recorded("composer", "empty"), 0.0)
    fed.channels.attach(1.0)
    fed.channels.hear(proxy("Hello "))
    fed.channels.see(recorded("work", "text"), 2.1)
    assert fed.texts() == ["Hello "]
    shadows = [one for one in fed.shadow if isinstance(one, ev.TurnStarted | ev.PhaseChanged)]
    assert {one.source for one in shadows} == {"screen"}


def test_pieces_nobody_opened_are_counted_and_change_nothing() -> None:
    fed = Fed()
    fed.channels.attach(1.0)
    fed.channels.hear(proxy("Hello "))
    fed.channels.hear([ev.TextDelta(at=3.0, source="proxy", message_id="m9", index=0, text="lost")])
    assert fed.session.state.violation_count == 1
    assert fed.texts() == ["Hello "]


def test_a_capture_that_ends_leaves_nothing_open() -> None:
    fed = Fed()
    fed.channels.attach(1.0)
    fed.channels.hear(proxy("Hel"))
    fed.channels.detach(4.0, "mitmdump has ended")
    assert [getattr(entry, "open", None) for entry in fed.session.conversation.entries()] == [False]
    assert fed.channels.ownership.producer == "screen"
    fed.channels.hear([ev.TextDelta(at=5.0, source="proxy", message_id="m1", index=0, text="late")])
    assert fed.texts() == ["Hel"]


def test_dialogs_become_asks_and_nothing_is_typed_by_itself() -> None:
    """Case TRM-09: the trust dialog waits for a person; the words of a status bar are none."""
    fed = Fed()
    program = FakeProgram(TRUST, ["No, exit", "Yes, I trust this folder"], numbered=False)
    fed.channels.see(program.screen(), 0.0)
    (ask,) = fed.session.state.asks
    assert (fed.status, ask.tool, ask.title) == ("needs-you", "Trust", "Trust this folder?")
    assert fed.channels.asking.dialog(ask.id) is not None
    assert program.typed == []
    fed.channels.see(written(case("TRM-09.statusbar.bin")), 1.0)
    assert fed.session.state.asks == ()
    assert fed.channels.asking.dialog(ask.id) is None
    assert fed.status == "idle"


def test_the_bypass_warning_waits_too() -> None:
    fed = Fed()
    fed.channels.see(written(case("TRM-09.bypass.bin")), 0.0)
    (ask,) = fed.session.state.asks
    assert ask.tool == "Bypass permissions"
    assert not fed.session.state.started


def written_in(file: str, *events: Event) -> Entry:
    return Entry(file=Path(file), offset=0, line=UnknownLine(b"", ""), events=events)


def committed(*events: Event) -> Entry:
    return written_in("s.jsonl", *events)


def test_the_mode_is_that_of_the_screen_not_of_what_was_written_before() -> None:
    """A resumed session's lines tell the mode each prompt of it had."""
    fed = Fed()
    fed.channels.see(recorded("composer", "auto-mode"), 0.0)
    fed.channels.read([committed(ev.Initialized(source="transcript", session_id="s", mode="plan"))])
    assert (fed.session.state.session_id, fed.session.state.mode.value) == ("s", "auto")


def test_another_session_in_the_same_pane_is_told_and_its_context_begins_anew() -> None:
    fed = Fed()
    fed.channels.see(recorded("composer", "empty"), 100.0)
    fed.channels.read([FileChosen(file=Path("none.jsonl"), why="nothing was ever written to it")])
    fed.channels.read([FileChosen(file=Path("one.jsonl"), why="the process says so")])
    assert fed.texts() == []
    tokens = Tokens(input=20_000)
    spoke = ev.MessageCompleted(source="transcript", message_id="m", model="opus", tokens=tokens)
    fed.channels.read([written_in("one.jsonl", spoke)])
    fed.channels.read([FileChosen(file=Path("/moved/one.jsonl"), why="the process says so")])
    assert (fed.session.state.usage.context_tokens, fed.texts()) == (20_000, [])
    fed.channels.read([written_in("one.jsonl")])
    fed.channels.read([FileChosen(file=Path("two.jsonl"), why="the process says so")])
    assert (fed.session.state.session_id, fed.session.state.usage.context_tokens) == ("two", 0)
    fed.channels.read([written_in("two.jsonl")])
    fed.channels.read([FileChosen(file=Path("one.jsonl"), why="the process says so", resumed=True)])
    assert fed.session.state.session_id == "one"
    assert [text.partition(" here")[0] for text in fed.texts()] == [
        "another session begins",
        "another session is gone on with",
    ]


def test_a_transcript_that_cannot_be_read_is_told_to_the_person() -> None:
    fed, file = Fed(), Path("s.jsonl")
    fed.channels.read([TailFailed(file=file, why="replaced", anew=True)])
    assert fed.texts() == []
    fed.channels.read([TailFailed(file=file, why="Permission denied")])
    assert ["Permission denied" in text for text in fed.texts()] == [True]


def test_what_a_resumed_session_asks_waits_on_while_its_old_turns_are_read() -> None:
    fed = Fed()
    fed.channels.see(recorded("resuming", "how"), 100.0)
    asks = fed.session.state.asks
    assert len(asks) == 1
    fed.channels.read([committed(ev.TurnStarted(at=1.0, source="transcript"))])
    fed.channels.read([committed(ev.TurnCompleted(at=3.0, source="transcript"))])
    assert fed.session.state.asks == asks
    assert fed.status == "needs-you"
    fed.channels.see(recorded("composer", "empty"), 101.0)
    assert not fed.session.state.asks


def bash(command: str, call_id: str = "t1") -> Event:
    raw = msgspec.json.encode({"command": command, "timeout": 5})
    return ev.ToolInputFinalized(
        at=1.0, source="transcript", message_id="m1", tool_use_id=call_id, tool="Bash", input_json=raw
    )


@pytest.mark.parametrize("dialog_first", [True, False])
def test_an_ask_gets_its_call_whichever_comes_first(dialog_first: bool) -> None:
    fed = Fed()
    if dialog_first:
        fed.channels.see(FakeProgram().screen(), 1.0)
    fed.channels.read([committed(bash("touch made.txt"))])
    fed.channels.see(FakeProgram().screen(), 1.0)
    (ask,) = fed.session.state.asks
    assert msgspec.json.decode(ask.input_json) == {"command": "touch made.txt", "timeout": 5}
    assert fed.channels.asking.ask(ask.id) == ask


def test_a_result_of_another_call_settles_nothing() -> None:
    fed = Fed()
    fed.channels.read([committed(bash("touch made.txt"))])
    fed.channels.see(FakeProgram().screen(), 1.0)
    before = fed.session.state.asks
    result = ev.ToolResulted(at=2.0, source="transcript", tool_use_id="t1")
    fed.channels.read([committed(result)])
    (ask,) = fed.session.state.asks
    assert ask.id == before[0].id
    assert msgspec.json.decode(ask.input_json) == {"command": "touch made.txt", "description": "Run it"}
