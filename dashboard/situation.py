"""What keys depend on, and the rules that say why an action does not apply. It must not know an action."""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from core.session.state import Ask, SessionState
from widgets.summary import UNSEEN

Typing = Literal["", "prompt", "line", "search", "editor", "screen"]
"""Where keys are text now: nowhere, in the prompt box, in a line of some form or card, in a card's editor."""


class Situation(Struct, frozen=True):
    """What the keys depend on. `session` is the focused one, `ask` its card that would take an answer.

    `in_pane`: the focus is in its pane, where answers act; `on_card`: on its card, which Esc leaves;
    `in_list`: in the fleet list, which Esc leaves, too.
    `waiting` counts all asks that wait for a person, `undoable` the removals that can still be undone,
    `marked` the agents that are marked.
    """

    typing: Typing = ""
    session: SessionState | None = None
    ask: Ask | None = None
    in_pane: bool = True
    on_card: bool = False
    in_list: bool = False
    waiting: int = 0
    sessions: int = 0
    undoable: int = 0
    marked: int = 0


Rule = Callable[[Situation], str]
"""Why an action does not apply now, "" when it does."""


def always(situation: Situation) -> str:
    """It always applies."""
    return ""


def listed(situation: Situation) -> str:
    """There is an agent, or a session elsewhere."""
    return "" if situation.sessions else session(situation)


def session(situation: Situation) -> str:
    """There is an agent."""
    return "" if situation.session else "There is no agent yet: press n to start one."


def forkable(situation: Situation) -> str:
    """Its conversation has begun."""
    if situation.session is None:
        return session(situation)
    state = situation.session
    said = state.usage.turns or state.last_turn is not None  # a resumed one on a screen counts its own turns
    begun = state.session_id and (said or state.kind == "mirrored")
    return "" if begun else f"{situation.session.name} has no conversation yet to go on from."


def elsewhere(situation: Situation) -> str:
    """Nobody else runs it."""
    state = situation.session
    if state is None or state.kind != "mirrored" or state.exit is not None:
        return ""
    name = state.name or "This session"
    return f"{name} runs in another terminal: here it can only be read, or forked (F)."


def interactive(situation: Situation) -> str:
    """It has a screen of its own here."""
    if situation.session is None:
        return session(situation)
    if situation.session.kind == "terminal":
        return ""
    return f"{situation.session.name} has no screen of its own: O starts a session that has."


def attachable(situation: Situation) -> str:
    """It runs in the background, where its screen may be opened."""
    state = situation.session
    if state is None:
        return session(situation)
    if state.can.attach:
        return ""
    if state.kind == "mirrored" and state.exit is None:
        return "Only a background session (`claude --bg`) can be attached to; fork this one instead (F)."
    return "Only a session that runs in the background can be attached to."


def on_deck(situation: Situation) -> str:
    """Never: keys reach the deck only while nobody types at a screen."""
    return "You are on the deck already."


def present(situation: Situation) -> str:
    """There is an agent, and it is ours."""
    return session(situation) or elsewhere(situation) or reachable(situation)


def nameable(situation: Situation) -> str:
    """It is ours, and no recording."""
    state = situation.session
    if state is not None and state.kind in ("past", "mirrored"):
        why = "is a replay" if state.kind == "past" else "is named where it runs, with /rename"
        return f"{state.name or 'This session'} {why}."
    return present(situation)


def reachable(situation: Situation) -> str:
    """The machine it runs on can be reached."""
    state = situation.session
    if state is None or state.away is None:
        return ""
    return f"{state.name} is out of reach: {state.away.reason}. r tries again now."


def restartable(situation: Situation) -> str:
    """It has ended, or cannot be reached."""
    if situation.session is not None and situation.session.away is not None:
        return ""
    return can("restart", "need not be restarted: it runs.")(situation)


def several(situation: Situation) -> str:
    """There are several agents."""
    return "" if situation.sessions > 1 else session(situation) or "There is only this one agent."


