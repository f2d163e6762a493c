"""Where the user's own `claude` is, and whether it will do.

Order: the setting, `PATH`, the usual install places, the wheel of `claude_agent_sdk` if it happens to be
installed (looked for, never imported). It must not know how an agent is launched.
"""

import importlib.util
import os
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import anyio
import anyio.to_thread
import msgspec

from core.agent.launch import LaunchSpec, environment
from core.agent.process import start_process
from core.errors import CliIsDirectory, CliNotExecutable, CliNotFound, CliTooOld, CliUnresponsive
from core.paths import home
from core.wire.framing import Oversized

NAME = "claude"

MINIMUM = "2.1.211"
"""The first release that knows `--forward-subagent-text` (its release notes), the newest of the flags
that are always passed; an older one ends at once with "unknown option"."""

VERSION_TIMEOUT_S = 10.0

BELOW_HOME = (
    ".local/bin",  # the native installer
    ".claude/local",  # the older local installer
    ".claude/local/node_modules/.bin",
    ".npm-global/bin",
    ".bun/bin",
    ".volta/bin",
    ".yarn/bin",
    "node_modules/.bin",
)
ANYWHERE = ("/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/usr/bin")


class Cli(msgspec.Struct, frozen=True):
    """A `claude` that can be run; `version` is empty until it was asked."""

    path: Path
    version: str = ""


def find_cli(
    setting: str | None,
    env: Mapping[str, str],
    places: Callable[[Mapping[str, str]], Iterable[Path]] | None = None,
) -> Cli:
    """The CLI to use. A setting is taken or refused, never passed over; `~` in it is the home folder.

    Raises `CliNotFound`, `CliIsDirectory` or `CliNotExecutable`. `places` replaces `usual_places`, for tests.
    """
    if setting:
        return Cli(_from_setting(setting, env))
    if on_path := shutil.which(NAME, path=env.get("PATH", "")):
        return Cli(Path(on_path).absolute())
    looked_in = tuple((places or usual_places)(env))
    for path in looked_in:
        if path.is_file() and os.access(path, os.X_OK):
            return Cli(path)
    for path in looked_in:
        if path.is_file():
            raise CliNotExecutable(path)
    on_path_too = (Path(folder) / NAME for folder in env.get("PATH", "").split(os.pathsep) if folder)
    raise CliNotFound(tuple(dict.fromkeys((*on_path_too, *looked_in))))


def usual_places(env: Mapping[str, str]) -> tuple[Path, ...]:
    """Where installers put it, whether or not it is there, in the order it is looked for."""
    prefix = env.get("NPM_CONFIG_PREFIX")
    folders = [
        *(home(env) / below for below in BELOW_HOME),
        *([Path(prefix) / "bin"] if prefix else []),
        *sorted(home(env).glob(".nvm/versions/node/*/bin"), key=_numbers, reverse=True),
        *map(Path, ANYWHERE),
    ]
    bundled = _bundled()
    return (*(folder / NAME for folder in folders), *([bundled] if bundled else []))


async def read_version(path: Path, env: Mapping[str, str], *, timeout_s: float = VERSION_TIMEOUT_S) -> str:
    """What `claude --version` says, as "2.1.332". Raises `CliUnresponsive` or as `start_process`."""
    printed: list[bytes] = []
    with anyio.move_on_after(timeout_s) as limit:
        child_env = environment(LaunchSpec(directory="/"), env)
        process = await start_process((str(path), "--version"), "/", child_env)
        try:
            async for batch in process.lines():
                printed += [line for line in batch if not isinstance(line, Oversized)]
            ended = await process.wait()
        finally:
            await process.close(eof_s=0)
    if limit.cancelled_caught:
        raise CliUnresponsive(path, timeout_s)
    version = re.search(rb"\d+\.\d+\.\d+", b" ".join(printed))
    if version is None:
        said = (ended.stderr_tail.strip() or ended.reason).splitlines()[-1]
        raise CliNotExecutable(path, f"`--version` printed no version ({said})")
    return version.group().decode()


async def find_usable_cli(setting: str | None, env: Mapping[str, str]) -> Cli:
    """As `find_cli` and `read_version` (and their errors), and `CliTooOld` for one that will not do."""
    cli = await anyio.to_thread.run_sync(find_cli, setting, env)
    version = await read_version(cli.path, env)
    if _numbers(version) < _numbers(MINIMUM):
        raise CliTooOld(cli.path, version, MINIMUM)
    return msgspec.structs.replace(cli, version=version)


def _from_setting(setting: str, env: Mapping[str, str]) -> Path:
    path = home(env) / setting[2:] if setting.startswith("~/") else Path(setting)
    if os.sep not in setting:
        path = Path(shutil.which(setting, path=env.get("PATH", "")) or setting)
    if path.is_dir():
        raise CliIsDirectory(path)
    if not path.exists():
        raise CliNotFound((path,), setting=str(path))
    if not os.access(path, os.X_OK):
        raise CliNotExecutable(path)
    return path.absolute()


def _bundled() -> Path | None:
    try:
        spec = importlib.util.find_spec("claude_agent_sdk")
    except (ImportError, ValueError):
        return None
    folders = spec.submodule_search_locations if spec else None
    return Path(next(iter(folders))) / "_bundled" / NAME if folders else None


def _numbers(version: str | Path) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", str(version)))
