"""What a session is after each event: the status word, the choices, asks, limits and money."""

import pytest
from msgspec.structs import replace

from core.session import events as ev
from core.session.reduce import fold
from core.session.state import Ask, Limit, McpServer, ModelUsage, PendingRule, SessionState, Task, Tokens


def after(*events: ev.Event, start: SessionState | None = None) -> SessionState:
    state = start or SessionState(key="s")
    for event in events:
        state = fold(state, event)
    return state


READY = ev.Introduced(model="opus", mode="default", at=1.0)
ASK = ev.AskRaised(ask=Ask(id="a", kind="permission", tool="Bash", tool_use_id="t1"), at=3.0)


def usage_of(model: str, output: int, window: int = 200_000) -> tuple[ModelUsage, ...]:
    return (ModelUsage(model, Tokens(input=10, output=output), 0.1, window),)


@pytest.mark.parametrize(
    ("events", "word"),
    [
        ((), "starting"),
        ((READY,), "idle"),
        ((READY, ev.TurnStarted()), "working"),
        ((READY, ev.TurnStarted(), ASK), "needs-you"),
        ((READY, ASK, ev.AskAnswering(id="a")), "idle"),
        ((READY, ev.TurnStarted(), ASK, ev.AskSettled(id="a")), "working"),
        ((READY, ev.LimitChanged(limit=Limit("rate"), blocking=True)), "limited"),
        ((READY, ev.LimitChanged(limit=Limit("rate"), blocking=True), ASK), "needs-you"),
        ((READY, ev.TurnStarted(), ev.TurnCompleted(is_error=True, error_status=401)), "limited"),
        ((READY, ev.TurnStarted(), ev.TurnCompleted(is_error=True, error="boom")), "failed"),
        ((READY, ASK, ev.ProcessExited(code=1)), "failed"),
        ((READY, ev.ProcessExited(code=0, expected=True)), "ended"),
        ((READY, ev.ProcessExited(code=1), ev.ProcessStarted()), "starting"),
        ((READY, ev.TurnCompleted(is_error=True, error="boom"), ev.Resumed()), "idle"),
        ((READY, ev.TurnCompleted(is_error=True, error_status=429), ev.Resumed()), "idle"),
    ],
)
def test_the_one_word(events: tuple[ev.Event, ...], word: str) -> None:
    assert after(*events).status == word


def test_what_is_asked_between_turns_begins_none() -> None:
    """Whether a folder is trusted, how to resume: answered, and nothing is done."""
    assert after(READY, ASK, ev.AskSettled(id=ASK.ask.id)).phase == "idle"
    assert after(READY, ev.TurnStarted(), ASK, ev.AskSettled(id=ASK.ask.id)).phase == "tool-use"


def test_a_rule_goes_with_an_answer_once_and_again_where_that_was_not_taken() -> None:
    comes = PendingRule("Bash(rm:*)", "deny", "localSettings")
    waits = ev.RulesPending(more=(comes,))
    sent = ev.RulesPending(more=(replace(comes, sent_with=ASK.ask.id),))
    assert after(READY, ASK, waits, sent).pending_rules == sent.more
    assert after(READY, ASK, waits, sent, ev.AskSettled(id=ASK.ask.id)).pending_rules == (comes,)
    taken = ev.AskSettled(id=ASK.ask.id, outcome="allowed")
    assert after(READY, ASK, waits, sent, taken).pending_rules == sent.more
    assert after(READY, ASK, waits, sent, ev.RulesPending(less=(comes,))).pending_rules == ()


def test_a_background_task_is_a_counter_not_work() -> None:
    state = after(READY, ev.TaskStarted(task=Task(id="a", background=True)))
    assert state.status == "idle"
    assert len(state.running_tasks) == 1
    assert not after(ev.TasksListed(ids=()), start=state).running_tasks


def test_since_moves_with_the_word_only() -> None:
    state = after(READY, ev.TurnStarted(at=5.0), ev.PhaseChanged(phase="thinking", at=6.0))
    assert state.since == 5.0


def test_asks_of_the_turn_vanish_with_it_and_those_of_a_background_subagent_stay() -> None:
    late = ev.AskRaised(ask=Ask(id="b", kind="permission", tool="Bash", agent_id="task1"))
    state = after(READY, ev.TurnStarted(), ASK, late, ev.TurnCompleted())
    assert [ask.id for ask in state.asks] == ["b"]


def test_an_ask_goes_with_its_calls_result() -> None:
    assert not after(READY, ASK, ev.ToolResulted(tool_use_id="t1")).asks


def test_shown_values_change_only_when_the_cli_says_so() -> None:
    state = after(READY, ev.Wanted(what="mode", value="zz"))
    assert (state.mode.value, state.mode.wanted, state.mode.confirmation) == ("default", "zz", "pending")
    state = after(ev.Refused(what="mode", value="zz", error="invalid"), start=state)
    assert (state.mode.value, state.mode.error, state.mode.confirmation) == (
        "default",
        "invalid",
        "confirmed",
    )
    state = after(
        ev.Wanted(what="model", value="opus-9"),
        ev.Refused(what="model", value="opus-9", error="no answer", timed_out=True),
        start=state,
    )
    assert state.model.confirmation == "unknown"
    state = after(
        ev.Confirmed(what="model", value="opus-4"), ev.Confirmed(what="mode", value="plan"), start=state
    )
    assert (state.model.value, state.model.confirmation, state.mode.value) == ("opus-4", "confirmed", "plan")


