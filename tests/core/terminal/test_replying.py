"""What becomes of an ask while its answer is typed."""

import anyio
import pytest

from core.errors import AnswerNotTyped, AskGone
from core.session.answers import Allow, Deny, Postpone, Reply
from core.session.session import Session
from core.session.state import PermissionUpdate, SessionState
from core.terminal.answering import Limits
from core.terminal.channels.hub import Channels
from core.terminal.replying import Replies
from tests.fakes.dialogs import FakeProgram, form, two_pages

AT_ONCE = Limits(stand_s=0.0, step_s=0.05, gone_s=0.05, look_s=0.0)


class Supervised:
    """A session on a fake program's screen."""

    def __init__(self, program: FakeProgram) -> None:
        self.program = program
        self.session = Session(SessionState("k", "terminal"))
        self.channels = Channels(self.session.apply)
        self.prompts: list[str] = []
        self.states: list[str] = []
        self.replies = Replies(self.channels, program, self._emit, lambda: 5.0, self._prompt, limits=AT_ONCE)
        self.channels.see(program.screen(), 1.0)

    def _emit(self, event: object) -> None:
        self.session.apply(event)  # type: ignore[arg-type]
        self.states += [ask.state for ask in self.session.state.asks]

    async def _prompt(self, text: str) -> None:
        self.prompts.append(text)


async def test_it_is_answering_then_gone() -> None:
    one = Supervised(FakeProgram())
    (ask,) = one.session.state.asks
    with anyio.fail_after(30):
        await one.replies.answer(ask.id, Allow())
    assert one.states == ["answering"]
    assert one.session.state.asks == ()
    assert one.program.chosen == "Yes"
    assert one.prompts == []


async def test_words_without_a_place_become_a_prompt() -> None:
    one = Supervised(FakeProgram(amendable=False))
    (ask,) = one.session.state.asks
    with anyio.fail_after(30):
        await one.replies.answer(ask.id, Deny("use another name"))
    assert one.prompts == ["use another name"]


async def test_one_that_could_not_be_typed_is_open_again() -> None:
    one = Supervised(FakeProgram())
    (ask,) = one.session.state.asks
    with anyio.fail_after(30):
        with pytest.raises(AnswerNotTyped):
            await one.replies.answer(ask.id, Allow(updates=(PermissionUpdate("Yes, for ever"),)))
        assert [(again.id, again.state) for again in one.session.state.asks] == [(ask.id, "open")]
        await one.replies.answer(ask.id, Allow())
    assert one.session.state.asks == ()


async def test_one_that_was_answered_elsewhere_cannot_be() -> None:
    one = Supervised(FakeProgram())
    (ask,) = one.session.state.asks
    one.program.gone = True
    with anyio.fail_after(30):
        with pytest.raises(AskGone):
            await one.replies.answer(ask.id, Allow())
        one.channels.see(one.program.screen(), 2.0)
        assert one.session.state.asks == ()
        with pytest.raises(AskGone):
            await one.replies.answer(ask.id, Allow())
    assert one.program.typed == []


async def test_a_form_is_answered_and_sent() -> None:
    one = Supervised(form())
    (ask,) = one.session.state.asks
    with anyio.fail_after(30):
        await one.replies.answer(ask.id, Reply((("Which suites should run?", "unit"),)))
    assert one.program.then is not None
    assert one.program.then.chosen == "Submit answers"
    assert one.session.state.asks == ()


async def test_pages_that_are_answered_along_ask_nothing() -> None:
    one = Supervised(two_pages())
    (ask,) = one.session.state.asks
    with anyio.fail_after(30):
        await one.replies.answer(
            ask.id, Reply((("Which database?", "SQLite"), ("Which suites should run?", "unit")))
        )
    assert one.session.state.asks == ()
    assert one.states == ["answering"]


async def test_the_page_that_was_not_answered_asks_once_typing_is_over() -> None:
    one = Supervised(two_pages())
    (ask,) = one.session.state.asks
    with anyio.fail_after(30):
        await one.replies.answer(ask.id, Reply((("Which database?", "SQLite"), ("Another?", "x"))))
    (after,) = one.session.state.asks
    assert (after.state, after.questions[0].text) == ("open", "Which suites should run?")
    assert after.id != ask.id


async def test_a_postponed_plan_is_a_denial_with_words() -> None:
    one = Supervised(FakeProgram(amendable=False))
    (ask,) = one.session.state.asks
    with anyio.fail_after(30):
        await one.replies.answer(ask.id, Postpone("discuss"))
    assert one.prompts[0].startswith("Not yet: let us talk it over.")
