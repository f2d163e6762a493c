"""How a session is known, as a person reads it."""

from pathlib import Path

from core.session import events as ev
from core.session.session import Session
from core.session.state import SessionState
from core.terminal.channels.account import KEPT, Told
from core.terminal.channels.committed import FileChosen, TailFailed
from core.terminal.channels.hub import Channels
from core.terminal.channels.screen import STAND_S
from tests.fakes.screens import recorded

FILE = Path("/srv/abc.jsonl")


class Fed:
    """Channels, and their account."""

    def __init__(self) -> None:
        self.session = Session(SessionState("k", "terminal"))
        self.channels = Channels(self.session.apply)

    @property
    def lines(self) -> list[Told]:
        return list(self.channels.account.lines())

    def said(self, *, left_out: bool = False) -> list[tuple[str, str]]:
        return [(told.source, told.what) for told in self.lines if told.left_out is left_out]


def test_who_speaks_and_by_whose_word_a_turn_began_and_ended() -> None:
    fed = Fed()
    fed.channels.read([FileChosen(file=FILE, why="it is new")])
    fed.channels.see(recorded("work", "text"), 10.0)
    fed.channels.attach(11.0)
    fed.channels.hear([ev.TurnStarted(at=12.0, source="proxy"), ev.TurnCompleted(at=15.0, source="proxy")])
    fed.channels.detach(16.0, "mitmdump has ended")
    fed.channels.read([TailFailed(file=FILE, why="Permission denied")])
    assert fed.said() == [
        ("screen", "speaks, coarsely, as long as no API stream is captured"),
        ("transcript", "abc.jsonl: it is new"),
        ("screen", "turn started"),
        ("proxy", "speaks: the API stream is captured"),
        ("proxy", "start of a turn left out: told already"),
        ("proxy", "turn ended"),
        ("screen", "speaks, coarsely: mitmdump has ended"),
        ("transcript", "abc.jsonl: Permission denied"),
    ]


def test_a_dialog_and_what_it_was_taken_for() -> None:
    fed = Fed()
    fed.channels.see(recorded("permission", "bash"), 1.0)
    fed.channels.see(recorded("composer", "empty"), 2.0)
    fed.channels.see(recorded("servers", "one"), 3.0)
    fed.channels.pass_time(3.0 + STAND_S)
    fed.channels.see(recorded("picker", "model"), 4.0)
    fed.channels.pass_time(4.0 + STAND_S)
    dialogs = [what for _, what in fed.said() if what.startswith("screen-")]
    assert dialogs == [
        "screen-1: PermissionPrompt",
        "screen-1 is gone",
        "screen-2: “New MCP server found in this project: git” (no parser knows it: asked by its own words)",
        "screen-2 is gone",
        "screen-3: “Select model” (you opened it: no ask)",
    ]


def test_what_is_left_out_is_counted_where_it_repeats_itself() -> None:
    fed = Fed()
    fed.channels.see(recorded("composer", "empty"), 0.0)
    fed.channels.attach(1.0)
    fed.channels.see(recorded("work", "text"), 2.0)
    fed.channels.see(recorded("work", "text-longer"), 3.0)
    kinds = [(source, what.partition(":")[0]) for source, what in fed.said(left_out=True)]
    assert ("screen", "text it draws") in kinds
    assert any(told.left_out and "word4" in told.what for told in fed.lines), "its end is to be read"
    fed.channels.hear([ev.TurnStarted(at=4.0, source="proxy")])
    fed.channels.detach(5.0, "over")
    for _ in range(3):
        late = ev.TextDelta(at=6.0, source="proxy", message_id="m", index=0, text="too\nlate")
        fed.channels.hear([late])
    (last,) = [told for told in fed.lines if told.source == "proxy" and told.left_out]
    assert (last.what, last.times, last.at) == ("text: … too late", 3, 6.0)


def test_a_broken_rule_is_reported() -> None:
    fed = Fed()
    fed.channels.attach(1.0)
    fed.channels.hear([ev.TextDelta(at=2.0, source="proxy", message_id="m9", index=0, text="lost")])
    assert any(what.startswith("broke a rule: TextDelta") for _, what in fed.said())


def test_it_is_bounded_and_a_decision_is_never_crowded_out_by_what_is_left_out() -> None:
    fed = Fed()
    fed.channels.attach(1.0)
    for at in range(KEPT):
        fed.channels.hear([])
        for phase in ("thinking", "responding"):
            fed.channels._admit(ev.PhaseChanged(at=at, source="screen", phase=phase))
            fed.channels._admit(ev.Compacting(at=at, source="screen"))
    assert len(fed.lines) <= 2 * KEPT
    assert ("proxy", "speaks: the API stream is captured") in fed.said()
    numbers = [told.number for told in fed.lines]
    assert numbers == sorted(numbers)
