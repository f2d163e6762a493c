"""Many clients at one keeper: all see the same, nobody is waited for, strangers are refused."""

import os
import signal
import socket
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from core.errors import KeeperError
from core.keeper import messages as to
from core.keeper.client import Client
from core.keeper.folder import Folder, alive, cards, check_private, new_card, take_card, write_card
from core.keeper.listening import listen
from core.keeper.messages import Attach, Turned, read_told, write
from core.keeper.recall import excerpt, recall
from core.keeper.replay import fold_lines, lines_of
from core.session import events as ev
from core.session.answers import Allow
from core.session.session import Session
from core.session.state import Prompt, SessionState
from tests.core.keeper.compare import conversation
from tests.core.keeper.here import Listener, keeper_here, raw
from tests.fakes.agents import Simulated

TALK = '[[turn]]\n[[turn.step]]\nsay = "You said {prompt}."\n'
FLOOD = "[[turn]]\n[[turn.step]]\nflood = 20000\n[[turn.step]]\nsay = 'done'\n"
ASKING = '[[turn]]\n[[turn.step]]\ntool = "Bash"\ninput = {command = "ls"}\nask = true\nresult = "x"\n'


def over(listener: Listener, turns: int = 1) -> bool:
    return sum(isinstance(event, ev.TurnCompleted) for event in listener.events) >= turns


def folded(listener: Listener) -> Session:
    hello = listener.hellos[-1]
    session = recall(hello, excerpt(hello))
    for event in listener.events:
        session.apply(event)
    return session


async def test_every_client_has_the_same_session_whenever_it_came(tmp_path: Path) -> None:
    async with keeper_here(tmp_path, FLOOD) as here:
        first = await here.attach()
        await first.client.do(to.Send(prompt=Prompt("p", "go")))
        found = [first]
        for _ in range(50):
            found.append(await here.attach())
            gone = await here.attach(watching=False)
            gone.client.close()
        for listener in found:
            await listener.until(lambda listener=listener: over(listener))  # type: ignore[misc]
        wanted = conversation(folded(first))
        assert all(conversation(folded(listener)) == wanted for listener in found)
        assert all(folded(listener).state == here.keeper.state for listener in found)
        again = Session(SessionState("k"))
        fold_lines(again, lines_of(here.keeper.journal.parts))
        assert conversation(again) == wanted


async def test_one_who_does_not_read_is_dropped_and_nobody_waits(tmp_path: Path) -> None:
    async with keeper_here(tmp_path, FLOOD, unsent_bytes=2**22) as here:
        with socket.socket(socket.AF_UNIX) as stuck:
            stuck.connect(str(here.socket))
            stuck.sendall(write(Attach()))
            good = await here.attach()
            await good.until(lambda: len(here.keeper.clients) == 2)
            for number in range(8):
                await good.client.do(to.Send(prompt=Prompt(f"p{number}", "x" * 2**20)))
            await good.until(lambda: over(good))
            assert len(here.keeper.clients) == 1


async def test_another_users_connection_is_refused(tmp_path: Path) -> None:
    async with keeper_here(tmp_path, TALK, uid=os.getuid() + 1) as here:
        reader, writer = await raw(here.socket)
        told = read_told(await reader.readline())
        assert isinstance(told, Turned)
        assert "another user" in told.why
        assert await reader.read() == b""
        writer.close()
        assert here.keeper.clients == ()


async def test_one_answer_wins_and_the_other_is_told(tmp_path: Path) -> None:
    async with keeper_here(tmp_path, ASKING) as here:
        one, other = await here.attach(), await here.attach()
        await one.client.do(to.Send(prompt=Prompt("p", "go")))
        await one.until(lambda: here.keeper.state.asks)
        ask = here.keeper.state.asks[0].id
        await one.client.do(to.answering(0, ask, Allow()))
        with pytest.raises(Exception, match="answered already"):
            await other.client.do(to.answering(0, ask, Allow()))
        await other.until(lambda: over(other))
        assert sum(isinstance(event, ev.AskSettled) for event in other.events) == 1


async def test_a_prompt_sent_twice_arrives_once(tmp_path: Path) -> None:
    async with keeper_here(tmp_path, TALK) as here:
        one = await here.attach()
        for _ in range(2):
            await one.client.do(to.Send(prompt=Prompt("p", "go")))
        await one.until(lambda: over(one))
        again = folded(one)
        assert [entry.prompt_id for entry in again.conversation.entries() if hasattr(entry, "prompt_id")] == [
            "p"
        ]


@pytest.mark.parametrize("line", [b"{}\n", b"no json\n", b'{"do":"Interrupt","n":1}\n'])
async def test_who_says_nonsense_is_turned_away(tmp_path: Path, line: bytes) -> None:
    async with keeper_here(tmp_path, TALK) as here:
        reader, writer = await raw(here.socket)
        writer.write(line)
        assert isinstance(read_told(await reader.readline()), Turned)
        assert await reader.read() == b""
        writer.close()


