"""Model, mode, effort, MCP servers and the context of an agent."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.session.state import Choice, ModelInfo, SessionState
from dashboard.screens.context import ContextScreen
from dashboard.screens.mcp import McpScreen
from dashboard.screens.picker import PickerScreen
from widgets.pick_list import Pick
from widgets.summary import name_of

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen

MODES = ("default", "acceptEdits", "plan")
"""What Shift+Tab goes through, as in the CLI itself; the others are chosen at the start."""


def pick_model(deck: "DeckScreen", _: str) -> None:
    """Choose one of the models the CLI offers."""
    state = deck.board.state
    if state is None:
        return
    if not state.models:
        deck.say("The agent has not told its models yet.")
        return
    items = [Pick(model.value, model.label or model.value, model.description) for model in state.models]
    now = chosen(state.model)
    picker = PickerScreen(f"Model, now {now}" if now else "Model", items, now)
    deck.app.push_screen(picker, lambda value: _set(deck, state.key, "model", value))


def pick_effort(deck: "DeckScreen", _: str) -> None:
    """Choose one of the efforts of the agent's model."""
    state = deck.board.state
    if state is None:
        return
    efforts = efforts_of(state)
    if not efforts:
        deck.say(f"{chosen(state.model) or 'This model'} has no effort levels.")
        return
    picker = PickerScreen("Effort", [Pick(effort, effort) for effort in efforts], chosen(state.effort))
    deck.app.push_screen(picker, lambda value: _set(deck, state.key, "effort", value))


def cycle_mode(deck: "DeckScreen", _: str) -> None:
    """Go to the next permission mode."""
    if state := deck.board.state:
        now = chosen(state.mode)
        following = MODES[(MODES.index(now) + 1) % len(MODES)] if now in MODES else MODES[0]
        _set(deck, state.key, "mode", following)


def _set(deck: "DeckScreen", key: str, what: str, value: str | None) -> None:
    if value is None:
        return
    match what:
        case "model":
            deck.carry(deck.fleet.agent(key).set_model(value))
        case "mode":
            deck.carry(deck.fleet.agent(key).set_mode(value))
        case _:
            deck.carry(deck.fleet.agent(key).set_effort(value))


def chosen(choice: Choice) -> str:
    """What the person wants of it now: what was asked for last, else what the CLI has confirmed."""
    return choice.wanted if choice.confirmation == "pending" and choice.wanted else choice.value


def efforts_of(state: SessionState) -> Sequence[str]:
    """The effort levels of the agent's model; of all models where its own is not listed."""
    own = [model for model in state.models if _is(model, chosen(state.model))] or list(state.models)
    return tuple(dict.fromkeys(effort for model in own for effort in model.efforts))


def _is(model: ModelInfo, value: str) -> bool:
    return value in (model.value, model.label)


def mcp_board(deck: "DeckScreen", _: str) -> None:
    """Open the board of MCP servers, with fresh figures."""
    if state := deck.board.state:
        key = state.key
        agent = deck.fleet.agent(key)
        deck.carry(agent.refresh_mcp())
        title = f"MCP servers of {name_of(state)}"
        deck.app.push_screen(
            McpScreen(title, key, lambda: deck.fleet.sessions[key].state.mcp, agent, deck.carry)
        )


def measure_context(deck: "DeckScreen", _: str) -> None:
    """Ask the CLI what fills the context window, and show it."""
    if state := deck.board.state:
        deck.carry(_show_context(deck, state.key, f"Context of {name_of(state)}"))


async def _show_context(deck: "DeckScreen", key: str, title: str) -> None:
    context = await deck.fleet.agent(key).measure_context()
    if not context.parts:
        deck.say("The agent did not tell what fills its context; only how full it is.")
    elif deck.app.screen is deck:  # meanwhile the person may have gone elsewhere
        screen = ContextScreen(title, context, lambda: deck.fleet.agent(key).measure_context(), deck.carry)
        deck.app.push_screen(screen)


CALLS = {call.__name__: call for call in (pick_model, pick_effort, cycle_mode, mcp_board, measure_context)}
