"""How interactive sessions are run, as data: light, so that a fleet without any does not load all of it."""

from collections.abc import Callable

from msgspec import Struct

from core.proxy.way import Way


def uncaptured() -> None:
    """No API stream is captured."""


class ScreenChoice(Struct, frozen=True):
    """Rows kept that scrolled off (0: as the emulator would), and how the API stream is captured.

    `find_way` gives None where it is not to be; it may block, and raise a `ProxyError`.
    """

    scrollback_rows: int = 0
    find_way: Callable[[], Way | None] = uncaptured
