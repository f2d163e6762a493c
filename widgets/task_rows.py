"""What the list of tasks says about one: two lines. Pure functions of a task and the time."""

from core.session.state import Task, TaskState
from core.session.task_tree import Branch
from widgets import format as fmt
from widgets.line import Line, Piece, joined, whole
from widgets.signs import MUTED, SIGNS, Sign

TASK_SIGNS: dict[TaskState, Sign] = {
    "running": Sign(SIGNS["working"].shape, "running", SIGNS["working"].style),
    "completed": Sign(SIGNS["ended"].shape, "done", MUTED),
    "failed": SIGNS["failed"],
    "stopped": Sign("■", "stopped", MUTED),
}
KINDS = {"local_bash": "command", "local_agent": "subagent"}
"""The CLI's words for tasks that have no name of their own."""

INDENT = 2


def task_lines(branch: Branch, now: float, *, asks: bool = False) -> list[tuple[Line, Line]]:
    """What it is, how it stands, its figures; below that what it does, or what came of it."""
    task = branch.task
    sign = SIGNS["needs-you"] if asks and task.state == "running" else TASK_SIGNS[task.state]
    edge = Piece(" " * INDENT * branch.depth)
    what = fmt.one_line(task.description) or task.id
    kind = KINDS.get(task.kind, fmt.one_line(task.kind))
    name = (
        edge,
        Piece(f"{sign.shape} ", sign.style),
        Piece(what, "bold" if task.state == "running" else "", 2, 12, stays=True),
        whole(f"  {kind}", MUTED, 1),
        whole(f"  {sign.word}", sign.style, 1),
    )
    doing = (edge, Piece("  "), Piece(_doing(task), MUTED, 1, 4))
    return [(name, _figures(task, now)), (doing, ())]


def _figures(task: Task, now: float) -> Line:
    spent = (task.ended_at or now) - task.started_at if task.started_at else 0.0
    calls = fmt.count(task.tool_uses, "call") if task.tool_uses else ""
    return joined(
        [
            whole(calls, MUTED, 1),
            whole(f"{fmt.tokens(task.tokens)} tok" if task.tokens else "", MUTED, 1),
            whole(fmt.age(spent)),
        ]
    )


def _doing(task: Task) -> str:
    """Its last tool and what it says of it; at its end what came of it."""
    if task.state != "running":
        return fmt.one_line(task.summary)
    doing, tool = fmt.one_line(task.doing), fmt.one_line(task.last_tool)
    if doing == fmt.one_line(task.description):
        doing = ""
    return f"{tool} · {doing}" if tool and doing else tool or doing
