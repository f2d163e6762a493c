import pytest
from textual import on

from core.session.state import Ask, Away, Exit, HookRun, Limit, Retry, Turn
from tests.widgets.screen import (
    BRACKETS,
    CONTROLS,
    NOW,
    Stage,
    assert_harmless,
    assert_literal,
    session,
    visible,
)
from widgets.fleet_list import FleetList

FLEET = (
    session("idle-one"),
    session("busy", turn=Turn(1, NOW), doing="Edit guide.md"),
    session("asking", asks=(Ask("1", "permission", "Bash", title="git push"),)),
    session("dead", exit=Exit(1)),
    session("theirs", kind="mirrored"),
)
MANY = tuple(session(f"agent-{n:02d}", turn=Turn(1, NOW - n)) for n in range(32))


class Fleet(Stage):
    chosen: str = ""

    @on(FleetList.Chosen)
    def keep(self, message: FleetList.Chosen) -> None:
        self.chosen = message.key


def listed(fleet: FleetList) -> FleetList:
    fleet.now = NOW
    fleet.home = "/home/me"
    fleet.sessions = FLEET
    return fleet


async def test_groups_in_the_order_of_need() -> None:
    fleet = FleetList()
    async with Fleet(fleet).run_test(size=(36, 30)) as pilot:
        listed(fleet)
        await pilot.pause()
        shown = visible(fleet.app)
        names = ("NEEDS YOU", "◆", "asking", "Bash · git push", "FAILED", "✗", "dead")
        rest = ("WORKING", "busy", "Edit guide.md", "IDLE", "idle-one", "ELSEWHERE", "theirs")
        places = [shown.index(word) for word in names + rest]
        assert places == sorted(places)
        for fact in ("…/asking", "main", "opus", "58 %", "0:42", "$0.91"):
            assert fact in shown


async def test_one_line_an_agent_when_compact() -> None:
    fleet = FleetList()
    async with Fleet(fleet).run_test(size=(100, 6)) as pilot:
        fleet.compact = True
        listed(fleet)
        await pilot.pause()
        lines = visible(fleet.app).split("\n")
        assert lines[0].split()[:4] == ["◆", "asking", "needs", "you"]
        assert lines[0].split()[-5:] == ["opus", "58", "%", "0:42", "$0.91"]
        assert len(fleet.rows) == len(FLEET)


async def test_keys_move_a_cursor_and_enter_chooses() -> None:
    fleet = FleetList()
    app = Fleet(fleet)
    async with app.run_test(size=(36, 30)) as pilot:
        listed(fleet)
        fleet.focused_key = "busy"
        fleet.focus()
        await pilot.pause()
        await pilot.press("down", "enter")
        assert app.chosen == "idle-one"
        await pilot.press("home", "enter")
        assert app.chosen == "asking"
        await pilot.press("up", "enter")
        assert app.chosen == "asking"


async def test_a_click_chooses() -> None:
    fleet = FleetList()
    app = Fleet(fleet)
    async with app.run_test(size=(36, 30)) as pilot:
        listed(fleet)
        await pilot.pause()
        row = next(y for y, line in enumerate(visible(app).split("\n")) if "busy" in line)
        await pilot.click(FleetList, offset=(4, row))
        assert app.chosen == "busy"


async def test_many_agents_scroll_with_the_cursor() -> None:
    fleet = FleetList()
    async with Fleet(fleet).run_test(size=(36, 12)) as pilot:
        fleet.now = NOW
        fleet.sessions = MANY
        fleet.focus()
        await pilot.pause()
        assert "agent-31" not in visible(fleet.app)
        await pilot.press("end")
        await pilot.pause()
        assert "agent-31" in visible(fleet.app)


async def test_a_tick_without_news_paints_nothing_and_news_paint_their_line() -> None:
    fleet = FleetList()
    async with Fleet(fleet).run_test(size=(36, 30)) as pilot:
        listed(fleet)
        await pilot.pause()
        painted: list[int] = []
        fleet.refresh = lambda *regions, **_: painted.extend(r.y for r in regions) or fleet  # type: ignore[func-returns-value, method-assign, redundant-expr]
        fleet.now = NOW + 0.2
        fleet.sessions = FLEET
        assert painted == []
        fleet.sessions = (FLEET[0], session("busy", turn=Turn(1, NOW), doing="Bash make"), *FLEET[2:])
        assert len(painted) == 1


