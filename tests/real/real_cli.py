"""The real CLI in a world of its own: a temporary home, a loopback model, and a fleet to drive it with.

The one place that knows how the real CLI is run in tests; tests of the core and of the deck share it.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path

from core.agent.find import Cli
from core.agent.launch import LaunchSpec
from core.agent.patience import Patience
from core.fleet.fleet import Fleet
from core.session.entries import Entry, PromptEntry, SpeechEntry, ToolEntry
from tests.real.model_server import ModelServer

QUICK = {"BUN_JSC_useDFGJIT": "0", "BUN_JSC_numberOfGCMarkers": "1"}
"""For its JavaScript engine: what a compiler would gain in hours costs a fifth more in a session of seconds."""

PATIENT = Patience(request_s=60.0, interrupt_s=60.0, answer_s=60.0)


def cli_path() -> Path:
    """The CLI inside the wheel of `claude-agent-sdk`."""
    spec = find_spec("claude_agent_sdk")
    assert spec is not None, "install the test extra"
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "_bundled" / "claude"


class RealCli:
    """A home folder, a project folder with one file in it, and a model server for any number of agents.

    `subscribed`: it takes itself for one with a subscription, by a token that is none: only then it tells of
    the account's limits (2.1.332).
    """

    def __init__(self, root: Path, server: ModelServer) -> None:
        self.server = server
        self.subscribed = False
        self.home = root / "home"
        self.directory = root / "project"
        self.home.mkdir()
        self.directory.mkdir()
        (self.directory / "a.txt").write_text("alpha\nbeta\n")

    @property
    def env(self) -> dict[str, str]:
        """What an agent inherits: no account, no network but loopback (FACTS §1)."""
        login = ("CLAUDE_CODE_OAUTH_TOKEN", "invented") if self.subscribed else ("ANTHROPIC_API_KEY", "dummy")
        return {
            "HOME": str(self.home),
            "CLAUDE_CONFIG_DIR": str(self.home / ".claude"),
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "ANTHROPIC_BASE_URL": self.server.url,
            login[0]: login[1],
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_MAX_RETRIES": "1",
            **QUICK,
        }

    def spec(self, **given: object) -> LaunchSpec:
        """How to launch an agent here; the key in the environment counts as API billing."""
        return LaunchSpec(**{"directory": str(self.directory), "api_billing": True, **given})  # type: ignore[arg-type]

    async def find_cli(self) -> Cli:
        """For `Fleet`."""
        return Cli(cli_path())


@asynccontextmanager
async def real_cli(root: Path) -> AsyncIterator[RealCli]:
    """A world below `root` (a test's `tmp_path`)."""
    async with ModelServer() as server:
        yield RealCli(root, server)


def real_fleet(cli: RealCli) -> Fleet:
    """A fleet of real agents; on a busy machine they take longer than a person would wait."""
    return Fleet(cli.find_cli, env=cli.env, patience=PATIENT)


def entries(fleet: Fleet, key: str, parent: str = "") -> list[Entry]:
    """What a person reads."""
    return list(fleet.sessions[key].conversation.entries(parent))


def said(fleet: Fleet, key: str) -> str:
    """All the model said, thinking left out."""
    spoken = (entry for entry in entries(fleet, key) if isinstance(entry, SpeechEntry) and not entry.thinking)
    return "\n".join(entry.text for entry in spoken)


def tools(fleet: Fleet, key: str) -> list[ToolEntry]:
    """All tool calls of the main thread."""
    return [entry for entry in entries(fleet, key) if isinstance(entry, ToolEntry)]


def prompts(fleet: Fleet, key: str) -> list[str]:
    """The prompts that were taken."""
    return [entry.text for entry in entries(fleet, key) if isinstance(entry, PromptEntry) and not entry.meta]
