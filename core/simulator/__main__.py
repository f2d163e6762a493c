"""`python -m core.simulator SCRIPT.toml [flags]`: read the flags, load the script, play it."""

import os
import sys
from pathlib import Path

from core.simulator import act, control, faults, flags, screen, script, tasks
from core.simulator.stage import Stage
from core.simulator.turn import Playbook
from core.simulator.verbs import Json


def main(arguments: list[str]) -> int:
    """Play the script named by the arguments; returns the exit code."""
    given = flags.read(arguments, os.environ)
    if given.version:
        sys.stdout.write(f"{flags.VERSION} (Claude Code)\n")
        return 0
    if not given.streams and sys.stdin.isatty():
        return screen.show()
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
        stage.heed_sigint()
    return stage.perform()


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
