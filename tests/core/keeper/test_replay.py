"""A journal read again is the session that was: the same state, the same entries."""

from itertools import count
from pathlib import Path

import msgspec
import pytest

from core.errors import JournalTooNew
from core.keeper.entry import Head
from core.keeper.journal import Journal
from core.keeper.openings import Openings
from core.keeper.recorder import Recorder
from core.keeper.replay import Replay, fold_lines, lines_of
from core.session import events as ev
from core.session.entries import SpeechEntry, ToolEntry
from core.session.session import Session
from core.session.state import SessionState
from core.sources.stream import StreamSource
from core.wire.batch import decode_batch
from tests.core.keeper.compare import conversation, without_pace

RECORDED = sorted((Path(__file__).parents[2] / "data/recorded").glob("*.ndjson"))
CASES = sorted((Path(__file__).parents[2] / "data/cases").glob("WIR-*.ndjson"))


@pytest.mark.parametrize("recording", [*RECORDED, *CASES], ids=lambda path: path.stem)
def test_what_the_real_cli_said_is_the_same_session_again(tmp_path: Path, recording: Path) -> None:
    first = SessionState(key="k", name="a")
    ticks = count(1000)
    now = 0.0
    journal = Journal(tmp_path, Head(key="k"), clock=lambda: now)
    live = Session(first)
    kept = Recorder(first, journal, Openings(), lambda event: None)
    source = StreamSource()
    for line in recording.read_bytes().split(b"\n"):
        now = float(next(ticks))
        kept.line(line)
        for record in decode_batch([line]):
            for event in source.events(record, now):  # type: ignore[arg-type]
                live.apply(event)
                kept.hear(event)
    journal.close()
    again = Session(first)
    fold_lines(again, lines_of(journal.parts))
    if live.state.turn is None:
        assert without_pace(again.state) == without_pace(live.state)
    assert kept.state == live.state
    assert conversation(again) == conversation(live)


def test_notes_of_our_own_are_part_of_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path, Head(key="k"), clock=lambda: 5.0)
    live = Session(SessionState(key="k"))
    kept = Recorder(live.state, journal, Openings(), lambda event: None)
    told = [
        ev.ProcessStarted(at=5.0, pid=1),
        ev.PromptMoved(at=5.0, id="p", state="queued", text="hello"),
        ev.Wanted(at=5.0, what="model", value="x"),
        ev.Refused(at=5.0, what="model", value="x", error="no"),
        ev.PromptMoved(at=5.0, id="p", state="sent", text="hello"),
        ev.PromptMoved(at=5.0, id="p", state="taken"),
    ]
    for event in told:
        live.apply(event)
        kept.apply(event)
    again = Session(SessionState(key="k"))
    fold_lines(again, lines_of(journal.parts))
    assert again.state == live.state
    assert conversation(again) == conversation(live)


def test_a_torn_or_foreign_line_costs_itself_only(tmp_path: Path) -> None:
    replay = Replay()
    assert list(replay.events(b'{"t":1,"dir":"recv","msg":{"type":"sys')) == []
    assert list(replay.events(b"[1]")) == []
    assert replay.damaged == 2
    line = b'{"t":1,"dir":"note","msg":["Noticed",{"at":1,"text":"hi"}]}'
    assert list(replay.events(line)) == [ev.Noticed(at=1, text="hi")]
    assert list(replay.events(b'{"t":1,"dir":"note","msg":["OfAnotherTime",{}]}')) == []


def test_a_journal_of_a_later_release_is_refused_with_what_to_do() -> None:
    with pytest.raises(JournalTooNew, match="Update Quarterdeck"):
        Replay().events(b'{"t":1,"dir":"head","msg":{"journal":99}}')


def test_a_bare_recording_of_an_agent_can_be_read_too() -> None:
    session = Session(SessionState(key="k"))
    fold_lines(session, (RECORDED[0].read_bytes()).split(b"\n"))
    assert session.state.session_id
    assert msgspec.json.encode(session.state)


JOURNALS = Path(__file__).parents[2] / "data/journals"
"""Recorded from the real CLI in keepers: `tests.real.record_journals`."""

TOLD = {
    "asks": (3, ["Bash done", "Bash denied", "AskUserQuestion done"]),
    "plan": (1, ["Write done", "ExitPlanMode done"]),
    "resumed": (2, []),
    "subagent": (2, ["Agent done"]),
}


@pytest.mark.parametrize("name", sorted(path.stem for path in JOURNALS.glob("*.ndjson")))
def test_journals_of_the_real_cli_tell_what_was_lived(name: str) -> None:
    session = Session(SessionState(key="k"))
    replay = fold_lines(session, lines_of([JOURNALS / f"{name}.ndjson"]))
    turns, tools = TOLD[name]
    assert (replay.damaged, session.state.unknown_count, session.state.violation_count) == (0, 0, 0)
    assert replay.head.name == name
    assert (session.state.usage.turns, session.state.status) == (turns, "ended")
    entries = session.conversation.entries()
    assert [f"{entry.tool} {entry.state}" for entry in entries if isinstance(entry, ToolEntry)] == tools


def test_what_a_person_answered_stands_in_a_journal() -> None:
    lines = (JOURNALS / "asks.ndjson").read_bytes()
    assert b"Keep it, please." in lines
    assert b'"stream_event"' not in lines


def test_an_agent_that_went_on_in_another_process_is_one_conversation() -> None:
    session = Session(SessionState(key="k"))
    fold_lines(session, lines_of([JOURNALS / "resumed.ndjson"]))
    said = [entry.text for entry in session.conversation.entries() if isinstance(entry, SpeechEntry)]
    assert said[0].startswith("word0 word1")
    assert said[1:] == ["I am back."]
