import json
from collections.abc import Callable
from functools import partial

import anyio
import pytest
from msgspec import structs
from textual import on
from textual.pilot import Pilot
from textual.widgets import Input

from core.session.answers import DENIED, Allow, Answer, Deny, Postpone, Reply, denied_by
from core.session.plans import mode_update
from core.session.state import Ask, Option, PermissionUpdate, Question, Rule
from tests.widgets.screen import BRACKETS, CONTROLS, NOW, Stage, assert_harmless, assert_literal, visible
from widgets.ask_card import AskCard

RULES = (
    PermissionUpdate("addRules", (Rule("Bash", "git push:*"),), "allow", destination="localSettings"),
    PermissionUpdate("setMode", mode="acceptEdits"),
)
PUSH = Ask(
    "perm-1",
    "permission",
    "Bash",
    input_json=json.dumps({"command": "git push", "description": "push the branch"}).encode(),
    reason="main is protected",
    blocked_path="/etc",
    suggestions=RULES,
    raised_at=NOW - 42,
)
COLOUR = Question("Which colour?", "Colour", False, (Option("Red"), Option("Blue")))
FORM = Ask("ask-1", "question", "AskUserQuestion", questions=(COLOUR,))
PLAN = Ask("plan-1", "plan", "ExitPlanMode", plan="# Do it\n\nfirst `this`")


class Desk(Stage):
    """Shows a card that arms only when told, and keeps what it answers."""

    def __init__(self, arm_after_s: float = 1000) -> None:
        self.card = AskCard("api", arm_after_s=arm_after_s)
        super().__init__(self.card)
        self.answers: list[tuple[str, str, Answer | Postpone]] = []
        self.left = 0

    @on(AskCard.Answered)
    def keep(self, message: AskCard.Answered) -> None:
        self.answers.append((message.key, message.ask_id, message.answer))

    @on(AskCard.Left)
    def count(self) -> None:
        self.left += 1


async def given(pilot: Pilot[None], desk: Desk, ask: Ask, *keys: str) -> None:
    """Show an ask, armed and focused, and press keys."""
    desk.card.show(ask, NOW)
    desk.card.arm()
    desk.card.focus()
    await pilot.pause()
    await pilot.press(*keys)
    await pilot.pause()


async def test_all_there_is_to_know_before_answering() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        desk.card.show(PUSH, NOW, 1, 2)
        desk.card.arm()
        await pilot.pause()
        shown = visible(desk)
        for text in (
            "Bash",
            "$ git push",
            "wants to: push the branch",
            "because: main is protected",
            "blocked: /etc",
        ):
            assert text in shown
        assert "asks since 0:42 · 1 of 2" in shown
        assert "a allow  A always…  e edit  d deny  D why…" in shown


async def test_allow_and_deny_carry_the_ids_they_were_shown_for() -> None:
    for key, answer in (("a", Allow()), ("d", Deny(DENIED)), ("ctrl+d", Deny(DENIED, interrupt=True))):
        desk = Desk()
        async with desk.run_test(size=(60, 20)) as pilot:
            await given(pilot, desk, PUSH, key, key)
            assert desk.answers == [("api", "perm-1", answer)]
            assert "sent, waiting for the CLI" in visible(desk)


async def test_a_suggested_rule_is_picked_with_its_destination_in_sight() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        await given(pilot, desk, PUSH, "A")
        assert "allow Bash(git push:*)" in visible(desk)
        assert "this project, only you" in visible(desk)
        await pilot.press("2", "enter")
        assert desk.answers == [("api", "perm-1", Allow(updates=RULES))]


async def test_a_rule_is_narrowed_and_kept_elsewhere() -> None:
    desk = Desk()
    async with desk.run_test(size=(90, 20)) as pilot:
        await given(pilot, desk, PUSH, "A", "right", "e", *["backspace"] * 3, *" origin)", "enter")
        await pilot.press("enter")
        rule = PermissionUpdate(
            "addRules", (Rule("Bash", "git push origin"),), "allow", destination="projectSettings"
        )
        assert desk.answers == [("api", "perm-1", Allow(updates=(rule,)))]


