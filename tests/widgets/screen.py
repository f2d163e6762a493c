"""What the widget tests share: a session, the handed strings, and what a person sees."""

from pathlib import Path

from msgspec import structs
from textual.app import App, ComposeResult
from textual.widget import Widget

from core.session.state import Choice, SessionState, Usage

NOW = 1_800_000_000.0
CASES = Path(__file__).parent.parent / "data" / "cases"
BRACKETS = tuple(line for line in CASES.joinpath("UIX-01.txt").read_text().split("\n") if line)
CONTROLS = CASES.joinpath("UIX-03.bin").read_bytes().decode()


class Stage(App[None]):
    """The five-line app: one widget, and the messages it posts."""

    AUTO_FOCUS = None

    def __init__(self, *widgets: Widget) -> None:
        super().__init__()
        self.cast = widgets

    def compose(self) -> ComposeResult:
        yield from self.cast


def session(key: str = "api", **changes: object) -> SessionState:
    state = SessionState(
        key=key,
        name=key,
        directory=f"/home/me/src/{key}",
        branch="main",
        started=True,
        since=NOW - 42,
        model=Choice("opus"),
        mode=Choice("default"),
        usage=Usage(cost_usd=0.91, turns=4, context_tokens=58, context_window=100),
    )
    return structs.replace(state, **changes)


def visible(app: App[None]) -> str:
    """All text on the screen, a line a row."""
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


def squeezed(text: str) -> str:
    """Without any blank, so that wrapping does not matter."""
    return "".join(text.split())


def assert_literal(app: App[None], text: str) -> None:
    """The screen shows exactly `text`, wherever it wraps."""
    assert squeezed(text) in squeezed(visible(app)), f"{text!r} is not on the screen"


def assert_harmless(app: App[None], word: str = "red") -> None:
    """Nothing on the screen can drive the terminal, and what was plain in the case is readable."""
    shown = visible(app)
    assert not [c for c in shown if c != "\n" and (c < " " or "\x7f" <= c <= "\x9f")]
    assert word in shown
