"""Directories of a machine, for whoever types the path of one. Blocking. It must not know who asks."""

import os
from collections.abc import Mapping
from pathlib import Path

from core import paths
from core.paths import is_folder

MOST = 50


def home(env: Mapping[str, str]) -> str:
    """The home folder."""
    return str(paths.home(env))


def whole(text: str, env: Mapping[str, str]) -> str:
    """A path as one writes it, from the home folder on where it is not whole; `..` and links stay."""
    if text == "~" or text.startswith("~/"):
        text = text[1:].lstrip("/")
    return os.path.normpath(Path(home(env), text))


def directories(text: str, env: Mapping[str, str]) -> list[str]:
    """The directories whose path begins with `text`, as one would go on writing it; at most 50.

    Hidden ones only where their dot is written.
    """
    folder, slash, begun = text.rpartition("/")
    if not slash and text in ("", "~"):
        folder, slash, begun = "~", "/", ""
    try:
        found = sorted(
            f"{folder}{slash}{entry.name}"
            for entry in os.scandir(whole(folder + slash, env))
            if entry.name.startswith(begun) and (begun or entry.name[0] != ".") and is_folder(entry)
        )
    except (OSError, ValueError):  # a NUL in it
        return []
    return found[:MOST]
