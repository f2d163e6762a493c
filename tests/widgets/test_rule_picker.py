from textual import on

from core.session.state import PermissionUpdate, Rule
from tests.widgets.screen import Stage, visible
from widgets.rule_picker import RulePicker, single

PUSH = PermissionUpdate("addRules", (Rule("Bash", "git push:*"),), "allow", destination="localSettings")
MODE = PermissionUpdate("setMode", mode="acceptEdits")


class Desk(Stage):
    def __init__(self) -> None:
        self.picker = RulePicker()
        super().__init__(self.picker)
        self.chosen: list[tuple[PermissionUpdate, ...]] = []
        self.denied: list[tuple[PermissionUpdate, ...]] = []
        self.left = 0

    @on(RulePicker.Chosen)
    def keep(self, message: RulePicker.Chosen) -> None:
        self.chosen.append(message.updates)

    @on(RulePicker.Denied)
    def keep_denied(self, message: RulePicker.Denied) -> None:
        self.denied.append(message.updates)

    @on(RulePicker.Left)
    def count_left(self) -> None:
        self.left += 1


def own(content: str, destination: str = "session") -> PermissionUpdate:
    return PermissionUpdate("addRules", (Rule("Bash", content),), "allow", destination=destination)


async def test_a_rule_of_ones_own_takes_the_place_of_what_nobody_picked() -> None:
    desk = Desk()
    async with desk.run_test(size=(100, 12)) as pilot:
        desk.picker.show((PUSH, MODE), "Bash(git push *)")
        desk.picker.focus()
        assert ("n", "new") in desk.picker.keys
        await pilot.press("n", *["backspace"] * 3, *" -f)", "enter", "left", "n", "enter", "enter")
        assert desk.chosen == [(own("git push *"),)]  # kept "once" is not kept at all
        await pilot.press("up", "right", "enter")
        assert desk.chosen[1] == (own("git push -f"), own("git push *"))


async def test_a_rule_of_ones_own_is_added_to_what_was_picked() -> None:
    desk = Desk()
    async with desk.run_test(size=(100, 12)) as pilot:
        desk.picker.show((PUSH, MODE), "Bash(git push *)")
        desk.picker.focus()
        await pilot.press("2", "n", "enter", "d")
        assert [update.rules for update in desk.denied[0]] == [
            (Rule("Bash", "git push:*"),),
            (Rule("Bash", "git push *"),),
        ]


async def test_with_nothing_suggested_esc_leaves_and_a_click_takes() -> None:
    desk = Desk()
    async with desk.run_test(size=(100, 12)) as pilot:
        desk.picker.show((), "Bash(git push *)")
        desk.picker.focus()
        await pilot.pause()
        assert desk.picker.typing
        desk.picker.press("Esc")
        await pilot.pause()
        assert desk.left == 1
        desk.picker.press("n")
        desk.picker.press("Enter")
        await pilot.pause()
        desk.picker.press("Enter")
        await pilot.pause()
        assert desk.chosen == [(own("git push *"),)]


async def test_where_no_rule_of_ones_own_can_go_none_is_written() -> None:
    desk = Desk()
    async with desk.run_test(size=(100, 12)) as pilot:
        desk.picker.show((PUSH,))
        desk.picker.focus()
        assert "n" not in dict(desk.picker.keys)
        await pilot.press("n")
        assert not desk.picker.typing


async def test_a_destination_goes_round() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 12)) as pilot:
        desk.picker.show((PUSH, MODE))
        desk.picker.focus()
        await pilot.press("left")
        await pilot.pause()
        assert "this session only" in visible(desk)
        seen = []
        for _ in range(5):
            seen.append(desk.picker.updates[0].destination)
            await pilot.press("right")
        assert seen == ["session", "localSettings", "projectSettings", "userSettings", "once"]
        await pilot.press("down", "right")
        assert desk.picker.updates[1] == MODE


async def test_once_keeps_no_rule() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 12)) as pilot:
        desk.picker.show((PUSH, MODE))
        desk.picker.focus()
        await pilot.press("left", "left")
        await pilot.pause()
        assert "this once: no rule is kept" in visible(desk)
        await pilot.press("down", "space", "enter")
        assert desk.chosen == [(MODE,)]


