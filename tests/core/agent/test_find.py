import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from core.agent.find import MINIMUM, Cli, find_cli, find_usable_cli, read_version, usual_places
from core.errors import CliIsDirectory, CliNotExecutable, CliNotFound, CliTooOld, CliUnresponsive


def program(path: Path, script: str = "exit 0", mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(mode)
    return path


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path / "home"), "PATH": str(tmp_path / "bin")}


def test_the_setting_comes_before_path(tmp_path: Path, env: dict[str, str]) -> None:
    program(tmp_path / "bin/claude")
    own = program(tmp_path / "own/claude")
    assert find_cli(str(own), env) == Cli(own)


def test_a_setting_may_begin_at_home_or_be_a_bare_name(tmp_path: Path, env: dict[str, str]) -> None:
    at_home = program(tmp_path / "home/tools/claude")
    on_path = program(tmp_path / "bin/claude-next")
    assert find_cli("~/tools/claude", env).path == at_home
    assert find_cli("claude-next", env).path == on_path


def test_path_comes_before_the_usual_places(tmp_path: Path, env: dict[str, str]) -> None:
    on_path = program(tmp_path / "bin/claude")
    program(tmp_path / "home/.local/bin/claude")
    assert find_cli(None, env).path == on_path


@pytest.mark.parametrize(
    "place",
    [".local/bin", ".claude/local", ".npm-global/bin", ".bun/bin", ".nvm/versions/node/v22.1.0/bin"],
)
def test_the_usual_places_are_looked_through(place: str, tmp_path: Path, env: dict[str, str]) -> None:
    there = program(tmp_path / "home" / place / "claude")
    assert find_cli("", env).path == there


def test_the_newest_node_is_looked_in_first(tmp_path: Path, env: dict[str, str]) -> None:
    old, new = (tmp_path / f"home/.nvm/versions/node/v{n}/bin" for n in ("9.9.0", "22.0.1"))
    old.mkdir(parents=True)
    new.mkdir(parents=True)
    places = usual_places(env)
    assert places.index(new / "claude") < places.index(old / "claude")


def test_the_npm_prefix_is_looked_in(env: dict[str, str]) -> None:
    assert Path("/npm/bin/claude") in usual_places(env | {"NPM_CONFIG_PREFIX": "/npm"})


def test_the_wheel_comes_last_and_is_not_imported(env: dict[str, str]) -> None:
    pytest.importorskip("claude_agent_sdk")
    assert usual_places(env)[-1].parts[-3:] == ("claude_agent_sdk", "_bundled", "claude")
    script = (
        "import sys; from core.agent.find import usual_places; usual_places({'HOME': '/nowhere'}); "
        "sys.exit('claude_agent_sdk' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(__file__).parents[3])


def test_none_found_lists_where_it_looked(tmp_path: Path, env: dict[str, str]) -> None:
    with pytest.raises(CliNotFound) as raised:
        find_cli(None, env, lambda env: (tmp_path / "usual/claude",))
    assert raised.value.looked_in == (tmp_path / "bin/claude", tmp_path / "usual/claude")
    assert str(tmp_path / "usual/claude") in str(raised.value)


def test_one_that_cannot_be_run_is_said_rather_than_none_found(tmp_path: Path, env: dict[str, str]) -> None:
    plain = program(tmp_path / "usual/claude", mode=0o644)
    with pytest.raises(CliNotExecutable, match=str(plain)):
        find_cli(None, env, lambda env: (plain,))


def test_a_bad_setting_is_refused_though_there_is_one_on_path(tmp_path: Path, env: dict[str, str]) -> None:
    program(tmp_path / "bin/claude")
    plain = program(tmp_path / "plain", mode=0o644)
    for setting, error in (
        (tmp_path / "no", CliNotFound),
        (tmp_path, CliIsDirectory),
        (plain, CliNotExecutable),
    ):
        with pytest.raises(error, match=str(setting)):
            find_cli(str(setting), env)


async def test_the_version_is_read(tmp_path: Path, env: dict[str, str]) -> None:
    cli = program(tmp_path / "claude", "echo '2.1.332 (Claude Code)'")
    with anyio.fail_after(30):
        assert await read_version(cli, env) == "2.1.332"


async def test_the_version_is_asked_outside_of_any_session(tmp_path: Path, env: dict[str, str]) -> None:
    cli = program(tmp_path / "claude", 'echo "1.0.0 ${CLAUDECODE:-2.0.0}" | cut -d" " -f2')
    with anyio.fail_after(30):
        assert await read_version(cli, {"PATH": os.environ["PATH"], "CLAUDECODE": "9.9.9"}) == "2.0.0"


async def test_one_that_hangs_is_told_and_ended(tmp_path: Path) -> None:
    cli = program(tmp_path / "claude", f"echo $$ > {tmp_path}/pid; sleep 600")
    with anyio.fail_after(30), pytest.raises(CliUnresponsive, match=r"within 0\.2 s"):
        await read_version(cli, {"PATH": os.environ["PATH"]}, timeout_s=0.2)


async def test_one_that_prints_no_version_is_no_claude(tmp_path: Path, env: dict[str, str]) -> None:
    cli = program(tmp_path / "claude", "echo 'node: not found' >&2; exit 127")
    with anyio.fail_after(30), pytest.raises(CliNotExecutable, match="node: not found"):
        await read_version(cli, env)


@pytest.mark.parametrize("version", ["1.0.128", "2.0.999", "2.1.99", "2.1.210"])
async def test_an_older_one_is_refused(version: str, tmp_path: Path, env: dict[str, str]) -> None:
    program(tmp_path / "bin/claude", f"echo {version}")
    with anyio.fail_after(30), pytest.raises(CliTooOld, match=rf"{version}; at least {MINIMUM}"):
        await find_usable_cli(None, env)


@pytest.mark.parametrize("version", [MINIMUM, "2.1.1000", "2.2.0", "10.0.0"])
async def test_a_newer_one_is_taken_with_its_version(
    version: str, tmp_path: Path, env: dict[str, str]
) -> None:
    path = program(tmp_path / "bin/claude", f"echo {version}")
    with anyio.fail_after(30):
        assert await find_usable_cli(None, env) == Cli(path, version)
