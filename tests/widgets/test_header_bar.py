from core.session.state import Ask, Budget, Limit, Pause, Turn
from tests.widgets.screen import NOW, Stage, session, visible
from widgets import format as fmt
from widgets.header_bar import HeaderBar, count_pieces, limit_figure, tightest

FLEET = (
    session("a", asks=(Ask("1", "permission", "Bash"),)),
    session("b", turn=Turn(1, NOW)),
    session(
        "c",
        account_limits=(Limit("rate", window="5h", used=0.62, resets_at=NOW + 60), Limit("rate", used=0.1)),
    ),
)


async def test_counts_money_and_the_tightest_limit() -> None:
    bar = HeaderBar()
    async with Stage(bar).run_test(size=(120, 3)) as pilot:
        bar.show(FLEET, NOW)
        await pilot.pause()
        shown = " ".join(visible(bar.app).split())
        assert shown.startswith("quarterdeck ◆ 1 needs you ● 1 working ○ 1 idle $2.73 5h limit 62 %, resets")
        assert shown.endswith(fmt.weekday_clock(NOW))


def test_a_limit_counts_down_to_its_reset_and_is_gone_after_it() -> None:
    limit = Limit("rate", window="five_hour", resets_at=NOW + 3725, reached=True)
    assert limit_figure(limit, NOW) == "5h limit reached, resets in 1h02"
    assert tightest([limit, Limit("rate", used=0.99)], NOW) is limit
    assert tightest([limit], NOW + 3725) is None


async def test_paused_agents_are_told_as_such_with_their_countdown() -> None:
    bar = HeaderBar()
    waits = (session("a", pause=Pause(NOW, NOW + 61)), session("b", pause=Pause(NOW)))
    async with Stage(bar).run_test(size=(120, 3)) as pilot:
        bar.show(waits, NOW)
        await pilot.pause()
        assert "⏸ 2 paused" in visible(bar.app)
        assert "goes on in 1:01" in visible(bar.app)


async def test_money_is_marked_where_some_of_it_is_an_estimate_or_has_no_price() -> None:
    bar = HeaderBar()
    async with Stage(bar).run_test(size=(120, 3)) as pilot:
        day = Budget("day", 20.0, estimated_usd=6.1)
        bar.show((), NOW, 9.0, (day, Budget("fleet", 30.0, spent_usd=8.0, unpriced=("new",))))
        await pilot.pause()
        shown = " ".join(visible(bar.app).split())
        assert "~$9.00 of $20.00 today" in shown
        assert "fleet ~$8.00+? of $30.00" in shown
        bar.show((), NOW, 9.0, (Budget("day"),))
        await pilot.pause()
        assert "~" not in visible(bar.app)


def test_a_limit_has_its_span() -> None:
    assert limit_figure(Limit("rate", window="five_hour", used=0.86)) == "5h limit 86 %"
    assert limit_figure(Limit("rate", window="seven_day_opus", used=0.1)) == "7d opus limit 10 %"


async def test_a_limit_that_is_near_outlives_the_name() -> None:
    bar = HeaderBar()
    near = session("d", account_limits=(Limit("rate", window="five_hour", used=0.86),))
    async with Stage(bar).run_test(size=(70, 3)) as pilot:
        bar.show((*FLEET[:2], near), NOW, cost_usd=9)
        await pilot.pause()
        shown = visible(bar.app).split("\n")[0]
        assert shown.strip().startswith("◆ 1 needs you")
        assert shown.rstrip().endswith("5h limit 86 %")


def test_requests_are_counted_where_they_are_more_than_agents() -> None:
    two = session("a", asks=(Ask("1", "permission", "Bash"), Ask("2", "permission", "Bash")))
    text = "".join(piece.text for piece in count_pieces((two, *FLEET[1:])))
    assert "◆ 1 needs you (2 requests)" in text


async def test_who_needs_the_person_stays_when_it_is_narrow() -> None:
    bar = HeaderBar()
    async with Stage(bar).run_test(size=(28, 3)) as pilot:
        bar.show(FLEET, NOW, cost_usd=9)
        await pilot.pause()
        assert "◆ 1 needs you" in visible(bar.app)
