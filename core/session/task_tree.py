"""The subagents and background commands of a session as a tree: who was started by whom.

A task tells only which call started it; whose call that was stands in the conversation. It must not know how
a task is drawn or stopped.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from core.session.conversation import Conversation
from core.session.state import Task


class Branch(Struct, frozen=True):
    """A task and how many tasks it stands under."""

    task: Task
    depth: int = 0


def task_tree(tasks: Sequence[Task], conversation: Conversation) -> list[Branch]:
    """All tasks, each under the one that started it; what runs first, then the newest."""
    by_call = {task.tool_use_id: task for task in tasks if task.tool_use_id}
    under: dict[str, list[Task]] = {}
    for task in tasks:
        call = conversation.call(task.tool_use_id)
        parent = by_call.get(call.parent) if call is not None and call.parent else None
        under.setdefault(parent.id if parent is not None else "", []).append(task)
    tree = list(_branches(under, "", 0))
    while under:  # tasks that claim to stand under each other
        tree += _branches(under, next(iter(under)), 0)
    return tree


def _branches(under: dict[str, list[Task]], parent: str, depth: int) -> Iterator[Branch]:
    # Taken out as they are told: a task that claims to stand under itself is told once.
    for task in sorted(under.pop(parent, []), key=_rank):
        yield Branch(task, depth)
        yield from _branches(under, task.id, depth + 1)


def _rank(task: Task) -> tuple[bool, float]:
    return task.state != "running", -task.started_at
