"""Runs the person's command that tells them something. It must not know when, nor what else is told.

No shell; what an agent wrote reaches it as whole arguments and in the environment, never as a part of a
command line.
"""

from collections.abc import Mapping, Sequence

from core.agent.command import run_words
from core.fleet.news import News, variables, words


async def tell_by_command(
    command: Sequence[str], told: Sequence[News], env: Mapping[str, str], timeout_s: float
) -> str:
    """Run it; what went wrong, "" where nothing did. Never raises but when cancelled."""
    try:
        result = await run_words(words(command, told), "/", {**env, **variables(told)}, timeout_s)
    except (OSError, ValueError) as error:
        return f"The command `{command[0]}` of [notify] cannot be run: {error}"
    if result.passed:
        return ""
    said = f" ({result.tail.splitlines()[-1]})" if result.tail else ""
    return f"The command `{command[0]}` of [notify] {result.how}{said}"