def can(flag: str, refusal: str) -> Rule:
    """The agent allows it: `flag` is a field of `Can`, `refusal` goes on after its name."""

    def allowed(situation: Situation) -> str:
        if refusal_now := present(situation):
            return refusal_now
        state = situation.session
        assert state is not None
        if getattr(state.can, flag):
            return ""
        if flag == "configure" and state.kind == "terminal" and state.exit is None:
            return f"{state.name} does that on its own screen: press i to type there."
        return f"{state.name} {refusal}"

    return allowed


def waiting(situation: Situation) -> str:
    """Somebody needs the person."""
    return "" if situation.waiting else "Nobody needs you right now."


def working(situation: Situation) -> str:
    """A turn runs that can be interrupted."""
    if situation.session is None:
        return session(situation)
    if situation.session.turn is None or not situation.session.can.interrupt:
        return f"{situation.session.name} is not working: there is nothing to interrupt."
    return ""


def asked(situation: Situation) -> str:
    """The focused agent asks for something that can be answered now."""
    if situation.session is None:
        return session(situation)
    if not situation.in_pane:
        return "Go to the agent first (w for the next that needs you): answers act only on what is focused."
    if refusal := reachable(situation):
        return refusal
    if situation.ask is None:
        return f"{situation.session.name} asks for nothing" + (
            "; press w for the next that does." if situation.waiting else "."
        )
    if situation.ask.unseen:
        return f"{situation.session.name} {UNSEEN[situation.ask.unseen]}."
    return "" if situation.ask.state == "open" else "Your answer is already on its way."


def rule(situation: Situation) -> str:
    """There are rules to answer with."""
    if refusal := asked(situation):
        return refusal
    offered = situation.ask and (situation.ask.offers_rules or situation.ask.kind == "plan")
    return "" if offered else "No rule can go with an answer to this."


def permission(situation: Situation) -> str:
    """It wants a tool's call permitted."""
    if refusal := asked(situation):
        return refusal
    ask = situation.ask
    if ask is None or ask.kind != "permission":
        return "There is no input to change in this."
    return (
        ""
        if not ask.on_screen
        else "What stands on its own screen cannot be changed: deny it, and say what to do."
    )


def worded(situation: Situation) -> str:
    """It can be denied with words."""
    if refusal := asked(situation):
        return refusal
    wordless = situation.ask and situation.ask.wordless
    return "" if not wordless else "This takes no words: d alone."


def plan(situation: Situation) -> str:
    """It wants a plan approved."""
    if refusal := asked(situation):
        return refusal
    return "" if situation.ask and situation.ask.kind == "plan" else "Only a plan can be sent back like this."


def written_plan(situation: Situation) -> str:
    """It wants a plan approved that is written down."""
    if refusal := plan(situation):
        return refusal
    return "" if situation.ask and situation.ask.plan.strip() else "The agent wrote no plan down."


def queued(situation: Situation) -> str:
    """A prompt waits to be taken."""
    if situation.session is None:
        return session(situation)
    queued = any(prompt.state != "taken" for prompt in situation.session.prompts)
    return "" if queued else "No prompt is queued."


def tasks(situation: Situation) -> str:
    """It has started subagents or background commands."""
    if situation.session is None:
        return session(situation)
    name = situation.session.name
    return "" if situation.session.tasks else f"{name} has started no subagent and no background command."


def unknown(situation: Situation) -> str:
    """It has said something that was not understood."""
    if situation.session is None:
        return session(situation)
    return (
        "" if situation.session.unknown_count else f"Every record of {situation.session.name} was understood."
    )


def marked(situation: Situation) -> str:
    """Some agents are marked."""
    if situation.session is None:
        return session(situation)
    return "" if situation.marked else "Mark agents first: s marks this one, S all; Space does in the list."


def undoable(situation: Situation) -> str:
    """A removal can still be undone."""
    return "" if situation.undoable else "There is nothing to undo."