async def test_a_denial_says_where_its_rule_is_kept_or_keeps_none() -> None:
    desk = Desk()
    async with desk.run_test(size=(100, 12)) as pilot:
        desk.picker.show((), "Bash(make *)")
        desk.picker.focus()
        await pilot.press("enter", "right", "d", "left", "left", "d")
        assert desk.denied == [(own("make *", "localSettings"),), ()]


async def test_what_a_rule_covers_is_denied_as_it_was_written() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 12)) as pilot:
        desk.picker.show((PUSH, MODE))
        desk.picker.focus()
        await pilot.press("e", *["backspace"] * 3, ")", "enter", "d")
        assert [update.rules for update in desk.denied[0]] == [(Rule("Bash", "git push"),)]
        await pilot.press("space", "down", "space", "d")
        await pilot.pause()
        assert "only a rule can be denied" in visible(desk)
        assert len(desk.denied) == 1


async def test_a_rule_that_would_never_apply_is_refused_while_it_is_written() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 12)) as pilot:
        desk.picker.show((PUSH,))
        desk.picker.focus()
        await pilot.press("e", "home", "delete", "b", "enter")
        await pilot.pause()
        assert "the tool is called `Bash`" in visible(desk)
        assert desk.picker.updates == [PUSH]
        await pilot.press("escape", "enter")
        assert desk.chosen == [(PUSH,)]


async def test_a_rule_that_is_kept_once_can_be_written_anew() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 12)) as pilot:
        desk.picker.show((PUSH,))
        desk.picker.focus()
        await pilot.press("left", "left", "e", *["backspace"] * 3, ")", "enter", "right", "enter")
        assert desk.chosen == [(own("git push"),)]


async def test_a_rule_left_as_it_was_is_the_clis_own() -> None:
    odd = PermissionUpdate("addRules", (Rule("Write", "/src/**"),), "allow")
    desk = Desk()
    async with desk.run_test(size=(80, 12)) as pilot:
        desk.picker.show((odd,))
        desk.picker.focus()
        await pilot.press("e", "enter", "enter")
        assert desk.chosen == [(odd,)]


def test_several_rules_are_picked_one_by_one() -> None:
    both = PermissionUpdate("addRules", (Rule("Bash", "a"), Rule("Bash", "b")), "allow")
    assert [update.rules for update in single(both)] == [(Rule("Bash", "a"),), (Rule("Bash", "b"),)]
    assert single(MODE) == (MODE,)


async def test_of_options_on_a_screen_one_is_taken_as_it_stands() -> None:
    desk = Desk()
    options = tuple(
        PermissionUpdate(label, destination="") for label in ("Yes, always", "Yes, and auto mode")
    )
    async with desk.run_test(size=(100, 12)) as pilot:
        desk.picker.show(options, alone=True)
        desk.picker.focus()
        await pilot.press("2", "left", "e", "n", "d", "enter")
        assert desk.chosen == [(options[1],)]
        assert (desk.denied, desk.picker.typing) == ([], False)
        assert [key for key, _ in desk.picker.keys] == ["1–9", "Enter", "Esc"]
        await pilot.press("up")
        assert "○ Yes, and" in visible(desk) or "◉ Yes, and" in visible(desk)
        await pilot.press("enter")
        assert desk.chosen[1:] == [(options[0],)]


async def test_modes_and_directories_are_reworded_and_where_they_are_kept_stays() -> None:
    places = PermissionUpdate("addDirectories", directories=("/srv/a", "/srv/b"), destination="userSettings")
    desk = Desk()
    async with desk.run_test(size=(100, 12)) as pilot:
        desk.picker.show((MODE, places))
        desk.picker.focus()
        await pilot.press("e", "ctrl+u", *"plan", "enter", "down", "e", *"/deep", "enter", "enter")
        kept = PermissionUpdate("addDirectories", directories=("/srv/a/deep",), destination="userSettings")
        assert desk.chosen == [(PermissionUpdate("setMode", mode="plan"), kept)]