async def test_what_one_says_after_nonsense_is_not_done(tmp_path: Path) -> None:
    async with keeper_here(tmp_path, TALK) as here:
        reader, writer = await raw(here.socket)
        writer.write(b"[" * 5000 + b"\n" + write(Attach()) + write(to.Stop(n=1, forget=True)))
        assert isinstance(read_told(await reader.readline()), Turned)
        assert await reader.read() == b""
        writer.close()
        one = await here.attach()
        await one.client.do(to.Send(prompt=Prompt("p", "go")))
        await one.until(lambda: over(one))
        assert here.keeper.state.exit is None


async def test_four_hundred_at_once_are_all_served(tmp_path: Path) -> None:
    async with keeper_here(tmp_path, TALK) as here:
        found = list[Listener]()

        async def come() -> None:
            found.append(await here.attach())

        with anyio.fail_after(60):
            async with anyio.create_task_group() as tasks:
                for _ in range(400):
                    tasks.start_soon(come)
        assert len(here.keeper.clients) == 400
        await found[0].client.do(to.Send(prompt=Prompt("p", "go")))
        for listener in found:
            await listener.until(lambda listener=listener: over(listener))  # type: ignore[misc]
            listener.client.close()
        with anyio.fail_after(60):
            while here.keeper.clients:
                await anyio.lowlevel.checkpoint()


async def test_one_too_many_is_told_to_try_again(tmp_path: Path) -> None:
    path = Folder(tmp_path).make("k")
    with listen(path) as deaf:
        deaf.listen(0)
        with socket.socket(socket.AF_UNIX) as first:
            first.connect(str(path))
            with anyio.fail_after(30), pytest.raises(KeeperError, match=r"too many at once. Try again"):
                await Client(lambda told: None).attach(path)


async def test_nothing_is_said_to_a_socket_of_another_user(tmp_path: Path) -> None:
    async with keeper_here(tmp_path, TALK) as here:
        with pytest.raises(KeeperError, match="another user"):
            await Client(lambda told: None).attach(here.socket, uid=os.getuid() + 1)
        assert here.keeper.clients == ()


async def test_another_release_is_told_what_to_do(tmp_path: Path) -> None:
    async with keeper_here(tmp_path, TALK) as here:
        reader, writer = await raw(here.socket)
        writer.write(write(Attach(protocol=99)))
        told = read_told(await reader.readline())
        assert isinstance(told, Turned)
        assert "release" in told.why
        writer.close()


async def test_a_keeper_nobody_looks_at_ends_after_its_time(tmp_path: Path) -> None:
    async with keeper_here(tmp_path, TALK, lone_s=0.05) as here:
        with anyio.fail_after(30):
            await here.keeper.over.wait()


async def test_it_ends_when_its_agent_has_ended_and_been_seen(tmp_path: Path) -> None:
    async with keeper_here(tmp_path, TALK) as here:
        card = Folder(tmp_path / "state").card("k")
        card.touch()
        quiet = await here.attach(watching=False)
        await quiet.client.do(to.Stop())
        quiet.client.close()
        one = await here.attach()
        assert not here.keeper.over.is_set(), "nobody had seen it"
        one.client.close()
        with anyio.fail_after(30):
            await here.keeper.over.wait()
        assert not card.exists()


async def test_one_whose_agent_crashed_ends_and_is_found_again(tmp_path: Path) -> None:
    async with keeper_here(tmp_path, TALK) as here:
        card = Folder(tmp_path / "state").card("k")
        card.touch()
        one = await here.attach()
        with anyio.fail_after(30):
            while not here.keeper.state.pid:
                await anyio.lowlevel.checkpoint()
            os.kill(here.keeper.state.pid, signal.SIGKILL)
            while here.keeper.state.exit is None:
                await anyio.lowlevel.checkpoint()
            one.client.close()
            await here.keeper.over.wait()
        assert card.exists()


async def test_a_stale_socket_is_replaced_and_nobody_answers_at_it(tmp_path: Path) -> None:
    path = Folder(tmp_path).make("k")
    dead = listen(path)
    dead.close()
    with pytest.raises(KeeperError, match="does not answer"):
        await Client(lambda told: None).attach(path)
    again = listen(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
    again.close()


def test_a_card_is_locked_for_as_long_as_its_keeper_lives(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.make("k")
    fd = take_card(folder.card("k"))
    assert fd is not None
    write_card(fd, new_card("k", Simulated(tmp_path).spec(TALK, name="api"), None, 5.0))
    assert alive(folder.card("k"))
    assert take_card(folder.card("k")) is None
    assert [card.name for card in cards(folder)] == ["api"]
    os.close(fd)
    assert not alive(folder.card("k"))


def test_a_folder_others_could_enter_is_closed_to_them(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    check_private(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o700
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(KeeperError, match="not a folder of yours"):
        check_private(tmp_path / "link")
