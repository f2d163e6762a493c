from pathlib import Path

import anyio
from msgspec.structs import replace

from core.fleet.news import Notify
from core.keeper.crier import Crier
from core.session.events import AskRaised, PhaseChanged
from core.session.state import Ask, SessionState, Turn

BASH = Ask("1", "permission", "Bash", b'{"command":"make"}')
STATE = SessionState("k", name="api", started=True, turn=Turn(1, 1.0))
ASKING = replace(STATE, asks=(BASH,))


class Square:
    """A crier, and who can hear it."""

    def __init__(self, folder: Path, script: str = 'echo "$1: $2" >> said', **fields: object) -> None:
        command = ("/bin/sh", "-c", f"cd {folder}; {script}", "sh")
        given: dict[str, object] = {"needs_you": ("command",), "command": command, "window_s": 0.0}
        self.notify = Notify(**{**given, **fields})  # type: ignore[arg-type]
        self.attended = False
        self.complaints: list[str] = []
        self.crier = Crier(
            lambda: self.notify, lambda: self.attended, {"PATH": "/usr/bin:/bin"}, self.complain
        )
        self.said = folder / "said"
        self._heard = anyio.Event()

    def complain(self, text: str) -> None:
        self.complaints.append(text)
        self._heard.set()

    def ask(self, number: str = "1") -> None:
        asks = tuple(replace(BASH, id=str(n)) for n in range(1, int(number) + 1))
        self.crier.hear(AskRaised(ask=asks[-1]), replace(STATE, asks=asks))

    async def until_said(self, words: int) -> list[str]:
        with anyio.fail_after(30):
            while len(self._lines()) < words:  # noqa: ASYNC110 — another process: nothing to wait on
                await anyio.sleep(0.01)
        return self._lines()

    def _lines(self) -> list[str]:
        return self.said.read_text().splitlines() if self.said.exists() else []

    async def until_complaint(self) -> str:
        with anyio.fail_after(30):
            await self._heard.wait()
        return self.complaints[0]


async def test_each_request_is_told_once(tmp_path: Path) -> None:
    square = Square(tmp_path)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(square.crier.run)
        square.ask()
        square.crier.hear(PhaseChanged(phase="awaiting-tool"), ASKING)
        assert await square.until_said(1) == ["quarterdeck: api needs you: Bash: make"]
        square.ask("2")
        assert len(await square.until_said(2)) == 2
        tasks.cancel_scope.cancel()


async def test_nobody_is_told_what_a_dashboard_shows_or_the_person_muted(tmp_path: Path) -> None:
    square = Square(tmp_path)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(square.crier.run)
        square.attended = True
        square.ask()
        square.attended = False
        square.crier.hear(AskRaised(ask=BASH), replace(ASKING, muted=True, asks=(replace(BASH, id="9"),)))
        square.ask("3")
        assert await square.until_said(1) == ["quarterdeck: api needs you: Bash: make"]
        tasks.cancel_scope.cancel()


async def test_a_command_of_its_own_goes_before(tmp_path: Path) -> None:
    own = ("/bin/sh", "-c", f"echo own > {tmp_path}/said")
    square = Square(tmp_path, keeper_command=own)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(square.crier.run)
        square.ask()
        assert await square.until_said(1) == ["own"]
        tasks.cancel_scope.cancel()


async def test_one_that_hangs_is_ended_told_of_and_holds_up_nothing(tmp_path: Path) -> None:
    square = Square(tmp_path, "sleep 1000", timeout_s=0.2)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(square.crier.run)
        square.ask()
        assert "took longer than 0.2 s" in await square.until_complaint()
        tasks.cancel_scope.cancel()
