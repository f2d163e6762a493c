"""`quarterdeck doctor` looks whether everything is there that is needed.

Each check says what it found and, where something is wrong, what to do. The login is what the CLI itself
reports (`claude auth status`, seen on 2.1.332); no credential is read, no screen is opened.
"""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

import anyio
from msgspec import Struct

from core.agent.find import find_usable_cli
from core.agent.launch import LaunchSpec, environment
from core.doubts import doubts
from core.errors import ProxyMissing, QuarterdeckError, TerminalMissing
from core.hosts.hosts import visit
from core.hosts.settings import hosts_of
from core.paths import folders
from core.proxy.program import find_mitmdump, read_version
from core.settings import Settings, load, settings_file
from core.terminal import library
from dashboard.actions import BY_ID, wrong_key
from dashboard.themes import theme_names

SMALLEST = (60, 16)
ASK_TIMEOUT_S = 15.0
TOLD = ("authMethod", "apiProvider", "subscriptionType")
NOT_TOLD = "not told by this claude; an agent will say so if there is none"


class Check(Struct, frozen=True):
    """One thing that was looked at; `advice` says what to do where it is not fine."""

    name: str
    fine: bool
    found: str
    advice: str = ""


def examine(env: Mapping[str, str]) -> list[Check]:
    """Look at everything, in the order a person would."""
    settings, about_settings = _settings(env)
    return [
        _python(),
        about_settings,
        *_cli(settings, env),
        *_terminal(env),
        _screens(),
        _capture(settings, env),
        *_folders(env),
        *_hosts(settings, env),
    ]


def report(checks: list[Check]) -> str:
    """The checks as lines of text; what is wrong is said by sign and word."""
    width = max(len(check.name) for check in checks)
    lines = [f"{'✓' if check.fine else '✗'} {check.name:<{width}}  {check.found}" for check in checks]
    advice = [f"  {check.name}: {check.advice}" for check in checks if not check.fine and check.advice]
    verdict = "All is there." if all(check.fine for check in checks) else "To do:"
    return "\n".join([*lines, "", verdict, *advice])


def _python() -> Check:
    return Check("python", sys.version_info >= (3, 11), platform.python_version(), "Python 3.11 is needed.")


def _settings(env: Mapping[str, str]) -> tuple[Settings, Check]:
    file = settings_file(env)
    try:
        settings = load(
            file, actions=BY_ID, themes=theme_names(), wrong_key=lambda own: wrong_key(own.keys_of)
        )
    except QuarterdeckError as error:
        return Settings(), Check("settings", False, str(file), str(error))
    about = "".join(f"\n    {doubt}" for doubt in doubts(settings))
    found = "" if file.exists() else " (none: the defaults)"
    return settings, Check("settings", True, f"{file}{found}{about}")


def _cli(settings: Settings, env: Mapping[str, str]) -> list[Check]:
    try:
        cli = anyio.run(find_usable_cli, settings.cli or None, env)
    except QuarterdeckError as error:
        return [Check("claude", False, "cannot be used", str(error))]
    return [Check("claude", True, f"{cli.version} at {cli.path}"), _login(cli.path, settings, env)]


def _login(cli: Path, settings: Settings, env: Mapping[str, str]) -> Check:
    """What the CLI says of its login, in the environment an agent would have."""
    child_env = environment(LaunchSpec(directory="/", api_billing=settings.api_billing), env)
    try:
        asked = subprocess.run(
            (str(cli), "auth", "status"),
            env=child_env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=ASK_TIMEOUT_S,
            check=False,
        )
        told = json.loads(asked.stdout)
        return _told(told if isinstance(told, dict) else {}, settings, env)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return Check("login", True, NOT_TOLD)


