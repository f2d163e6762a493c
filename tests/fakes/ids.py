"""Ids one can foresee."""

from collections.abc import Callable
from itertools import count


def counter(prefix: str) -> Callable[[], str]:
    """Ids that count up: `prefix1`, `prefix2` and so on."""
    numbers = count(1)
    return lambda: f"{prefix}{next(numbers)}"
