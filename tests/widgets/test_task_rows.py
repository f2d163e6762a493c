from core.session.state import Task
from core.session.task_tree import Branch
from widgets.line import Line, spread
from widgets.task_rows import task_lines


def told(task: Task, *, depth: int = 0, asks: bool = False, width: int = 76) -> list[str]:
    lines = task_lines(Branch(task, depth), 100.0, asks=asks)
    return ["".join(piece.text for piece in fitted(line, width)) for line in lines]


def fitted(halves: tuple[Line, Line], width: int) -> Line:
    return spread(*halves, width)


def test_a_running_subagent() -> None:
    task = Task(
        "t",
        "Look around",
        "Explore",
        doing="Running ls",
        last_tool="Bash",
        tokens=12_300,
        tool_uses=4,
        started_at=58,
    )
    first, second = told(task)
    assert first.startswith("● Look around  Explore  running")
    assert first.endswith("4 calls  12k tok  0:42")
    assert second.strip() == "Bash · Running ls"
    assert told(task, asks=True)[0].startswith("◆ Look around")
    assert told(task, depth=1)[0].startswith("  ● Look around")


def test_what_came_of_a_command() -> None:
    task = Task(
        "b1", "Watch it", "local_bash", state="stopped", summary="It was\nstopped", started_at=10, ended_at=40
    )
    first, second = told(task)
    assert first.startswith("■ Watch it  command  stopped")
    assert first.endswith("0:30")
    assert second.strip() == "It was stopped"


def test_the_name_gives_way_last() -> None:
    task = Task("t", "A long description of what this subagent is to do " * 3, tokens=5, started_at=1)
    assert all(len(line) <= 40 for line in told(task, width=40))
    assert "A long desc" in told(task, width=40)[0]
