"""Where in a session's own file a subagent was started: to open the session at what that one said.

One pass over the file, no line decoded. Blocks: for a worker thread. This module must not know what is
opened.
"""

from pathlib import Path

from core.history.agents import agents_of
from core.history.lines import lines
from core.history.locate import AGENT_PREFIX

DEEPEST = 16
"""So many agents may have started one another; in a damaged store they might do so in a circle."""


def line_of_agent(session: Path, agent: Path) -> int | None:
    """The byte at which the line begins that names an agent's call, or the agent; None where none does.

    An agent's agent is where the one that started it is. `agent` is its transcript. Raises `OSError`.
    """
    known = agents_of(session)
    agent_id = agent.stem.removeprefix(AGENT_PREFIX)
    for _ in range(DEEPEST):
        note = known.get(agent_id)
        names = [name.encode() for name in (note.call_id if note is not None else "", agent_id) if name]
        if (found := _first(session, names)) is not None:
            return found
        others = (other for other in known.values() if other.id != agent_id)
        starter = next((other for other in others if _first(other.path, names) is not None), None)
        if starter is None:
            return None
        agent_id = starter.id
    return None


def _first(path: Path, names: list[bytes]) -> int | None:
    """The first line with one of these in quotes."""
    quoted = [b'"' + name + b'"' for name in names]
    with path.open("rb") as file:
        for line in lines(file):
            if any(name in line.raw for name in quoted):
                return line.offset
    return None
