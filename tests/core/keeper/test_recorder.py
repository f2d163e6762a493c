"""What goes into the journal, and what does not."""

from pathlib import Path

from core.keeper.entry import Head
from core.keeper.journal import Journal
from core.keeper.openings import Openings
from core.keeper.recorder import Recorder
from core.session import events as ev
from core.session.state import Image, SessionState


def test_streamed_pieces_stay_out_their_side_effects_do_not(tmp_path: Path) -> None:
    journal = Journal(tmp_path, Head(key="k"))
    told: list[ev.Event] = []
    recorder = Recorder(SessionState(key="k"), journal, Openings(), told.append)
    recorder.line(b'{"type":"stream_event","event":{}}')
    recorder.hear(ev.TurnStarted(at=1.0))
    recorder.hear(ev.TextDelta(message_id="m", index=0, text="secret piece"))
    recorder.line(b'{"type":"assistant"}')
    recorder.hear(ev.TextCompleted(message_id="m", index=0, text="x"))
    text = journal.parts[0].read_text()
    assert "TurnStarted" in text
    assert "secret piece" not in text
    assert text.count("\n") == 3
    assert len(told) == 3


def test_an_image_is_written_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path, Head(key="k"))
    recorder = Recorder(SessionState(key="k"), journal, Openings(), lambda event: None)
    image = (Image("image/png", "PIXELS"),)
    recorder.apply(ev.PromptMoved(id="p", state="queued", text="look", images=image))
    recorder.apply(ev.PromptMoved(id="p", state="sent", text="look", images=image))
    assert journal.parts[0].read_text().count("PIXELS") == 1
    assert recorder.state.prompts[0].images == image
