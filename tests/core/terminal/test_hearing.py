import threading
from collections.abc import Callable

import anyio
import anyio.to_thread

from core.terminal.hearing import FLOOD_BYTES, TURN_BYTES, WAITING_BYTES, Hearing

LARGE = b"x" * FLOOD_BYTES
WAITING = WAITING_BYTES // FLOOD_BYTES


async def in_time(work: Callable[[], object]) -> None:
    with anyio.fail_after(30):
        await anyio.to_thread.run_sync(work)


def test_a_little_is_heard_at_once_where_it_was_read() -> None:
    heard: list[tuple[bytes, int]] = []
    hearing = Hearing(lambda data: heard.append((data, threading.get_ident())))
    hearing.give(b"a letter")
    assert heard == [(b"a letter", threading.get_ident())]
    hearing.end()


async def test_a_flood_is_heard_in_order_and_all_of_it_at_the_end() -> None:
    heard: list[bytes] = []
    hearing = Hearing(heard.append)
    given = [b"%06d" % number + (LARGE if number % 3 else b"") for number in range(200)]

    def flood() -> None:
        for chunk in given:
            hearing.give(chunk)
        hearing.end()

    await in_time(flood)
    assert b"".join(heard) == b"".join(given)
    assert max(map(len, heard)) <= TURN_BYTES


async def test_the_reader_goes_on_while_a_chunk_is_heard_but_not_far_ahead() -> None:
    may_hear, given = threading.Event(), 0
    full, over = threading.Event(), threading.Event()

    def heard(data: bytes) -> None:
        may_hear.wait(10)

    hearing = Hearing(heard)

    def flood() -> None:
        nonlocal given
        for _ in range(WAITING):
            hearing.give(LARGE)
            given += 1
        full.set()
        hearing.give(LARGE)
        given += 1
        hearing.end()
        over.set()

    threading.Thread(target=flood, daemon=True).start()
    await in_time(lambda: full.wait(10))
    assert (given, over.is_set()) == (WAITING, False)
    may_hear.set()
    await in_time(lambda: over.wait(10))
    assert given == WAITING + 1


async def test_what_is_dropped_is_not_heard_and_nobody_waits_for_it() -> None:
    begun, may_go = threading.Event(), threading.Event()
    heard: list[bytes] = []

    def hear(data: bytes) -> None:
        heard.append(data)
        begun.set()
        may_go.wait(10)

    hearing = Hearing(hear)

    def flood() -> None:
        for number in range(10 * WAITING):
            hearing.give(b"%d" % number + LARGE)
        may_go.set()
        hearing.end()

    reader = threading.Thread(target=flood, daemon=True)
    reader.start()
    await in_time(lambda: begun.wait(10))
    hearing.drop()
    await in_time(reader.join)
    assert len(heard) == 1
    assert heard[0].startswith(b"0" + LARGE)


async def test_what_comes_after_a_flood_waits_for_it() -> None:
    begun, may_go = threading.Event(), threading.Event()
    heard: list[bytes] = []

    def hear(data: bytes) -> None:
        if data == LARGE:
            begun.set()
            may_go.wait(10)
        heard.append(data)

    hearing = Hearing(hear)
    hearing.give(LARGE)
    await in_time(lambda: begun.wait(10))
    hearing.give(b"little")
    assert heard == []
    may_go.set()
    await in_time(hearing.end)
    assert heard == [LARGE, b"little"]


async def test_what_has_come_meanwhile_is_heard_at_once() -> None:
    begun, may_go = threading.Event(), threading.Event()
    heard: list[bytes] = []

    def hear(data: bytes) -> None:
        heard.append(data)
        begun.set()
        may_go.wait(30)

    hearing = Hearing(hear)
    hearing.give(LARGE)
    await in_time(lambda: begun.wait(30))
    for piece in (b"one", LARGE, b"two"):
        hearing.give(piece)
    may_go.set()
    await in_time(hearing.end)
    assert heard == [LARGE, b"one" + LARGE + b"two"]
