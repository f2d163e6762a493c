"""`quarterdeck proxy install`, `status`, `remove`: the `mitmdump` that captures the API stream.

It must not know how a capture works. Exit codes: 0 all right, 1 it is not there or went wrong.
"""

import os
import sys
from collections.abc import Callable, Mapping
from functools import partial

from core.errors import ProxyError
from core.proxy.install import install, remove
from core.proxy.program import certificates_folder, environment_folder, find_mitmdump, read_version
from core.settings import Settings


def run(what: str, settings: Settings, env: Mapping[str, str] = os.environ) -> int:
    """Run one of them; its exit code."""
    try:
        return _RUNS[what](settings, env)
    except ProxyError as error:
        print(f"quarterdeck: {error}", file=sys.stderr)
        return 1


def _install(settings: Settings, env: Mapping[str, str]) -> int:
    program = install(environment_folder(env), partial(print, flush=True))
    print(f"mitmdump {read_version(program)} is ready. Interactive sessions can be captured now.")
    if (found := find_mitmdump(settings.proxy.mitmdump, env)) != program:
        print(f"The one that is used is another: {found} (by the setting, or on PATH).")
    return 0


def _status(settings: Settings, env: Mapping[str, str]) -> int:
    program = find_mitmdump(settings.proxy.mitmdump, env)
    certificates = certificates_folder(env)
    print(f"mitmdump      {read_version(program) or '(it does not say its version)'} at {program}")
    print(f"hosts         {', '.join(settings.proxy.hosts)}")
    print(f"certificates  {certificates}{'' if certificates.exists() else ' (made when needed)'}")
    return 0


def _remove(settings: Settings, env: Mapping[str, str]) -> int:
    folders = (environment_folder(env), certificates_folder(env))
    gone = [str(folder) for folder in folders if remove(folder)]
    print(f"Removed {' and '.join(gone)}." if gone else "There was nothing to remove.")
    return 0


_RUNS: dict[str, Callable[[Settings, Mapping[str, str]], int]] = {
    "install": _install,
    "status": _status,
    "remove": _remove,
}

WHAT = tuple(_RUNS)