AGING = (
    *FLEET,
    session("long", since=NOW - 7000),
    session("never", since=0.0),
    session("limited", limit=Limit("rate", resets_at=NOW + 3605)),
    session("away", away=Away("no route", since=NOW - 58, retry_at=NOW + 5)),
    session("retrying", turn=Turn(1, NOW), retry=Retry(1, 10, 60.0, 529, NOW)),
    session("hooked", turn=Turn(1, NOW), hooks=(HookRun("h", "PreToolUse", NOW),)),
)


@pytest.mark.parametrize("size", [(36, 60), (36, 24), (120, 14)])
async def test_whatever_time_it_is_the_lines_say_what_a_list_made_just_then_says(
    size: tuple[int, int],
) -> None:
    """Lines are worked out again only where time says otherwise: no age may stand still for it."""
    fleet, fresh = FleetList(), FleetList()
    async with Fleet(fleet).run_test(size=size), Fleet(fresh).run_test(size=size):
        fleet.home = fresh.home = "/home/me"
        fleet.now = NOW
        fleet.sessions = AGING
        for later in (0.3, 1, 2.5, 5, 17, 18, 60, 199, 200, 260, 3600, 90_000):
            fleet.now = NOW + later
            fresh._known.clear()
            fresh.now = NOW + later
            fresh.sessions = AGING
            assert fleet.rows == fresh.rows, f"{later} s later"


async def test_lines_that_time_does_not_change_are_not_worked_out_again() -> None:
    fleet = FleetList()
    async with Fleet(fleet).run_test(size=(36, 30)):
        fleet.now = NOW
        fleet.sessions = (session("old", since=NOW - 7000), session("never", since=0.0))
        before = fleet.rows
        fleet.now = NOW + 1
        assert fleet.rows is before
        fleet.now = NOW + 60
        assert fleet.rows is not before


async def test_outside_text_is_literal_and_harmless() -> None:
    fleet = FleetList()
    async with Fleet(fleet).run_test(size=(100, 12)) as pilot:
        for text in BRACKETS:
            fleet.sessions = (session(name=text, branch=text, doing=text, turn=Turn(1, NOW)),)
            await pilot.pause()
            assert_literal(fleet.app, text)
        fleet.sessions = (session(name=CONTROLS, branch=CONTROLS, doing=CONTROLS, turn=Turn(1, NOW)),)
        await pilot.pause()
        assert_harmless(fleet.app)


async def test_a_mark_stands_on_the_first_line_and_space_asks_for_it() -> None:
    fleet = FleetList()
    marked: list[str] = []

    class Marking(Fleet):
        @on(FleetList.Marked)
        def note(self, message: FleetList.Marked) -> None:
            marked.append(message.key)

    async with Marking(fleet).run_test(size=(36, 30)) as pilot:
        listed(fleet)
        fleet.focus()
        await pilot.press("down", "space")
        assert marked == [fleet.cursor_key]
        assert "✚" not in visible(fleet.app)
        fleet.marked = frozenset(marked)
        await pilot.pause()
        (line,) = [line for line in visible(fleet.app).splitlines() if "✚" in line]
        assert marked[0] in line


async def test_who_leaves_a_list_leaves_it_at_those_who_need_somebody() -> None:
    fleet = FleetList()
    app = Fleet(fleet)
    async with app.run_test(size=(36, 12)) as pilot:
        fleet.now = NOW
        fleet.sessions = (*MANY, session("asking", asks=(Ask("1", "permission", "Bash"),)))
        fleet.focus()
        await pilot.pause()
        await pilot.press("end")
        await pilot.pause()
        assert "asking" not in visible(app)
        app.screen.set_focus(None)
        await pilot.pause()
        assert "asking" in visible(app)
