"""The agents of `quarterdeck demo`: their scripts and first prompts; knows nothing of how they are launched.

Each is started as `[sys.executable, "-m", "core.simulator", script, …flags]`, like any other `claude`.
"""

from pathlib import Path

import msgspec

SCRIPTS = Path(__file__).parent / "scripts"


class DemoAgent(msgspec.Struct, frozen=True):
    """One agent of the demo; `directory` is a relative path to make for it, `branch` the git branch there."""

    name: str
    script_path: Path
    prompt: str
    model: str
    mode: str = "default"
    directory: str = ""
    branch: str = "main"


def demo_agents() -> tuple[DemoAgent, ...]:
    """The demo's agents, in the order they stand on the deck."""
    return tuple(
        DemoAgent(name, SCRIPTS / f"{name}.toml", prompt, model, mode, directory, branch)
        for name, prompt, model, mode, directory, branch in _AGENTS
    )


_AGENTS = (
    (
        "api-auth",
        "Fix the token refresh, it loops on 401",
        "opus",
        "default",
        "acme/api",
        "fix/token-refresh",
    ),
    ("infra", "Move staging to the new cluster", "sonnet", "default", "acme/infra", "staging-2"),
    ("docs", "Update the guide for 2.0", "sonnet", "acceptEdits", "acme/handbook", "docs/2.0"),
    ("tests", "Make the flaky tests stable", "haiku", "default", "acme/worker", "no-sleeping"),
    ("bench", "Plan a faster import of large CSV files", "opus", "plan", "acme/importer", "main"),
    ("search", "Find out who still calls the v1 billing API", "opus", "default", "acme/billing", "main"),
    ("release", "Cut release 1.8.0", "sonnet", "default", "acme/api-release", "release/1.8"),
)
