"""The bridge pushes what changed, as often as it may, and nothing else."""

from dashboard.bridge import Bridge
from tests.fakes.fleet import FakeFleet, agent


class View:
    """Writes down what is pushed."""

    def __init__(self) -> None:
        self.focused_key = "a"
        self.shown_keys: tuple[str, ...] = ("a", "b")
        self.row_count = 1
        self.rows: dict[str, int] = {}
        self.pushed: list[str] = []

    def row_of(self, key: str) -> int:
        return self.rows.get(key, 0)

    def show_session(self, key: str) -> None:
        self.pushed.append(key)

    def show_broken(self, key: str, error: Exception) -> None:
        self.pushed.append(f"{key} broken")

    def show_summary(self) -> None:
        self.pushed.append("summary")


def made() -> tuple[FakeFleet, View, Bridge]:
    fleet, view = FakeFleet(agent("a"), agent("b"), agent("c")), View()
    return fleet, view, Bridge(fleet, view)


def test_a_thousand_changes_are_one_push() -> None:
    fleet, view, bridge = made()
    for _ in range(1000):
        fleet.changes.mark("a")
    bridge.push_frame()
    assert view.pushed == ["a", "summary"]


def test_nothing_is_pushed_when_nothing_changed() -> None:
    _, view, bridge = made()
    assert not any(bridge.push_frame() for _ in range(60))
    assert view.pushed == []


def test_the_focused_pane_follows_each_frame_others_each_third() -> None:
    fleet, view, bridge = made()
    for _ in range(30):
        for key in "abc":
            fleet.changes.mark(key)
        bridge.push_frame()
    assert [view.pushed.count(what) for what in ("a", "b", "c", "summary")] == [30, 10, 0, 6]


def test_what_is_owed_is_said_until_it_is_pushed() -> None:
    fleet, view, bridge = made()
    bridge.push_frame()
    fleet.changes.mark("b")
    owed = [bridge.push_frame() for _ in range(5)]
    assert owed == [True, True, True, True, False]
    assert view.pushed == ["b", "summary"]


def test_a_session_that_went_is_no_trouble() -> None:
    fleet, view, bridge = made()
    fleet.changes.mark("a")
    del fleet.sessions["a"]
    bridge.push_frame()
    assert view.pushed == ["summary"]


def test_a_row_of_panes_is_pushed_at_a_time() -> None:
    fleet, view, bridge = made()
    view.shown_keys, view.row_count = ("a", "b", "c"), 2
    view.rows = {"a": 0, "b": 0, "c": 1}
    for _ in range(3):
        for key in "abc":
            fleet.changes.mark(key)
        bridge.push_frame()
    assert view.pushed == ["a", "b", "summary", "a", "c", "a"]


def test_each_row_gets_its_turn_however_many_there_are() -> None:
    fleet, view, bridge = made()
    view.shown_keys, view.row_count = ("b", "c"), 4
    view.rows = {"b": 0, "c": 3}
    for _ in range(8):
        for key in "bc":
            fleet.changes.mark(key)
        bridge.push_frame()
    assert [view.pushed.count(key) for key in "bc"] == [2, 2]


def test_a_summary_that_fails_stops_no_pane() -> None:
    fleet, view, bridge = made()

    def fail() -> None:
        raise KeyError("nobody")

    view.show_summary = fail  # type: ignore[method-assign]
    for _ in range(6):
        fleet.changes.mark("a")
        bridge.push_frame()
    assert [view.pushed.count(what) for what in ("a", " broken")] == [6, 2]


def test_where_panes_stand_in_four_rows_every_other_frame_is_left_out() -> None:
    fleet, view, bridge = made()
    view.shown_keys, view.row_count = ("a", "b", "c"), 4
    view.rows = {"a": 0, "b": 2, "c": 3}
    pushed = []
    for _ in range(4):
        for key in "abc":
            fleet.changes.mark(key)
        view.pushed.clear()
        bridge.push_frame()
        pushed.append([key for key in view.pushed if key != "summary"])
    assert pushed == [["a", "b"], [], ["a", "c"], []]
