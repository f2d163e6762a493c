from msgspec import structs
from textual import on

from core.session.answers import Reply
from core.session.state import Option, Question
from tests.widgets.screen import BRACKETS, CONTROLS, Stage, assert_harmless, assert_literal, visible
from widgets.question_form import QuestionForm

COLOUR = Question("Which colour?", "Colour", False, (Option("Red [x]", "r"), Option("Blue", "[/b]")))
PARTS = Question("Which parts?", "Parts", True, (Option("A"), Option("B"), Option("C")))


class Desk(Stage):
    def __init__(self, *questions: Question) -> None:
        self.form = QuestionForm(questions)
        super().__init__(self.form)
        self.reply: Reply | None = None
        self.left = 0

    @on(QuestionForm.Replied)
    def keep(self, message: QuestionForm.Replied) -> None:
        self.reply = message.reply

    @on(QuestionForm.Left)
    def count(self) -> None:
        self.left += 1


async def answered(*questions: Question, keys: tuple[str, ...]) -> Desk:
    desk = Desk(*questions)
    async with desk.run_test(size=(70, 24)) as pilot:
        await pilot.pause()
        desk.form.focus()
        await pilot.press(*keys)
        await pilot.pause()
    return desk


async def test_one_choice_and_several() -> None:
    """Case CTL-09: Blue, then A and C."""
    desk = await answered(COLOUR, PARTS, keys=("2", "enter", "1", "3", "enter"))
    assert desk.reply == Reply((("Which colour?", "Blue"), ("Which parts?", "A, C")))


async def test_arrows_and_space_do_the_same() -> None:
    desk = await answered(COLOUR, PARTS, keys=("down", "enter", "space", "down", "down", "space", "enter"))
    assert desk.reply == Reply((("Which colour?", "Blue"), ("Which parts?", "A, C")))


async def test_back_and_forth_until_all_is_answered() -> None:
    desk = await answered(
        COLOUR, PARTS, keys=("right", "1", "enter", "1", "right", "2", "left", "2", "enter")
    )
    assert desk.reply == Reply((("Which colour?", "Blue"), ("Which parts?", "A, B")))


async def test_own_words_instead_or_besides() -> None:
    words = ("3", *"teal", "enter")
    desk = await answered(COLOUR, PARTS, keys=(*words, "1", "4", *"my d", "enter", "enter"))
    assert desk.reply == Reply((("Which colour?", "teal"), ("Which parts?", "A, my d")))


async def test_digits_and_d_are_text_in_own_words() -> None:
    desk = await answered(COLOUR, keys=("3", *"1d2", "enter"))
    assert desk.reply == Reply((("Which colour?", "1d2"),))


async def test_a_question_without_options_takes_words() -> None:
    desk = await answered(Question("", "Name"), keys=("enter", *"me", "enter"))
    assert desk.reply == Reply((("", "me"),))


async def test_a_closed_question_takes_its_options_only() -> None:
    how = structs.replace(COLOUR, closed=True, needed=True)
    desk = Desk(how)
    async with desk.run_test(size=(70, 24)) as pilot:
        await pilot.pause()
        desk.form.focus()
        await pilot.press("3", "s", "ctrl+s")
        await pilot.pause()
        assert (desk.reply, desk.form.typing) == (None, False)
        assert "other" not in visible(desk)
        await pilot.press("2", "enter")
        assert desk.reply == Reply((("Which colour?", "Blue"),))


async def test_more_of_a_form_becomes_known_and_what_was_answered_stays() -> None:
    """On a session's own screen one question shows; the transcript tells the others."""
    desk = Desk(PARTS)
    async with desk.run_test(size=(70, 24)) as pilot:
        await pilot.pause()
        desk.form.focus()
        await pilot.press("1", "4", *"my d")
        desk.form.retell((COLOUR, structs.replace(PARTS, text="Which  parts?")))
        await pilot.press("!")
        assert desk.form.words.value == "my d!"
        await pilot.press("enter", "enter", "2", "enter")
        assert desk.reply == Reply((("Which colour?", "Blue"), ("Which  parts?", "A, my d!")))


async def test_nothing_picked_is_no_answer() -> None:
    desk = Desk(PARTS)
    async with desk.run_test(size=(70, 24)) as pilot:
        desk.form.focus()
        await pilot.press("enter")
        await pilot.pause()
        assert desk.reply is None
        assert "Pick at least one" in visible(desk)


