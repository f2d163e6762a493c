"""The cooldown of a plan that was sent back."""

import pytest

from core.agent.plan import PlanCooldown

OUTLINE = "1. Read\n\n2. Change\n3. Check"


def test_it_grows_to_its_cap_and_is_kept_over_expiry() -> None:
    cooldown, now, lengths = PlanCooldown(), 1000.0, []
    for _ in range(6):
        cooldown.postpone("outline", "p", now)
        assert cooldown.hold is not None
        lengths.append(cooldown.hold.until - now)
        now = cooldown.hold.until + 500
        assert cooldown.comes_back("p", now) == 0
    assert lengths == [30, 60, 90, 120, 120, 120]


def test_an_explicit_decision_starts_it_anew() -> None:
    cooldown = PlanCooldown()
    cooldown.postpone("outline", "p", 0)
    cooldown.postpone("outline", "p", 100)
    assert cooldown.settle()
    assert not cooldown.settle()
    cooldown.postpone("discuss", "p", 200)
    assert cooldown.hold is not None
    assert (cooldown.hold.until, cooldown.hold.count) == (230, 1)


def test_the_same_plan_is_denied_until_the_end_and_each_denial_counts() -> None:
    cooldown = PlanCooldown()
    cooldown.postpone("outline", "# Plan\n1. a", 0)
    assert cooldown.comes_back("# Plan\n\n1. a\n", 1) == 29
    assert cooldown.comes_back("# Plan\n1. a", 29.5) == 0.5
    assert cooldown.hold is not None
    assert cooldown.hold.denied == 2
    assert cooldown.comes_back("# Plan\n1. a", 30) == 0


def test_another_plan_is_shown() -> None:
    cooldown = PlanCooldown()
    cooldown.postpone("outline", "p", 0)
    assert cooldown.comes_back("another", 1) == 0


@pytest.mark.parametrize(("text", "done"), [(OUTLINE, True), ("I see.\n", False), ("", False)])
def test_an_outline_releases_the_plan(text: str, done: bool) -> None:
    cooldown = PlanCooldown()
    cooldown.postpone("outline", "p", 0)
    assert cooldown.hear_model(text) is done
    assert not cooldown.hear_person()
    assert (cooldown.comes_back("p", 1) == 0) is done


def test_a_discussion_needs_the_person() -> None:
    cooldown = PlanCooldown()
    cooldown.postpone("discuss", "p", 0)
    assert not cooldown.hear_model(OUTLINE)
    assert cooldown.comes_back("p", 1) == 29
    assert cooldown.hear_person()
    assert not cooldown.hear_person()
    assert cooldown.comes_back("p", 2) == 0
