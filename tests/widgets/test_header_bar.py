from core.session.state import Ask, Limit, Turn
from tests.widgets.screen import NOW, Stage, session, visible
from widgets import format as fmt
from widgets.header_bar import HeaderBar

FLEET = (
    session("a", asks=(Ask("1", "permission", "Bash"),)),
    session("b", turn=Turn(1, NOW)),
    session(
        "c", account_limits=(Limit("rate", window="5h", used=0.62, resets_at=NOW), Limit("rate", used=0.1))
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


async def test_who_needs_the_person_stays_when_it_is_narrow() -> None:
    bar = HeaderBar()
    async with Stage(bar).run_test(size=(28, 3)) as pilot:
        bar.show(FLEET, NOW, cost_usd=9)
        await pilot.pause()
        assert "◆ 1 needs you" in visible(bar.app)