def test_a_turns_cost_is_a_difference_also_when_it_was_interrupted() -> None:
    state = after(READY, ev.TurnStarted(at=1.0), ev.TurnCompleted(total_cost_usd=0.10, at=3.0))
    state = after(
        ev.TurnStarted(at=4.0),
        ev.Interrupting(at=5.0),
        ev.TurnCompleted(is_error=True, aborted=True, total_cost_usd=0.25, error="diagnostic", at=6.0),
        start=state,
    )
    assert state.last_turn is not None
    assert state.last_turn.end == "stopped"
    assert state.last_turn.error == ""
    assert state.last_turn.cost_usd == pytest.approx(0.15)
    assert state.usage.cost_usd == pytest.approx(0.25)


def test_the_same_result_without_our_interrupt_is_a_failure_with_its_first_words() -> None:
    state = after(
        READY, ev.TurnStarted(), ev.TurnCompleted(is_error=True, aborted=True, error="diagnostic text")
    )
    assert state.last_turn is not None
    assert (state.last_turn.end, state.last_turn.error) == ("failed", "diagnostic text")


def test_the_context_is_the_last_main_messages() -> None:
    state = after(
        READY,
        ev.TurnStarted(),
        ev.MessageStarted(message_id="m", model="opus", tokens=Tokens(input=100, cache_read=900)),
        ev.MessageCompleted(message_id="x", parent="T1", tokens=Tokens(input=5)),
        ev.TurnCompleted(by_model=usage_of("opus", 5, 10_000)),
    )
    assert state.usage.context_tokens == 1000
    assert state.usage.context_fill == pytest.approx(0.1)
    assert after(ev.Compacted(after=100), start=state).usage.context_fill == pytest.approx(0.01)


def test_a_turns_tokens_are_what_the_models_totals_grew_by() -> None:
    state = after(READY, ev.TurnStarted(), ev.TurnCompleted(by_model=usage_of("opus", 5)))
    state = after(ev.TurnStarted(), ev.TurnCompleted(by_model=usage_of("opus", 12)), start=state)
    assert state.last_turn is not None
    assert state.last_turn.tokens.output == 7
    assert state.usage.tokens.output == 12


def test_files_changed_are_counted_once_each_and_only_where_it_went_well() -> None:
    edits: list[ev.Event] = []
    for call, path, failed in (("1", "a.py", False), ("2", "a.py", False), ("3", "b.py", True)):
        named = b'{"file_path":"%s"}' % path.encode()
        edits += [
            ev.ToolInputFinalized(message_id="m", tool_use_id=call, tool="Edit", input_json=named),
            ev.ToolResulted(tool_use_id=call, is_error=failed),
        ]
    state = after(READY, ev.TurnStarted(), *edits, ev.TurnCompleted())
    assert state.last_turn is not None
    assert state.last_turn.files_changed == 1


def test_a_new_turn_lifts_the_limit_and_an_allowed_report_never_sets_one() -> None:
    allowed = ev.LimitChanged(limit=Limit("rate", window="five_hour", used=0.5))
    state = after(READY, allowed)
    assert state.limit is None
    assert state.account_limits[0].used == 0.5
    state = after(ev.LimitChanged(limit=Limit("rate"), blocking=True), ev.TurnStarted(), start=state)
    assert state.limit is None


def test_prompts_on_their_way() -> None:
    state = after(
        READY, ev.PromptMoved(id="p", state="queued", text="fix"), ev.PromptMoved(id="p", state="sent")
    )
    assert [(prompt.text, prompt.state) for prompt in state.prompts] == [("fix", "sent")]
    assert not after(ev.PromptMoved(id="p", state="taken"), start=state).prompts
    assert not after(ev.PromptWithdrawn(id="p"), start=state).prompts


def test_init_keeps_what_is_known_of_a_server_in_the_same_state() -> None:
    known = McpServer("web", "failed", error="refused")
    state = after(ev.McpChanged(servers=(known,)), ev.Initialized(mcp=(McpServer("web", "failed"),)))
    assert state.mcp[0].error == "refused"
    state = after(ev.Initialized(mcp=(McpServer("web", "connected"),)), start=state)
    assert state.mcp[0].error == ""


def test_the_end_of_the_process_leaves_nothing_open() -> None:
    state = after(
        READY,
        ev.TurnStarted(),
        ASK,
        ev.TaskStarted(task=Task(id="a")),
        ev.ProcessExited(code=1, stderr_tail="x"),
    )
    assert not state.asks
    assert state.turn is None
    assert not state.running_tasks
    assert state.can.restart
    assert not state.can.prompt
