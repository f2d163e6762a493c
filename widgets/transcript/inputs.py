"""What a tool call's input and structured result say, as far as a body is drawn from them.

Shapes differ by tool and release: what does not fit is left empty, never raised. It must not know how
anything is drawn.
"""

from typing import TypeVar

import msgspec
from msgspec import Struct


class CommandInput(Struct, frozen=True):
    """A shell command."""

    command: str = ""


class Todo(Struct, frozen=True):
    """One line of a todo list; `status` is the CLI's word."""

    content: str = ""
    status: str = ""


class TodoInput(Struct, frozen=True):
    """A todo list."""

    todos: tuple[Todo, ...] = ()


class AgentInput(Struct, frozen=True):
    """What a subagent was told."""

    prompt: str = ""


class PlanInput(Struct, frozen=True):
    """A plan that waits for approval."""

    plan: str = ""


class QuestionText(Struct, frozen=True):
    """One question of a form."""

    question: str = ""


class QuestionInput(Struct, frozen=True):
    """The questions of a form."""

    questions: tuple[QuestionText, ...] = ()


class QuestionResult(Struct, frozen=True):
    """The answers to a form, by question."""

    answers: dict[str, str] = {}


T = TypeVar("T", bound=Struct)


def read(kind: type[T], raw: bytes) -> T:
    """`raw` as one of these; an empty one where it does not fit."""
    try:
        return msgspec.json.decode(raw or b"{}", type=kind, strict=False)
    except (msgspec.DecodeError, RecursionError):
        return kind()


def pretty(raw: bytes) -> str:
    """JSON for reading, one value a line; as it came where it is none."""
    try:
        return msgspec.json.format(raw, indent=2).decode("utf-8", "replace")
    except (msgspec.DecodeError, RecursionError, ValueError):
        return raw.decode("utf-8", "replace")
