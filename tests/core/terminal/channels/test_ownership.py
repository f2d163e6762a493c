"""Who speaks, and the decisions on it."""

import pytest

from core.session import events as ev
from core.session.events import Event
from core.terminal.channels.ownership import Ownership

SCREEN_PHASE = ev.PhaseChanged(source="screen", phase="responding")
PROXY_TEXT = ev.TextDelta(source="proxy", message_id="m", index=0, text="a")
WRITTEN_TEXT = ev.TextCompleted(source="transcript", message_id="m", text="a")
ASKED = ev.AskSettled(source="screen", id="screen-1")


def start(at: float, source: str) -> Event:
    return ev.TurnStarted(at=at, source=source)  # type: ignore[arg-type]


def end(at: float, source: str) -> Event:
    return ev.TurnCompleted(at=at, source=source)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("captured", "event", "counts"),
    [
        (False, SCREEN_PHASE, True),
        (False, PROXY_TEXT, False),
        (False, WRITTEN_TEXT, True),
        (True, SCREEN_PHASE, False),
        (True, PROXY_TEXT, True),
        (True, WRITTEN_TEXT, True),
        (True, ASKED, True),
        (True, ev.Compacting(source="screen"), False),
        (True, ev.Compacted(source="screen"), False),
        (True, ev.Compacted(source="transcript"), True),
    ],
)
def test_the_capture_is_the_authority_where_there_is_one(captured: bool, event: Event, counts: bool) -> None:
    owner = Ownership()
    if captured:
        owner.attach(0.0)
    owner.admits(start(0.0, "proxy" if captured else "screen"))
    assert owner.admits(event) is counts


def test_without_a_transcript_the_screen_tells_of_compaction() -> None:
    assert Ownership(committed=False).admits(ev.Compacted(source="screen"))
    assert not Ownership().admits(ev.Compacted(source="screen"))


def test_a_turn_is_begun_and_ended_once_whoever_sees_it_first() -> None:
    owner = Ownership()
    told = [
        owner.admits(start(1.0, "screen")),
        owner.admits(start(1.2, "transcript")),
        owner.admits(end(5.0, "transcript")),
        owner.admits(end(7.5, "screen")),
        owner.admits(start(8.0, "transcript")),
        owner.admits(end(7.9, "transcript")),
    ]
    assert told == [True, False, True, False, True, False]
    assert [(one.source, one.what) for one in owner.decisions][1:] == [
        ("screen", "turn started"),
        ("transcript", "start of a turn left out: told already"),
        ("transcript", "turn ended"),
        ("screen", "end of a turn left out: told already"),
        ("transcript", "turn started"),
        ("transcript", "end of a turn left out: it is of an earlier one"),
    ]


def test_a_quick_turn_is_one_however_late_the_screen_is_looked_at() -> None:
    """Its end may be written before the screen is seen at work, and be from before it, too."""
    owner = Ownership()
    told = [owner.admits(start(1.0, "transcript")), owner.admits(end(1.4, "transcript"))]
    told += [owner.admits(start(2.0, "screen")), owner.admits(end(4.5, "screen"))]
    assert told == [True, True, False, False]
    told = [owner.admits(start(9.0, "screen")), owner.admits(start(8.0, "transcript"))]
    told += [owner.admits(end(8.4, "transcript")), owner.admits(end(11.5, "screen"))]
    assert told == [True, False, True, False]


def test_a_turn_of_long_ago_that_is_read_late_ends_no_other() -> None:
    owner = Ownership()
    told = [owner.admits(start(20.0, "screen")), owner.admits(start(10.0, "transcript"))]
    told += [owner.admits(end(12.0, "transcript")), owner.admits(end(25.0, "transcript"))]
    assert told == [True, False, False, True]


def test_no_phase_after_a_turn_has_ended() -> None:
    owner = Ownership()
    owner.admits(start(1.0, "screen"))
    owner.admits(end(2.0, "transcript"))
    assert not owner.admits(SCREEN_PHASE)


def test_every_transition_is_a_decision() -> None:
    owner = Ownership()
    owner.attach(1.0)
    owner.attach(2.0)
    owner.detach(3.0, "mitmdump has ended")
    owner.detach(4.0, "again")
    assert owner.producer == "screen"
    assert [(one.at, one.source, one.what) for one in owner.decisions] == [
        (0.0, "screen", "speaks, coarsely, as long as no API stream is captured"),
        (1.0, "proxy", "speaks: the API stream is captured"),
        (3.0, "screen", "speaks, coarsely: mitmdump has ended"),
    ]
