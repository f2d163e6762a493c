import pytest
from msgspec.structs import replace

from core.fleet.ledger import Ledger, book, limits
from core.session.session import Session
from core.session.state import Account, Limit, SessionState, Tokens, Usage


def usage(cost_usd: float, *, brought_usd: float = 0.0, **tokens: int) -> Usage:
    return Usage(cost_process_usd=cost_usd, brought_usd=brought_usd, tokens=Tokens(**tokens))


def booked(*told: tuple[str, Usage]) -> Ledger:
    ledger = Ledger()
    for key, figure in told:
        ledger = book(ledger, key, figure)
    return ledger


def test_a_figure_told_twice_is_booked_once() -> None:
    a, b = ("a", usage(0.10, input=5)), ("b", usage(0.25, output=7))
    ledger = booked(a, b, a, b)
    assert ledger.cost_usd == pytest.approx(0.35)
    assert ledger.tokens == Tokens(input=5, output=7)


def test_a_figure_that_falls_and_rises_is_not_booked_twice() -> None:
    assert booked(*(("a", usage(cost)) for cost in (1.0, 0.2, 1.0, 1.1))).cost_usd == pytest.approx(1.1)


def test_what_a_resume_brought_along_was_not_spent_now() -> None:
    told = ("a", usage(4.0, brought_usd=4.0)), ("a", usage(4.25, brought_usd=4.0))
    assert booked(*told).cost_usd == pytest.approx(0.25)


def session(*found: Limit) -> Session:
    return Session(SessionState(key="any", account_limits=found))


def test_a_limit_of_one_account_is_told_once_by_the_newest_figure() -> None:
    old, new = (Limit(kind="rate", window="five_hour", used=used, resets_at=50.0) for used in (0.4, 0.6))
    week = Limit(kind="rate", window="seven_day", used=0.1)
    assert limits([session(new), session(old, week)]) == (new, week)


def test_limits_of_two_accounts_stay_apart() -> None:
    limit = Limit(kind="rate", window="five_hour", used=0.4)
    other = session(limit)
    other.state = replace(other.state, account=Account(subscription="team"))
    assert limits([session(limit), other]) == (limit, limit)
