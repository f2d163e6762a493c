from datetime import datetime

import pytest
from msgspec.structs import replace

from core.agent.sink import Sink
from core.errors import BudgetSpent
from core.fleet.budget import Terms
from core.fleet.purse import Purse
from core.session.entries import NoticeEntry
from core.session.session import Session
from core.session.state import Budget, SessionState

NOON = datetime(2026, 3, 2, 12).timestamp()
MIDNIGHT = datetime(2026, 3, 3).timestamp()


class Owner:
    """A purse and the session it belongs to."""

    def __init__(self, terms: Terms, launched_with: float = 0.0) -> None:
        self.session = Session(SessionState("k"))
        self.terms = terms
        self.now = NOON
        sink = Sink(self.session, lambda: None, lambda: self.now)
        self.purse = Purse(sink, lambda: self.terms, lambda: launched_with)

    def spend(self, usd: float) -> None:
        state = self.session.state
        self.session.state = replace(state, usage=replace(state.usage, cost_process_usd=usd))
        self.purse.look()

    @property
    def notices(self) -> list[str]:
        entries = self.session.conversation.entries()
        return [entry.text for entry in entries if isinstance(entry, NoticeEntry)]


def test_each_line_is_told_once_when_it_is_crossed() -> None:
    owner = Owner(Terms(agent_usd=5.0))
    for usd in (1.0, 4.1, 4.2, 5.1, 5.2, 5.6, 5.7):
        owner.spend(usd)
    assert [text.split(" is used")[0] for text in owner.notices] == [
        "Budget: $4.10 of $5.00 for this agent (set by the settings)",
        "Budget: $5.10 of $5.00 for this agent (set by the settings)",
        "Budget: $5.60 of $5.00 for this agent (set by the settings)",
    ]
    assert owner.session.state.status == "starting"
    owner.session.state = replace(owner.session.state, started=True)
    assert owner.session.state.status == "limited"


def test_prompts_are_refused_until_it_is_raised_or_lifted() -> None:
    owner = Owner(Terms(), launched_with=1.0)
    owner.purse.check()
    owner.spend(2.0)
    with pytest.raises(BudgetSpent, match="set at its start"):
        owner.purse.check()
    owner.purse.set(3.0)
    owner.purse.check()
    owner.spend(3.5)
    with pytest.raises(BudgetSpent, match="set by you at 12:00"):
        owner.purse.check()
    owner.purse.set(0.0)
    owner.purse.check()
    assert not owner.session.state.halted


def test_what_it_holds_says_so() -> None:
    owner = Owner(Terms(agent_usd=1.0))
    assert owner.purse.held == ""
    owner.spend(1.05)
    assert owner.purse.held == "budget: $1.05 of $1.00 for this agent (set by the settings)"


def test_settings_count_at_once_but_not_over_the_persons_own_word() -> None:
    owner = Owner(Terms(agent_usd=1.0))
    owner.spend(1.05)
    owner.terms = Terms(agent_usd=10.0)
    owner.purse.look()
    assert owner.purse.held == ""
    owner.purse.set(0.0)
    owner.terms = Terms(agent_usd=0.5)
    owner.spend(3.0)
    assert owner.purse.held == ""


def test_what_the_day_held_is_over_with_the_day_also_without_a_dashboard() -> None:
    owner = Owner(Terms())
    owner.purse.restrain([Budget("day", 20.0, stage="stopped", spent_usd=23.0, until=MIDNIGHT)])
    with pytest.raises(BudgetSpent, match="for all agents today"):
        owner.purse.check()
    owner.now += 12 * 3600
    owner.purse.check()


def test_nothing_is_watched_without_a_limit() -> None:
    owner = Owner(Terms())
    owner.purse.look()
    assert not owner.purse.watched
    owner.purse.restrain([Budget("fleet", 20.0)])
    assert owner.purse.watched
