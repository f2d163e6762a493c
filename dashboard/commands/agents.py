"""Agents come and go: new ones, stopping, removing with undo, restarting."""

from typing import TYPE_CHECKING

from msgspec import structs

from core.agent.launch import LaunchSpec
from core.fleet.budget import dollars
from dashboard import going_on
from dashboard.commands.past import resume_elsewhere, transcript
from dashboard.commands.screens import open_screen
from dashboard.memory import Last, started
from dashboard.screens.confirm import ConfirmScreen
from dashboard.screens.new_agent import Draft, NewAgentScreen, Offer
from widgets.format import one_line
from widgets.summary import name_of

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen

UNDO_S = 30.0


def new_agent(deck: "DeckScreen", _: str) -> None:
    """Fill in the form, then start."""
    _fill_in(deck, _usual(deck))


def new_on_screen(deck: "DeckScreen", _: str) -> None:
    """The same form, for the CLI on its own screen."""
    _fill_in(deck, structs.replace(_usual(deck), screen="own"))


def new_like(deck: "DeckScreen", _: str) -> None:
    """The same form, filled in as the focused agent is."""
    if state := deck.board.state:
        draft = Draft(
            directory=one_line(state.directory),
            host=state.host,
            model=state.model.value,
            mode=state.mode.value,
            effort=state.effort.value,
        )
        _fill_in(deck, draft)


def fork_agent(deck: "DeckScreen", _: str) -> None:
    """A second agent with the same past: what it does does not touch the first one's conversation."""
    if state := deck.board.state:
        spec = deck.settings.launch_spec(
            state.directory,
            name=f"{name_of(state)} fork",
            model=state.model.value,
            effort=state.effort.value,
            permission_mode=state.mode.value,
            resume=state.session_id,
            fork=True,
        )
        path = None if state.host else transcript(deck, state)
        deck.carry(going_on.launch(deck.quarterdeck, spec, path, state.host))


def _usual(deck: "DeckScreen") -> Draft:
    """A form with what was chosen last, else what the settings say."""
    last, defaults = deck.memory.last, deck.settings.agents
    return Draft(
        directory=str(deck.directory),
        model=last.model or defaults.model,
        mode=last.mode or defaults.mode,
        effort=last.effort or defaults.effort,
    )


def _fill_in(deck: "DeckScreen", draft: Draft) -> None:
    last = deck.memory.last
    offer = Offer(last.directories, last.models, last.efforts)
    far = {name: there.directories for name, there in deck.fleet.hosts.items()}
    deck.app.push_screen(NewAgentScreen(draft, offer, far=far), lambda filled: _start(deck, filled))


def _start(deck: "DeckScreen", filled: Draft | None) -> None:
    if filled is None:
        return
    spec = deck.settings.launch_spec(
        filled.directory,
        name=filled.name,
        model=filled.model,
        effort=filled.effort,
        permission_mode=filled.mode,
        budget_usd=dollars(filled.budget),
        until=filled.until,
    )
    directory = "" if filled.host else filled.directory
    last = started(deck.memory.last, directory, filled.model, filled.mode, filled.effort)
    deck.memory.remember(_learned(last, deck))
    if filled.screen:
        open_screen(deck, spec)
    else:
        deck.carry(launch(deck, spec, host=filled.host))


def _learned(last: Last, deck: "DeckScreen") -> Last:
    """What running agents say there is to choose from."""
    offered = [model for session in deck.fleet.sessions.values() for model in session.state.models]
    if not offered:
        return last
    models = tuple(dict.fromkeys(model.value for model in offered))
    efforts = tuple(dict.fromkeys(effort for model in offered for effort in model.efforts))
    return structs.replace(last, models=models, efforts=efforts)


async def launch(deck: "DeckScreen", spec: LaunchSpec, prompt: str = "", host: str = "") -> None:
    """Start an agent and go to it, ready to type, since the person asked for it just now."""
    key = await deck.fleet.launch(spec, prompt or None, host=host)
    deck.type_for = key
    deck.show_summary()
    deck.board.turn_to(key)


def stop_agent(deck: "DeckScreen", _: str) -> None:
    """Stop the process; while it works, only after asking. To leave a background session costs nothing."""
    state = deck.board.state
    if state is None:
        return
    commands, agent = deck.fleet.agent(state.key), deck.fleet.interactive(state.key)
    if state.turn is None or (agent is not None and agent.joined):
        deck.carry(commands.stop())
        return
    lost = "It is working: what it has not finished is lost. The conversation stays and can be resumed."
    question = ConfirmScreen(f"Stop {name_of(state)}?", lost, "stop it")
    deck.app.push_screen(question, lambda sure: deck.carry(commands.stop()) if sure else None)


def restart_agent(deck: "DeckScreen", _: str) -> None:
    """Start the ended agent again with its conversation."""
    state = deck.board.state
    if state is not None and state.kind == "mirrored":
        resume_elsewhere(deck, state)
    elif state is not None and state.away is not None:
        deck.fleet.hosts[state.host].link.poke()
    elif state is not None:
        deck.carry(deck.fleet.restart(state.key))


def remove_agent(deck: "DeckScreen", _: str) -> None:
    """Take the agent off the deck. It runs on until undo is over, so nothing is lost and nothing is asked."""
    state = deck.board.state
    if state is None:
        return
    if state.kind == "mirrored" and deck.quarterdeck.elsewhere is not None:
        deck.quarterdeck.elsewhere.dismiss(state.key)
        return
    deck.fleet.remove(state.key)
    deck.removed.append(state.key)
    deck.set_timer(UNDO_S, lambda: _forget(deck, state.key))
    deck.say(f"{name_of(state)} is off the deck and stops in 30 s: u brings it back.")
    deck.show_summary()


def _forget(deck: "DeckScreen", key: str) -> None:
    if key in deck.removed:
        deck.removed.remove(key)
        deck.show_footer()


def undo(deck: "DeckScreen", _: str) -> None:
    """Bring back what was removed last."""
    key = deck.removed.pop()
    if deck.fleet.restore(key):
        deck.show_summary()
        deck.focus_session(key)
    else:
        deck.say("It is too late: that agent has been stopped.")


CALLS = {
    call.__name__: call
    for call in (
        new_agent,
        new_on_screen,
        new_like,
        fork_agent,
        stop_agent,
        restart_agent,
        remove_agent,
        undo,
    )
}
