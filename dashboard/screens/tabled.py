"""A screen beside the deck whose keys are those of one place in the table of actions.

Each action's `call` names a method of the screen. It must not know what a screen is about.
"""

from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.binding import Binding, BindingType

from dashboard import actions
from dashboard.screens.help import HelpScreen
from widgets.cheap import Kept
from widgets.footer_bar import FooterBar
from widgets.sparing import SparingScreen

if TYPE_CHECKING:
    from dashboard.app import QuarterdeckApp


class TabledScreen(SparingScreen[None], Kept):
    """A screen with a footer; `place` is where in the table its actions stand."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "app.copy_or_interrupt", show=False)]
    AUTO_FOCUS = ""

    place: ClassVar[actions.Place]

    def __init__(self) -> None:
        """A footer that says nothing yet."""
        super().__init__()
        self.footer = FooterBar(id="footer")

    @property
    def quarterdeck(self) -> "QuarterdeckApp":
        """The app, as what it is."""
        return cast("QuarterdeckApp", self.app)

    @property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """The keys that work, as footers show them."""
        return actions.screen_footer(self.place, self.quarterdeck.settings.keys_of)

    def show_keys(self) -> None:
        """The keys that work now."""
        self.footer.show(self.keys, kept=1)

    def on_descendant_focus(self) -> None:
        """The keys that work now may be others."""
        self.show_keys()

    def action_act(self, action_id: str) -> None:
        """Do an action of the table."""
        getattr(self, actions.BY_ID[action_id].call)()

    @on(FooterBar.Pressed)
    def press(self, event: FooterBar.Pressed) -> None:
        """A key of the footer was clicked."""
        event.stop()
        self.quarterdeck.press_key(event.key)

    def do_help(self) -> None:
        """The keys."""
        self.app.push_screen(HelpScreen(self.quarterdeck.settings.keys_of, self.place))

    def do_close(self) -> None:
        """Back to where it was opened."""
        self.dismiss(None)
