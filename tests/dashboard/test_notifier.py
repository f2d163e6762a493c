from collections.abc import Awaitable, Mapping

import anyio
from msgspec.structs import replace

from core.fleet.news import Notify
from core.session.session import Session
from core.session.state import Ask, SessionState, Turn, TurnSummary
from core.settings import Settings
from dashboard.notifier import Notifier, Outlets, wishes
from tests.fakes.fleet import agent

ALL = Notify(needs_you=("bell", "osc9"), finished=("osc777",))
BASH = Ask("1", "permission", "Bash", b'{"command":"make"}')


class Ears:
    """A notifier, and what came out of it."""

    def __init__(self, notify: Notify, env: Mapping[str, str] | None = None) -> None:
        self.heard: list[str] = []
        self.work: list[Awaitable[object]] = []
        outlets = Outlets(
            lambda: self.heard.append("ring"), self.heard.append, self.work.append, self.heard.append
        )
        self.notifier = Notifier(notify, outlets, env or {"PATH": "/usr/bin:/bin"})

    def flush(self, *states: SessionState, looked_at: str = "") -> list[str]:
        sessions = {state.key: Session(state) for state in states}
        self.notifier.flush(sessions, lambda item: item.key == looked_at)
        heard = list(self.heard)
        self.heard.clear()
        return heard


def asking(key: str, **fields: object) -> SessionState:
    return agent(key, turn=Turn(1, 1.0), asks=(BASH,), **fields)


def test_what_waits_when_the_deck_comes_up_is_no_news() -> None:
    ears = Ears(ALL)
    assert not ears.notifier.see([asking("api")])


def test_a_request_is_told_by_its_channels_once() -> None:
    ears = Ears(ALL)
    ears.notifier.see([agent("api")])
    assert ears.notifier.see([asking("api")])
    assert not ears.notifier.see([asking("api")]), "the same, seen again"
    assert ears.flush(asking("api")) == ["ring", "\x1b]9;quarterdeck: api needs you: Bash: make\x07"]
    assert ears.flush(asking("api")) == []


def test_many_at_once_are_one_word() -> None:
    ears = Ears(ALL)
    ears.notifier.see([agent("api"), agent("docs")])
    assert ears.notifier.see([asking("api"), asking("docs")])
    heard = ears.flush(asking("api"), asking("docs"))
    assert heard == ["ring", "\x1b]9;quarterdeck: 2 need you: api, docs\x07"]


def test_what_is_looked_at_muted_or_answered_is_not_told() -> None:
    ears = Ears(ALL)
    ears.notifier.see([agent("api"), agent("docs", muted=True), agent("web")])
    ears.notifier.see([asking("api"), asking("docs", muted=True), asking("web")])
    assert ears.flush(asking("api"), asking("docs"), agent("web"), looked_at="api") == []


def test_a_state_nobody_wants_to_hear_of_is_not_told() -> None:
    ears = Ears(Notify(finished=("osc777",)))
    ears.notifier.see([agent("api", turn=Turn(1, 1.0))])
    assert not ears.notifier.see([asking("api")])
    done = agent("api", last_turn=TurnSummary(1, "completed", 0.0, 3.0))
    assert ears.notifier.see([done])
    assert ears.flush(done) == ["\x1b]777;notify;quarterdeck: api has finished;done in 3 s\x07"]


def test_a_replay_needs_nobody() -> None:
    ears = Ears(ALL)
    ears.notifier.see([agent("api", kind="past")])
    assert not ears.notifier.see([asking("api", kind="past")])


def test_tmux_hands_it_on() -> None:
    ears = Ears(Notify(needs_you=("osc9",)), {"TMUX": "/tmp/x,1,0"})
    ears.notifier.see([agent("api")])
    ears.notifier.see([asking("api")])
    assert ears.flush(asking("api"))[0].startswith("\x1bPtmux;\x1b\x1b]9;")


async def test_a_command_that_fails_is_complained_of_once() -> None:
    ears = Ears(Notify(needs_you=("command",), command=("/no/such/program",)))
    for number in ("1", "2"):
        ears.notifier.see([agent("api")])
        now = replace(asking("api"), asks=(replace(BASH, id=number),))
        ears.notifier.see([now])
        ears.flush(now)
    with anyio.fail_after(30):
        for work in ears.work:
            await work
    assert len(ears.work) == 2
    assert len(ears.heard) == 1
    assert "cannot be run" in ears.heard[0]


def test_the_bell_of_old_settings_still_rings() -> None:
    assert wishes(Settings(bell=True)).needs_you == ("bell",)
    assert wishes(Settings(bell=True, notify=ALL)).needs_you == ("bell", "osc9")
    assert wishes(Settings()).needs_you == ()
