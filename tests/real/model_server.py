"""A loopback stand-in for the model, so that the real CLI can run with no account and no network.

It speaks just enough of `POST /v1/messages` (Server-Sent Events when `stream` is true) and of
`/v1/messages/count_tokens`. What it answers is chosen by a directive in the last prompt:

    do:slow 200          200 words, one every 30 ms          do:think            a thinking block, then text
    do:hold              two words, and the third once `ModelServer.release()` was called
    do:bash COMMAND      one Bash call, then its result       do:twice COMMAND    the same call two times
    do:pair              two Bash calls in one message        do:write PATH       a Write call
    do:edit PATH OLD NEW an Edit call                         do:read PATH        a Read call
    do:ask [N]           AskUserQuestion, two questions, or only the Nth; the third has previews
    do:plan TEXT         ExitPlanMode
    do:draft TEXT        writes the plan file, ExitPlanMode
    do:agent PROMPT      a subagent with that prompt          do:background CMD   Bash with run_in_background
    do:todo              TodoWrite/TaskCreate                 do:markdown         a page of Markdown
    do:fail STATUS       an HTTP error                        do:say TEXT         exactly that text
    do:flaky STATUS      an HTTP error once, then an answer   do:break            half an answer and an error, then
                                                              the whole

Any other prompt gets `You said: …`. Run it by hand with `python -m tests.real.model_server [PORT]`.
"""

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Block = dict[str, Any]
DIRECTIVE = re.compile(r"do:(\w+)[ \t]*([^\n]*)")
WORD_PAUSE_S = 0.03
ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}

MARKDOWN = """# The token refresh

It loops because **every** 401 starts a new refresh:

1. `send()` sees 401
2. `refresh()` is called, *even for the refresh call itself*

```python
def send(request, retried=False):
    response = http(request)
    if response.status == 401 and not retried:
        return send(refresh(request), retried=True)
    return response
```

| call | before | after |
|------|-------:|------:|
| send | 12 | 1 |
| 日本 | 3 | 1 |
"""

QUESTIONS = [
    {
        "question": "Which database should the tests use?",
        "header": "Database",
        "multiSelect": False,
        "options": [
            {"label": "SQLite", "description": "Fast, no set-up"},
            {"label": "PostgreSQL", "description": "What production runs"},
        ],
    },
    {
        "question": "Which suites should run?",
        "header": "Suites",
        "multiSelect": True,
        "options": [
            {"label": "unit", "description": "Seconds"},
            {"label": "api", "description": "A minute"},
            {"label": "browser", "description": "Ten minutes"},
        ],
    },
]

PREVIEWED = {
    "question": "Which layout should the page of settings have?",
    "header": "Layout",
    "multiSelect": False,
    "options": [
        {"label": "Two columns", "description": "Side by side", "preview": "+---+---+\n| a | b |\n+---+---+"},
        {"label": "One column", "description": "Below", "preview": "+---+\n| a |\n| b |\n+---+"},
    ],
}


@dataclass
class Reply:
    """One answer of the model: its blocks, or an HTTP error."""

    blocks: list[Block] = field(default_factory=list)
    status: int = 200
    word_pause_s: float = 0.0
    held: bool = False
    broken: bool = False
    first: "Reply | None" = None
    """What the first request gets instead."""


def text(words: str) -> Block:
    """A text block."""
    return {"type": "text", "text": words}


def call(name: str, number: int = 0, **arguments: Any) -> Block:
    """A tool_use block; `number` keeps the ids of one message apart."""
    return {"type": "tool_use", "id": f"toolu_{name}_{number}_{call_ids()}", "name": name, "input": arguments}


def _count() -> Callable[[], int]:
    numbers = iter(range(1, 10**9))
    return lambda: next(numbers)


call_ids = _count()
message_ids = _count()


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for block in content:
            if block.get("type") == "text":
                yield block["text"]


def _results(content: Any) -> list[str]:
    """The texts of the tool results in one user message."""
    found: list[str] = []
    for block in content if isinstance(content, list) else []:
        if block.get("type") == "tool_result":
            inner = block.get("content")
            found.append(inner if isinstance(inner, str) else " ".join(_texts(inner)))
    return found


def _own_words(content: Any) -> str:
    """What the person wrote: the last text that is not one of the CLI's own reminders."""
    words = [part for part in _texts(content) if not part.lstrip().startswith("<system-reminder>")]
    return words[-1] if words else ""


def choose(body: dict[str, Any]) -> Reply:
    """Pick the answer to a request from the directive in its last prompt."""
    results: list[str] = []
    for message in reversed(body.get("messages", [])):
        if message.get("role") != "user":
            continue
        found = _results(message.get("content"))
        words = _own_words(message.get("content"))
        if found and not DIRECTIVE.search(words):
            results[:0] = found
            continue
        directive = DIRECTIVE.search(words)
        if directive is None:
            return Reply([text(f"You said: {words.strip()[:200]}")])
        if directive[1] == "draft":
            return _draft(directive[2], results, str(body["messages"]))
        answer = SCENES.get(directive[1], _unknown_scene)
        return answer(directive[2].strip(), results)
    return Reply([text("Nothing was said.")])


