"""What is said to an agent that wants its plan approved, and what a sent-back plan is.

The texts reach the model as the refusal of its request (FACTS §4). This module must not know when a plan is
sent back, nor how one is shown.
"""

from collections.abc import Mapping

from core.session.answers import Answer, Deny, Postpone
from core.session.state import PermissionUpdate

MODES_AFTER = ("default", "acceptEdits", "auto")
"""What a plan's approval may be followed by."""

OUTLINE = (
    "Not yet. First write the plan out in the conversation, step by step: for each step what you will"
    " change, in which file, and how you will check it. Ask for approval again only after that."
)
DISCUSS = (
    "Not yet: let us talk it over. Say in a few sentences what you are least sure of and which alternatives"
    " you see, then end your turn and wait for an answer. Do not ask for approval again before that."
)
TEXTS = {"outline": OUTLINE, "discuss": DISCUSS}


def as_answer(given: Answer | Postpone) -> Answer:
    """The answer that goes to the CLI."""
    if not isinstance(given, Postpone):
        return given
    words = given.words.strip()
    return Deny(TEXTS[given.how] + (f"\n\n{words}" if words else ""))


def mode_update(mode: str) -> PermissionUpdate:
    """What goes with an approval so that `mode` follows it."""
    return PermissionUpdate("setMode", mode=mode)


def commented(plan: str, comments: Mapping[int, str], words: str = "") -> str:
    """A denial's message: comments on lines of the plan (numbers from 0), each with the line it is about."""
    lines = plan.splitlines()
    parts = [words.strip()] if words.strip() else []
    for number in sorted(comments):
        line = lines[number].strip() if 0 <= number < len(lines) else ""
        parts.append(f"> {line}\n{comments[number].strip()}" if line else comments[number].strip())
    return "\n\n".join(part for part in parts if part)


def too_soon(left_s: float) -> str:
    """What the model is told when it comes back at once with the same plan."""
    return (
        "This is the same plan, and the person has not changed their mind. Do first what you were asked to"
        f" do; the same request is denied without being shown for {max(1, round(left_s))} more seconds."
    )
