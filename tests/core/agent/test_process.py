import asyncio
import json
import os
import shutil
import signal
import stat
import sys
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent

import anyio
import pytest

from core.agent.pipes import STDERR_BYTES
from core.agent.process import EOF_S, KILL_S, TERM_S, AgentProcess, Exit, start_process
from core.agent.reaper import survivors
from core.errors import (
    AgentGone,
    CliNotExecutable,
    CliNotFound,
    DirectoryIsFile,
    DirectoryMissing,
    LaunchError,
)
from core.wire.framing import LIMIT_BYTES, Oversized

CASES = Path(__file__).parents[2] / "data" / "cases"
ENV = {"PATH": os.environ["PATH"]}


async def start(argv: Sequence[str], line_limit: int = LIMIT_BYTES) -> AgentProcess:
    return await start_process(argv, "/", ENV, line_limit=line_limit)


async def start_python(script: str) -> AgentProcess:
    return await start((sys.executable, "-u", "-I", "-S", "-c", dedent(script)))


async def read_all(agent: AgentProcess) -> list[bytes | Oversized]:
    return [line async for batch in agent.lines() for line in batch]


async def read_until(agent: AgentProcess, word: bytes, times: int = 1) -> None:
    async for batch in agent.lines():
        times -= sum(line.count(word) for line in batch if isinstance(line, bytes))  # two may share a line
        if times <= 0:
            return
    raise EOFError


# Where a shell has put the tests into the background, SIGINT is ignored, and so it is by all they start.
HEARS_SIGINT = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"


def left_of(agent: AgentProcess) -> list[int]:
    return survivors(agent.pid, agent.mark)


CHATTY = """
    import sys
    for line in sys.stdin: print("got", line.strip())
    sys.stderr.write("bye"); sys.exit(3)
"""


async def test_lines_go_in_and_come_out_and_the_end_is_told() -> None:
    with anyio.fail_after(30):
        async with await start_python(CHATTY) as agent:
            await agent.send(b"one")
            await agent.send(b"two\n")
            await read_until(agent, b"got two")
            assert agent.exit is None
            assert await agent.close() == Exit(code=3, stderr_tail="bye", asked=True)
        assert agent.pending_bytes == 0


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("pass", Exit(code=0)),
        ("import sys; sys.stderr.write('boom'); sys.exit(7)", Exit(code=7, stderr_tail="boom")),
        ("import os; os.kill(os.getpid(), 9)", Exit(signal=9)),
    ],
)
async def test_an_exit_of_its_own_is_told_with_code_or_signal(script: str, expected: Exit) -> None:
    with anyio.fail_after(30):
        async with await start_python(script) as agent:
            assert await agent.wait() == expected
            assert agent._pipes.group == 0  # its number may be another's now, and is not signalled again
            assert await read_all(agent) == []
            assert expected.failed == (script != "pass")


def test_an_exit_has_words() -> None:
    assert Exit(code=1).reason == "exit code 1"
    assert Exit(signal=9).reason == "ended by SIGKILL"


async def test_half_a_line_at_the_end_is_handed_out() -> None:
    with anyio.fail_after(30):
        async with await start_python("print('whole'); print('{\"half\":', end='')") as agent:
            assert await read_all(agent) == [b"whole", b'{"half":']


async def test_reading_may_be_cancelled_and_taken_up_again() -> None:
    with anyio.fail_after(30):
        async with await start_python("print('a'); input(); print('b')") as agent:
            await read_until(agent, b"a")
            with anyio.CancelScope() as scope:
                scope.cancel()
                await read_all(agent)
            await agent.send(b"go")
            assert await read_all(agent) == [b"b"]


async def test_wir_04_lines_of_megabytes_all_arrive() -> None:
    with anyio.fail_after(30):
        async with await start((sys.executable, str(CASES / "WIR-04.py"))) as agent:
            largest, count = 0, 0
            tracemalloc.start()
            async for batch in agent.lines():
                for line in batch:
                    assert isinstance(line, bytes)
                    json.loads(line)
                    largest, count = max(largest, len(line)), count + 1
            kept, _ = tracemalloc.get_traced_memory()
            tracemalloc.stop()
    assert count == 43
    assert kept < largest  # 15 MB have passed and none of it is held