def _unknown_scene(argument: str, results: list[str]) -> Reply:
    return Reply([text(f"No such scene: {argument} {results}")])


def _slow(argument: str, results: list[str]) -> Reply:
    count = int(argument or 200)
    return Reply([text(" ".join(f"word{number}" for number in range(count)))], word_pause_s=WORD_PAUSE_S)


def _hold(argument: str, results: list[str]) -> Reply:
    return Reply([text("first second "), text("third")], held=True)


def _think(argument: str, results: list[str]) -> Reply:
    thought = {
        "type": "thinking",
        "thinking": "The loop starts at the refresh.\nSo look there first.",
        "signature": "c2ln",
    }
    return Reply([thought, text("I thought about it.")])


def _after(results: list[str]) -> Reply:
    return Reply([text("The result was: " + " | ".join(result.strip()[:300] for result in results))])


def _once(make: Callable[[str], list[Block]]) -> Callable[[str, list[str]], Reply]:
    """A scene that calls its tools once and then reports what they returned."""

    def scene(argument: str, results: list[str]) -> Reply:
        return _after(results) if results else Reply(make(argument))

    return scene


def _twice(argument: str, results: list[str]) -> Reply:
    if len(results) >= 2:
        return _after(results)
    return Reply([text(f"Call {len(results) + 1}."), call("Bash", command=argument, description="Say it")])


def _edit(argument: str) -> list[Block]:
    path, old, new = argument.split()
    return [text("I will edit it."), call("Edit", file_path=path, old_string=old, new_string=new)]


def _ask(argument: str) -> list[Block]:
    asked = [(*QUESTIONS, PREVIEWED)[int(argument) - 1]] if argument else QUESTIONS
    return [text("Let me ask."), call("AskUserQuestion", questions=asked)]


def _todo(argument: str) -> list[Block]:
    todos = [
        {"content": "Read the code", "status": "completed", "activeForm": "Reading the code"},
        {"content": "Fix it", "status": "in_progress", "activeForm": "Fixing it"},
        {"content": "Test it", "status": "pending", "activeForm": "Testing it"},
    ]
    return [call("TodoWrite", todos=todos)]


def _plan(argument: str) -> list[Block]:
    plan = argument or "# Plan\n\n1. Read the code\n2. Fix it"
    return [text("Here is my plan."), call("ExitPlanMode", plan=plan.replace("\\n", "\n"))]


def _draft(argument: str, results: list[str], told: str) -> Reply:
    """Write the plan where the CLI's reminder says, then ask to leave plan mode."""
    if len(results) >= 2:
        return _after(results[1:])
    if results:
        return Reply([call("ExitPlanMode")])
    path = re.search(r"/[^\s\"']+/plans/[^\s\"']+\.md", told)
    assert path, "the CLI named no plan file: is it in plan mode?"
    return Reply([call("Write", file_path=path[0], content=argument.replace("\\n", "\n"))])


SCENES: dict[str, Callable[[str, list[str]], Reply]] = {
    "say": lambda argument, results: Reply([text(argument)]),
    "slow": _slow,
    "hold": _hold,
    "think": _think,
    "markdown": lambda argument, results: Reply([text(MARKDOWN)], word_pause_s=0.002),
    "bash": _once(
        lambda command: [text("I will run it."), call("Bash", command=command, description="Run it")]
    ),
    "background": _once(
        lambda command: [call("Bash", command=command, description="Watch it", run_in_background=True)]
    ),
    "twice": _twice,
    "pair": _once(
        lambda argument: [call("Bash", n, command=f"echo pair{n}", description="One") for n in (1, 2)]
    ),
    "write": _once(lambda path: [call("Write", file_path=path, content="one\ntwo\nthree\n")]),
    "edit": _once(_edit),
    "read": _once(lambda path: [call("Read", file_path=path)]),
    "ask": _once(_ask),
    "plan": _once(_plan),
    "todo": _once(_todo),
    "agent": _once(
        lambda prompt: [
            call("Agent", description="Look around", prompt=prompt, subagent_type="general-purpose")
        ]
    ),
    "fail": lambda argument, results: Reply(status=int(argument)),
    "flaky": lambda argument, results: Reply([text("It worked at last.")], first=Reply(status=int(argument))),
    "break": lambda argument, results: Reply(
        [text("It is whole now.")], first=Reply([text("It is half a")], broken=True)
    ),
}


def _delta(block: Block) -> Iterator[Block]:
    """The deltas of one block, a word or a few characters each."""
    match block["type"]:
        case "text":
            for word in re.findall(r"\S+\s*|\s+", block["text"]):
                yield {"type": "text_delta", "text": word}
        case "thinking":
            for word in re.findall(r"\S+\s*|\s+", block["thinking"]):
                yield {"type": "thinking_delta", "thinking": word}
            yield {"type": "signature_delta", "signature": block["signature"]}
        case "tool_use":
            source = json.dumps(block["input"])
            for start in range(0, len(source), 12):
                yield {"type": "input_json_delta", "partial_json": source[start : start + 12]}