async def test_a_skipped_question_is_left_out() -> None:
    assert (await answered(COLOUR, PARTS, keys=("s", "1", "enter"))).reply == Reply((("Which parts?", "A"),))
    assert (await answered(COLOUR, PARTS, keys=("2", "enter", "s"))).reply == Reply(
        (("Which colour?", "Blue"),)
    )
    assert (await answered(COLOUR, keys=("s",))).reply == Reply(())


async def test_a_skipped_question_can_still_be_answered_and_is_told_apart() -> None:
    desk = Desk(COLOUR, PARTS)
    async with desk.run_test(size=(70, 24)) as pilot:
        desk.form.focus()
        await pilot.press("s")
        await pilot.pause()
        assert "– Colour" in visible(desk)
        await pilot.press("right")
        await pilot.pause()
        assert desk.form.step == 1, "there is no question after the last"
        await pilot.press("left", "2", "enter", "1", "enter")
        assert desk.reply == Reply((("Which colour?", "Blue"), ("Which parts?", "A")))


async def test_a_question_without_options_is_skipped_where_s_is_text() -> None:
    words = Question("Why?", "Why")
    assert (await answered(words, keys=("s", "enter"))).reply == Reply((("Why?", "s"),))
    assert (await answered(words, COLOUR, keys=("ctrl+s", "1", "enter"))).reply == Reply(
        (("Which colour?", "Red [x]"),)
    )


async def test_a_question_without_words_is_known_by_its_header() -> None:
    desk = Desk(Question("", "Colour", False, (Option("Red"), Option("Blue"))))
    async with desk.run_test(size=(70, 24)) as pilot:
        desk.form.focus()
        await pilot.press("2", "enter")
        assert "Colour" in visible(desk)
        assert desk.reply == Reply((("", "Blue"),))


async def test_escape_leaves_without_an_answer() -> None:
    desk = await answered(COLOUR, keys=("3", "x", "escape", "escape"))
    assert (desk.reply, desk.left) == (None, 1)


async def test_sixty_options_scroll() -> None:
    many = Question("Which?", "", False, tuple(Option(f"option {n}") for n in range(60)))
    desk = Desk(many)
    async with desk.run_test(size=(70, 16)) as pilot:
        desk.form.styles.height = "100%"
        desk.form.focus()
        await pilot.press("end", "up", "enter")
        await pilot.pause()
        assert desk.reply == Reply((("Which?", "option 59"),))
        assert "option 59" in visible(desk)


async def test_the_preview_of_an_option_is_shown() -> None:
    desk = Desk(
        Question("Look?", "", False, (Option("one", preview="| one |"), Option("two", preview="| two |")))
    )
    async with desk.run_test(size=(70, 24)) as pilot:
        desk.form.focus()
        await pilot.press("down")
        await pilot.pause()
        assert "| two |" in visible(desk)


async def test_a_long_preview_scrolls() -> None:
    lines = "\n".join(f"line {n}" for n in range(30))
    desk = Desk(Question("Look?", "", False, (Option("one", preview=lines), Option("two"))))
    async with desk.run_test(size=(90, 24)) as pilot:
        desk.form.styles.height = "100%"
        desk.form.focus()
        await pilot.pause()
        assert "line 29" not in visible(desk)
        await pilot.press(*["shift+down"] * 22)
        await pilot.pause()
        assert "line 29" in visible(desk)


async def test_outside_text_is_literal_and_harmless() -> None:
    desk = Desk(COLOUR)
    async with desk.run_test(size=(100, 24)) as pilot:
        for text in BRACKETS:
            desk.form.ask((Question(text, text, False, (Option(text, text, text),)), PARTS))
            await pilot.pause()
            assert_literal(desk, text)
        desk.form.ask((Question(CONTROLS, CONTROLS, False, (Option(CONTROLS, CONTROLS, CONTROLS),)), PARTS))
        await pilot.pause()
        assert_harmless(desk)


async def test_only_the_ways_there_are_are_told_and_what_works_while_one_types() -> None:
    desk = Desk(COLOUR, PARTS, Question("Why?", "Why"))
    async with desk.run_test(size=(90, 24)) as pilot:

        async def offered(*keys: str) -> str:
            await pilot.press(*keys)
            await pilot.pause()
            return "  ".join(f"{key} {label}" for key, label in desk.form.offered)

        desk.form.focus()
        first = await offered("left")
        assert "→ next question" in first
        assert "←" not in first
        assert "← → others" in await offered("right")
        assert await offered("4") == "Enter takes them  Tab others  ^S skips it  Esc back"
        last = "Enter takes them  Shift+Tab question before  ^S skips it  Esc leaves"
        assert await offered("escape", "right") == last
        desk.form.ask([COLOUR])
        assert await offered() == "1–9 picks  Enter sends  s skips it  Esc leaves  d denies"