async def test_a_line_over_the_limit_is_dropped_and_the_rest_arrives() -> None:
    with anyio.fail_after(30):
        async with await start((sys.executable, str(CASES / "WIR-04.py")), line_limit=1 << 20) as agent:
            lines = await read_all(agent)
    assert [type(line) for line in lines] == [bytes, Oversized, *[bytes] * 41]


async def test_pro_01_a_result_ends_the_turn_and_closing_ends_the_group() -> None:
    with anyio.fail_after(30):
        agent = await start(("sh", str(CASES / "PRO-01.sh")))
        await read_until(agent, b'"result":"done"')
        assert agent.exit is None
        ended = await agent.close(eof_s=0.1)
        assert not ended.failed
        assert left_of(agent) == []


async def test_pro_01_an_exit_is_noticed_though_a_grandchild_holds_stdout() -> None:
    script = """
        import subprocess, sys
        subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL)
        print("last words" * 10_000)
    """
    with anyio.fail_after(30):
        async with await start_python(script) as agent:
            assert await read_all(agent) == [b"last words" * 10_000]
            assert (await agent.wait()).code == 0
            assert len(left_of(agent)) == 1
        assert left_of(agent) == []


async def test_pro_02_stderr_is_drained_into_a_ring() -> None:
    with anyio.fail_after(30):
        async with await start(("sh", str(CASES / "PRO-02.sh"))) as agent:
            assert b'"result":"done"' in (await read_all(agent))[-1]  # type: ignore[operator]
            ended = await agent.wait()
    assert ended.stderr_tail == "E" * STDERR_BYTES


