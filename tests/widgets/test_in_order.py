"""Keys that follow each other faster than a message travels."""

import pytest
from textual import events
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from tests.widgets.screen import Stage
from widgets.input_editor import EditArea
from widgets.line_input import LineInput
from widgets.prompt_area import PromptArea


def burst(pilot: Pilot[None], *keys: str) -> None:
    """Keys as a terminal gives them: all at once."""
    driver = pilot.app._driver
    assert driver is not None
    for key in keys:
        driver.send_message(events.Key(key, key if len(key) == 1 else None))


@pytest.mark.parametrize("make", [PromptArea, LineInput, EditArea])
async def test_backspace_takes_what_was_typed_before_it(
    make: type[PromptArea | LineInput | EditArea],
) -> None:
    field = make()
    app: App[None] = Stage(field)
    async with app.run_test(size=(40, 5)) as pilot:
        field.focus()
        await pilot.pause()
        for _ in range(5):
            burst(pilot, "x", "y", "backspace", "backspace", "s", "left", "z", "end", "t")
            await pilot.pause()
        text = field.text if isinstance(field, TextArea) else field.value
        assert text == "zst" * 5
        assert isinstance(field, TextArea | Input)


async def test_a_key_after_the_one_that_moves_the_focus_goes_where_it_went() -> None:
    before, after = PromptArea(), PromptArea()
    app: App[None] = Stage(before, after)
    async with app.run_test(size=(40, 6)) as pilot:
        before.focus()
        await pilot.pause()
        after.focus()
        assert after.has_focus_within
        burst(pilot, "x")
        await pilot.pause()
        assert (before.text, after.text) == ("", "x")
