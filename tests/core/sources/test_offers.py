"""Answers of the CLI in the words of a session."""

import pytest
from msgspec.structs import replace

from core.session.context import Part
from core.session.state import Account, McpServer, McpTool, Tokens
from core.sources import offers
from core.wire import bodies, control
from core.wire.codec import decode, read_answer
from core.wire.content import ApiUsage
from tests.fakes.lines import recorded


def response(name: str, request_id: str) -> control.Response:
    for record in map(decode, recorded(name)):
        if isinstance(record, control.ResponseRecord) and record.response.request_id == request_id:
            return record.response
    raise KeyError(request_id)


def test_what_the_cli_offers() -> None:
    told = offers.introduced(read_answer(response("text", "i"), bodies.InitializeAnswer), at=3.0)
    assert (told.at, told.version, told.mode) == (3.0, "2.1.332", "default")
    assert told.models[1].value == "opus"
    assert told.models[1].label == "Opus"
    assert "high" in told.models[1].efforts
    assert told.commands[0].name == "deep-research"
    assert told.account == Account("none", "ANTHROPIC_API_KEY", "firstParty")


def test_what_fills_the_context() -> None:
    told = offers.context(read_answer(response("ctl", "c4"), bodies.ContextAnswer))
    assert (told.tokens, told.window) == (17552, 200000)
    counted = [part for part in told.parts if part.kind == "used"]
    assert sum(part.tokens for part in counted) == pytest.approx(told.tokens, rel=0.01)
    assert {"free", "deferred"} <= {part.kind for part in told.parts}


def test_the_pieces_of_a_context_and_where_it_compacts() -> None:
    body = bodies.ContextAnswer(
        memory_files=(bodies.MemoryFile("/p/CLAUDE.md", 900),),
        mcp_tools=(bodies.ContextTool("search", 620, "github"),),
        compacts_at=167_000,
        compacts=True,
    )
    told = offers.context(body)
    assert (told.files, told.tools) == ((Part("/p/CLAUDE.md", 900),), (Part("github: search", 620),))
    assert told.compacts_at == 167_000
    assert offers.context(replace(body, compacts=False)).compacts_at == 0


def test_the_board_of_servers() -> None:
    broken, web = offers.mcp_servers(read_answer(response("ctl", "c0"), bodies.McpStatusAnswer))
    assert (broken.name, broken.state, broken.address) == ("broken", "failed", "/nonexistent")
    assert "ENOENT" in broken.error
    assert (web.transport, web.scope, web.address) == ("http", "dynamic", "http://127.0.0.1:9/mcp")


def test_a_server_with_tools_and_arguments() -> None:
    config = bodies.McpConfigBody(command="npx", args=("-y", "fs"))
    told = bodies.McpServerBody("fs", "connected", config=config, tools=(bodies.McpToolBody("read"),))
    (server,) = offers.mcp_servers(bodies.McpStatusAnswer((told,)))
    assert server == McpServer("fs", "connected", address="npx -y fs", tools=(McpTool("read"),))


def test_the_cost_so_far() -> None:
    usage = bodies.ModelUsageBody(1, 2, None, 4, 0.5, 200_000)
    answer = bodies.UsageAnswer(bodies.SessionUsage(0.5, model_usage={"m": usage}))
    measured = offers.cost_measured(answer, at=1.0)
    assert measured.total_cost_usd == 0.5
    (model,) = measured.by_model
    assert (model.model, model.tokens, model.context_window) == ("m", Tokens(1, 2, 0, 4), 200_000)


def test_counts_that_are_null_are_zero() -> None:
    assert offers.tokens(None) == Tokens()
    assert offers.tokens(ApiUsage(None, 3)) == Tokens(output=3)
