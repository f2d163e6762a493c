from core.agent.own_tools import PREFIX
from core.fleet.inbox import kind_of, next_after, next_kind, waiting
from core.session.session import Session
from core.session.state import Ask, AskState, Exit, SessionState


def ask(name: str, raised_at: float, state: AskState = "open") -> Ask:
    return Ask(id=name, kind="permission", tool="Bash", raised_at=raised_at, state=state)


def sessions(**asks: tuple[Ask, ...]) -> dict[str, Session]:
    return {key: Session(SessionState(key=key, asks=found)) for key, found in asks.items()}


def test_oldest_ask_comes_first_over_all_sessions() -> None:
    fleet = sessions(a=(ask("a1", 30),), b=(ask("b1", 10), ask("b2", 40)), c=())
    assert [(key, found.id) for key, found in waiting(fleet)] == [("b", "b1"), ("a", "a1"), ("b", "b2")]


def test_an_ask_being_answered_waits_for_nobody() -> None:
    assert waiting(sessions(a=(ask("a1", 1, "answering"),))) == []


def test_an_ended_session_waits_for_nobody() -> None:
    gone = Session(SessionState(key="a", asks=(ask("a1", 1),), exit=Exit(code=1)))
    assert waiting({"a": gone}) == []


def test_next_goes_round_by_age_and_back() -> None:
    fleet = sessions(a=(ask("a1", 30),), b=(ask("b1", 10),), c=(ask("c1", 20),), d=())
    assert next_after(fleet, "d") == "b"
    assert next_after(fleet, "b") == "c"
    assert next_after(fleet, "c") == "a"
    assert next_after(fleet, "a") == "b"
    assert next_after(fleet, "b", back=True) == "a"


def test_next_is_nowhere_when_only_this_one_waits() -> None:
    assert next_after(sessions(a=(ask("a1", 1),), b=()), "a") == ""
    assert next_after(sessions(a=()), "a") == ""


def test_a_message_from_agent_to_agent_is_a_kind_of_its_own() -> None:
    assert kind_of(Ask("1", "permission", f"{PREFIX}send_to_agent")) == "other"
    assert kind_of(Ask("1", "question", f"{PREFIX}send_to_agent")) == "other"  # its tool asks for it
    assert kind_of(Ask("1", "question", f"{PREFIX}ask_person")) == "question"
    assert kind_of(Ask("1", "plan", "ExitPlanMode")) == "plan"


def test_kinds_follow_each_other_and_those_nobody_waits_for_are_left_out() -> None:
    assert next_kind({"plan", "permission"}, None) == "permission"
    assert next_kind({"plan", "permission"}, "permission") == "plan"
    assert next_kind({"plan"}, "plan") is None
    assert next_kind({"plan"}, "permission") == "plan"
    assert next_kind(set(), None) is None
