"""The permission rules that count: those that came with answers, and those of the flag settings.

It must not know how a request is raised.
"""

from core.simulator.stage import Stage
from core.simulator.tools import covered, table_of
from core.simulator.verbs import Json

FLAGS = "flagSettings"
LISTS = ("allow", "ask", "deny")


def rules_of(stage: Stage, behavior: str) -> list[Json]:
    """The rules of the flag settings that do this."""
    texts = table_of(stage.settings, "permissions").get(behavior)
    return [_rule(text) for text in texts if isinstance(text, str)] if isinstance(texts, list) else []


def needs_asking(stage: Stage, name: str, arguments: Json) -> bool:
    """Whether no rule allows a call, or one that outranks it asks."""
    if covered(rules_of(stage, "ask"), name, arguments):
        return True
    return not covered([*_answered(stage, "allow"), *rules_of(stage, "allow")], name, arguments)


def is_denied(stage: Stage, name: str, arguments: Json) -> bool:
    """Whether a rule denies a call."""
    return covered([*_answered(stage, "deny"), *rules_of(stage, "deny")], name, arguments)


def _answered(stage: Stage, behavior: str) -> list[Json]:
    return [rule for rule in stage.rules if rule.get("behavior", "allow") == behavior]


def listed(stage: Stage) -> Json:
    """All of them, as `list_permission_rules` tells."""
    granted = [
        _told(rule, str(rule.get("behavior", "allow")), str(rule.get("destination", "session")))
        for rule in stage.rules
    ]
    flags = [_told(rule, behavior, FLAGS) for behavior in LISTS for rule in rules_of(stage, behavior)]
    return {"state": {"rules": [*granted, *flags], "managedOnly": False}}


def _rule(text: str) -> Json:
    tool, found, content = text.partition("(")
    return {"toolName": tool, **({"ruleContent": content.removesuffix(")")} if found else {})}


def _told(rule: Json, behavior: str, source: str) -> Json:
    content = rule.get("ruleContent")
    text = f"{rule.get('toolName')}({content})" if content is not None else str(rule.get("toolName"))
    return {"rule": text, "behavior": behavior, "source": source}
