"""Rules that an allowance takes along into the CLI's files, or out of them. It must not know who wants that.

2.1.332 writes a rule to a file, or takes one out, with an allowance only (tests/real/test_standing_real.py).
"""

from collections.abc import Iterable

from msgspec.structs import replace

from core.session.answers import Allow, Answer
from core.session.rules import parse_stored
from core.session.state import PendingRule, PermissionUpdate


def taken_along(answer: Answer, pending: Iterable[PendingRule]) -> tuple[PendingRule, ...]:
    """Those that go with an answer: none has gone with another one, first those that leave."""
    if not isinstance(answer, Allow):
        return ()
    waiting = (one for one in pending if not one.sent_with)
    return tuple(sorted(waiting, key=lambda one: (not one.leaves, one.source, one.text)))


def with_rules(answer: Answer, taken: Iterable[PendingRule]) -> Answer:
    """The answer with what goes along."""
    updates = tuple(map(_update, taken))
    return replace(answer, updates=(*updates, *answer.updates)) if isinstance(answer, Allow) else answer


def _update(rule: PendingRule) -> PermissionUpdate:
    what = "removeRules" if rule.leaves else "addRules"
    return PermissionUpdate(what, (parse_stored(rule.text),), rule.behavior, destination=rule.source)
