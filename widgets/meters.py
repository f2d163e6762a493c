"""The meters of a pane: context, money, turns, speed, what runs beside and what waits. Fixed widths."""

from core.session.state import SessionState, Usage
from widgets import format as fmt
from widgets.line import Line, Piece, joined, whole
from widgets.one_line import OneLine
from widgets.summary import cost_text

BAR = 10
STREAMING = frozenset({"thinking", "responding", "tool-input"})
"""The phases in which a speed means something."""

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
    figures = joined(
        [
            Piece(cost_text(state).rjust(7)),
            whole(fmt.count(usage.turns, "turn").rjust(8) if usage.turns else "", "", 2),
            *(whole(text, "", 3) for text in _beside(state)),
            whole(_broken(state), "$text-error", 3),
            whole(fmt.count(state.hook_runs, "hook") if state.hook_runs else "", "", 1),
            whole(fmt.rate(usage.tokens_per_s if state.phase in STREAMING else 0.0), "", 1),
        ]
    )
    return (*_context(usage), Piece("  "), *figures)


def _context(usage: Usage) -> Line:
    """How full the context is; only the tokens in it while the size of the window is unknown."""
    fill = usage.context_fill
    if fill is None:
        text = f"ctx {fmt.pad(fmt.tokens(usage.context_tokens), 4)}" if usage.context_tokens else ""
        return (whole(text, "", 5),)
    style = "$text-warning" if fill >= FULL else ""
    return whole("ctx ", "", 5), whole(fmt.bar(fill, BAR), style, 4), whole(f" {fmt.share(fill)}", style, 6)


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
