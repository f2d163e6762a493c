"""Whether an interactive session is to be captured, and how, by the person's settings.

It must not know how either is started.
"""

from collections.abc import Mapping

from core.proxy.install import installed
from core.proxy.program import certificates_folder, environment_folder, find_mitmdump
from core.proxy.way import Way
from core.settings import Settings


def way_of(settings: Settings, env: Mapping[str, str]) -> Way | None:
    """How to capture; None where it is not wanted. Blocking. Raises `ProxyMissing` where it cannot be."""
    wanted, proxy = settings.terminal.proxy, settings.proxy
    if wanted is None:
        wanted = bool(proxy.mitmdump) or installed(environment_folder(env)) is not None
    if not wanted:
        return None
    program = find_mitmdump(proxy.mitmdump, env)
    return Way(program=program, hosts=proxy.hosts, folder=certificates_folder(env))
