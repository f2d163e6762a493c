"""A plan that was sent back must not come back at once: the cooldown of one session.

    postpone → held for 30, 60, 90, then 120 s; the same plan is denied meanwhile, unless what was asked for
               has been done (the outline is written, the person has spoken) or the plan is another one
    settle   → an explicit approval or denial: the next cooldown is the first again
    expiry   → the plan is shown again; the count is kept, so that the next cooldown is longer

Pure: times are passed in, in seconds since the epoch. It must not know how a request arrives or is answered.
"""

from core.session.state import PlanHold, Postponement

STEPS_S = (30.0, 60.0, 90.0, 120.0)

OUTLINE_LINES = 3
"""From how many lines on words of the model count as an outline; fewer are a remark."""


class PlanCooldown:
    """The cooldown of one session; `hold` is None until a plan is sent back."""

    def __init__(self) -> None:
        """Nothing is held."""
        self.hold: PlanHold | None = None
        self._plan = ""

    def postpone(self, how: Postponement, plan: str, now: float) -> None:
        """The person sent a plan back."""
        count = self.hold.count + 1 if self.hold is not None else 1
        length_s = STEPS_S[min(count, len(STEPS_S)) - 1]
        self.hold = PlanHold(how=how, count=count, since=now, until=now + length_s)
        self._plan = _folded(plan)

    def settle(self) -> bool:
        """The person approved or denied; true if there was something to forget."""
        held, self.hold = self.hold, None
        return held is not None

    def holds(self, now: float) -> bool:
        """Whether the plan that was sent back would still be denied."""
        return self.hold is not None and not self.hold.done and now < self.hold.until

    def comes_back(self, plan: str, now: float) -> float:
        """A plan is presented: for how many seconds more it is denied at once; 0 if it is to be shown."""
        hold = self.hold
        if hold is None or not self.holds(now) or _folded(plan) != self._plan:
            return 0.0
        self.hold = PlanHold(hold.how, hold.count, hold.since, hold.until, hold.denied + 1)
        return hold.until - now

    def hear_model(self, text: str) -> bool:
        """The model said something: enough of it is an outline. True if that was waited for."""
        lines = sum(1 for line in text.splitlines() if line.strip())
        return lines >= OUTLINE_LINES and self._do("outline")

    def hear_person(self) -> bool:
        """The person said something, which is what a discussion needs. True if that was waited for."""
        return self._do("discuss")

    def _do(self, how: Postponement) -> bool:
        hold = self.hold
        if hold is None or hold.how != how or hold.done:
            return False
        self.hold = PlanHold(hold.how, hold.count, hold.since, hold.until, hold.denied, done=True)
        return True


def _folded(plan: str) -> str:
    return " ".join(plan.split())
