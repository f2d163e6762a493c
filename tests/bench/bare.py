"""`python -m tests.bench.bare`: the smallest Textual app, which figure 4 is measured against."""

from textual.app import App, ComposeResult
from textual.widgets import Label


class Bare(App[None]):
    """One word."""

    def compose(self) -> ComposeResult:
        """Say it."""
        yield Label("Hello")


if __name__ == "__main__":
    Bare().run()
