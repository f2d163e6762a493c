import pytest

from core.session.state import Ask, Option, Question
from widgets.begun import KEPT, Begun, BegunAnswers, Given, Rules, Unfinished

ASK = Ask("1", "permission", "Bash", input_json=b'{"command":"ls"}')
COLOUR = Question("Which colour?", "", True, (Option("Red"), Option("Blue")))


def given(*picked: int, words: str = "", skipped: bool = False) -> Given:
    made = Given()
    made.picked, made.words, made.skipped = frozenset(picked), words, skipped
    return made


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (given(), ""),
        (given(1, 0), "Red, Blue"),
        (given(0, words="Green"), "Red, Green"),
        (given(0, skipped=True), ""),
    ],
)
def test_labels_and_words_are_one_answer_and_a_skipped_question_has_none(one: Given, text: str) -> None:
    assert one.text(COLOUR) == text


@pytest.mark.parametrize(
    ("begun", "made"),
    [
        (Begun(), False),
        (Begun(step=2, given=(given(), given())), False),
        (Begun(given=(given(), given(skipped=True))), True),
        (Begun(input_json=b"{}"), True),
        (Begun(unfinished=Unfinished(0, "{", "no JSON")), True),
        (Begun(words="no"), True),
        (Begun(comments={1: "why?"}), True),
        (Begun(rules=Rules(())), True),
    ],
)
def test_only_what_was_made_is_a_draft(begun: Begun, made: bool) -> None:
    assert bool(begun) is made


def test_a_draft_is_that_of_one_request_of_one_session() -> None:
    begun = BegunAnswers()
    begun.keep("api", ASK, Begun(words="no"))
    assert begun.of("api", ASK).words == "no"
    assert not begun.of("web", ASK)
    assert not begun.of("api", Ask("1", "permission", "Bash", input_json=b'{"command":"rm"}')), "its id again"
    begun.keep("api", ASK, Begun())
    assert not begun.of("api", ASK)


def test_only_the_newest_are_kept() -> None:
    begun = BegunAnswers()
    for number in range(KEPT + 1):
        begun.keep("api", Ask(str(number), "permission", "Bash"), Begun(words="no"))
    assert not begun.of("api", Ask("0", "permission", "Bash"))
    assert begun.of("api", Ask(str(KEPT), "permission", "Bash"))
