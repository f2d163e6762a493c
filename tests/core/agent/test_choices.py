from collections.abc import Callable
from contextlib import suppress

import anyio
import pytest

from core.agent.choices import Choices
from core.agent.sink import Sink
from core.errors import ControlError, ControlRefused, ControlTimeout
from core.session.session import Session
from core.session.state import Choice, SessionState


class Asked:
    """What a `Choices` asks for, answered by the test in any order."""

    def __init__(self) -> None:
        self.session = Session(SessionState(key="k", model=Choice("sonnet")))
        self.choices = Choices(Sink(self.session, lambda: None, lambda: 0.0), self._ask)
        self.late: dict[str, Callable[[], None]] = {}
        self._answered: dict[str, anyio.Event] = {}
        self._errors: dict[str, ControlError | None] = {}

    async def _ask(self, what: str, value: str, late: Callable[[], None]) -> None:
        self.late[value] = late
        self._answered[value] = anyio.Event()
        await self._answered[value].wait()
        if (error := self._errors[value]) is not None:
            raise error

    async def choose(self, value: str) -> None:
        with suppress(ControlError):
            await self.choices.choose("model", value)

    async def answer(self, value: str, error: ControlError | None = None) -> Choice:
        self._errors[value] = error
        self._answered[value].set()
        await anyio.wait_all_tasks_blocked()
        return self.session.state.model


async def test_a_choice_is_pending_until_it_is_confirmed() -> None:
    asked = Asked()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(asked.choose, "opus")
        await anyio.wait_all_tasks_blocked()
        assert asked.session.state.model == Choice("sonnet", "opus", "pending")
        assert await asked.answer("opus") == Choice("opus")


async def test_an_older_answer_never_overwrites_a_newer_choice() -> None:
    asked = Asked()
    async with anyio.create_task_group() as tasks:
        for value in ("opus", "haiku"):
            tasks.start_soon(asked.choose, value)
            await anyio.wait_all_tasks_blocked()
        assert (await asked.answer("opus")).wanted == "haiku"
        assert await asked.answer("haiku") == Choice("haiku")


async def test_when_the_newer_one_is_refused_the_older_one_holds() -> None:
    asked = Asked()
    async with anyio.create_task_group() as tasks:
        for value in ("opus", "haiku"):
            tasks.start_soon(asked.choose, value)
            await anyio.wait_all_tasks_blocked()
        await asked.answer("opus")
        shown = await asked.answer("haiku", ControlRefused("set_model", "not for you"))
    assert (shown.value, shown.wanted, "not for you" in shown.error) == ("opus", "", True)


@pytest.mark.parametrize(("newer", "shown"), [(None, "opus"), ("haiku", "haiku")])
async def test_a_late_answer_counts_only_without_a_newer_choice(newer: str | None, shown: str) -> None:
    asked = Asked()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(asked.choose, "opus")
        await anyio.wait_all_tasks_blocked()
        assert (await asked.answer("opus", ControlTimeout("set_model", 10))).confirmation == "unknown"
        if newer:
            tasks.start_soon(asked.choose, newer)
            await anyio.wait_all_tasks_blocked()
            await asked.answer(newer)
        asked.late["opus"]()
        assert asked.session.state.model == Choice(shown)
