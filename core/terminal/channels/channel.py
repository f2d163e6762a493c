"""A channel: who wants events of one type hears those, who wants all hears all. It knows no event."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

E = TypeVar("E")
K = TypeVar("K")


class Channel(Generic[E]):
    """Events of one kind of source, told at once and in order to everyone who hears."""

    def __init__(self) -> None:
        """Nobody hears yet."""
        self._by_type: dict[type, list[Callable[[Any], None]]] = {}
        self._all: list[Callable[[E], None]] = []

    def hear(self, kind: type[K], handler: Callable[[K], None]) -> None:
        """Call `handler` with every event of exactly that type."""
        self._by_type.setdefault(kind, []).append(handler)

    def hear_all(self, handler: Callable[[E], None]) -> None:
        """Call `handler` with every event, those of types nobody asked for included."""
        self._all.append(handler)

    def tell(self, event: E) -> None:
        """An event happened."""
        for handler in self._by_type.get(type(event), ()):
            handler(event)
        for hear in self._all:
            hear(event)
