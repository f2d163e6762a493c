"""The first line of the deck: how many sessions are in which state, money, limits, the time."""

from collections import Counter
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from core.session.state import Budget, BudgetStage, Limit, SessionState, Status
from widgets import format as fmt
from widgets.line import Line, Piece, joined, whole
from widgets.one_line import OneLine
from widgets.signs import MUTED, SIGNS
from widgets.summary import spent_text

SHOWN: tuple[tuple[Status, str, int], ...] = (
    ("needs-you", "need you", 0),
    ("working", "working", 5),
    ("limited", "limited", 6),
    ("failed", "failed", 6),
    ("away", "without link", 6),
    ("idle", "idle", 4),
)
"""Which states are counted, the word after the count, and the turn in which it gives way."""

NEAR = 0.8
"""From this share of an account's limit on it warns, and gives way late."""


class HeaderBar(OneLine):
    """`quarterdeck  ◆ 2 need you  ● 2 working  ○ 1 idle        $3.42 · 5h limit 62 %    Mon 14:02`."""

    DEFAULT_CSS = "HeaderBar { background: $panel; padding: 0 1; }"

    def show(
        self,
        sessions: Sequence[SessionState],
        now: float,
        cost_usd: float | None = None,
        budgets: Sequence[Budget] = (),
    ) -> None:
        """Count `sessions`; `cost_usd` None adds up theirs. `budgets` are the limits all are under."""
        self.say(count_pieces(sessions), cost_pieces(sessions, now, cost_usd, budgets))


def count_pieces(sessions: Sequence[SessionState]) -> Line:
    """The name and the counts; a state nobody is in is not said."""
    counts = Counter(state.status for state in sessions)
    said = [whole("quarterdeck", "bold", 2)]
    for status, word, gives in SHOWN:
        if counts[status]:
            word = _WORDS.get(status, _as_it_is)(sessions, counts[status], word)
            said.append(whole(f"{SIGNS[status].shape} {counts[status]} {word}", SIGNS[status].style, gives))
    return joined(said)


def _needing(sessions: Sequence[SessionState], count: int, word: str) -> str:
    """`needs you`; with how many requests, where that is more than agents."""
    asks = sum(ask.state == "open" for state in sessions if not state.exit for ask in state.asks)
    word = "needs you" if count == 1 else "need you"
    return f"{word} ({asks} requests)" if asks > count else word


def _limited(sessions: Sequence[SessionState], count: int, word: str) -> str:
    """`paused`, where that is all it is."""
    return "paused" if all(state.pause for state in sessions if state.status == "limited") else word


def _as_it_is(sessions: Sequence[SessionState], count: int, word: str) -> str:
    """Most states have one word."""
    return word


_WORDS: dict[Status, Callable[[Sequence[SessionState], int, str], str]] = {
    "needs-you": _needing,
    "limited": _limited,
}


def cost_pieces(
    sessions: Sequence[SessionState], now: float, cost_usd: float | None, budgets: Sequence[Budget] = ()
) -> Line:
    """Money, the tightest account limit, the time of day."""
    cost = sum(state.usage.cost_usd for state in sessions) if cost_usd is None else cost_usd
    of_day = next((budget for budget in budgets if budget.scope == "day"), Budget("day"))
    limit = tightest([limit for state in sessions for limit in state.account_limits], now)
    text = limit_figure(limit, now) if limit else ""
    near = limit is not None and (limit.reached or (limit.used or 0) >= NEAR)
    return joined(
        [
            whole(fmt.pad_left(spent_text(replace(of_day, spent_usd=cost)), 7), "", 8),
            *(_budget(budget) for budget in budgets if budget.limit_usd),
            whole(_going_on(sessions, now), SIGNS["limited"].style, 7),
            whole(text, SIGNS["limited"].style if near else MUTED, 7 if near else 3),
            whole(fmt.weekday_clock(now), MUTED, 1),
        ],
        "   ",
    )


def _budget(budget: Budget) -> Piece:
    """`of $20.00 today`; loud once something was done about it."""
    loud = SIGNS["limited"].style if budget.stage else MUTED
    gives = 7 if budget.stage else 2
    if budget.scope == "day":
        return whole(f"of {fmt.money(budget.limit_usd)} today{_DONE[budget.stage]}", loud, gives)
    all_of_it = f"fleet {spent_text(budget)} of {fmt.money(budget.limit_usd)}"
    return whole(all_of_it + _DONE[budget.stage], loud, gives)


_DONE: dict[BudgetStage, str] = {"": "", "warned": "", "held": ": held", "stopped": ": stopped"}


def _going_on(sessions: Sequence[SessionState], now: float) -> str:
    """When paused agents go on by themselves, the first of them: `goes on in 41:10`."""
    pauses = (state.pause for state in sessions if state.exit is None)
    moments = [pause.until for pause in pauses if pause is not None and pause.until]
    return f"goes on in {fmt.age(min(moments) - now)}" if moments else ""


def tightest(limits: Sequence[Limit], now: float = 0.0) -> Limit | None:
    """The limit that is most used up; one whose reset is past is none."""
    known = [limit for limit in limits if limit.reached or limit.used is not None]
    current = [limit for limit in known if not limit.resets_at or limit.resets_at > now]
    return max(current, key=lambda limit: (limit.reached, limit.used or 0.0), default=None)


def limit_figure(limit: Limit, now: float = 0.0) -> str:
    """`5h limit 62 %, resets in 2h05`."""
    used = "reached" if limit.reached else fmt.share(limit.used).strip()
    text = f"{fmt.window(limit.window)} limit {used}".strip()
    return f"{text}, resets in {fmt.age(limit.resets_at - now)}" if limit.resets_at else text