def scenes(folder: Path) -> list[tuple[Path, Path, type[LaunchError], Path]]:
    """PRO-04: program, folder, what is raised, the path at fault."""
    file, plain, program = folder / "file", folder / "claude-plain", folder / "claude"
    file.touch()
    plain.write_text("#!/bin/sh\n")
    program.write_text("#!/bin/sh\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    gone = folder / "deleted-worktree"
    return [
        (program, gone, DirectoryMissing, gone),
        (program, file, DirectoryIsFile, file),
        (plain, folder, CliNotExecutable, plain),
        (folder / "nowhere", folder, CliNotFound, folder / "nowhere"),
    ]


OTHER_CAUSE = {
    DirectoryMissing: ("claude", "found", "run", "file"),
    DirectoryIsFile: ("claude", "found", "run", "gone"),
    CliNotExecutable: ("folder", "not found", "gone"),
    CliNotFound: ("folder", "chmod", "gone"),
}


async def test_pro_04_four_causes_four_messages(tmp_path_factory: pytest.TempPathFactory) -> None:
    messages = set()
    for program, folder, error, at_fault in scenes(tmp_path_factory.mktemp("pro")):
        with pytest.raises(error) as raised:
            await start_process((str(program),), folder, ENV)
        message = str(raised.value)
        assert str(at_fault) in message
        rest = message.replace(str(at_fault), "")
        assert not [word for word in OTHER_CAUSE[error] if word in rest]
        messages.add(rest)
    assert len(messages) == 4


async def test_a_program_whose_interpreter_is_missing_is_not_called_missing(tmp_path: Path) -> None:
    program = tmp_path / "claude"
    program.write_text("#!/no/such/node\n")
    program.chmod(0o755)
    with pytest.raises(CliNotExecutable, match="interpreter"):
        await start_process((str(program),), tmp_path, ENV)


async def test_pro_08_many_senders_splice_no_line() -> None:
    with anyio.fail_after(30):
        async with await start((sys.executable, str(CASES / "PRO-08.py"))) as agent:

            async def send(n: int, size: int) -> None:
                await agent.send(json.dumps({"n": n, "text": "x" * size}).encode())

            async with anyio.create_task_group() as group:
                for n in range(20):
                    group.start_soon(send, n, 8192)
                group.start_soon(send, 20, 10)
                group.start_soon(send, 21, 10)
            assert agent.exit is None
            assert await agent.close() == Exit(code=0, stderr_tail="ok 22\n", asked=True)
            with pytest.raises(AgentGone):
                await agent.send(b"{}")


async def test_pro_08_sending_to_a_killed_process_raises() -> None:
    with anyio.fail_after(30):
        async with await start((sys.executable, str(CASES / "PRO-08.py"))) as agent:
            os.kill(agent.pid, signal.SIGKILL)
            await agent.wait()
            with pytest.raises(AgentGone, match="process has ended"):
                await agent.send(b"{}")


DEAF_TO_STDIN = f"{HEARS_SIGINT}; print('up'); import time; time.sleep(600)"


async def test_a_send_that_waits_is_told_when_the_process_ends() -> None:
    with anyio.fail_after(30):
        async with await start_python(DEAF_TO_STDIN) as agent:
            await read_until(agent, b"up")

            async def send() -> None:
                await agent.send(b"x" * 1_000_000)  # fills the pipe
                with pytest.raises(AgentGone):
                    await agent.send(b"x")

            async with anyio.create_task_group() as group:
                group.start_soon(send)
                while agent.pending_bytes < 100_000:
                    await anyio.lowlevel.checkpoint()
                agent.interrupt_signal()
            assert agent.pending_bytes == 0


CLOSED = "import os, time; os.close(0); print('closed', flush=True); time.sleep(600)"


async def test_a_child_that_closes_its_stdin_is_told() -> None:
    with anyio.fail_after(30):
        async with await start_python(CLOSED) as agent:
            await read_until(agent, b"closed")
            while not agent._pipes.inlet._lost:
                await anyio.lowlevel.checkpoint()
            with pytest.raises(AgentGone, match="stdin"):
                await agent.send(b"{}")


async def test_a_child_that_does_not_read_holds_up_only_its_own_senders() -> None:
    with anyio.fail_after(30):
        async with (
            await start_python("import time; time.sleep(600)") as deaf,
            await start_python(CHATTY) as other,
        ):
            with anyio.CancelScope() as scope:
                async with anyio.create_task_group() as group:
                    for _ in range(20):
                        group.start_soon(deaf.send, b"x" * 65_536)
                    while deaf.pending_bytes < 500_000:
                        await anyio.lowlevel.checkpoint()
                    await other.send(b"hello")
                    await read_until(other, b"got hello")
                    scope.cancel()
            assert deaf.pending_bytes < 300_000  # what waited and was cancelled has not been sent


async def test_a_cancelled_send_leaves_no_half_line() -> None:
    slow = """
        import sys
        print("up"); sys.stdin.readline()
        for line in sys.stdin: print(len(line), line[:1])
    """
    with anyio.fail_after(30):
        async with await start_python(slow) as agent:
            await read_until(agent, b"up")
            async with anyio.create_task_group() as group:
                for letter in b"abcdefgh":
                    group.start_soon(agent.send, bytes([letter]) * 200_000)
                while agent.pending_bytes < 500_000:
                    await anyio.lowlevel.checkpoint()
                group.cancel_scope.cancel()
            await agent.send(b"last")
            agent._pipes.inlet.close()
            lines = await read_all(agent)
    assert lines[-1] == b"5 l"
    assert {line.split()[0] for line in lines[:-1] if isinstance(line, bytes)} <= {b"200001"}


async def test_a_newline_inside_a_line_is_refused() -> None:
    with anyio.fail_after(30):
        async with await start_python(CHATTY) as agent:
            with pytest.raises(ValueError, match="newline"):
                await agent.send(b"a\nb")


async def test_a_flood_leaves_others_their_turn() -> None:
    flood = "import os\nblock = (b'x' * 150 + b'\\n') * 1000\nfor _ in range(200): os.write(1, block)"
    with anyio.fail_after(30):
        async with await start_python(flood) as loud, await start_python(CHATTY) as quiet:
            batches: list[int] = []
            answered_at: list[int] = []

            async def read_flood() -> None:
                async for batch in loud.lines():
                    batches.append(len(batch))

            async def talk() -> None:
                for n in range(20):
                    await quiet.send(str(n).encode())
                    await read_until(quiet, b"got")
                    answered_at.append(len(batches))

            async with anyio.create_task_group() as group:
                group.start_soon(read_flood)
                group.start_soon(talk)
    assert sum(batches) == 200_000
    assert max(batches) < 2_000  # one chunk of the pipe, never the whole flood in one go
    assert answered_at[0] < len(batches)


async def test_unread_output_stays_in_the_pipe_not_in_memory() -> None:
    script = "import os, sys\nfor _ in range(500): os.write(1, b'y' * 65_535 + b'\\n')"
    with anyio.fail_after(30):
        async with await start_python(script) as agent:
            async for _ in agent.lines():
                break
            for _ in range(2000):
                await anyio.lowlevel.checkpoint()
            assert agent._pipes.outlet._bytes < 2 << 20
            assert agent.exit is None
            assert len(await read_all(agent)) == 499
            assert await agent.wait() == Exit(code=0)


STUBBORN = """
    import signal, subprocess, sys, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    ignore = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    deaf = f"{ignore}; print('deaf'); time.sleep(600)"
    subprocess.Popen([sys.executable, "-uc", deaf])
    subprocess.Popen([sys.executable, "-uc", deaf], start_new_session=True)
    time.sleep(600)
"""


async def start_stubborn() -> AgentProcess:
    """A child that ignores EOF and SIGTERM, with one such in its group and one in a session of its own."""
    agent = await start_python(STUBBORN)
    await read_until(agent, b"deaf", times=2)
    assert len(left_of(agent)) == 3
    return agent


async def test_closing_ends_what_ignores_eof_and_sigterm_and_has_left_the_group() -> None:
    with anyio.fail_after(30):
        agent = await start_stubborn()
        ended = await agent.close(eof_s=0.05, term_s=0.05)
        assert ended == Exit(signal=signal.SIGKILL, asked=True)
        assert left_of(agent) == []


async def test_the_default_close_takes_less_than_five_seconds() -> None:
    """What it waits for, that is: how long the machine takes to end processes is the machine's own."""
    with anyio.fail_after(30):
        agent = await start_stubborn()
        await agent.close()
    assert left_of(agent) == []
    assert EOF_S + TERM_S + KILL_S < 5


async def test_closing_again_and_from_two_tasks_is_one_closing() -> None:
    with anyio.fail_after(30):
        agent = await start_python(CHATTY)
        async with anyio.create_task_group() as group:
            group.start_soon(agent.close)
            group.start_soon(agent.close)
        assert (await agent.close()).code == 3


async def test_a_cancelled_scope_still_ends_everything() -> None:
    with anyio.fail_after(30):
        agent = await start_stubborn()
        with anyio.CancelScope() as scope:
            async with agent:
                scope.cancel()
                await anyio.sleep_forever()
        assert agent.exit is not None
        assert left_of(agent) == []


async def test_a_bare_task_cancel_during_the_closing_kills_at_once() -> None:
    with anyio.fail_after(30):
        agent = await start_stubborn()
        closing = asyncio.ensure_future(agent.close())
        while agent._pipes.inlet._lost == "":
            await anyio.lowlevel.checkpoint()
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        await agent.wait()
        while left_of(agent):
            await anyio.lowlevel.checkpoint()


async def test_a_crash_leaves_its_children_for_closing_to_end() -> None:
    with anyio.fail_after(30):
        agent = await start_stubborn()
        os.kill(agent.pid, signal.SIGKILL)
        crash = await agent.wait()
        assert crash == Exit(signal=signal.SIGKILL)
        assert crash.failed
        assert len(left_of(agent)) == 2
        assert await agent.close(term_s=0.05) == crash
        assert left_of(agent) == []


INTERRUPTIBLE = f"""
    import sys; {HEARS_SIGINT}
    try: print("up"); sys.stdin.read()
    except KeyboardInterrupt: sys.exit(9)
"""


async def test_interrupt_signal_is_sigint_to_the_process() -> None:
    with anyio.fail_after(30):
        async with await start_python(INTERRUPTIBLE) as agent:
            await read_until(agent, b"up")
            agent.interrupt_signal()
            assert (await agent.wait()).code == 9
            agent.interrupt_signal()  # and nothing when it has ended


async def test_the_environment_is_the_given_one_and_the_mark() -> None:
    with anyio.fail_after(30):
        async with await start((shutil.which("env") or "env",)) as agent:
            lines = await read_all(agent)
    assert sorted(line.split(b"=")[0] for line in lines if isinstance(line, bytes)) == [
        b"PATH",
        b"QUARTERDECK_AGENT",
    ]