@pytest.mark.parametrize("width", [80, 50])
async def test_the_key_that_leads_back_is_shown_at_any_width(width: int) -> None:
    desk = Desk()
    async with desk.run_test(size=(width, 20)) as pilot:
        await given(pilot, desk, PUSH, "A")
        assert "Esc back" in visible(desk)
        assert ("n new" in visible(desk), "e edit" in visible(desk)) == (width == 80, width == 80)


async def test_the_key_that_allows_takes_the_rules_that_are_picked() -> None:
    desk = Desk()
    async with desk.run_test(size=(90, 20)) as pilot:
        await given(pilot, desk, PUSH, "A", "a")
        assert desk.answers == [("api", "perm-1", Allow(updates=RULES[:1]))]


async def test_a_denial_with_a_rule() -> None:
    desk = Desk()
    async with desk.run_test(size=(90, 20)) as pilot:
        await given(pilot, desk, PUSH, "A")
        assert "d denies" in visible(desk)
        await pilot.press("d")
        assert desk.answers == [("api", "perm-1", denied_by(RULES[:1]))]


async def test_an_ask_withdrawn_while_a_rule_is_written_sends_nothing() -> None:
    desk = Desk()
    async with desk.run_test(size=(90, 20)) as pilot:
        await given(pilot, desk, PUSH, "A", "e", "x")
        desk.card.show(None)
        await pilot.pause()
        assert "no longer asked" in visible(desk)
        await pilot.press("backspace", "enter", "enter")
        assert desk.answers == []


async def test_escape_leaves_the_rules_without_an_answer() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        await given(pilot, desk, PUSH, "A", "escape")
        assert desk.answers == []
        assert desk.card.has_focus
        await pilot.press("a")
        assert desk.answers == [("api", "perm-1", Allow())]


async def test_without_a_suggestion_a_rule_of_ones_own_is_written_at_once() -> None:
    desk = Desk()
    async with desk.run_test(size=(90, 20)) as pilot:
        await given(pilot, desk, structs.replace(PUSH, suggestions=()), "A")
        assert desk.card.typing
        assert "Bash(git push *)" in visible(desk)
        await pilot.press("enter", "right", "enter")
        rule = PermissionUpdate(
            "addRules", (Rule("Bash", "git push *"),), "allow", destination="localSettings"
        )
        assert desk.answers == [("api", "perm-1", Allow(updates=(rule,)))]


async def test_a_rule_not_written_goes_back_to_the_card() -> None:
    desk = Desk()
    async with desk.run_test(size=(90, 20)) as pilot:
        await given(pilot, desk, structs.replace(PUSH, suggestions=()), "A", "escape")
        assert desk.card.has_focus
        await pilot.press("A", "enter", "escape", "A", "enter")
        rule = PermissionUpdate("addRules", (Rule("Bash", "git push *"),), "allow", destination="session")
        assert desk.answers == [("api", "perm-1", Allow(updates=(rule,)))]  # it was still there


async def test_no_rule_goes_with_a_key_on_a_screen_or_in_the_older_form() -> None:
    for form in ({"on_screen": True}, {"legacy": True}):
        desk = Desk()
        async with desk.run_test(size=(60, 20)) as pilot:
            await given(pilot, desk, structs.replace(PUSH, suggestions=(), **form), "A", "enter")
            assert desk.answers == []
            assert "always" not in visible(desk)


async def test_a_denial_says_why() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        await given(pilot, desk, PUSH, "D", *"not a", "enter")
        assert desk.answers == [("api", "perm-1", Deny("not a"))]


async def test_while_words_are_typed_only_their_keys_are_offered() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        await given(pilot, desk, PUSH, "D", "n", "o")
        await pilot.pause()
        assert "Enter denies  ^D denies and stops  Esc goes back" in visible(desk)
        assert "a allow" not in visible(desk)
        await pilot.press("escape")
        await pilot.pause()
        assert "a allow" in visible(desk)


