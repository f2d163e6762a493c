import pytest

from core.session.state import Ask, Exit, SessionState, Turn, TurnSummary
from tests.widgets.screen import NOW, session
from widgets.fleet_rows import GROUPS, compact_line, group_of, name_line, place_line
from widgets.line import Line


def text(halves: tuple[Line, Line]) -> str:
    return "".join(piece.text for half in halves for piece in half)


@pytest.mark.parametrize(
    ("state", "group"),
    [
        (session(asks=(Ask("1", "permission", "Bash"),)), "NEEDS YOU"),
        (session(turn=Turn(1, NOW)), "WORKING"),
        (session(started=False), "WORKING"),
        (session(), "IDLE"),
        (session(last_turn=TurnSummary(1, "failed")), "IDLE"),
        (session(kind="mirrored", turn=Turn(1, NOW)), "ELSEWHERE"),
        (session(exit=Exit(1)), "ENDED"),
        (session(exit=Exit(0, expected=True)), "ENDED"),
    ],
)
def test_each_session_has_its_group(state: SessionState, group: str) -> None:
    assert GROUPS[group_of(state)] == group


def test_the_first_line_names_it_and_counts() -> None:
    assert text(name_line(session(), NOW, 3)) == "○ 3 api 0:42  $0.91"
    assert "failed" in text(name_line(session(exit=Exit(1)), NOW, 0))


def test_the_third_line_says_where_and_how_full() -> None:
    line = text(place_line(session(directory="/home/me/src/app/services/api"), "/home/me", 40))
    assert line == "  ~/…/services/api · main · opus 58 %"


def test_one_line_says_it_all() -> None:
    line = " ".join(text(compact_line(session(), NOW, 1, 8)).split())
    assert line == "○ 1 api idle readymain opus 58 % 0:42 $0.91"
    assert "main" not in text(compact_line(session(), NOW, 1, 0))
