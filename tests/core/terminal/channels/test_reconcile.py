"""What was streamed is known again once it is committed."""

from core.session import events as ev
from core.session.session import Session
from core.session.state import SessionState
from core.terminal.channels.reconcile import WINDOW_S, Reconciler


def live(
    reconciler: Reconciler, text: str, at: float = 1.0, index: int = 0, kind: str = "text"
) -> list[ev.Event]:
    events: list[ev.Event] = [
        ev.MessageStarted(at=at, source="proxy", message_id="flow-1"),
        ev.BlockStarted(at=at, source="proxy", message_id="flow-1", index=index, kind=kind),
        *(
            (ev.TextDelta if kind == "text" else ev.ThinkingDelta)(
                at=at, source="proxy", message_id="flow-1", index=index, text=piece
            )
            for piece in (text[:3], text[3:])
        ),
    ]
    for event in events:
        reconciler.live(event)
    return events


def committed(text: str, at: float = 2.0) -> ev.TextCompleted:
    return ev.TextCompleted(at=at, source="transcript", message_id="msg_1", text=text)


def test_by_its_text_though_the_ids_differ() -> None:
    reconciler = Reconciler()
    session = Session(SessionState("k"))
    for event in live(reconciler, "Hello there"):
        session.apply(event)
    told = reconciler.committed(committed("Hello  there\n"))
    assert isinstance(told, ev.TextCompleted)
    assert (told.message_id, told.index, told.source) == ("flow-1", 0, "transcript")
    session.apply(told)
    assert len(session.conversation.entries()) == 1


def test_only_once() -> None:
    reconciler = Reconciler()
    live(reconciler, "Done.")
    assert reconciler.committed(committed("Done.")) != committed("Done.")
    assert reconciler.committed(committed("Done.")) == committed("Done.")


def test_other_words_are_something_else() -> None:
    reconciler = Reconciler()
    live(reconciler, "Hello there")
    assert reconciler.committed(committed("Hello you")) == committed("Hello you")


def test_the_same_words_much_later_are_something_else() -> None:
    reconciler = Reconciler()
    live(reconciler, "Done.")
    late = committed("Done.", at=1.5 + WINDOW_S)
    assert reconciler.committed(late) == late


def test_thinking_is_committed_without_its_text() -> None:
    reconciler = Reconciler()
    live(reconciler, "So look there.", kind="thinking")
    told = reconciler.committed(
        ev.ThinkingCompleted(at=2.0, source="transcript", message_id="msg_1", text="")
    )
    assert isinstance(told, ev.ThinkingCompleted)
    assert (told.message_id, told.index) == ("flow-1", 0)


def test_what_the_source_completed_counts_as_told() -> None:
    reconciler = Reconciler()
    live(reconciler, "Hel")
    reconciler.live(ev.TextCompleted(source="proxy", at=1.0, message_id="flow-1", index=0, text="Hello"))
    told = reconciler.committed(committed("Hello"))
    assert isinstance(told, ev.TextCompleted)
    assert told.message_id == "flow-1"
