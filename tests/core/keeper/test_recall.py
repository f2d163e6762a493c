"""A long journal: its end is shown first, what was before a moment later, and together it is the whole."""

from pathlib import Path

import pytest

from core.agent.launch import LaunchSpec
from core.keeper import vocabulary
from core.keeper.entry import Head
from core.keeper.journal import Journal
from core.keeper.messages import Hello
from core.keeper.openings import Openings
from core.keeper.recall import excerpt, prepend, recall, recall_before
from core.keeper.recorder import Recorder
from core.session.events import Event
from core.session.session import Session
from core.session.state import SessionState
from core.sources.stream import StreamSource
from core.wire.codec import decode
from tests.core.keeper.compare import conversation

RECORDED = Path(__file__).parents[2] / "data/recorded"


def kept(folder: Path, names: tuple[str, ...], part_bytes: int, cut: int = 0) -> tuple[Hello, Session]:
    """A journal of several recordings, and the session as it was lived."""
    first = SessionState("k")
    journal = Journal(folder, Head(key="k"), clock=lambda: 5.0, part_bytes=part_bytes)
    openings, live, told = Openings(), Session(first), list[Event]()
    recorder = Recorder(first, journal, openings, told.append)
    for name in names:
        source = StreamSource()
        lines = (RECORDED / f"{name}.ndjson").read_bytes().splitlines()
        for line in lines[: cut or None]:
            recorder.line(line)
            record = decode(line)
            for event in source.events(record, 5.0) if record is not None else ():
                recorder.hear(event)
                live.apply(event)
    open_ = tuple(vocabulary.write(event) for event in openings.events)
    return Hello("k", LaunchSpec(directory="/"), recorder.state, journal.place, open_), live


@pytest.mark.parametrize("part_bytes", [2**26, 60_000], ids=["one file", "many files"])
@pytest.mark.parametrize("tail_bytes", [1, 40_000, 90_000, 2**26])
def test_the_end_and_what_was_before_are_the_whole(tmp_path: Path, part_bytes: int, tail_bytes: int) -> None:
    hello, live = kept(tmp_path, ("tools", "perm", "bg", "plan"), part_bytes)
    end = excerpt(hello, tail_bytes)
    session = recall(hello, end)
    assert session.state == live.state
    assert bool(end.before) == (tail_bytes < 2**26)
    if end.before:
        prepend(session, recall_before(session, end.before))
    assert session.state == live.state
    assert conversation(session)[""] == conversation(live)[""]


@pytest.mark.parametrize("cut", [40, 60, 80, 100, 120])
def test_in_the_middle_of_a_turn_what_is_open_is_there(tmp_path: Path, cut: int) -> None:
    hello, live = kept(tmp_path, ("text",), 2**26, cut)
    assert live.state.turn is not None
    session = recall(hello, excerpt(hello))
    assert session.state == live.state
    assert conversation(session) == conversation(live)
