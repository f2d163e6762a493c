"""Scripts: what a simulated agent says and does, read from TOML and checked; knows nothing of the protocol.

A script is one `[session]` table and a list of `[[turn]]`s, each with a list of `[[turn.step]]`s. A turn with
`match = "regex"` is taken whenever a prompt matches; the others are taken in the order written, and the last
of them again for every further prompt. A step is one table with exactly one *verb* and the verb's options:

    [session]
    model = "opus"                    # an alias or a full name; the flag --model wins
    context_tokens = 42000            # how full the context is when the session opens
    mcp = [{name = "github", status = "connected", tools = ["create_pr"]}]

    [[turn]]
    [[turn.step]]
    say = "Reading the code of **{cwd}**."
    [[turn.step]]
    tool = "Bash"
    input = {command = "git push"}
    ask = true
    result = "pushed"
    denied = [{say = "Then I will not push: {reason}"}]

The verbs are the classes of `verbs`; their first field is the verb's own value, the others its options and
their defaults. In texts `{prompt}`, `{answer}` (of the last question), `{reason}` (of the last denial),
`{model}`, `{mode}` and `{cwd}` are replaced. Times are seconds; they are divided by the speed (`--speed` or
QUARTERDECK_SIM_SPEED; 0 means no waiting at all).

Steps under `denied` take the place of the rest of the turn; steps under `granted` and `when` come before it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, get_args

from core.simulator.verbs import Case, Cases, Ignore, Json, Lines, Step, Steps, Tables

VERBS: dict[str, Any] = {cls._fields[0]: cls for cls in get_args(Step)}
IGNORABLE = ("interrupt", "control", "stdin", "eof", "sigint", "sigterm")


class ScriptError(Exception):
    """A script that cannot be played; the message names the file, the place and what to write instead."""


class Session(NamedTuple):
    """What holds for the whole session; `begin` plays the first turn without waiting for a prompt.

    `pace` is words per second, `latency` the seconds before the API begins each answer.
    """

    model: str = "opus"
    mode: str = "default"
    pace: float = 30.0
    latency: float = 0.0
    context_tokens: int = 18000
    cost_usd: float = 0.0
    subscription: str = ""
    title: str = ""
    mcp: Tables = ()
    begin: bool = False
    resumable: bool = True
    ignore: Lines = ()


class TurnScript(NamedTuple):
    """One turn: its steps and, if it answers only some prompts, the pattern they must match."""

    step: Steps
    match: str = ""


class Script(NamedTuple):
    """A whole script."""

    session: Session
    turns: tuple[TurnScript, ...]


def load(path: Path) -> Script:
    """Read and check a script; raises `ScriptError`."""
    try:
        with path.open("rb") as file:
            table = tomllib.load(file)
    except OSError as error:
        raise ScriptError(f"{path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ScriptError(f"{path}: not TOML: {error}") from error
    return parse(table, path.name)


def parse(table: Json, name: str) -> Script:
    """Check an already read script; `name` is what messages call it; raises `ScriptError`."""
    _only(table, ("session", "turn"), name)
    session: Session = _fill(
        Session, _table(table.get("session", {}), f"{name}: session"), f"{name}: session"
    )
    _ignorable(session.ignore, f"{name}: session")
    written = _tables(table.get("turn", []), f"{name}: turn")
    turns = tuple(
        _fill(TurnScript, {"step": [], **turn}, f"{name}: turn {number}")
        for number, turn in enumerate(written, 1)
    )
    for number, turn in enumerate(turns, 1):
        _pattern(turn.match, f"{name}: turn {number}")
    return Script(session, turns)


def _fill(cls: Any, table: Json, where: str) -> Any:
    kinds = {field: getattr(kind, "__forward_arg__", kind) for field, kind in cls.__annotations__.items()}
    _only(table, tuple(kinds), where)
    missing = [field for field in cls._fields if field not in table and field not in cls._field_defaults]
    if missing:
        raise ScriptError(f"{where}: {missing[0]} is missing")
    return cls(**{key: _KINDS[kinds[key]](value, f"{where}: {key}") for key, value in table.items()})


def _step(value: object, where: str) -> Step:
    table = _table(value, where)
    verbs = [key for key in table if key in VERBS]
    if len(verbs) != 1:
        found = " and ".join(verbs) or f"none among {', '.join(table) or 'no keys'}"
        raise ScriptError(f"{where}: needs exactly one verb, found {found}; known: {', '.join(VERBS)}")
    step: Step = _fill(VERBS[verbs[0]], table, where)
    if isinstance(step, Ignore):
        _ignorable(step.ignore, where)
    return step


def _only(table: Json, known: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in known:
            raise ScriptError(f"{where}: unknown key {key!r}; known: {', '.join(known)}")


def _ignorable(names: Lines, where: str) -> None:
    for name in names:
        if name not in IGNORABLE:
            raise ScriptError(f"{where}: cannot ignore {name!r}; known: {', '.join(IGNORABLE)}")


def _pattern(text: str, where: str) -> None:
    try:
        re.compile(text)
    except re.error as error:
        raise ScriptError(f"{where}: match {text!r} is no pattern: {error}") from error


def _expect(kind: type | tuple[type, ...], word: str) -> Callable[[object, str], Any]:
    def check(value: object, where: str) -> Any:
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise ScriptError(f"{where}: must be {word}, not {value!r}")
        return value

    return check


_table = _expect(dict, "a table")
_list = _expect(list, "a list")
_text = _expect(str, "a text")


def _tables(value: object, where: str) -> Tables:
    return tuple(_table(item, f"{where} {number}") for number, item in enumerate(_list(value, where), 1))


def _lines(value: object, where: str) -> Lines:
    return tuple(_text(item, f"{where} {number}") for number, item in enumerate(_list(value, where), 1))


def _steps(value: object, where: str) -> Steps:
    return tuple(_step(item, f"{where} {number}") for number, item in enumerate(_list(value, where), 1))


def _cases(value: object, where: str) -> Cases:
    cases = tuple(_fill(Case, table, f"{where} {n}") for n, table in enumerate(_tables(value, where), 1))
    for number, case in enumerate(cases, 1):
        _pattern(case.match, f"{where} {number}")
    return cases


_KINDS: dict[str, Callable[[object, str], Any]] = {
    "str": _text,
    "bool": _expect(bool, "true or false"),
    "int": _expect(int, "a whole number"),
    "float": _expect((int, float), "a number"),
    "Json": _table,
    "Tables": _tables,
    "Lines": _lines,
    "Steps": _steps,
    "Cases": _cases,
}
