"""Where Quarterdeck keeps its own things: the XDG folders, from an environment given as parameter.

Nothing here is read at import time and nothing is created: the caller makes the folder it writes to.
It must not know what is stored there, nor where Claude Code keeps its own files.
Source: XDG Base Directory Specification 0.8 (a relative value counts as not set).
"""

import os
import pwd
from collections.abc import Mapping
from pathlib import Path

import msgspec

NAME = "quarterdeck"


class Folders(msgspec.Struct, frozen=True):
    """The project's own folders; none of them need exist yet."""

    config: Path
    data: Path
    state: Path
    cache: Path
    runtime: Path


def home(env: Mapping[str, str]) -> Path:
    """The home folder: `HOME`, else what the system's user list says; `/` for a user it does not know."""
    if env.get("HOME"):
        return Path(env["HOME"])
    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return Path("/")


def is_folder(entry: "os.DirEntry[str]") -> bool:
    """Whether an entry is a folder or leads to one; a link in a circle is none, and does not raise."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def folders(env: Mapping[str, str]) -> Folders:
    """The folders for this environment; without a runtime folder, sockets go into the state folder."""
    state = _xdg(env, "XDG_STATE_HOME", home(env) / ".local/state") / NAME
    runtime = _absolute(env.get("XDG_RUNTIME_DIR"))
    return Folders(
        config=_xdg(env, "XDG_CONFIG_HOME", home(env) / ".config") / NAME,
        data=_xdg(env, "XDG_DATA_HOME", home(env) / ".local/share") / NAME,
        state=state,
        cache=_xdg(env, "XDG_CACHE_HOME", home(env) / ".cache") / NAME,
        runtime=runtime / NAME if runtime else state / "run",
    )


def _xdg(env: Mapping[str, str], name: str, default: Path) -> Path:
    return _absolute(env.get(name)) or default


def _absolute(value: str | None) -> Path | None:
    return Path(value) if value and Path(value).is_absolute() else None
