from core.session.state import McpServer, Prompt, Task, Usage
from tests.widgets.screen import Stage, session, visible
from widgets.meters import Meters

FULL = Usage(cost_usd=12.5, turns=7, context_tokens=90, context_window=100, tokens_per_s=61.4)


async def test_all_the_figures() -> None:
    meters = Meters()
    async with Stage(meters).run_test(size=(100, 3)) as pilot:
        meters.show(
            session(
                usage=FULL,
                phase="responding",
                tasks=(Task("t"),),
                prompts=(Prompt("p", "x"),),
                mcp=(McpServer("m", "failed"),),
            )
        )
        await pilot.pause()
        shown = " ".join(visible(meters.app).split())
        assert shown == "ctx ▓▓▓▓▓▓▓▓▓░ 90 % $12.50 7 turns 1 task 1 queued ✗ 1 mcp 61 tok/s"


async def test_large_figures_are_whole() -> None:
    meters = Meters()
    async with Stage(meters).run_test(size=(80, 3)) as pilot:
        meters.show(session(usage=Usage(cost_usd=1235.95, turns=1318)))
        await pilot.pause()
        assert visible(meters.app).split("\n")[0].split() == ["$1,236", "1,318", "turns"]
        meters.show(session(usage=Usage(cost_usd=235.95, turns=1318), kind="mirrored"))
        await pilot.pause()
        assert visible(meters.app).split("\n")[0].split() == ["~$235.95", "1,318", "turns"]


async def test_tokens_are_counted_while_the_window_is_unknown() -> None:
    meters = Meters()
    async with Stage(meters).run_test(size=(60, 3)) as pilot:
        meters.show(session(usage=Usage(context_tokens=19_200)))
        await pilot.pause()
        assert visible(meters.app).split("\n")[0].split() == ["ctx", "19k", "$0.00"]
        meters.show(session(usage=Usage()))
        await pilot.pause()
        assert visible(meters.app).split("\n")[0].split() == ["$0.00"]


async def test_a_speed_is_told_only_while_something_streams() -> None:
    meters = Meters()
    async with Stage(meters).run_test(size=(100, 3)) as pilot:
        for phase, told in (("thinking", True), ("awaiting-tool", False), ("idle", False)):
            meters.show(session(usage=FULL, phase=phase))
            await pilot.pause()
            assert ("tok/s" in visible(meters.app)) is told


async def test_figures_do_not_jump_and_money_stays() -> None:
    meters = Meters()
    async with Stage(meters).run_test(size=(60, 3)) as pilot:
        places = set()
        for cost, fill in ((0.1, 5), (12.34, 50), (123.45, 100)):
            meters.show(session(usage=Usage(cost_usd=cost, turns=4, context_tokens=fill, context_window=100)))
            await pilot.pause()
            places.add(visible(meters.app).split("\n")[0].index("4 turns"))
        assert len(places) == 1
        await pilot.resize_terminal(20, 3)
        await pilot.pause()
        assert "$123.45" in visible(meters.app)
