from core.session.events import PromptMoved, TextCompleted, UserSpoke
from core.session.session import Session
from core.session.spoken import spoken
from core.session.state import SessionState


def test_only_the_persons_words_the_newest_first() -> None:
    session = Session(SessionState("k"))
    for event in (
        PromptMoved(id="1", state="taken", text="one"),
        UserSpoke(text="<system-reminder>", meta=True),
        TextCompleted(message_id="m", text="answer"),
        UserSpoke(text="to a subagent", parent="call"),
        UserSpoke(text=" "),
        UserSpoke(text="two"),
    ):
        session.apply(event)
    assert [entry.text for entry in spoken(session.conversation)] == ["two", "one"]