def _told(status: Mapping[str, object], settings: Settings, env: Mapping[str, str]) -> Check:
    if "loggedIn" not in status:
        return Check("login", True, NOT_TOLD)
    if status["loggedIn"]:
        told = ", ".join(str(status[name]) for name in TOLD if status.get(name))
        return Check("login", True, told or "logged in")
    advice = "Run `claude` once and log in."
    if "ANTHROPIC_API_KEY" in env and not settings.api_billing:
        advice += " Or, to bill your ANTHROPIC_API_KEY, set `api_billing = true` in the settings."
    return Check("login", False, "nobody is logged in", advice)


def _hosts(settings: Settings, env: Mapping[str, str]) -> list[Check]:
    """Whether the other machines can be reached, each as a deck would."""
    hosts = hosts_of(settings)
    if not hosts:
        return []
    try:
        found = anyio.run(visit, hosts.values(), folders(env).state, env)
    except QuarterdeckError as error:
        return [Check("hosts", False, "cannot be reached", str(error))]
    return [
        Check(f"host {name}", not trouble, trouble or "reached", trouble) for name, trouble in found.items()
    ]


def _terminal(env: Mapping[str, str]) -> list[Check]:
    tty = sys.stdin.isatty() and sys.stdout.isatty()
    checks = [Check("terminal", tty, _named(env) if tty else "none", "Start the deck in a terminal.")]
    if tty:
        columns, rows = os.get_terminal_size(sys.stdout.fileno())
        fits = columns >= SMALLEST[0] and rows >= SMALLEST[1]
        checks.append(
            Check("size", fits, f"{columns}×{rows}", f"At least {SMALLEST[0]}×{SMALLEST[1]} is needed.")
        )
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    checks.append(Check("encoding", utf8, sys.stdout.encoding or "unknown", "Set LANG to a UTF-8 locale."))
    return checks


def _named(env: Mapping[str, str]) -> str:
    colours = "no colour (NO_COLOR)" if env.get("NO_COLOR") else _colours(env)
    program = env.get("TERM_PROGRAM") or env.get("TERM") or "unknown"
    inside = " in tmux" if env.get("TMUX") else ""
    return f"{program}{inside}, {colours}"


def _colours(env: Mapping[str, str]) -> str:
    if env.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return "16 million colours"
    return (
        "256 colours"
        if "256" in env.get("TERM", "")
        else "few colours (set COLORTERM=truecolor if it has more)"
    )


def _capture(settings: Settings, env: Mapping[str, str]) -> Check:
    """The program that captures the API stream: an extra, so only a setting that is wrong is a fault."""
    try:
        program = find_mitmdump(settings.proxy.mitmdump, env)
    except ProxyMissing as error:
        absent = "no mitmdump (optional: `quarterdeck proxy install`)"
        return Check(
            "capture", error.path is None, absent if error.path is None else "cannot be used", str(error)
        )
    return Check("capture", True, f"mitmdump {read_version(program)} at {program}")


def _screens() -> Check:
    """The emulator of interactive sessions: an extra, too."""
    try:
        library.load()
    except TerminalMissing as error:
        there = bool(error.problem) and "No module" not in error.problem
        return Check("screens", not there, "no pyghostty (optional: interactive sessions)", str(error))
    return Check("screens", True, f"{library.PACKAGE} {version(library.PACKAGE)}")


def _folders(env: Mapping[str, str]) -> list[Check]:
    found = folders(env)
    wanted: tuple[tuple[str, Path], ...] = (("state folder", found.state), ("cache folder", found.cache))
    return [_folder(name, path, os.access) for name, path in wanted]


def _folder(name: str, path: Path, may: Callable[[Path, int], bool]) -> Check:
    """Whether the folder is there and can be written, or can be made."""
    nearest = next(folder for folder in (path, *path.parents) if folder.exists())
    fine = nearest.is_dir() and may(nearest, os.W_OK | os.X_OK)
    made = "" if path.exists() else " (made when needed)"
    return Check(name, fine, f"{path}{made}", f"Make {nearest} a folder you can write to.")
