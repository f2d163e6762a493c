"""The subagents and background commands of the focused agent: seen, read, stopped."""

from typing import TYPE_CHECKING

from core.fleet.requests import stop_task
from core.session.state import Task
from dashboard.screens.confirm import ConfirmScreen
from dashboard.screens.tasks import TasksScreen
from widgets import format as fmt
from widgets.summary import name_of

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen


def show_tasks(deck: "DeckScreen", _: str) -> None:
    """Open the tree."""
    state = deck.board.state
    if state is None:
        return
    key = state.key
    screen = TasksScreen(
        f"Tasks of {name_of(state)}", lambda: deck.fleet.sessions.get(key), lambda task: _ask(deck, key, task)
    )
    deck.app.push_screen(screen, lambda task: _read(deck, key, task))


def _ask(deck: "DeckScreen", key: str, task: Task) -> None:
    """Stop it, if the person is sure."""
    what = fmt.one_line(task.description) or task.id
    if task.state != "running":
        deck.say(f"“{what}” has ended already.")
        return
    lost = "What it has not finished is lost. The agent that started it is told, and goes on."
    question = ConfirmScreen(f"Stop “{what}”?", lost, "stop it")
    deck.app.push_screen(question, lambda sure: deck.carry(_stop(deck, key, task, what)) if sure else None)


async def _stop(deck: "DeckScreen", key: str, task: Task, what: str) -> None:
    await stop_task(deck.fleet.agent(key), task.id)
    deck.say(f"“{what}” was told to stop.")


def _read(deck: "DeckScreen", key: str, task: Task | None) -> None:
    """Go to the call that started it, what it did unfolded below."""
    session = deck.fleet.sessions.get(key)
    if task is None or session is None:
        return
    call = session.conversation.call(task.tool_use_id)
    deck.focus_session(key)
    if call is None or (pane := deck.board.pane) is None or not pane.transcript.open_at(call.id):
        deck.say("What it did does not stand in this conversation.")


CALLS = {call.__name__: call for call in (show_tasks,)}
