"""How an agent's API stream is to be captured. It must not know how that is done."""

from pathlib import Path

from msgspec import Struct


class Way(Struct, frozen=True, kw_only=True):
    """How to capture: the `mitmdump`, the hosts that count, our own folder for certificates.

    `port` 0 takes a free one; `options` are further arguments of mitmdump's.
    """

    program: Path
    hosts: tuple[str, ...]
    folder: Path
    port: int = 0
    options: tuple[str, ...] = ()
