"""What went wrong and is said once: a machine that cannot be reached, a session that cannot be drawn.

It must not know where words are shown.
"""

from collections.abc import Callable

from core.fleet.fleet import Fleet
from core.hosts.there import There
from widgets.summary import name_of

Say = Callable[[str, bool], None]
"""Says a sentence; the flag is whether it is a warning."""

Tell = Callable[[str, Exception], None]
"""Says that something broke, and by what error."""


class Troubles:
    """Which troubles are known already."""

    def __init__(self, fleet: Fleet, say: Say, tell_broken: Tell) -> None:
        """`say` tells what goes and comes, `tell_broken` what is a fault of ours."""
        self._fleet = fleet
        self._say = say
        self._tell_broken = tell_broken
        self._away: set[str] = set()
        self._broken: set[str] = set()

    def look(self) -> None:
        """Say which machine cannot be reached, or can be again; sessions show it, too."""
        for name, there in self._fleet.hosts.items():
            self._look_at(name, there)

    def _look_at(self, name: str, there: There) -> None:
        if there.link.up and name in self._away:
            self._away.remove(name)
            self._say(f"{name} is there again.", False)
        elif there.link.reason and not there.link.up and name not in self._away:
            self._away.add(name)
            self._say(there.link.sentence, True)

    def cannot_draw(self, key: str, error: Exception) -> None:
        """A session ("": header and list) could not be drawn: said once, the others go on."""
        if key in self._broken:
            return
        self._broken.add(key)
        session = self._fleet.sessions.get(key)
        what = f"The pane of {name_of(session.state)}" if session else "The list of agents"
        self._tell_broken(f"{what} cannot be drawn.", error)
