"""What a person asks of one agent over its control channel, wherever its host runs; each with its answer.

All raise `ControlError` (it refused, or did not answer in time), `AgentGone` or `KeeperError`; the text says
what to do next. It must not know how a request travels.
"""

from msgspec import Struct

from core.agent.control import Requests
from core.errors import ControlRefused
from core.wire import control


class Rewind(Struct, frozen=True):
    """What a rewind changes: files, and lines they get and lose."""

    files: tuple[str, ...] = ()
    insertions: int = 0
    deletions: int = 0


async def stop_task(agent: Requests, task_id: str) -> None:
    """End a subagent or background command; one that is not there (any more) is no error (2.1.332)."""
    await agent.request(control.StopTask(task_id))


async def ask_aside(agent: Requests, question: str) -> str:
    """What the model says to a question that does not enter the conversation; it may run meanwhile."""
    answer = await agent.request(control.SideQuestion(question))
    if answer.synthetic or not answer.response:  # then these are the CLI's words about what went wrong
        raise ControlRefused("side_question", answer.response or "")
    return answer.response


async def rewind_files(agent: Requests, prompt_id: str, *, dry_run: bool) -> Rewind:
    """Put files back to what they were at a prompt; `dry_run` only tells what would change.

    Only what the agent's own edits changed comes back, not what its commands did. The figures are those of
    the dry run: 2.1.332 does not tell them for the other.
    """
    answer = await agent.request(control.RewindFiles(prompt_id, dry_run))
    if not answer.can_rewind:
        raise ControlRefused("rewind_files", answer.error or "")
    return Rewind(answer.files_changed or (), answer.insertions or 0, answer.deletions or 0)


async def suggest_title(agent: Requests, description: str) -> str:
    """A title for what `description` describes; "" where the CLI has none."""
    return (await agent.request(control.GenerateSessionTitle(description))).title or ""


async def get_plan(agent: Requests) -> str:
    """The plan it wrote, as Markdown; "" without one."""
    return (await agent.request(control.GetPlan())).content or ""
