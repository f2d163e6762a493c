import anyio

from core.agent.outbox import Item, Outbox
from core.session.state import Prompt


def prompt(name: str) -> Prompt:
    return Prompt(id=name, text=f"say {name}")


async def taken(outbox: Outbox, count: int) -> list[Item]:
    with anyio.fail_after(30):
        return [await outbox.take() for _ in range(count)]


async def test_prompts_wait_until_the_agent_is_ready_and_keep_their_order() -> None:
    outbox = Outbox([prompt("left over")])
    outbox.put(prompt("one"))
    outbox.put(b"line")
    assert await taken(outbox, 1) == [b"line"]
    outbox.open()
    assert await taken(outbox, 2) == [prompt("left over"), prompt("one")]


async def test_a_prompt_taken_back_is_never_written() -> None:
    outbox = Outbox()
    outbox.open()
    outbox.put(prompt("one"))
    outbox.put(prompt("two"))
    assert outbox.withdraw("one") == prompt("one")
    assert outbox.withdraw("one") is None
    assert await taken(outbox, 1) == [prompt("two")]


async def test_a_waiting_writer_wakes() -> None:
    outbox = Outbox()
    got: list[Item] = []

    async def write() -> None:
        got.extend(await taken(outbox, 2))

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(write)
            await anyio.wait_all_tasks_blocked()
            outbox.put(b"line")
            await anyio.wait_all_tasks_blocked()
            outbox.put(prompt("one"))
            await anyio.wait_all_tasks_blocked()
            outbox.open()
    assert got == [b"line", prompt("one")]
