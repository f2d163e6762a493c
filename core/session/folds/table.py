"""What a table of folds is."""

from collections.abc import Callable, Mapping
from typing import Any

from core.session.state import SessionState

Table = Mapping[type, Callable[[SessionState, Any], SessionState]]
"""The type of an event → the state after one of it."""
