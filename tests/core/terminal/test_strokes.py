"""What an answer comes to at each kind of dialog."""

import pytest

from core.errors import AnswerNotTyped
from core.session.answers import Allow, Answer, Deny, Reply
from core.session.plans import mode_update
from core.terminal.parsers.dialog import dialog
from core.terminal.strokes import OUT, Plan, Stroke, split_reply, strokes
from tests.fakes.older_screens import PLAN
from tests.fakes.screens import recorded, written


def at(scene: str, name: str, answer: Answer) -> Plan:
    found = dialog(recorded(scene, name))
    assert found is not None
    return strokes(found, answer)


@pytest.mark.parametrize(
    ("scene", "name", "answer", "plan"),
    [
        ("trust", "no-marked", Allow(), Plan((Stroke("choose", 1),))),
        ("bypass", "yes-marked", Deny(), Plan((Stroke("choose", 0),))),
        ("question", "single", Reply((("q", "PostgreSQL"),)), Plan((Stroke("choose", 1),))),
        (
            "question",
            "single",
            Reply((("q", "my own"),)),
            Plan((Stroke("write", 2, "my own"), Stroke("choose", 2))),
        ),
        ("question", "single", Deny(), Plan((OUT,))),
        ("question", "single", Deny("Ask less."), Plan((Stroke("choose", 3),), "Ask less.")),
        (
            "question",
            "multiple-ticked",
            Reply((("q", "api"),)),
            Plan((Stroke("untick", 0), Stroke("tick", 1), Stroke("untick", 2), Stroke("choose", 4))),
        ),
        ("question", "review", Allow(), Plan((Stroke("choose", 0),))),
        ("question", "review", Deny(), Plan((Stroke("choose", 1),))),
        ("plan", "asked", Allow(b"{}"), Plan((Stroke("choose", 1),))),
        ("plan", "asked", Allow(updates=(mode_update("auto"),)), Plan((Stroke("choose", 0),))),
        ("plan", "asked", Deny("Not so."), Plan((Stroke("write", 2, "Not so."), Stroke("choose", 2)))),
        ("plan", "asked", Deny(), Plan((OUT,))),
        ("resume", "list", Reply((("q", "do:say one"),)), Plan((Stroke("choose", 1),))),
        ("resume", "list", Deny(), Plan((OUT,))),
        ("permission", "edit", Allow(), Plan((Stroke("choose", 0),))),
        (
            "permission",
            "edit",
            Deny("No"),
            Plan((Stroke("open", 2), Stroke("write", 2, "No"), Stroke("choose", 2))),
        ),
    ],
)
def test_the_steps(scene: str, name: str, answer: Answer, plan: Plan) -> None:
    assert at(scene, name, answer) == plan


def test_only_the_question_on_the_screen_is_answered() -> None:
    both = Reply((("Which database should the tests use?", "SQLite"), ("Which suites should run?", "unit")))
    assert at("question", "first-of-two", both) == Plan((Stroke("choose", 0),))
    with pytest.raises(AnswerNotTyped, match="was not answered"):
        at("question", "single", Reply((("a", "b"), ("c", "d"))))
    with pytest.raises(AnswerNotTyped, match="was not answered"):
        at("question", "first-of-two", Reply((("Which suites should run?", "unit"),)))


@pytest.mark.parametrize(
    ("scene", "name", "answer"),
    [
        ("plan", "asked", Allow(updates=(mode_update("acceptEdits"),))),
        ("plan", "asked", Reply((("a", "b"),))),
        ("question", "single", Allow()),
        ("trust", "no-marked", Reply((("a", "b"),))),
        ("resume", "list", Reply((("q", "do:say three"),))),
        ("resume", "list", Allow()),
        ("picker", "model", Allow()),
    ],
)
def test_what_is_not_offered(scene: str, name: str, answer: Answer) -> None:
    with pytest.raises(AnswerNotTyped):
        at(scene, name, answer)


@pytest.mark.parametrize("columns", [80, 40])
def test_how_to_resume(columns: int) -> None:
    how = dialog(recorded("resuming", "how-last", columns))
    assert how is not None
    first, full = "Resume from summary (instant, recommended)", "Resume full session as-is"
    assert strokes(how, Reply((("q", first),))) == Plan((Stroke("choose", 0),))
    assert strokes(how, Reply((("q", full),))) == Plan((Stroke("choose", 1),))
    assert strokes(how, Deny()) == Plan((Stroke("leave"),))


def test_boxes_are_ticked_as_answered_then_sent() -> None:
    some = Reply((("q", "tickets, wiki"),))
    ticks = (Stroke("untick", 0), Stroke("tick", 1), Stroke("tick", 2), Stroke("choose", 3))
    assert at("servers", "several", some) == Plan(ticks)
    assert at("servers", "several", Deny()) == Plan((OUT,))
    with pytest.raises(AnswerNotTyped, match="does not offer 'mail'"):
        at("servers", "several", Reply((("q", "git, mail"),)))
    with pytest.raises(AnswerNotTyped):
        at("servers", "several", Allow())


def test_what_no_parser_knows_is_answered_by_its_options() -> None:
    assert at("servers", "one", Reply((("q", "Use this MCP server"),))) == Plan((Stroke("choose", 0),))
    assert at("model", "asked", Reply((("q", "Keep Opus 5"),))) == Plan((Stroke("choose", 0),))


def test_a_label_that_was_cut_since_is_the_same() -> None:
    narrow = dialog(recorded("whether", "asked", 40))
    assert narrow is not None
    for label in ("Start a new conversation", "Start a new conver…"):
        assert strokes(narrow, Reply((("q", label),))) == Plan((Stroke("choose", 1),))
    with pytest.raises(AnswerNotTyped):
        strokes(narrow, Reply((("q", "Start"),)))


def test_older_layouts() -> None:
    plan = dialog(written(PLAN))
    assert plan is not None
    assert strokes(plan, Allow(updates=(mode_update("acceptEdits"),))) == Plan((Stroke("choose", 0),))


@pytest.mark.parametrize(
    ("reply", "chosen", "left"),
    [
        ("a", {"a"}, ""),
        ("a, b", {"a", "b"}, ""),
        ("a, with commas", {"a, with commas"}, ""),
        ("a, my own, b", {"a", "b"}, "my own"),
        ("one, two", set(), "one, two"),
        ("", set(), ""),
    ],
)
def test_labels_and_words_in_one_answer(reply: str, chosen: set[str], left: str) -> None:
    assert split_reply(["a", "b", "a, with commas"], reply) == (frozenset(chosen), left)
