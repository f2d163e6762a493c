"""`python -m core.simulator SCRIPT.toml [flags]`: read the flags, load the script, play it."""

import os
import signal
import sys
from pathlib import Path
from types import FrameType

from core.simulator import act, control, faults, flags, script, tasks
from core.simulator.stage import Leave, Stage
from core.simulator.turn import Playbook
from core.simulator.verbs import Json


def main(arguments: list[str]) -> int:
    """Play the script named by the arguments; returns the exit code."""
    given = flags.read(arguments, os.environ)
    if given.version:
        sys.stdout.write(f"{flags.VERSION} (Claude Code)\n")
        return 0
    if not given.script:
        sys.stderr.write(
            "simulator: no script: give one as the first argument or in QUARTERDECK_SIM_SCRIPT\n"
        )
        return 2
    try:
        play = script.load(Path(given.script))
    except script.ScriptError as error:
        sys.stderr.write(f"simulator: {error}\n")
        return 2
    return perform(play, given)


def perform(play: script.Script, given: flags.Flags) -> int:
    """Play a script on this process's stdin and stdout."""
    act.PLAYERS.update({**tasks.PLAYERS, **faults.PLAYERS})
    stage = Stage(play, given)
    if given.resume and not play.session.resumable:
        return _refuse_resume(stage)
    book = Playbook(stage)
    stage.heard = lambda message: control.hear(stage, message)
    stage.next_turn = book.next_turn
    if "sigint" not in stage.ignored:
        signal.signal(signal.SIGINT, lambda number, frame: _stop(stage, frame))
    return stage.perform()


def _stop(stage: Stage, frame: FrameType | None) -> None:
    """On SIGINT the real CLI ends its turn as interrupted and leaves with code 0."""
    if stage.turn is not None:
        stage.interrupt(stage.turn)
    raise Leave(0)


def _refuse_resume(stage: Stage) -> int:
    words = f"No conversation found with session ID: {stage.flags.resume}"
    ending: Json = {
        "type": "result",
        "subtype": "error_during_execution",
        "is_error": True,
        "num_turns": 0,
    }
    stage.write({**ending, "total_cost_usd": 0, "usage": {}, "errors": [words], "result_index": 0})
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
