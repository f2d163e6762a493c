"""The person's rules, hooks and tools as they are now, read by a keeper from the settings file itself.

It must not know what any of them means.
"""

from pathlib import Path

from core.agent.extras import HookChoice, ToolChoice
from core.agent.policy import Policy
from core.errors import QuarterdeckError
from core.fleet.budget import Terms
from core.fleet.news import Notify
from core.settings import Settings, load


class Wishes:
    """What a settings file says about agents, read again when it changes."""

    def __init__(self, file: Path | None) -> None:
        """`file` need not exist; None means the defaults, for ever."""
        self._file = file
        self._mark: tuple[int, int] | None = None
        self._settings = Settings()
        self._policy = Policy()

    def policy(self) -> Policy:
        """The rules; of a file that is wrong just now, the last right ones. Blocking: one `stat`."""
        self._look()
        return self._policy

    def terms(self) -> Terms:
        """What may be spent."""
        self._look()
        return self._settings.budget

    def notify(self) -> Notify:
        """What the person wants to be told of, and how."""
        self._look()
        return self._settings.notify

    def hooks(self) -> HookChoice:
        """The hooks of ours that are wanted."""
        self._look()
        return self._settings.hooks

    def tools(self) -> ToolChoice:
        """The tools of ours that are wanted."""
        self._look()
        return self._settings.tools

    def _look(self) -> None:
        if self._file is None or (mark := _mark(self._file)) == self._mark:
            return
        self._mark = mark
        try:
            settings = load(self._file)
            self._policy = settings.rules(str(Path.home()))
        except QuarterdeckError:
            return  # the dashboard says so; nobody could read it here
        self._settings = settings


def _mark(file: Path) -> tuple[int, int]:
    try:
        found = file.stat()
    except OSError:
        return (0, 0)
    return found.st_mtime_ns, found.st_size
