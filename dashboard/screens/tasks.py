"""The subagents and background commands of one agent on a sheet, as they go on.

It must not know how one is stopped.
"""

import time
from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label

from core.session.session import Session
from core.session.state import Task
from core.session.task_tree import Branch, task_tree
from widgets.footer_bar import key_line
from widgets.line import Line
from widgets.row_list import RowList
from widgets.task_rows import task_lines

FOLLOW_S = 0.5


class TasksScreen(ModalScreen[Task | None]):
    """Dismissed with the task whose conversation is to be read, None where the person left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,T", "dismiss(None)", show=False),
        Binding("x", "stop", show=False),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]
    DEFAULT_CSS = "TasksScreen .sheet { height: 90%; }"

    def __init__(
        self,
        title: str,
        session: Callable[[], Session | None],
        stop: Callable[[Task], None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`session` gives the session as it is; `stop` is told which task is to end."""
        super().__init__()
        self._title = title
        self._session = session
        self._stop = stop
        self._clock = clock
        self._branches: dict[str, Branch] = {}
        self.rows = RowList(row_height=2)

    def compose(self) -> ComposeResult:
        """Title, the tree, keys."""
        with Vertical(classes="sheet wide"):
            yield Label(Content(self._title), classes="sheet-title")
            yield self.rows
            keys = (("Enter", "its conversation"), ("x", "stop it"), ("Esc", "close"))
            yield Label(key_line(keys), classes="sheet-keys")

    def on_mount(self) -> None:
        """Follow what they do."""
        self.rows.focus()
        self.follow()
        self.set_interval(FOLLOW_S, self.follow)

    def follow(self) -> None:
        """Show them as they are now."""
        session = self._session()
        if session is not None:
            tree = task_tree(session.state.tasks, session.conversation)
            self._branches = {branch.task.id: branch for branch in tree}
            self.rows.show(list(self._branches), self._describe)

    def _describe(self, key: str, width: int) -> list[tuple[Line, Line]]:
        session = self._session()
        asks = session is not None and any(ask.agent_id == key for ask in session.state.asks)
        return task_lines(self._branches[key], self._clock(), asks=asks)

    def action_stop(self) -> None:
        """Have the task under the cursor stopped."""
        if (branch := self._branches.get(self.rows.cursor_key)) is not None:
            self._stop(branch.task)

    @on(RowList.Chosen)
    def read(self, event: RowList.Chosen) -> None:
        """Go to its conversation."""
        event.stop()
        self.dismiss(self._branches[event.key].task)
