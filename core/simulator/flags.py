"""The command line of the stand-in: a script, the flags of the real `claude`, and which of them are honoured.

The rest is accepted and ignored, as any release of the real one may know more flags than this file.
"""

from collections.abc import Mapping
from typing import NamedTuple

VERSION = "2.1.332"
_WITHOUT_VALUE = {
    "--verbose",
    "--include-partial-messages",
    "--replay-user-messages",
    "--forward-subagent-text",
    "--include-hook-events",
    "--fork-session",
    "--continue",
    "--print",
    "-p",
    "-c",
    "--dangerously-skip-permissions",
    "--allow-dangerously-skip-permissions",
    "--strict-mcp-config",
    "--bare",
    "--version",
    "-v",
}
# The flag calls the default mode `manual`; `--dangerously-skip-permissions` is a mode of its own on the wire.
_MODE_NAMES = {"manual": "default"}


class Flags(NamedTuple):
    """What the command line and the environment ask for."""

    script: str = ""
    model: str = ""
    mode: str = ""
    resume: str = ""
    fork: bool = False
    partial: bool = False
    replay: bool = False
    subagent_text: bool = False
    state_events: bool = False
    checkpoints: bool = False
    version: bool = False
    streams: bool = False
    speed: float = 1.0


def read(arguments: list[str], environment: Mapping[str, str]) -> Flags:
    """Read the arguments after the program's name; raises `ValueError` for a speed that is no number."""
    values, switches, words = _sort(arguments)
    mode = values.get("--permission-mode", "")
    if "--dangerously-skip-permissions" in switches:
        mode = "bypassPermissions"
    return Flags(
        script=words[0] if words else environment.get("QUARTERDECK_SIM_SCRIPT", ""),
        model=values.get("--model", ""),
        mode=_MODE_NAMES.get(mode, mode),
        resume=values.get("--resume", values.get("-r", "")),
        fork="--fork-session" in switches,
        partial="--include-partial-messages" in switches,
        replay="--replay-user-messages" in switches,
        subagent_text="--forward-subagent-text" in switches,
        state_events=any(
            environment.get(name) in ("1", "true")
            for name in ("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS", "CLAUDE_CODE_SDK_READS_SESSION_STATE")
        ),
        checkpoints=environment.get("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING") in ("1", "true"),
        streams="--output-format" in values,
        version=bool({"--version", "-v"} & switches),
        speed=float(values.get("--speed", environment.get("QUARTERDECK_SIM_SPEED") or "1")),
    )


def _sort(arguments: list[str]) -> tuple[dict[str, str], set[str], list[str]]:
    """Sort into flags with a value, flags without, and bare words (the first is the script)."""
    values: dict[str, str] = {}
    switches: set[str] = set()
    words: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if not argument.startswith("-"):
            words.append(argument)
        elif argument in _WITHOUT_VALUE:
            switches.add(argument)
        else:
            values[name] = value if equals else next(rest, "")
    return values, switches, words
