"""`quarterdeck replay FILE`: a journal in the deck, with four keys more.

It must not know how a journal is folded.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from core.errors import CliNotFound, QuarterdeckError
from core.settings import Settings
from dashboard.app import QuarterdeckApp
from dashboard.memory import Memory

if TYPE_CHECKING:
    from core.agent.find import Cli
    from core.fleet.replayed import Replayed

TENTHS = 10


class ReplayApp(QuarterdeckApp):
    """The deck on a recording."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "replay_pause", "pause"),
        Binding("full_stop", "replay_step", "step"),
        Binding("left_parenthesis", "replay_seek(-1)", "back"),
        Binding("right_parenthesis", "replay_seek(1)", "forward"),
    ]

    def __init__(self, replayed: "Replayed", settings: Settings, directory: Path) -> None:
        """Show `replayed` as the only session."""
        from core.fleet.fleet import Fleet

        fleet = Fleet(_no_cli, env={})
        super().__init__(fleet, settings, Memory(None), directory)
        self._replayed = replayed

    async def _open_deck(self) -> None:
        await super()._open_deck()
        self.run_worker(self._play(), name="replay", exit_on_error=False)
        self.deck.say("A replay: p pauses, . steps, ( and ) go back and forward.", timeout_s=8.0)

    async def _play(self) -> None:
        key = self.fleet.adopt(self._replayed)
        self.deck.show_summary()
        self.deck.focus_session(key)
        await self._replayed.run()

    def action_replay_pause(self) -> None:
        """Stop, or go on."""
        self._replayed.pause()

    def action_replay_step(self) -> None:
        """One moment more."""
        self._replayed.step()

    def action_replay_seek(self, tenths: int) -> None:
        """A tenth of it on, or back."""
        self._replayed.seek(tenths * max(1, self._replayed.length // TENTHS))


async def _no_cli() -> "Cli":
    raise CliNotFound(())


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = -1.0
    if not 0 <= speed < float("inf"):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no speed: write a number like 4 or 0.5, 0 for all at once"
        )
    return speed


def options_of(arguments: Sequence[str]) -> argparse.Namespace:
    """What `quarterdeck replay` takes."""
    from dashboard.command_line import Parser

    found = Parser(prog="quarterdeck replay", description="Show a journal in the deck, read-only.")
    found.add_argument("file", metavar="FILE", help="a journal, or an agent's recorded stdout")
    found.add_argument("--speed", metavar="N", type=_speed, default=1.0, help="times as fast; 0: all at once")
    return found.parse_args(arguments)


def run(file: str, speed: float, settings: Settings) -> int:
    """Show it; the exit code. Raises a `QuarterdeckError` for a file that cannot be shown."""
    from core.fleet.replayed import Replayed, read_moments

    path = Path(file).expanduser()
    try:
        name, moments = read_moments(path)
    except OSError as error:
        raise QuarterdeckError(f"{path} cannot be read: {error.strerror}.") from error
    if not moments:
        raise QuarterdeckError(
            f"{path} holds nothing to show. Journals are in ~/.local/state/quarterdeck/journals."
        )
    app = ReplayApp(Replayed("replay", name, moments, speed=speed), settings, Path.cwd())
    app.run()
    return app.return_code or 0