async def test_a_denial_with_words_can_end_the_turn() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        await given(pilot, desk, PUSH, "D", *"no", "ctrl+d")
        assert desk.answers == [("api", "perm-1", Deny("no", interrupt=True))]


async def test_a_card_that_has_just_appeared_takes_no_key() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        desk.card.show(PUSH, NOW)
        desk.card.focus()
        await pilot.press("a", "d", "D", "A", "enter")
        assert desk.answers == []
        assert desk.card.offered == ()
        desk.card.arm()
        await pilot.press("a")
        assert len(desk.answers) == 1


async def test_a_key_for_a_withdrawn_ask_never_answers_the_next() -> None:
    """Case CTL-02."""
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        await given(pilot, desk, PUSH)
        desk.card.show(None)
        desk.card.show(structs.replace(PUSH, id="perm-2"), NOW)
        await pilot.press("a")
        assert desk.answers == []


async def test_an_ask_withdrawn_while_one_types_keeps_the_card_and_sends_nothing() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        await given(pilot, desk, PUSH, "D", *"beca")
        desk.card.show(structs.replace(PUSH, id="perm-2"), NOW)
        await pilot.press(*"use a")
        assert "no longer asked" in visible(desk)
        await pilot.press("enter")
        assert desk.answers == []
        desk.card.show(structs.replace(PUSH, id="perm-2"), NOW)
        desk.card.arm()
        desk.card.focus()
        await pilot.press("a")
        assert desk.answers == [("api", "perm-2", Allow())]


async def test_an_answer_on_its_way_cannot_be_given_again_until_it_failed() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        await given(pilot, desk, structs.replace(PUSH, state="answering"), "a")
        assert desk.answers == []
        desk.card.show(PUSH, NOW)
        await pilot.press("a")
        assert len(desk.answers) == 1
        desk.card.reopen()
        await pilot.press("d")
        assert len(desk.answers) == 2


async def test_a_question_is_a_form_and_never_a_yes() -> None:
    """Case CTL-09."""
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        desk.card.show(FORM, NOW)
        desk.card.arm()
        await pilot.press("a")
        assert desk.answers == []
        desk.card.action_answer("allow")
        await pilot.pause()
        await pilot.press("2", "enter")
        assert desk.answers == [("api", "ask-1", Reply((("Which colour?", "Blue"),)))]


async def test_a_question_that_takes_no_words_offers_none() -> None:
    """The CLI's own question how an old session is resumed."""
    desk = Desk()
    how = structs.replace(COLOUR, closed=True, needed=True)
    async with desk.run_test(size=(90, 24)) as pilot:
        await given(pilot, desk, structs.replace(FORM, questions=(how,), wordless=True, on_screen=True))
        shown = visible(desk)
        assert "d dismisses it" in shown
        assert "skips" not in shown
        assert "other" not in shown
        await pilot.press("D", "ctrl+d", "s")
        assert (desk.answers, desk.card.typing) == ([], False)
        await pilot.press("d")
        assert desk.answers == [("api", "ask-1", Deny(DENIED))]


async def test_a_call_that_becomes_known_is_shown_and_armed_anew() -> None:
    """What a screen had room for comes first, the whole of it from the transcript."""
    seen = structs.replace(PUSH, input_json=b'{"command":"git"}', on_screen=True, suggestions=())
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        await given(pilot, desk, seen)
        desk.card.show(structs.replace(seen, input_json=b'{"command":"git push --force"}'), NOW)
        await pilot.pause()
        await pilot.press("a")
        assert desk.answers == []
        assert "git push --force" in visible(desk)
        desk.card.arm()
        await pilot.press("a")
        assert desk.answers == [("api", "perm-1", Allow())]


