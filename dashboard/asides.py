"""Questions on the side, by session: what was asked, what came of it, what is half written.

For as long as the dashboard runs. It must not know a widget that draws them nor how they travel.
"""

from collections.abc import Sequence

from widgets.aside_sheet import Aside


class Asides:
    """The questions to each agent, oldest first."""

    def __init__(self) -> None:
        """Nothing was asked yet."""
        self.drafts: dict[str, str] = {}
        self._asked: dict[str, list[Aside]] = {}

    def of(self, key: str) -> Sequence[Aside]:
        """Those to the agent with that key."""
        return self._asked.get(key, ())

    def ask(self, key: str, question: str, at: float) -> Aside:
        """A new one; who asked fills in what comes of it. `at` is seconds since the epoch."""
        aside = Aside(question, at)
        self._asked.setdefault(key, []).append(aside)
        return aside

    def newest_answer(self, key: str) -> str:
        """The newest answer there is; "" without one."""
        return next((aside.answer for aside in reversed(self.of(key)) if aside.answer), "")
