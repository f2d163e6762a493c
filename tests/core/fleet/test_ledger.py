from datetime import date

import pytest
from msgspec.structs import replace

from core.fleet.ledger import Ledger, count
from core.session.session import Session
from core.session.state import Account, Limit, SessionState, Tokens, Usage

MONDAY, TUESDAY = date(2026, 3, 2), date(2026, 3, 3)


NONE = Tokens()


def session(key: str, cost_usd: float, tokens: Tokens = NONE, *limits: Limit) -> Session:
    return Session(
        SessionState(key=key, usage=Usage(cost_usd=cost_usd, tokens=tokens), account_limits=limits)
    )


def spend(found: Session, cost_usd: float) -> None:
    found.state = replace(found.state, usage=replace(found.state.usage, cost_usd=cost_usd))


def test_looking_twice_books_once() -> None:
    fleet = {"a": session("a", 0.10, Tokens(input=5)), "b": session("b", 0.25, Tokens(output=7))}
    ledger = count(count(Ledger(), fleet, MONDAY), fleet, MONDAY)
    assert ledger.cost_usd == pytest.approx(0.35)
    assert ledger.today_usd == pytest.approx(0.35)
    assert ledger.tokens == Tokens(input=5, output=7)


def test_the_day_turns() -> None:
    fleet = {"a": session("a", 1.0)}
    ledger = count(Ledger(), fleet, MONDAY)
    spend(fleet["a"], 1.5)
    ledger = count(ledger, fleet, TUESDAY)
    assert ledger.cost_usd == pytest.approx(1.5)
    assert ledger.today_usd == pytest.approx(0.5)


def test_a_removed_session_stays_paid() -> None:
    ledger = count(Ledger(), {"a": session("a", 1.0)}, MONDAY)
    assert count(ledger, {}, MONDAY).cost_usd == pytest.approx(1.0)


def test_a_figure_that_falls_and_rises_is_not_booked_twice() -> None:
    fleet = {"a": session("a", 1.0)}
    ledger = count(Ledger(), fleet, MONDAY)
    for cost in (0.2, 1.0, 1.1):
        spend(fleet["a"], cost)
        ledger = count(ledger, fleet, MONDAY)
    assert ledger.cost_usd == pytest.approx(1.1)


def test_a_limit_of_one_account_is_told_once_by_the_newest_figure() -> None:
    old, new = (Limit(kind="rate", window="five_hour", used=used, resets_at=50.0) for used in (0.4, 0.6))
    week = Limit(kind="rate", window="seven_day", used=0.1)
    fleet = {"a": session("a", 0, Tokens(), new), "b": session("b", 0, Tokens(), old, week)}
    assert count(Ledger(), fleet, MONDAY).limits == (new, week)


def test_limits_of_two_accounts_stay_apart() -> None:
    limit = Limit(kind="rate", window="five_hour", used=0.4)
    fleet = {"a": session("a", 0, Tokens(), limit), "b": session("b", 0, Tokens(), limit)}
    fleet["b"].state = replace(fleet["b"].state, account=Account(subscription="team"))
    assert count(Ledger(), fleet, MONDAY).limits == (limit, limit)