async def test_questions_that_become_known_stand_on_the_card() -> None:
    desk = Desk()
    why = Question("Why?", "Why", False, (Option("So"), Option("Thus")))
    async with desk.run_test(size=(60, 20)) as pilot:
        await given(pilot, desk, structs.replace(FORM, on_screen=True))
        desk.card.show(structs.replace(FORM, on_screen=True, questions=(COLOUR, why)), NOW)
        desk.card.arm()
        await pilot.pause()
        await pilot.press("2", "enter", "1", "enter")
        assert desk.answers == [("api", "ask-1", Reply((("Which colour?", "Blue"), ("Why?", "So"))))]


async def test_a_card_is_as_high_as_the_question_it_shows() -> None:
    many = Question("Which?", "Parts", True, tuple(Option(f"part {n}") for n in range(9)))
    desk = Desk()
    async with desk.run_test(size=(60, 30)) as pilot:
        await given(pilot, desk, structs.replace(FORM, questions=(COLOUR, many)), "1", "enter")
        await pilot.pause()
        assert "part 8" in visible(desk)


async def test_a_form_is_left_with_escape_and_denied_with_d() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        await given(pilot, desk, FORM, "escape")
        assert (desk.answers, desk.left) == ([], 1)
        await pilot.press("d")
        assert desk.answers == [("api", "ask-1", Deny(DENIED))]


async def test_a_plan_is_approved_denied_or_sent_back() -> None:
    answers = {"a": Allow(), "d": Deny(DENIED), "o": Postpone("outline"), "t": Postpone("discuss")}
    for key, answer in answers.items():
        desk = Desk()
        async with desk.run_test(size=(60, 20)) as pilot:
            await given(pilot, desk, PLAN)
            assert "Do it" in visible(desk)
            await pilot.press(key)
            assert desk.answers == [("api", "plan-1", answer)]


async def test_single_lines_of_a_plan_are_commented() -> None:
    desk = Desk()
    async with desk.run_test(size=(70, 20)) as pilot:
        await given(pilot, desk, PLAN, "L", "down", "enter", *"not this", "enter")
        await pilot.pause()
        assert "» not this" in visible(desk)
        await pilot.press("escape")
        await pilot.pause()
        assert "plan · 1 comment" in visible(desk)
        assert desk.answers == []
        await pilot.press("L", "enter", *"good", "enter", "ctrl+s")
        said = "> # Do it\ngood\n\n> first `this`\nnot this"
        assert desk.answers == [("api", "plan-1", Deny(said))]


async def test_a_comment_is_changed_and_removed() -> None:
    desk = Desk()
    async with desk.run_test(size=(70, 20)) as pilot:
        await given(pilot, desk, PLAN, "L", "enter", "a", "enter", "enter", "b", "escape", "ctrl+s")
        assert desk.answers == [("api", "plan-1", Deny("> # Do it\na"))]
    desk = Desk()
    async with desk.run_test(size=(70, 20)) as pilot:
        await given(pilot, desk, PLAN, "L", "enter", "a", "enter", "backspace", "ctrl+s")
        assert desk.answers == []


async def test_a_plan_withdrawn_while_it_is_commented_sends_nothing() -> None:
    desk = Desk()
    async with desk.run_test(size=(70, 20)) as pilot:
        await given(pilot, desk, PLAN, "L", "enter", "a", "enter")
        desk.card.show(None)
        await pilot.pause()
        assert "no longer asked" in visible(desk)
        await pilot.press("ctrl+s")
        assert desk.answers == []
        assert not desk.card.display


async def test_a_plan_is_approved_with_the_mode_that_follows() -> None:
    for keys, mode in ((("enter",), "default"), (("down", "enter"), "acceptEdits"), (("3",), "auto")):
        desk = Desk()
        async with desk.run_test(size=(60, 20)) as pilot:
            await given(pilot, desk, PLAN, "A")
            assert "acceptEdits" in visible(desk)
            await pilot.press(*keys)
            assert desk.answers == [("api", "plan-1", Allow(updates=(mode_update(mode),)))]


