"""Three channels in any order: what the screen shows stands, whatever is read late; a turn ends once."""

from pathlib import Path

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.session import events as ev
from core.session.events import Event
from core.session.session import Session
from core.session.state import SessionState
from core.sources.screen import ask_of
from core.terminal.channels.committed import Entry, FileChosen
from core.terminal.channels.hub import Channels
from core.wire.transcript import UnknownLine
from tests.core.terminal.channels.test_hub import committed
from tests.fakes.screens import recorded

STEP_S = 0.7
AGES_S = (0.0, 0.3, 2.0, 60.0, 300_000.0)
"""How long before it is read a line may have been written: at once, late, or in another life."""

SCREENS = (
    *(("composer", "empty"), ("work", "text"), ("work", "finished"), ("permission", "bash")),
    *(("permission", "edit"), ("question", "single"), ("trust", "no-marked"), ("resuming", "how")),
    *(("servers", "several"), ("subagent", "bash"), ("picker", "model"), ("compaction", "running")),
)
BASH = msgspec.json.encode({"command": "touch made.txt", "description": "Run it"})


def written(age: float) -> list[Event]:
    """What a line of a transcript may tell."""
    return [
        ev.TurnStarted(at=age, source="transcript"),
        ev.TurnCompleted(at=age, source="transcript"),
        ev.TurnCompleted(at=age, source="transcript", is_error=True, error="limit", error_status=429),
        ev.ToolInputFinalized(
            at=age, source="transcript", message_id="m", tool_use_id="t1", tool="Bash", input_json=BASH
        ),
        ev.ToolResulted(at=age, source="transcript", tool_use_id="t1", text="done"),
        ev.Initialized(at=age, source="transcript", session_id="s", mode="plan"),
        ev.Renamed(at=age, source="transcript", branch="main"),
        ev.PhaseChanged(at=age, source="transcript", phase="idle"),
        ev.Compacted(at=age, source="transcript"),
        ev.MessageCompleted(at=age, source="transcript", message_id="m", model="opus"),
    ]


KINDS = len(written(0.0))
steps = st.lists(
    st.one_of(
        st.tuples(st.just("see"), st.sampled_from(range(len(SCREENS))), st.just(0.0)),
        st.tuples(st.just("read"), st.sampled_from(range(KINDS)), st.sampled_from(AGES_S)),
        st.tuples(st.just("hear"), st.sampled_from(range(2)), st.just(0.0)),
        st.tuples(st.sampled_from(["wait", "attach", "detach"]), st.just(0), st.just(0.0)),
        st.tuples(st.just("choose"), st.sampled_from(range(2)), st.just(0.0)),
    ),
    max_size=40,
)
Step = tuple[str, int, float]


class Run:
    """A session that is told of by three channels, and what it was told."""

    def __init__(self) -> None:
        self.session = Session(SessionState("k", "terminal", created_at=1.0))
        self.told: list[Event] = []
        self.channels = Channels(self._apply)
        self.now = 400_000.0

    def _apply(self, event: Event) -> None:
        self.told.append(event)
        self.session.apply(event)

    def take(self, step: Step) -> None:
        """One thing happens."""
        what, which, age = step
        self.now += STEP_S
        match what:
            case "see":
                self.channels.see(recorded(*SCREENS[which]), self.now)
            case "read":
                self.channels.read([committed(written(self.now - age)[which])])
            case "hear":
                kind = (ev.TurnStarted, ev.TurnCompleted)[which]
                self.channels.hear([kind(at=self.now, source="proxy")])
            case "attach":
                self.channels.attach(self.now)
            case "detach":
                self.channels.detach(self.now, "it ended")
            case "choose":
                file = Path(f"{which}.jsonl")
                chosen = FileChosen(file=file, why="it is new", resumed=bool(which))
                self.channels.read([chosen, Entry(file=file, offset=0, line=UnknownLine(b"", ""))])
            case _:
                self.channels.pass_time(self.now)

    def holds(self) -> None:
        """What must hold at any time."""
        state, waits = self.session.state, self.channels._reader.dialog
        is_asked = waits is not None and ask_of(*waits, 0.0) is not None
        assert [ask.id for ask in state.asks] == ([waits[0]] if waits is not None and is_asked else [])
        assert not is_asked or state.status == "needs-you"
        turns = [type(event) for event in self.told if isinstance(event, ev.TurnStarted | ev.TurnCompleted)]
        assert turns[::2] == [ev.TurnStarted] * len(turns[::2])
        assert turns[1::2] == [ev.TurnCompleted] * len(turns[1::2])
        assert (state.turn is not None) == (len(turns) % 2 == 1)
        assert state.usage.turns == len(turns) // 2

    def rest(self) -> None:
        """Nothing comes any more."""
        for _ in range(8):
            due = self.channels.due
            self.now = max(self.now + STEP_S, due if due is not None else 0.0)
            self.channels.pass_time(self.now)
            self.holds()
        assert self.channels.due is None, "it waits for something that never comes"


@given(steps)
@settings(max_examples=150, deadline=None)
def test_what_is_seen_stands_whatever_is_read_and_a_turn_ends_once(given_steps: list[Step]) -> None:
    run = Run()
    for step in given_steps:
        run.take(step)
        run.holds()
    run.rest()


@given(steps)
@example([("attach", 0, 0.0), ("see", SCREENS.index(("work", "text")), 0.0)])
@settings(max_examples=60, deadline=None)
def test_work_that_stays_on_the_screen_is_a_turn_in_the_end(given_steps: list[Step]) -> None:
    run = Run()
    for step in given_steps:
        run.take(step)
    run.channels.detach(run.now, "it ended")
    run.take(("see", SCREENS.index(("work", "text")), 0.0))
    run.rest()
    assert run.session.state.status == "working"
    run.take(("see", SCREENS.index(("composer", "empty")), 0.0))
    run.rest()
    assert run.session.state.turn is None


@given(steps)
@settings(max_examples=60, deadline=None)
def test_a_dialog_waits_through_all_that_is_read_late(given_steps: list[Step]) -> None:
    run = Run()
    for step in given_steps:
        run.take(step)
    run.take(("see", SCREENS.index(("permission", "bash")), 0.0))
    (ask,) = run.session.state.asks
    for which in range(KINDS):
        for age in AGES_S:
            run.take(("read", which, age))
            run.holds()
            assert [one.id for one in run.session.state.asks] == [ask.id]
