"""Streamed pieces and whole blocks of the model's messages."""

from msgspec import Raw

from core.session import events as ev
from core.session.state import Tokens
from core.sources.messages import Messages
from core.wire import content as c
from core.wire import stream as api
from core.wire.records import AssistantMessage


def opened(*blocks: c.Block, message_id: str = "m", parent: str = "") -> Messages:
    """Messages with one open message, and these blocks started in it."""
    messages = Messages()
    messages.stream(api.MessageStart(api.OpenedMessage(message_id)), parent, 0)
    for index, block in enumerate(blocks):
        messages.stream(api.BlockStart(index, block), parent, 0)
    return messages


def places(messages: Messages, *blocks: c.Block, message_id: str = "m", parent: str = "") -> list[int | None]:
    """The places that whole blocks take."""
    found = messages.whole(AssistantMessage(message_id, content=blocks), parent, 0)
    whole = ev.TextCompleted | ev.ThinkingCompleted | ev.ToolInputFinalized | ev.OtherBlockCompleted
    return [event.index for event in found if isinstance(event, whole)]


def test_a_block_the_cli_leaves_out_moves_no_other() -> None:
    messages = opened(c.Thinking(), c.Text(""), c.ToolUse("t1", "Bash"), c.ToolUse("t2", "Bash"))
    assert places(messages, c.ToolUse("t2", "Bash")) == [3]
    assert places(messages, c.Text("x")) == [1]
    assert places(messages, c.ToolUse("t1", "Bash")) == [2]


def test_a_place_is_taken_once() -> None:
    messages = opened(c.Text(""))
    assert places(messages, c.Text("a"), c.Text("b")) == [0, None]


def test_a_whole_block_of_another_message_or_thread_has_no_place_here() -> None:
    messages = opened(c.Text(""))
    assert places(messages, c.Text("x"), message_id="other") == [None]
    assert places(messages, c.Text("x"), parent="T1") == [None]


def test_a_retry_streams_under_a_new_id() -> None:
    messages = opened(c.Text(""))
    messages.stream(api.MessageStart(api.OpenedMessage("again")), "", 1)
    (piece,) = messages.piece(api.BlockDelta(0, api.TextPiece("x")), "", 1)
    assert piece == ev.TextDelta(at=1, message_id="again", index=0, text="x")


def test_pieces_of_every_kind() -> None:
    messages = opened(c.Text(""))

    def piece(told: api.Piece) -> ev.Event:
        (event,) = messages.piece(api.BlockDelta(0, told), "", 0)
        return event

    assert piece(api.ThinkingPiece("hm")) == ev.ThinkingDelta(message_id="m", index=0, text="hm")
    assert piece(api.InputPiece('{"a')) == ev.ToolInputDelta(message_id="m", index=0, json='{"a')
    assert piece(api.SignaturePiece()) == ev.SignatureDelta(message_id="m", index=0)
    assert piece(api.CitationPiece(Raw(b"{}"))) == ev.CitationsDelta(message_id="m", index=0, raw=b"{}")
    assert piece(api.UnknownPiece("zz", b"{}")) == ev.UnknownSeen(raw=b"{}", why="unknown delta `zz`")


def test_the_frame_of_a_message() -> None:
    messages = Messages()
    usage = c.ApiUsage(1, 2, 3, 4)
    (start,) = messages.stream(api.MessageStart(api.OpenedMessage("m", "opus", usage)), "", 0)
    assert start == ev.MessageStarted(message_id="m", model="opus", tokens=Tokens(1, 2, 3, 4))
    (closed,) = messages.stream(api.BlockStop(0), "", 0)
    assert closed == ev.BlockStopped(message_id="m", index=0)
    (end,) = messages.stream(api.MessageDelta(api.Stop("end_turn"), c.ApiUsage(output_tokens=9)), "", 0)
    assert end == ev.MessageDelta(message_id="m", stop_reason="end_turn", output_tokens=9)
    assert messages.stream(api.MessageStop(), "", 0) == (ev.MessageStopped(message_id="m"),)
    assert messages.stream(api.Ping(), "", 0) == ()
    (broken,) = messages.stream(api.StreamError(api.ApiProblem("overloaded_error", "Overloaded")), "", 0)
    assert broken == ev.Noticed(text="Overloaded", level="warning")
    (odd,) = messages.stream(api.UnknownStreamEvent("zz", b"{}"), "", 0)
    assert isinstance(odd, ev.UnknownSeen)


def test_only_the_main_agent_changes_the_phase() -> None:
    started = Messages().stream(api.BlockStart(0, c.Thinking()), "", 0)
    assert [type(event) for event in started] == [ev.BlockStarted, ev.PhaseChanged]
    assert len(Messages().stream(api.BlockStart(0, c.Thinking()), "T1", 0)) == 1


def test_an_unknown_block_is_told_and_takes_its_place() -> None:
    unknown = c.UnknownBlock("zz", b"{}")
    messages = opened(unknown)
    assert places(messages, unknown) == [0]
    started = Messages().stream(api.BlockStart(0, unknown), "", 0)
    assert [type(event) for event in started] == [ev.BlockStarted, ev.UnknownSeen]


def test_a_tool_the_api_runs_itself_is_a_call_with_its_result() -> None:
    call = c.ServerToolUse("s1", "web_search", Raw(b'{"query":"x"}'))
    result = c.WebSearchResult("s1", Raw(b'[{"title":"T"}]'))
    found = list(Messages().whole(AssistantMessage("m", content=(call, result)), "", 0))
    (asked,) = [event for event in found if isinstance(event, ev.ToolInputFinalized)]
    assert (asked.tool, asked.input_json) == ("web_search", b'{"query":"x"}')
    (returned,) = [event for event in found if isinstance(event, ev.ToolResulted)]
    assert (returned.tool_use_id, returned.text) == ("s1", '[{"title":"T"}]')


def test_content_that_is_plain_text_or_nothing() -> None:
    found = list(Messages().whole(AssistantMessage("m", "<synthetic>", "words"), "", 0))
    assert found == [
        ev.TextCompleted(message_id="m", text="words"),
        ev.MessageCompleted(message_id="m", model="<synthetic>", synthetic=True),
    ]
    assert len(list(Messages().whole(AssistantMessage("m"), "", 0))) == 1


def test_usage_that_was_streamed_already_is_not_told_with_each_block() -> None:
    usage, more = c.ApiUsage(10, 1), c.ApiUsage(10, 9)
    messages = Messages()
    messages.stream(api.MessageStart(api.OpenedMessage("m", "opus", usage)), "", 0)

    def told(said: c.ApiUsage, message_id: str = "m") -> list[ev.Event]:
        found = messages.whole(AssistantMessage(message_id, "opus", (), said), "", 0)
        return [event for event in found if isinstance(event, ev.MessageCompleted)]

    assert told(usage) == []
    assert told(more) == [ev.MessageCompleted(message_id="m", model="opus", tokens=Tokens(10, 9))]
    assert len(told(usage, "another")) == 1
