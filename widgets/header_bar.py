"""The first line of the deck: how many sessions are in which state, money, limits, the time."""

from collections import Counter
from collections.abc import Sequence

from core.session.state import Limit, SessionState, Status
from widgets import format as fmt
from widgets.line import Line, OneLine, Piece, joined
from widgets.signs import MUTED, SIGNS

SHOWN: tuple[tuple[Status, str, int], ...] = (
    ("needs-you", "need you", 0),
    ("working", "working", 4),
    ("limited", "limited", 5),
    ("failed", "failed", 5),
    ("idle", "idle", 3),
)
"""Which states are counted, the word after the count, and the turn in which it gives way."""


class HeaderBar(OneLine):
    """`quarterdeck  ◆ 2 need you  ● 2 working  ○ 1 idle        $3.42 · 5h limit 62 %    Mon 14:02`."""

    DEFAULT_CSS = "HeaderBar { background: $panel; padding: 0 1; }"

    def show(self, sessions: Sequence[SessionState], now: float, cost_usd: float | None = None) -> None:
        """Count `sessions`; `cost_usd` None adds up theirs."""
        self.say(count_pieces(sessions), cost_pieces(sessions, now, cost_usd))


def count_pieces(sessions: Sequence[SessionState]) -> Line:
    """The name and the counts; a state nobody is in is not said."""
    counts = Counter(state.status for state in sessions)
    said = [Piece("quarterdeck", "bold", 1, 2)]
    for status, word, gives in SHOWN:
        if counts[status]:
            word = "needs you" if status == "needs-you" and counts[status] == 1 else word
            text = f"{SIGNS[status].shape} {counts[status]} {word}"
            said.append(Piece(text, SIGNS[status].style, gives, len(text)))
    return joined(said)


def cost_pieces(sessions: Sequence[SessionState], now: float, cost_usd: float | None) -> Line:
    """Money, the tightest account limit, the time of day."""
    cost = sum(state.usage.cost_usd for state in sessions) if cost_usd is None else cost_usd
    limit = tightest([limit for state in sessions for limit in state.account_limits])
    text = limit_figure(limit) if limit else ""
    style = SIGNS["limited"].style if limit and (limit.used or 0) >= 0.8 else MUTED
    return joined(
        [
            Piece(fmt.pad_left(fmt.money(cost), 7), "", 6, 7),
            Piece(
                text,
                style,
                2,
                len(text),
            ),
            Piece(fmt.weekday_clock(now), MUTED, 2, 9),
        ],
        "   ",
    )


def tightest(limits: Sequence[Limit]) -> Limit | None:
    """The limit that is most used up."""
    known = [limit for limit in limits if limit.used is not None]
    return max(known, key=lambda limit: limit.used or 0.0, default=None)


def limit_figure(limit: Limit) -> str:
    """`5h limit 62 %, resets 15:10`."""
    text = f"{fmt.one_line(limit.window)} limit {fmt.share(limit.used).strip()}".strip()
    return f"{text}, resets {fmt.clock(limit.resets_at)}" if limit.resets_at else text
