"""What streams is there for whoever comes in the middle, and for the journal if it never becomes whole."""

from core.keeper.openings import Openings
from core.session import events as ev

START = ev.BlockStarted(message_id="m", index=0, kind="text")


def text(words: str) -> ev.TextDelta:
    return ev.TextDelta(message_id="m", index=0, text=words)


def fed(*events: ev.Event) -> tuple[Openings, list[ev.Event]]:
    openings, left = Openings(), list[ev.Event]()
    for event in events:
        left += openings.see(event)
    return openings, left


def test_the_open_block_is_known_in_one_piece() -> None:
    openings, left = fed(START, *[text("ab")] * 200)
    assert openings.events == [START, text("ab" * 200)]
    assert left == []


def test_a_whole_block_is_open_no_longer() -> None:
    openings, left = fed(START, text("a"), ev.TextCompleted(message_id="m", index=0, text="ab"))
    assert openings.events == []
    assert left == []


def test_what_breaks_off_is_left_behind() -> None:
    openings, left = fed(START, text("a"), ev.TurnCompleted())
    assert left == [START, text("a")]
    assert openings.events == []
    _, left = fed(START, text("a"), ev.MessageStarted(message_id="n"))
    assert left == [START, text("a")]


def test_a_subagents_block_is_its_own() -> None:
    theirs = ev.BlockStarted(message_id="s", index=0, kind="text", parent="t")
    openings, _ = fed(START, theirs, ev.MessageStopped(message_id="m"))
    assert openings.events == [theirs]