async def test_only_a_plan_is_sent_back() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        await given(pilot, desk, PUSH, "o", "t")
        assert desk.answers == []


async def test_edit_then_allow() -> None:
    desk = Desk()
    async with desk.run_test(size=(70, 20)) as pilot:
        await given(pilot, desk, PUSH, "e")
        assert "editing command" in visible(desk)
        await pilot.press(*" -n", "ctrl+s", "ctrl+s")
        changed = b'{"command":"git push -n","description":"push the branch"}'
        assert desk.answers == [("api", "perm-1", Allow(changed))]


async def test_an_input_that_was_only_looked_at_is_allowed_as_it_came() -> None:
    desk = Desk()
    async with desk.run_test(size=(70, 20)) as pilot:
        await given(pilot, desk, PUSH, "e", "tab", "tab", "ctrl+s")
        assert desk.answers == [("api", "perm-1", Allow())]


async def test_escape_keeps_the_change_and_the_card_shows_it() -> None:
    desk = Desk()
    async with desk.run_test(size=(70, 20)) as pilot:
        await given(pilot, desk, PUSH, "e", *" -n", "escape")
        shown = visible(desk)
        assert "changed by you" in shown
        assert "$ git push -n" in shown
        assert (desk.answers, desk.left) == ([], 0)
        await pilot.press("e", "x", "escape", "A", "enter")
        changed = b'{"command":"git push -nx","description":"push the branch"}'
        assert desk.answers == [("api", "perm-1", Allow(changed, RULES[:1]))]


async def test_a_card_is_as_high_as_what_was_changed_once_the_editor_is_closed() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        await given(pilot, desk, PUSH, "e", *"now", "escape")
        for text in ("1 - git push", "1 + git pushnow", "$ git pushnow", "blocked: /etc", "a allow"):
            assert text in visible(desk)
        await given(pilot, desk, PUSH, "e", "ctrl+r", "escape")
        assert desk.card.size.height == 5


async def test_what_is_no_json_is_said_and_not_sent() -> None:
    desk = Desk()
    async with desk.run_test(size=(70, 20)) as pilot:
        await given(pilot, desk, PUSH, "e", "shift+tab", "x", "ctrl+s")
        assert "This is no JSON object" in visible(desk)
        assert desk.answers == []
        await pilot.press("escape", "a")
        assert desk.answers == []
        await pilot.press("backspace", "ctrl+s")
        assert desk.answers == [("api", "perm-1", Allow())]


async def test_an_ask_withdrawn_while_it_is_edited_sends_nothing_and_the_text_can_be_copied() -> None:
    desk = Desk()
    async with desk.run_test(size=(70, 20)) as pilot:
        await given(pilot, desk, PUSH, "e", *" -n")
        desk.card.show(None)
        await pilot.press("!", "ctrl+s")
        await pilot.pause()
        assert "no longer asked" in visible(desk)
        assert (desk.answers, desk.clipboard) == ([], "git push -n!")
        await pilot.press("escape")
        assert not desk.card.display
        desk.card.show(PUSH, NOW)
        desk.card.arm()
        desk.card.focus()
        await pilot.press("a")
        assert desk.answers == [("api", "perm-1", Allow())]


async def test_a_long_command_scrolls_and_the_keys_stay() -> None:
    desk = Desk()
    lines = "\n".join(f"echo {n}" for n in range(100))
    async with desk.run_test(size=(60, 14)) as pilot:
        await given(pilot, desk, structs.replace(PUSH, input_json=json.dumps({"command": lines}).encode()))
        assert "echo 99" not in visible(desk)
        assert "a allow" in visible(desk)
        await pilot.press(*["pagedown"] * 14)
        assert "echo 99" in visible(desk)


