from textual import on

from core.session.rules import StandingRule
from tests.widgets.screen import BRACKETS, CONTROLS, Stage, assert_harmless, assert_literal, visible
from widgets.rule_board import RuleBoard

GRANTED = StandingRule("Bash(git push:*)", words="Any Bash command starting with git push")
KEPT = StandingRule("WebFetch", source="userSettings")
FIXED = StandingRule("Bash(rm:*)", "deny", "policySettings")


class Desk(Stage):
    def __init__(self) -> None:
        self.board = RuleBoard()
        super().__init__(self.board)
        self.asked: list[tuple[str, bool]] = []
        self.kept: list[str] = []

    @on(RuleBoard.TakenBack)
    def note(self, event: RuleBoard.TakenBack) -> None:
        self.asked.append((event.rule.text, event.again))

    @on(RuleBoard.Kept)
    def note_kept(self, event: RuleBoard.Kept) -> None:
        self.kept.append(event.rule.text)


async def test_what_counts_and_where_it_comes_from() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 14)) as pilot:
        desk.board.show((FIXED, KEPT, GRANTED))
        await pilot.pause()
        shown = visible(desk)
        assert (
            shown.index("allow Bash(git push:*)") < shown.index("allow WebFetch") < shown.index("deny Bash")
        )
        assert "this session · Any Bash command starting with git push" in shown
        assert "your organisation" in shown


async def test_one_is_taken_back_and_counts_again() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 14)) as pilot:
        desk.board.show((GRANTED, KEPT, FIXED))
        desk.board.focus()
        await pilot.press("u", "x")
        assert desk.asked == [("Bash(git push:*)", False)]
        desk.board.show((StandingRule(GRANTED.text, taken_back=True), KEPT, FIXED))
        await pilot.pause()
        assert "taken back: asks again" in visible(desk)
        await pilot.press("x", "u", "end", "x")
        assert desk.asked[1:] == [("Bash(git push:*)", True)]
        assert desk.kept == ["Bash(rm:*)"]


async def test_what_is_to_come_and_to_go_is_said() -> None:
    coming = StandingRule("Bash(make:*)", "deny", "flagSettings", kept_in="localSettings")
    going = StandingRule("Bash(rm:*)", "deny", "localSettings", taken_back=True)
    desk = Desk()
    async with desk.run_test(size=(90, 14)) as pilot:
        desk.board.show((coming, going))
        await pilot.pause()
        shown = visible(desk)
        assert "with the next thing you allow it is kept for this project, only you" in shown
        assert "it denies until it leaves with the next thing you allow" in shown


async def test_the_cursor_stays_on_its_rule() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 14)) as pilot:
        desk.board.show((KEPT, FIXED))
        desk.board.focus()
        desk.board.show((GRANTED, KEPT, FIXED))
        await pilot.press("x")
        assert desk.asked == [("WebFetch", False)]


async def test_without_rules_it_says_so() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 14)) as pilot:
        desk.board.focus()
        await pilot.press("x", "u")
        assert "No rule counts here" in visible(desk)
        assert desk.asked == []


async def test_outside_text_is_literal_and_harmless() -> None:
    desk = Desk()
    async with desk.run_test(size=(100, 60)) as pilot:
        for text in BRACKETS:
            desk.board.show((StandingRule(text, text, text, text),))
            await pilot.pause()
            assert_literal(desk, text)
        desk.board.show((StandingRule(CONTROLS, CONTROLS, CONTROLS, CONTROLS),))
        await pilot.pause()
        assert_harmless(desk)


async def test_all_lines_of_a_long_rule_but_its_first_stand_further_in_beside_the_scrollbar() -> None:
    text = f"Bash({' && '.join(f'make target-{number}' for number in range(9))})"
    words = "Any Bash command that makes one target and then all of the others that there are"
    rules = tuple(StandingRule(text, words=words, taken_back=bool(number % 2)) for number in range(5))
    desk = Desk()
    for width in (56, 57, 58, 76):
        async with desk.run_test(size=(width, 12)) as pilot:
            desk.board.show(rules)
            await pilot.pause()
            lines = [line for line in visible(desk).split("\n") if line.strip()]
            assert len(lines) == 12
            assert all(line.startswith(("allow Bash(", "    ")) for line in lines)
        desk = Desk()
