"""What a person can answer to an ask. How an answer is written on the wire is `core.wire`'s business."""

from msgspec import Struct
from msgspec.structs import replace

from core.session.rules import FILES
from core.session.state import PermissionUpdate, Postponement, Rule

DENIED = "The person denied this."
"""What a denial without words says: releases of the CLI refuse an empty one (case CTL-01)."""


class Allow(Struct, frozen=True):
    """Go on, with the input as asked (`input_json` None) or as changed, and with these rules from now on."""

    input_json: bytes | None = None
    updates: tuple[PermissionUpdate, ...] = ()


class Deny(Struct, frozen=True):
    """Do not; `message` reaches the model, `interrupt` also ends the turn.

    What `rules` cover is denied from now on without a question, for as long as the agent's process runs;
    `kept` are those of them that are to outlive it, as the CLI takes them with something that is allowed.
    """

    message: str = DENIED
    interrupt: bool = False
    rules: tuple[Rule, ...] = ()
    kept: tuple[PermissionUpdate, ...] = ()


def denied_by(updates: tuple[PermissionUpdate, ...]) -> Deny:
    """A denial of what is asked and of all that the rules of these cover, each kept where it says."""
    rules = tuple(rule for update in updates for rule in update.rules)
    if not rules:
        return Deny()
    words = ", ".join(map(str, rules))
    kept = tuple(
        replace(update, type="addRules", behavior="deny")
        for update in updates
        if update.rules and update.destination in FILES
    )
    text = f"{DENIED} From now on whatever {words} covers is denied. Find another way."
    return Deny(text, rules=rules, kept=kept)


class Reply(Struct, frozen=True):
    """Answers to the questions of a form: (question text, answer text) in the order of the questions.

    Several labels are joined by ", ", free text stands as it is (FACTS §4).
    """

    answers: tuple[tuple[str, str], ...]


class Postpone(Struct, frozen=True):
    """A plan sent back without a decision on it; `words` are the person's own, after the usual text.

    `outline`: it is to be written out step by step first. `discuss`: it is to be talked over first.
    """

    how: Postponement
    words: str = ""


Answer = Allow | Deny | Reply
