import pytest
from msgspec import structs

from core.session.state import (
    Ask,
    Away,
    Budget,
    Choice,
    Exit,
    Limit,
    Report,
    SessionState,
    Turn,
    TurnSummary,
    Usage,
)
from tests.widgets.screen import NOW, session
from widgets.fleet_rows import GROUPS, compact_line, doing_line, group_of, name_line, place_line
from widgets.line import Line, spread


def place(state: SessionState, width: int) -> str:
    """The third line as it stands in that many cells."""
    return "".join(piece.text for piece in spread(*place_line(state, "/home/me", width), width)).lstrip()


def text(halves: tuple[Line, Line]) -> str:
    return "".join(piece.text for half in halves for piece in half)


@pytest.mark.parametrize(
    ("state", "group"),
    [
        (session(asks=(Ask("1", "permission", "Bash"),)), "NEEDS YOU"),
        (session(turn=Turn(1, NOW)), "WORKING"),
        (session(started=False), "WORKING"),
        (session(limit=Limit("rate")), "LIMITED"),
        (session(), "IDLE"),
        (session(last_turn=TurnSummary(1, "failed")), "FAILED"),
        (session(kind="mirrored", turn=Turn(1, NOW)), "ELSEWHERE"),
        (session(exit=Exit(1)), "FAILED"),
        (session(away=Away("far cannot be reached"), asks=(Ask("1", "permission", "Bash"),)), "NO LINK"),
        (session(exit=Exit(0, expected=True)), "ENDED"),
    ],
)
def test_each_session_has_its_group(state: SessionState, group: str) -> None:
    assert GROUPS[group_of(state)] == group


def test_a_session_of_another_machine_is_marked_with_it() -> None:
    assert text(name_line(session(host="build"), NOW, 3)) == "○ 3 api @build  0:42  $0.91"
    assert "api @build" in text(compact_line(session(host="build"), NOW, 3, 0))


def test_the_first_line_names_it_and_counts() -> None:
    assert text(name_line(session(), NOW, 3)) == "○ 3 api  0:42  $0.91"
    assert "starting" in text(name_line(session(started=False), NOW, 0))


def test_a_budget_that_holds_is_marked_on_the_row() -> None:
    held = session(turn=Turn(1, NOW), budgets=(Budget("agent", 5.0, stage="held", spent_usd=5.1),))
    assert "budget held" in text(name_line(held, NOW, 0))
    near = structs.replace(held, budgets=(Budget("day", 5.0, stage="warned", spent_usd=4.1),))
    assert "budget near" in text(name_line(near, NOW, 0))
    assert "budget near muted" in text(compact_line(structs.replace(near, muted=True), NOW, 1, 8))


def test_the_second_line_is_what_a_working_agent_reports() -> None:
    working = session(turn=Turn(1, NOW), doing="Edit a.py", report=Report("two of five", 0.4, NOW + 1))
    assert text(doing_line(working, NOW)).strip() == "40 % · two of five"
    assert "two of five" in text(compact_line(working, NOW, 1, 8))
    unmeasured = structs.replace(working, report=Report("reading", None, NOW))
    assert text(doing_line(unmeasured, NOW)).strip() == "reading"


def test_a_report_gives_way_to_what_a_person_must_know() -> None:
    working = session(turn=Turn(2, NOW), doing="Edit a.py", report=Report("two of five", 0.4, NOW))
    for state in (
        structs.replace(working, turn=None),
        structs.replace(working, asks=(Ask("1", "permission", "Bash"),)),
        structs.replace(working, turn=Turn(2, NOW, interrupting_since=NOW)),
        structs.replace(working, report=Report("of the turn before", 0.4, NOW - 9)),
    ):
        assert "of" not in text(doing_line(state, NOW)).replace("of your", "")


def test_the_third_line_says_where_and_how_full() -> None:
    state = session(directory="/home/me/src/app/services/api", model=Choice("claude-opus-5-5"))
    assert place(state, 60) == "~/src/app/services/api · main · opus 5.5        ctx 58 %"
    assert place(state, 42) == "~/…/api · main · opus 5.5     ctx 58 %"


def test_the_third_line_leaves_out_whole_facts() -> None:
    state = session(branch="fix/token-refresh", model=Choice("claude-sonnet-4-5-20250929"))
    assert place(state, 44) == "fix/token-refresh · sonnet 4.5  ctx 58 %"
    assert place(state, 28) == "fix/token-refresh   58 %"
    assert place(structs.replace(state, branch=""), 28) == "…/api · sonnet 4.5  58 %"


def test_a_context_of_unknown_size_is_counted() -> None:
    assert place(session(usage=Usage(context_tokens=19_000)), 40).endswith("ctx 19k")
    assert place(session(usage=Usage()), 40).endswith("opus")


def test_one_line_says_it_all() -> None:
    line = " ".join(text(compact_line(session(), NOW, 1, 8, 120)).split())
    assert line == "○ 1 api idle readymain opus 58 % 0:42 $0.91"
    assert "main" not in text(compact_line(session(), NOW, 1, 8, 80))
    assert "ready" not in text(compact_line(session(), NOW, 1, 0))


def test_on_a_narrow_screen_time_and_cost_stand_below_each_other() -> None:
    asks = (Ask("1", "permission", "Bash", title="a title that is longer than there is room for"),)
    rows = [
        "".join(piece.text for piece in spread(*compact_line(state, NOW, 1, 15, 60), 57))
        for state in (session(), session(asks=asks))
    ]
    assert {(row.rindex("0:42"), row.rindex("$0.91")) for row in rows} == {(46, 52)}
