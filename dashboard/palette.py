"""The command palette: every action that counts here, agent and theme, found by a part of its name."""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec import Struct
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from dashboard import actions
from dashboard.finding import Span, fit
from dashboard.screens.tabled import TabledScreen
from widgets import format as fmt
from widgets.signs import KEY, MUTED, sign_of
from widgets.summary import name_of

if TYPE_CHECKING:
    from dashboard.app import QuarterdeckApp

NAME_CELLS, KIND_CELLS = 20, 10


class Found(Struct, frozen=True):
    """One row: of two a hit too few are in sight.

    `kind` is an action's `key`, or what else it is; `about` says more, `also` finds it but is not shown.
    """

    name: str
    kind: str
    about: str
    call: Callable[[], object]
    also: str = ""
    counts: bool = True
    key: bool = False

    def row(self, spans: Iterable[Span] = ()) -> Content:
        """As the list shows it, what was typed of its name marked."""
        name = Content.styled(self.name, "" if self.counts else MUTED)
        for start, end in spans:
            name = name.stylize("bold $text-accent underline", start, end)
        return Content.assemble(
            name,
            " " * max(2, NAME_CELLS - name.cell_length),
            (fmt.pad(self.kind, KIND_CELLS), KEY if self.key and self.counts else MUTED),
            "  ",
            (self.about, MUTED),
        )


class ActionProvider(Provider):
    """Actions that apply now stand first; one that does not says why when it is chosen."""

    async def discover(self) -> Hits:
        """All actions, before anything is typed."""
        for found in self._all_actions():
            yield DiscoveryHit(found.row(), found.call, text=found.name)

    async def search(self, query: str) -> Hits:
        """What has the words in its name, the best first; then what only says them of itself."""
        for found in chain(self._all_actions(), self._agents(), self._themes()):
            fits = fit(query, found.name, f"{found.also} {found.about}")
            if fits.score:
                score = fits.score - (0.0 if found.counts else 0.05)
                yield Hit(score, found.row(fits.spans), found.call, text=found.name)

    def _all_actions(self) -> Iterable[Found]:
        """Those of the screen one is on, then the deck's, then Textual's own."""
        screen = self.screen
        if isinstance(screen, TabledScreen):
            yield from (self._action(action, screen.action_act) for action in actions.of(screen.place))
        deck = self._app.deck
        situation = deck.situation()
        listed = [action for action in actions.of("deck") if action.listed and action.call != "focus_number"]
        for action in sorted(listed, key=lambda action: bool(action.why_not(situation))):
            yield self._action(action, deck.action_act, counts=not action.why_not(situation))
        for command in self._app.get_system_commands(screen):
            yield Found(command.title.lower(), "", command.help, command.callback)

    def _action(self, action: actions.Action, act: Callable[[str], None], *, counts: bool = True) -> Found:
        keys = actions.footer_key(action, self._app.settings.keys_of(action.id))
        about = action.help.rstrip(".")
        return Found(action.label, keys, about, partial(act, action.id), action.group, counts, key=True)

    def _agents(self) -> Iterable[Found]:
        deck = self._app.deck
        home = str(Path.home())
        for key, session in deck.fleet.sessions.items():
            state = session.state
            about = f"{sign_of(state).word}  {fmt.path(state.directory, 0, home)}"
            yield Found(name_of(state), "agent", about, partial(deck.focus_session, key), "go to agent")

    def _themes(self) -> Iterable[Found]:
        app = self._app
        for name, theme in sorted(app.available_themes.items()):
            about = f"{'dark' if theme.dark else 'light'}{', the one now' if name == app.theme else ''}"
            yield Found(name, "theme", about, partial(app.pick_theme, name), "theme")

    @property
    def _app(self) -> "QuarterdeckApp":
        return cast("QuarterdeckApp", self.app)
