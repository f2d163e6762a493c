from core.session import events as ev
from core.session.conversation import Conversation
from core.session.state import SessionState, Task
from core.session.task_tree import task_tree


def called(conversation: Conversation, call_id: str, parent: str = "") -> None:
    event = ev.ToolInputFinalized(message_id=f"m-{call_id}", tool_use_id=call_id, tool="Agent", parent=parent)
    conversation.apply(event, SessionState("k"))


def test_a_task_stands_under_the_one_whose_call_started_it() -> None:
    conversation = Conversation()
    called(conversation, "c1")
    called(conversation, "c2", parent="c1")
    called(conversation, "c3")
    tasks = [
        Task("t1", tool_use_id="c1", started_at=1),
        Task("t2", tool_use_id="c2", started_at=2),
        Task("t3", tool_use_id="c3", started_at=3, state="completed"),
        Task("t4", tool_use_id="not seen", started_at=4),
    ]
    tree = [(branch.task.id, branch.depth) for branch in task_tree(tasks, conversation)]
    assert tree == [("t4", 0), ("t1", 0), ("t2", 1), ("t3", 0)]


def test_a_task_under_itself_is_told_once() -> None:
    conversation = Conversation()
    called(conversation, "c1", parent="c1")
    (branch,) = task_tree([Task("t1", tool_use_id="c1")], conversation)
    assert (branch.task.id, branch.depth) == ("t1", 0)
