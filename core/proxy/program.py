"""Where `mitmdump` is: by the setting, on `PATH`, or in the environment `quarterdeck proxy install` made.

It must not know how it is run.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from core.errors import ProxyMissing
from core.paths import folders, home
from core.proxy.install import installed

NAME = "mitmdump"
VERSION_TIMEOUT_S = 20.0


def environment_folder(env: Mapping[str, str]) -> Path:
    """Where our own `mitmdump` is installed."""
    return folders(env).data / "mitmproxy"


def certificates_folder(env: Mapping[str, str]) -> Path:
    """Where the proxy's own certificate authority is kept."""
    return folders(env).state / "proxy"


def find_mitmdump(setting: str, env: Mapping[str, str]) -> Path:
    """The `mitmdump` to use. A setting is taken or refused, never passed over. Raises `ProxyMissing`."""
    if setting:
        path = home(env) / setting[2:] if setting.startswith("~/") else Path(setting)
        if os.sep not in setting:
            path = Path(shutil.which(setting, path=env.get("PATH", "")) or setting)
        if not path.is_file() or not os.access(path, os.X_OK):
            raise ProxyMissing(path)
        return path.absolute()
    if on_path := shutil.which(NAME, path=env.get("PATH", "")):
        return Path(on_path).absolute()
    if (own := installed(environment_folder(env))) is not None:
        return own
    raise ProxyMissing


def read_version(program: Path) -> str:
    """What `mitmdump --version` says, as "11.0.2"; "" where it says no such thing. Blocks for a second."""
    try:
        asked = subprocess.run(
            (str(program), "--version"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=VERSION_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = re.search(r"Mitmproxy: (\S+)", asked.stdout)
    return found[1] if found else ""
