"""The command palette: every action of the table, every agent, every theme of Textual's own commands."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

from dashboard import actions
from widgets.format import one_line
from widgets.summary import name_of

if TYPE_CHECKING:
    from dashboard.app import QuarterdeckApp

Found = tuple[str, str, Callable[[], None]]
"""What it is called, what else finds it, how it is done: one row each, of two rows too few are in sight."""


class ActionProvider(Provider):
    """Actions that apply now stand first; one that does not says why when it is chosen."""

    async def discover(self) -> Hits:
        """All actions that apply now, before anything is typed."""
        for name, _, call in self._found():
            yield DiscoveryHit(name, call)

    async def search(self, query: str) -> Hits:
        """Actions and agents by name."""
        matcher = self.matcher(query)
        for name, about, call in (*self._found(), *self._agents()):
            score = max(matcher.match(name), matcher.match(about) * 0.6)
            if score > 0:
                yield Hit(score, matcher.highlight(name), call, text=name)

    def _found(self) -> Iterable[Found]:
        deck = self._app.deck
        situation = deck.situation()
        listed = [action for action in actions.of("deck") if action.listed and action.call != "focus_number"]
        for action in sorted(listed, key=lambda action: bool(action.why_not(situation))):
            keys = actions.key_text(action, deck.settings.keys_of(action.id))
            yield f"{action.help.rstrip('.')} ({keys})", action.group, partial(deck.action_act, action.id)

    def _agents(self) -> Iterable[Found]:
        deck = self._app.deck
        for key, session in deck.fleet.sessions.items():
            directory = one_line(session.state.directory)
            yield f"Go to {name_of(session.state)}  {directory}", "", partial(deck.focus_session, key)

    @property
    def _app(self) -> "QuarterdeckApp":
        return cast("QuarterdeckApp", self.app)
