import anyio

from core.fleet.typist import Typist
from core.session.state import Prompt
from tests.fakes.terminals import console, python, until_text

ECHO = """
import os, tty
tty.setraw(0)
os.write(1, b"ready ")
while data := os.read(0, 100):
    os.write(1, data.replace(b"\\r", b"|"))
"""


async def test_prompts_are_typed_one_after_the_other() -> None:
    typist = Typist(lambda: None)
    async with console(python(ECHO)) as opened:
        await until_text(opened, "ready")
        typist.add(Prompt("1", "one"))
        typist.add(Prompt("2", "two"))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(typist.run, opened)
            await until_text(opened, "one|two|")
            tasks.cancel_scope.cancel()


async def test_one_that_waits_can_be_taken_back() -> None:
    typist = Typist(lambda: None)
    typist.add(Prompt("1", "one"))
    typist.add(Prompt("2", "two"))
    assert typist.take_back("1")
    assert not typist.take_back("1")
    assert [prompt.id for prompt in typist.waiting] == ["2"]
    assert [prompt.text for prompt in typist.take_given_back()] == ["one"]
    assert typist.take_given_back() == ()
    typist.give_up()
    assert [prompt.text for prompt in typist.take_given_back()] == ["two"]
