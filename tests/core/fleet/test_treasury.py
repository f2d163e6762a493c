"""What a fleet is told of those it does not drive, and what comes of it."""

from core.fleet.budget import Terms
from core.fleet.treasury import Treasury
from core.history.running import Running
from core.history.spending import Found, Priced
from core.session.session import Session
from core.session.state import Budget, SessionState

NOW = 1_772_445_600.0


class Held:
    """An agent that writes down how it is restrained."""

    def __init__(self, state: SessionState) -> None:
        self.session = Session(state)
        self.told: tuple[Budget, ...] = ()

    def restrain(self, budgets: tuple[Budget, ...]) -> None:
        self.told = budgets


class Deck:
    """A treasury, its one driven agent, and a clock that is set by hand."""

    def __init__(self) -> None:
        self.now = NOW
        state = SessionState("a", session_id="driven", pid=7, created_at=NOW - 100)
        self.agent = Held(state)
        self.treasury = Treasury(
            None,
            lambda: Terms(day_usd=10.0),
            lambda: self.now,
            lambda: {"a": self.agent},  # type: ignore[dict-item]
            lambda: ("a", "k"),
        )
        self.treasury.changed(state)


def answer(key: int, at: float, session: str = "s", usd: float = 1.0) -> Priced:
    return Priced(key, session, at, usd, "m")


def test_driven_agents_are_held_for_what_others_cost_and_are_not_ended_for_it() -> None:
    deck = Deck()
    deck.treasury.estimated([Found("k", "s", NOW - 50, (*[answer(1, NOW, usd=99.0)],))])
    day, _ = deck.agent.told
    assert (day.stage, day.estimated_usd, deck.treasury.today_usd) == ("held", 99.0, 99.0)


def test_a_process_that_took_up_a_session_counts_from_then_on() -> None:
    """`/resume` in a terminal: the session had been driven since that process started."""
    deck = Deck()
    terminal = Running("other", 8, started_at=NOW - 1000)
    deck.treasury.meet((Running("driven", 7, started_at=NOW - 90), terminal))
    deck.agent.session.state = SessionState("a", session_id="driven")  # it ended
    deck.now = NOW + 10
    for _ in range(2):
        deck.treasury.meet((Running("driven", 8, started_at=NOW - 1000),))
        deck.now += 100
    found = [answer(1, NOW - 50, "driven", 5.0), answer(2, NOW + 20, "driven", 2.0)]
    deck.treasury.estimated([Found("k", "driven", NOW - 1000, (*found,))])
    assert deck.treasury.today_usd == 2.0


def test_a_process_whose_start_is_not_told_counts_from_when_it_was_seen() -> None:
    deck = Deck()
    deck.treasury.estimated([Found("k", "s", 0.0, (*[answer(1, NOW - 10), answer(2, NOW + 10)],))])
    assert deck.treasury.budgets[1].estimated_usd == 1.0
