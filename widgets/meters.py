"""The meters of a pane: context, money, turns, speed, what runs beside and what waits. Fixed widths."""

from core.session.state import SessionState
from widgets import format as fmt
from widgets.line import Line, OneLine, Piece, joined

BAR = 10
FULL = 0.85
"""From this fill on the context bar warns: the CLI compacts soon after."""


class Meters(OneLine):
    """`ctx ▓▓▓░░░░░░░  31 %    $0.22   4 turns   61 tok/s`."""

    DEFAULT_CSS = "Meters { padding: 0 1; color: $text-muted; }"

    def show(self, state: SessionState) -> None:
        """Show the figures of `state`."""
        self.say(meter_pieces(state))


def meter_pieces(state: SessionState) -> Line:
    """The meters in reading order; speed gives way first, then turns, then tasks; never the money."""
    usage = state.usage
    fill = usage.context_fill
    style = "$text-warning" if fill is not None and fill >= FULL else ""
    context = Piece("ctx ", gives=5, least=4), Piece(fmt.bar(fill, BAR), style, 4, BAR)
    figures = joined(
        [
            Piece(fmt.share(fill), style, 6, 5),
            Piece(fmt.pad_left(fmt.money(usage.cost_usd), 7)),
            _fixed(fmt.pad_left(fmt.count(usage.turns, "turn"), 8), 2),
            *(_fixed(text, 3) for text in _beside(state)),
            Piece(broken, "$text-error", 3, len(broken)) if (broken := _broken(state)) else Piece(""),
            _fixed(fmt.rate(usage.tokens_per_s), 1),
        ]
    )
    return (*context, Piece(" "), *figures)


def _fixed(text: str, gives: int) -> Piece:
    """A figure: shown whole or not at all."""
    return Piece(text, "", gives, len(text))


def _beside(state: SessionState) -> list[str]:
    """What runs or waits beside the turn."""
    running = len(state.running_tasks)
    queued = sum(1 for prompt in state.prompts if prompt.state == "queued")
    return [
        fmt.count(running, "task") if running else "",
        f"{queued} queued" if queued else "",
        f"{state.unknown_count} unknown" if state.unknown_count else "",
    ]


def _broken(state: SessionState) -> str:
    """How many MCP servers are down."""
    failed = sum(1 for server in state.mcp if server.state in ("failed", "needs-auth"))
    return f"✗ {failed} mcp" if failed else ""
