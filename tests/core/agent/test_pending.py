"""Rules that go with an answer: with an allowance, once, what leaves before what comes."""

from core.agent.pending import taken_along, with_rules
from core.session.answers import Allow, Deny, Reply
from core.session.state import PendingRule, PermissionUpdate, Rule

COMES = PendingRule("Bash(rm:*)", "deny", "localSettings")
LEAVES = PendingRule("Bash(rm:*)", "allow", "userSettings", leaves=True)
GONE = PendingRule("Bash", "deny", "localSettings", sent_with="r1")
OWN = PermissionUpdate("setMode", mode="plan")


def test_an_allowance_takes_along_what_went_with_no_other() -> None:
    taken = taken_along(Allow(), (COMES, GONE, LEAVES))
    assert taken == (LEAVES, COMES)
    answer = with_rules(Allow(updates=(OWN,)), taken)
    assert isinstance(answer, Allow)
    rule = (Rule("Bash", "rm:*"),)
    assert answer.updates == (
        PermissionUpdate("removeRules", rule, "allow", destination="userSettings"),
        PermissionUpdate("addRules", rule, "deny", destination="localSettings"),
        OWN,
    )


def test_no_other_answer_does() -> None:
    for answer in (Deny(), Reply(())):
        assert taken_along(answer, (COMES,)) == ()
        assert with_rules(answer, ()) == answer