def _opened(block: Block) -> Block:
    """A block as `content_block_start` shows it: empty."""
    empty: dict[str, Any] = {"text": "", "thinking": "", "input": {}, "signature": ""}
    return {key: empty.get(key, value) for key, value in block.items()}


class ModelServer:
    """An HTTP server on loopback; `requests` keeps every body it was sent, oldest first.

    `limits` go along with every answer, as the headers that tell of the account's limits do.
    """

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.limits: dict[str, str] = {}
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._released = asyncio.Event()
        self._tried: set[str] = set()

    @property
    def url(self) -> str:
        """The address for ANTHROPIC_BASE_URL."""
        assert self._server is not None, "start() comes first"
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def release(self) -> None:
        """Let every held answer go on."""
        self._released.set()

    async def start(self, port: int = 0) -> None:
        """Listen on 127.0.0.1; port 0 takes a free one."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port)

    async def stop(self) -> None:
        """Stop listening and drop what is still open."""
        assert self._server is not None
        self._server.close()
        for writer in list(self._open):
            writer.close()

    async def __aenter__(self) -> "ModelServer":
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            while await self._answer_one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the CLI hung up, as it does on an interrupt
        finally:
            self._open.discard(writer)
            writer.close()

    async def _answer_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"content-length: *(\d+)", head, re.IGNORECASE)
        raw = await reader.readexactly(int(length[1])) if length else b"{}"
        path = head.split(" ", 2)[1]
        if not path.startswith("/v1/messages"):
            await _send_json(
                writer, 404, {"type": "error", "error": {"type": "not_found_error", "message": path}}
            )
        elif "count_tokens" in path:
            await _send_json(writer, 200, {"input_tokens": 1000})
        else:
            await self._answer_message(writer, json.loads(raw))
        return True

    async def _answer_message(self, writer: asyncio.StreamWriter, body: dict[str, Any]) -> None:
        self.requests.append(body)
        reply = choose(body)
        asked = json.dumps(body["messages"])
        if reply.first is not None and asked not in self._tried:
            self._tried.add(asked)
            reply = reply.first
        if reply.status != 200:
            kind = ERRORS.get(reply.status, "api_error")
            error = {"type": "error", "error": {"type": kind, "message": f"{kind} from the test model"}}
            await _send_json(writer, reply.status, error, self.limits)
        elif body.get("stream"):
            await _send_stream(writer, _stream(body.get("model", "?"), reply, self._released), self.limits)
        else:
            await _send_json(writer, 200, _whole(body.get("model", "?"), reply), self.limits)


def _usage(output: int) -> Block:
    return {
        "input_tokens": 1200,
        "cache_creation_input_tokens": 300,
        "cache_read_input_tokens": 18000,
        "output_tokens": output,
    }


def _stop_reason(reply: Reply) -> str:
    return "tool_use" if any(block["type"] == "tool_use" for block in reply.blocks) else "end_turn"


def _whole(model: str, reply: Reply) -> Block:
    return {
        "id": f"msg_{message_ids()}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": reply.blocks,
        "stop_reason": _stop_reason(reply),
        "stop_sequence": None,
        "usage": _usage(40),
    }


async def _stream(model: str, reply: Reply, released: asyncio.Event) -> AsyncIterator[Block]:
    message = {**_whole(model, reply), "content": [], "stop_reason": None, "usage": _usage(1)}
    yield {"type": "message_start", "message": message}
    for index, block in enumerate(reply.blocks):
        if reply.held and index:
            await released.wait()
        yield {"type": "content_block_start", "index": index, "content_block": _opened(block)}
        for delta in _delta(block):
            yield {"type": "content_block_delta", "index": index, "delta": delta}
            if reply.word_pause_s:
                await asyncio.sleep(reply.word_pause_s)
        if reply.broken:
            yield {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
            return
        yield {"type": "content_block_stop", "index": index}
    stop = {"stop_reason": _stop_reason(reply), "stop_sequence": None}
    yield {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 40}}
    yield {"type": "message_stop"}


Headers = dict[str, str]


def _head(status: int, headers: Headers) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode()


async def _send_json(
    writer: asyncio.StreamWriter, status: int, body: Block, more: Headers | None = None
) -> None:
    raw = json.dumps(body).encode()
    head = {"content-type": "application/json", "content-length": str(len(raw)), **(more or {})}
    writer.write(_head(status, head) + raw)
    await writer.drain()


async def _send_stream(writer: asyncio.StreamWriter, events: AsyncIterator[Block], more: Headers) -> None:
    writer.write(_head(200, {"content-type": "text/event-stream", "transfer-encoding": "chunked", **more}))
    async for event in events:
        raw = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
        writer.write(f"{len(raw):x}\r\n".encode() + raw + b"\r\n")
        await writer.drain()
    writer.write(b"0\r\n\r\n")
    await writer.drain()


async def _main(port: int) -> None:
    server = ModelServer()
    await server.start(port)
    print(server.url, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]) if len(sys.argv) > 1 else 0))
