import os

import anyio
import anyio.lowlevel
import pytest

from core.agent.pipes import ENDED, Inlet, Outlet, Ring, _rest
from core.errors import AgentGone


def test_a_ring_keeps_the_last_bytes_whatever_the_chunks() -> None:
    ring = Ring(5)
    for chunk in (b"abc", b"", b"defgh", b"i"):
        ring.add(chunk)
    assert ring.text() == "efghi"


def test_a_character_cut_in_half_is_replaced() -> None:
    ring = Ring(3)
    ring.add("é€".encode())
    ring.add(b"!")
    assert ring.text().lstrip("\ufffd") == "!"


def test_the_rest_of_a_pipe_is_what_is_in_it_now() -> None:
    ours, theirs = os.pipe()
    try:
        assert _rest(ours) == b""  # and does not wait, though the other end is open
        os.write(theirs, b"last words")
        assert _rest(ours) == b"last words"
    finally:
        os.close(ours)
        os.close(theirs)
    assert _rest(ours) == b""


async def test_an_outlet_hands_out_all_it_has_and_then_ends() -> None:
    outlet = Outlet()
    with anyio.fail_after(30):
        outlet.feed(b"a")
        outlet.feed(b"")
        outlet.feed(b"b")
        outlet.end()
        outlet.feed(b"too late")
        assert [await outlet.next() for _ in range(3)] == [b"a", b"b", None]


async def test_a_reader_that_waits_is_woken_by_a_chunk_and_by_the_end() -> None:
    outlet, got = Outlet(), list[bytes | None]()

    async def read() -> None:
        got.append(await outlet.next())
        got.append(await outlet.next())

    with anyio.fail_after(30):
        async with anyio.create_task_group() as group:
            group.start_soon(read)
            await anyio.lowlevel.checkpoint()
            outlet.feed(b"a")
            while not got:
                await anyio.lowlevel.checkpoint()
            outlet.end()
    assert got == [b"a", None]


async def test_that_it_has_ended_outranks_other_reasons() -> None:
    inlet = Inlet(Ring(10))
    inlet.lose("it has closed its stdin")
    inlet.lose(ENDED)
    inlet.lose("it has closed its stdin")
    with pytest.raises(AgentGone, match=ENDED):
        await inlet.send(b"{}\n")
    assert inlet.pending == 0
