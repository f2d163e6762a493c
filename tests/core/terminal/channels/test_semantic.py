"""The strict rules of what the model produces now."""

import pytest

from core.session import events as ev
from core.session.events import Event
from core.session.state import Source
from core.terminal.channels.semantic import Semantic


def start(message: str = "m1", source: Source = "proxy") -> Event:
    return ev.MessageStarted(message_id=message, source=source)


def block(message: str = "m1", index: int = 0, source: Source = "proxy") -> Event:
    return ev.BlockStarted(message_id=message, index=index, kind="text", source=source)


def text(message: str = "m1", index: int = 0, source: Source = "proxy") -> Event:
    return ev.TextDelta(message_id=message, index=index, text="a", source=source)


def end_block(message: str = "m1", index: int = 0) -> Event:
    return ev.BlockStopped(message_id=message, index=index, source="proxy")


def stop(message: str = "m1", source: Source = "proxy") -> Event:
    return ev.MessageStopped(message_id=message, source=source)


def done(message: str = "m1") -> Event:
    return ev.MessageCompleted(message_id=message, source="proxy")


@pytest.mark.parametrize(
    "events",
    [
        (start(), block(), text(), end_block(), stop(), done()),
        (start(), start("m2"), block(), block("m2"), text(), text("m2"), stop("m2"), stop()),
        (start(), stop(), start("m3", "wire"), stop("m3", "wire")),
        (start(), stop(), ev.TextCompleted(message_id="m1", text="a", source="proxy")),
        (ev.PhaseChanged(phase="idle", source="screen"),),
    ],
)
def test_what_keeps_the_rules_passes_as_it_is(events: tuple[Event, ...]) -> None:
    rules = Semantic()
    assert [rules.take(event) for event in events] == list(events)


@pytest.mark.parametrize(
    ("before", "event", "says"),
    [
        ((), text(), "not open"),
        ((), stop(), "not open"),
        ((), done(), "never started"),
        ((start(),), text(), "not open"),
        ((start(),), start(), "twice"),
        ((start(), block()), block(), "twice"),
        ((start(), block(), end_block()), text(), "not open"),
        ((start(), block(), end_block()), block(), "twice"),
        ((start(), block(), stop()), text(), "not open"),
        ((start(),), start("m2", "screen"), "while proxy is live"),
        ((start(), block()), text(source="screen"), "not open"),
        ((start(),), stop(source="screen"), "not open"),
    ],
)
def test_what_breaks_them_is_reported_and_dropped(before: tuple[Event, ...], event: Event, says: str) -> None:
    rules = Semantic()
    for one in before:
        assert rules.take(one) is one
    told = rules.take(event)
    assert isinstance(told, ev.Violated)
    assert says in told.what
    assert told.source == event.source


def test_a_violation_heals_nothing() -> None:
    rules = Semantic()
    rules.take(text())
    assert isinstance(rules.take(text()), ev.Violated)
    assert rules.take(start()) == start()


def test_what_is_open_can_be_sealed() -> None:
    rules = Semantic()
    rules.take(start())
    rules.take(start("m2"))
    ends = rules.seal(5.0)
    assert [end.message_id for end in ends if isinstance(end, ev.MessageStopped)] == ["m1", "m2"]
    assert isinstance(rules.take(text()), ev.Violated)
    assert rules.take(done()) == done()
    assert rules.take(start("m3", "screen")) == start("m3", "screen")
