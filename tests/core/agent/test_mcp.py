"""JSON-RPC messages, one answer each."""

import json

import anyio
import pytest

from core.agent.mcp import McpServer, ServerTool, ToolCall, ToolFailed

Json = dict[str, object]


async def run(call: ToolCall) -> str:
    told = json.loads(call.arguments)
    match told.get("do"):
        case "fail":
            raise ToolFailed("no")
        case "break":
            raise ValueError("broken")
        case "wait":
            await anyio.sleep_forever()
    return f"{told} {call.tool_use_id}"


def server() -> McpServer:
    return McpServer((ServerTool("say", "Say it", b'{"type":"object"}', run),), "1")


async def ask(message: object, to: McpServer | None = None) -> Json:
    with anyio.fail_after(30):
        answer: Json = json.loads(await (to or server()).answer(json.dumps(message).encode()))
    assert answer["jsonrpc"] == "2.0"
    return answer


def request(method: str, **params: object) -> Json:
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}


@pytest.mark.parametrize(
    ("asked", "given"),
    [("2025-11-25", "2025-11-25"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25")],
)
async def test_the_version_is_the_clients_if_we_know_it(asked: str, given: str) -> None:
    answer = await ask(request("initialize", protocolVersion=asked, capabilities={}))
    assert answer["id"] == 7
    result = answer["result"]
    assert isinstance(result, dict)
    assert (result["protocolVersion"], result["capabilities"]) == (given, {"tools": {}})


async def test_tools_are_listed_to_be_loaded_always() -> None:
    answer = await ask(request("tools/list"))
    assert answer["result"] == {
        "tools": [
            {
                "name": "say",
                "description": "Say it",
                "inputSchema": {"type": "object"},
                "_meta": {"anthropic/alwaysLoad": True},
            }
        ]
    }


async def test_a_call() -> None:
    call = request("tools/call", name="say", arguments={"a": 1}, _meta={"claudecode/toolUseId": "t1"})
    answer = await ask(call)
    assert answer["result"] == {"content": [{"type": "text", "text": "{'a': 1} t1"}], "isError": False}


async def test_a_tool_that_cannot_is_an_error_the_model_reads() -> None:
    answer = await ask(request("tools/call", name="say", arguments={"do": "fail"}))
    assert answer["result"] == {"content": [{"type": "text", "text": "no"}], "isError": True}


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (request("resources/list"), -32601),
        (request("tools/call", name="nope"), -32602),
        (request("tools/call", name="say", arguments={"do": "break"}), -32603),
        ({"jsonrpc": "2.0", "id": 7}, -32600),
        ([], -32600),
        (5, -32700),
        (request("tools/call", name=5), -32602),
        ({"jsonrpc": "2.0", "id": 7, "method": 5}, -32600),
        ({"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": "x"}, -32602),
    ],
)
async def test_what_goes_wrong_is_an_error_with_its_code_and_its_id(message: object, code: int) -> None:
    answer = await ask(message)
    error = answer["error"]
    assert isinstance(error, dict)
    assert (error["code"], answer["id"]) == (code, 7 if isinstance(message, dict) else None)


@pytest.mark.parametrize("line", [b"", b"{", b"\xff", b"[" * 5000])
async def test_nonsense_is_answered(line: bytes) -> None:
    assert json.loads(await server().answer(line))["error"]["code"] == -32700


@pytest.mark.parametrize("request_id", ["a", "", 0, 7, -1.5, None, [1], {"a": 1}, True])
async def test_the_id_comes_back_as_it_was(request_id: object) -> None:
    assert (await ask({"jsonrpc": "2.0", "id": request_id, "method": "ping"}))["id"] == request_id


@pytest.mark.parametrize(
    "method", ["notifications/initialized", "notifications/cancelled", "notifications/new"]
)
async def test_notifications_are_answered_too(method: str) -> None:
    assert await ask({"jsonrpc": "2.0", "method": method}) == {"jsonrpc": "2.0", "result": {}}


@pytest.mark.parametrize("params", [None, [], {}, {"_meta": None}, {"x": {"y": []}}])
async def test_parameters_that_mean_nothing_delay_no_answer(params: object) -> None:
    for method in ("ping", "tools/list", "initialize"):
        answer = await ask({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
        assert (answer["id"], "result" in answer) == (7, True)


async def test_a_call_needs_neither_arguments_nor_an_id_in_the_conversation() -> None:
    call = request("tools/call", name="say", arguments=None, _meta={"claudecode/toolUseId": 5})
    assert (await ask(call))["result"] == {"content": [{"type": "text", "text": "{} "}], "isError": False}


async def test_an_answer_to_nothing_is_owed_none() -> None:
    assert await ask({"jsonrpc": "2.0", "id": 1, "result": {}}) == {"jsonrpc": "2.0", "result": {}}


async def test_a_batch_is_answered_in_order_without_what_is_owed_nothing() -> None:
    told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    batch = [request("ping"), told, 5, {**request("nope"), "id": "b"}]
    answers = json.loads(await server().answer(json.dumps(batch).encode()))
    assert [(one["id"], one.get("error", {}).get("code")) for one in answers] == [
        (7, None),
        (None, -32700),
        ("b", -32601),
    ]
    assert json.loads(await server().answer(json.dumps([told]).encode())) == {"jsonrpc": "2.0", "result": {}}


async def test_a_call_in_a_batch_waits_for_no_other_and_can_be_cancelled_by_one() -> None:
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
    batch = [request("tools/call", name="say", arguments={"do": "wait"}), cancel]
    with anyio.fail_after(30):
        (answer,) = json.loads(await server().answer(json.dumps(batch).encode()))
    assert (answer["id"], answer["error"]["code"]) == (7, -32800)


@pytest.mark.parametrize("params", [None, [], 5, {}, {"requestId": 8}, {"requestId": None}])
async def test_a_cancellation_of_nothing_cancels_nothing(params: object) -> None:
    message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
    assert await ask(message) == {"jsonrpc": "2.0", "result": {}}


async def test_an_id_that_is_still_in_use_is_refused_and_harms_nothing() -> None:
    to, answers = server(), []
    call = request("tools/call", name="say", arguments={"do": "wait"})

    async def first() -> None:
        answers.append(await ask(call, to))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(first)
        await anyio.wait_all_tasks_blocked()
        error = (await ask(call, to))["error"]
        assert isinstance(error, dict)
        assert error["code"] == -32600
        await ask({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}, to)
    assert len(answers) == 1


async def test_a_cancelled_call_ends_at_once() -> None:
    to, answers = server(), []

    async def call() -> None:
        answers.append(await ask(request("tools/call", name="say", arguments={"do": "wait"}), to))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(call)
        await anyio.wait_all_tasks_blocked()
        await ask({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}, to)
    assert answers[0]["error"] == {"code": -32800, "message": "The request was cancelled."}
