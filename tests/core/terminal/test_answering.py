"""Answers typed at a dialog: only at that one, step by step, and confirmed by its disappearance."""

import anyio
import pytest

from core.errors import AnswerNotTyped, AskGone
from core.session.answers import Allow, Answer, Deny, Reply
from core.session.state import PermissionUpdate
from core.terminal.answering import DialogTypist, Limits
from core.terminal.parsers.dialog import Dialog, dialog
from core.terminal.parsers.menu import DOWN, ENTER, ESCAPE, TAB, UP
from tests.fakes.dialogs import RESTED, TRUST, FakeProgram, form, two_pages

AT_ONCE = Limits(stand_s=0.0, step_s=0.05, gone_s=0.05, look_s=0.0)


async def answer(program: FakeProgram, given: Answer, shown: Dialog | None = None) -> str:
    at_first = shown or dialog(program.screen())
    assert at_first is not None
    with anyio.fail_after(30):
        return await DialogTypist(program, AT_ONCE).answer("screen-1", at_first, given)


def trust(marked: int = 0) -> FakeProgram:
    return FakeProgram(TRUST, ["No, exit", "Yes, I trust this folder"], marked=marked, numbered=False)


@pytest.mark.parametrize(
    ("marked", "given", "keys"),
    [
        (0, Allow(), [DOWN, ENTER]),
        (1, Allow(), [ENTER]),
        (0, Deny(), [ENTER]),
        (1, Deny(), [UP, ENTER]),
    ],
)
async def test_trust_is_chosen_by_moving_and_never_by_enter_alone(
    marked: int, given: Answer, keys: list[bytes]
) -> None:
    program = trust(marked)
    await answer(program, given)
    assert program.typed == keys
    assert program.chosen == ("Yes, I trust this folder" if isinstance(given, Allow) else "No, exit")


@pytest.mark.parametrize(
    ("given", "chosen"),
    [
        (Allow(), "Yes"),
        (Allow(updates=(PermissionUpdate("Yes, and never ask again"),)), "Yes, and never ask again"),
        (Deny(), "No"),
        (Deny(interrupt=True), "Esc"),
    ],
)
@pytest.mark.parametrize("marked", [0, 1, 2])
async def test_a_permission(given: Answer, chosen: str, marked: int) -> None:
    program = FakeProgram(marked=marked)
    assert await answer(program, given) == ""
    assert program.chosen == chosen


async def test_words_go_with_a_denial_by_the_dialogs_own_way() -> None:
    program = FakeProgram()
    assert await answer(program, Deny("use another\nname")) == ""
    assert program.typed == [DOWN + DOWN, TAB, b"use another name", ENTER]
    assert program.words == "use another name"


async def test_where_it_has_none_they_are_left_for_a_prompt() -> None:
    program = FakeProgram(amendable=False)
    assert await answer(program, Deny("use another name")) == "use another name"
    assert (program.chosen, program.words) == ("No", "")


@pytest.mark.parametrize(
    ("label", "keys"), [("Resume", [DOWN, UP, ENTER]), ("Start a new conversation", [DOWN, ENTER])]
)
async def test_where_a_row_must_be_picked_first_the_mark_is_moved(label: str, keys: list[bytes]) -> None:
    program = FakeProgram(RESTED, ["Resume", "Start a new conversation"], shy=True)
    await answer(program, Reply((("q", label),)))
    assert (program.typed, program.chosen) == (keys, label)


async def test_nothing_is_typed_at_another_dialog() -> None:
    shown = dialog(FakeProgram().screen())
    program = FakeProgram(command="rm -rf /")
    with pytest.raises(AskGone, match="not on the screen any more"):
        await answer(program, Allow(), shown)
    assert program.typed == []


async def test_nothing_is_typed_at_the_composer() -> None:
    shown = dialog(FakeProgram().screen())
    program = FakeProgram(gone=True)
    with pytest.raises(AskGone):
        await answer(program, Allow(), shown)
    assert program.typed == []


async def test_a_dialog_that_changes_under_the_hand_gets_no_enter() -> None:
    def another(program: FakeProgram) -> None:
        program.command = "rm -rf /"

    program = FakeProgram(before_key=another)
    with pytest.raises(AskGone):
        await answer(program, Deny())
    assert program.typed == [DOWN + DOWN]
    assert not program.gone


async def test_enter_is_pressed_again_if_it_was_not_heard() -> None:
    program = FakeProgram(deaf=1)
    await answer(program, Allow())
    assert program.typed == [ENTER, ENTER]
    assert program.chosen == "Yes"


async def test_but_not_for_ever() -> None:
    program = FakeProgram(deaf=9)
    with pytest.raises(AnswerNotTyped, match="still stands there"):
        await answer(program, Deny(interrupt=True))
    assert program.typed == [ESCAPE, ESCAPE]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (Allow(b"{}"), "cannot be changed"),
        (Allow(updates=(PermissionUpdate("Yes, always"),)), "does not offer"),
        (Allow(updates=(PermissionUpdate("Yes"), PermissionUpdate("No"))), "only one"),
        (Reply((("a", "b"),)), "allowed or denied"),
    ],
)
async def test_what_it_does_not_offer_is_said_and_nothing_typed(given: Answer, problem: str) -> None:
    program = FakeProgram()
    with pytest.raises(AnswerNotTyped, match=problem):
        await answer(program, given)
    assert program.typed == []


async def test_several_answers_are_ticked_written_and_sent() -> None:
    program = form()
    await answer(program, Reply((("Which suites should run?", "unit, my own"),)))
    assert program.ticks == {"unit": True, "api": False}
    assert (program.words, program.chosen) == ("my own", "Submit")
    assert program.then is not None
    assert program.then.chosen == "Submit answers"


async def test_all_pages_of_a_form_are_answered_and_sent() -> None:
    program = two_pages()
    both = Reply((("Which database?", "PostgreSQL"), ("Which suites should run?", "unit")))
    await answer(program, both)
    later = program.then
    assert later is not None
    assert later.then is not None
    assert (program.chosen, later.ticks, later.then.chosen) == (
        "PostgreSQL",
        {"unit": True, "api": False},
        "Submit answers",
    )


async def test_a_page_that_is_not_answered_is_left_to_the_person() -> None:
    program = two_pages()
    await answer(program, Reply((("Which database?", "SQLite"), ("Another?", "x"))))
    assert program.then is not None
    assert (program.chosen, program.then.typed) == ("SQLite", [])


async def test_a_form_is_left_where_it_is_denied() -> None:
    program = form()
    await answer(program, Deny())
    assert program.chosen == "Esc"
    assert program.then is not None
    assert program.then.typed == []


async def test_one_answer_at_a_time() -> None:
    program = FakeProgram()
    shown = dialog(program.screen())
    assert shown is not None
    typist = DialogTypist(program, AT_ONCE)
    gone: list[AskGone] = []

    async def late() -> None:
        try:
            await typist.answer("screen-1", shown, Deny())
        except AskGone as error:
            gone.append(error)

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(typist.answer, "screen-1", shown, Allow())
            tasks.start_soon(late)
    assert program.chosen == "Yes"
    assert len(gone) == 1
