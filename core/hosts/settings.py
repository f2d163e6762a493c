"""The machines of the settings file. It must not know how one is reached."""

from collections.abc import Mapping

from core.hosts.host import Host
from core.settings import Settings


def hosts_of(settings: Settings) -> Mapping[str, Host]:
    """The machines by name, in their order."""
    return {
        name: Host(name=name, destination=one.destination, command=one.command, options=one.options)
        for name, one in settings.hosts.items()
    }
