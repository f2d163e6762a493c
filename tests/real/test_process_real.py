"""The real CLI, started with our own command line and environment, and ended with all it has started."""

import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest

from core.agent.find import MINIMUM, read_version, usual_places
from core.agent.guard import Guard
from core.agent.launch import LaunchSpec, argv, environment
from core.agent.process import AgentProcess, start_process
from core.agent.reaper import survivors
from core.wire.framing import Oversized
from tests.real.model_server import ModelServer

pytestmark = pytest.mark.real

PROMPT_ID = "11111111-1111-4111-8111-111111111111"
Message = dict[str, Any]


@pytest.fixture
def cli() -> Path:
    path = usual_places({"HOME": "/nowhere"})[-1]
    if "_bundled" not in path.parts or not path.exists():
        pytest.skip("the real CLI is missing: install the extra `test` (it brings claude-agent-sdk)")
    return path


@pytest.fixture
async def model() -> AsyncIterator[ModelServer]:
    async with ModelServer() as server:
        yield server


@pytest.fixture
def inherited(tmp_path: Path, model: ModelServer) -> dict[str, str]:
    return {
        "HOME": str(tmp_path),
        "CLAUDE_CONFIG_DIR": str(tmp_path / ".claude"),
        "PATH": os.environ["PATH"],
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "dummy",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_MAX_RETRIES": "2",
        "CLAUDECODE": "1",
        "ANTHROPIC_LOG": "debug",
    }


class Talk:
    """Sends messages to a process and reads what it says, one at a time."""

    def __init__(self, process: AgentProcess) -> None:
        self.process = process
        self.seen: list[Message] = []
        self._messages = self._read()

    async def _read(self) -> AsyncIterator[Message]:
        async for batch in self.process.lines():
            for line in batch:
                assert not isinstance(line, Oversized)
                yield msgspec.json.decode(line)

    async def send(self, message: Message) -> None:
        await self.process.send(msgspec.json.encode(message))

    async def initialize(self) -> Message:
        body = {"subtype": "initialize", "hooks": None}
        await self.send({"type": "control_request", "request_id": "r1", "request": body})
        answer = await self.until(lambda message: message["type"] == "control_response")
        found: Message = answer["response"]["response"]
        return found

    async def prompt(self, text: str) -> Message:
        content = {"role": "user", "content": text}
        await self.send({"type": "user", "message": content, "uuid": PROMPT_ID, "parent_tool_use_id": None})
        return await self.until(lambda message: message["type"] in ("result", "control_request"))

    async def until(self, wanted: Callable[[Message], bool]) -> Message:
        async for message in self._messages:
            self.seen.append(message)
            if wanted(message):
                return message
        raise EOFError(self.process.stderr_tail)


def spec(folder: Path, **fields: object) -> LaunchSpec:
    return msgspec.structs.replace(LaunchSpec(directory=str(folder), api_billing=True), **fields)


async def start(cli: Path, chosen: LaunchSpec, inherited: dict[str, str], guard: Guard | None = None) -> Talk:
    env = environment(chosen, inherited)
    return Talk(await start_process(argv(chosen, cli), chosen.directory, env, guard=guard))


def kinds(talk: Talk) -> set[str]:
    return {f"{message['type']}/{message.get('subtype', '')}" for message in talk.seen}


async def test_a_prompt_is_taken_and_answered_and_the_end_is_clean(
    cli: Path, inherited: dict[str, str], tmp_path: Path
) -> None:
    servers = '{"mcpServers":{"broken":{"command":"/nonexistent"}}}'
    chosen = spec(
        tmp_path,
        permission_mode="default",
        effort="high",
        model="claude-sonnet-4-5",
        attribution=False,
        mcp_config=(servers,),
        disallowed_tools=("Write",),
    )
    with anyio.fail_after(60):
        talk = await start(cli, chosen, inherited)
        async with talk.process:
            answer = await talk.initialize()
            assert answer["models"]
            result = await talk.prompt("do:think")
            assert not result["is_error"]
            taken = [message for message in talk.seen if message.get("isReplay")]
            assert [message["uuid"] for message in taken] == [PROMPT_ID]
            assert {"stream_event/", "system/session_state_changed", "assistant/"} <= kinds(talk)
            init = next(message for message in talk.seen if message.get("subtype") == "init")
            assert (init["permissionMode"], init["model"]) == ("default", "claude-sonnet-4-5")
            assert [server["name"] for server in init["mcp_servers"]] == ["broken"]
            assert "Write" not in init["tools"]
            assert "Edit" in init["tools"]
            ended = await talk.process.close()
    assert (ended.code, ended.stderr_tail) == (0, "")
    assert survivors(talk.process.pid, talk.process.mark) == []


@pytest.mark.parametrize(
    ("fields", "asked"),
    [
        ({}, True),
        ({"allowed_tools": ("Read", "Bash(touch *)")}, False),
        ({"permission_mode": "bypassPermissions"}, False),
        ({"permission_mode": "manual"}, True),
    ],
    ids=str,
)
async def test_the_tool_flags_and_the_mode_reach_the_cli(
    fields: dict[str, object], asked: bool, cli: Path, inherited: dict[str, str], tmp_path: Path
) -> None:
    with anyio.fail_after(60):
        # IS_SANDBOX: the CLI refuses bypassPermissions to root otherwise.
        talk = await start(cli, spec(tmp_path, **fields), inherited | {"IS_SANDBOX": "1"})
        async with talk.process:
            await talk.initialize()
            outcome = await talk.prompt(f"do:bash touch {tmp_path}/made.txt")
    assert (outcome["type"] == "control_request") is asked
    assert (tmp_path / "made.txt").exists() is not asked


async def test_a_background_command_does_not_outlive_its_agent(
    cli: Path, inherited: dict[str, str], tmp_path: Path
) -> None:
    chosen = spec(tmp_path, allowed_tools=("Bash",))
    with anyio.fail_after(60):
        async with Guard() as guard:
            talk = await start(cli, chosen, inherited, guard)
            async with talk.process as process:
                await talk.initialize()
                await talk.prompt("do:background sleep 600")
                assert len(survivors(process.pid, process.mark)) > 1
                with anyio.fail_after(30):
                    ended = await process.close()
            assert ended.asked
            assert survivors(process.pid, process.mark) == []


async def test_the_version_of_the_real_one_will_do(cli: Path, inherited: dict[str, str]) -> None:
    def numbers(version: str) -> list[int]:
        return [int(part) for part in version.split(".")]

    with anyio.fail_after(30):
        assert numbers(await read_version(cli, inherited)) >= numbers(MINIMUM)