async def test_a_click_on_a_key_answers() -> None:
    desk = Desk()
    async with desk.run_test(size=(60, 20)) as pilot:
        await given(pilot, desk, PUSH)
        rows = visible(desk).split("\n")
        row = next(y for y, line in enumerate(rows) if "d deny" in line)
        await pilot.click(offset=(rows[row].index("d deny"), row))
        assert desk.answers == [("api", "perm-1", Deny(DENIED))]


async def test_nothing_takes_the_focus() -> None:
    desk = Desk()
    entry = Input()
    desk.cast = (desk.card, entry)
    async with desk.run_test(size=(60, 20)) as pilot:
        entry.focus()
        await pilot.pause()
        desk.card.show(PUSH, NOW)
        desk.card.arm()
        await pilot.press("a")
        assert entry.has_focus
        assert (entry.value, desk.answers) == ("a", [])


async def test_outside_text_is_literal_and_harmless() -> None:
    desk = Desk()
    every = "\n".join(BRACKETS)
    rules = tuple(
        PermissionUpdate("addRules", (Rule(text, text),), text, destination=text) for text in BRACKETS
    )
    asks = [
        structs.replace(PUSH, id="c", input_json=json.dumps({"command": every}).encode(), suggestions=rules),
        *(
            structs.replace(PUSH, id=text, display_name=text, reason=text, blocked_path=text)
            for text in BRACKETS
        ),
    ]
    async with desk.run_test(size=(100, 60)) as pilot:
        for ask in asks:
            desk.card.show(ask, NOW)
            desk.card.arm()
            desk.card.action_answer("allow-rule")
            await pilot.pause()
            for text in BRACKETS if ask.id == "c" else [ask.id]:
                assert_literal(desk, text)
            desk.card.action_back()


async def test_no_control_byte_reaches_the_screen() -> None:
    desk = Desk()
    raw = json.dumps({"command": CONTROLS, "description": CONTROLS}).encode()
    odd = PermissionUpdate("addRules", (Rule(CONTROLS, CONTROLS),), CONTROLS, destination=CONTROLS)
    permission = structs.replace(
        PUSH, input_json=raw, reason=CONTROLS, suggestions=(odd,), display_name=CONTROLS
    )
    asks = (
        permission,
        structs.replace(permission, id="2", input_json=b"[" + raw + b"]"),
        structs.replace(PLAN, plan=CONTROLS),
    )
    async with desk.run_test(size=(100, 40)) as pilot:
        for ask in asks:
            desk.card.show(ask, NOW)
            desk.card.arm()
            if ask.kind == "permission":
                desk.card.action_answer("allow-rule")
            await pilot.pause()
            assert_harmless(desk)


async def test_words_that_follow_a_key_not_heard_answer_nothing() -> None:
    desk = Desk()
    async with desk.run_test() as pilot:
        desk.card.show(PUSH, NOW)
        desk.card.focus()
        await pilot.pause()
        first = desk.card.arming.count
        await pilot.press("D", *"no")
        assert desk.card.arming.count > first, "another while begins"
        await pilot.press("a")
        assert desk.answers == []
        desk.card.arm()
        await pilot.press("a")
        assert len(desk.answers) == 1


async def test_keys_count_only_a_while_after_it_was_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the machine is too busy to paint it, a key is meant for what stood there before."""
    desk, painted = Desk(arm_after_s=0.001), list[Callable[[], object]]()
    waited, later = anyio.Event(), anyio.Event()
    async with desk.run_test() as pilot:
        await pilot.pause()
        monkeypatch.setattr(
            desk.card, "call_after_refresh", lambda call, *of: painted.append(partial(call, *of))
        )
        desk.card.show(PUSH)
        desk.card.show(structs.replace(PUSH, id="another"))
        desk.set_timer(0.002, waited.set)  # the card's own would be over by then
        with anyio.fail_after(30):
            await waited.wait()
            painted[0]()  # the paint of one that is gone by now
            desk.set_timer(0.002, later.set)
            await later.wait()
            assert not desk.card.guard.armed
            painted[-1]()
            while not desk.card.guard.armed:
                await pilot.pause()
