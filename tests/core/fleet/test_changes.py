import anyio

from core.fleet.changes import Changes


async def test_a_thousand_marks_are_one_change() -> None:
    changes = Changes()
    for _ in range(1000):
        changes.mark("a")
    changes.mark("b")
    assert changes.take() == {"a", "b"}
    assert changes.take() == frozenset()


async def test_waiting_returns_at_once_when_something_is_marked() -> None:
    changes = Changes()
    changes.mark("a")
    with anyio.fail_after(30):
        await changes.wait()


async def test_a_waiter_wakes_when_something_is_marked() -> None:
    changes = Changes()
    seen: list[frozenset[str]] = []

    async def look() -> None:
        for _ in range(2):
            await changes.wait()
            seen.append(changes.take())

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(look)
            await anyio.wait_all_tasks_blocked()
            changes.mark("a")
            await anyio.wait_all_tasks_blocked()
            changes.mark("b")
    assert seen == [{"a"}, {"b"}]


async def test_an_onlooker_hears_of_what_the_reader_takes() -> None:
    changes = Changes()

    async def read() -> None:
        await changes.wait()
        changes.take()

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(read)
            tasks.start_soon(changes.pass_by)
            await anyio.wait_all_tasks_blocked()
            changes.mark("a")
