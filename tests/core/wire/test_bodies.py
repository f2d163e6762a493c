"""Bodies of answers: missing fields, and what the CLI adds."""

import msgspec
import pytest
from msgspec import Struct

from core.wire import bodies

ANSWERS = [getattr(bodies, name) for name in dir(bodies) if name.endswith("Answer") or name == "Done"]


@pytest.mark.parametrize("body", ANSWERS)
def test_an_empty_answer_reads(body: type[Struct]) -> None:
    assert isinstance(msgspec.json.decode(b'{"zz":1}', type=body), body)


def test_a_server_with_tools() -> None:
    raw = (
        b'{"mcpServers":[{"name":"fs","status":"connected","config":{"type":"stdio","command":"fs","args":["-r"]},'
        b'"tools":[{"name":"read","annotations":{}}],"serverInfo":{}}]}'
    )
    (server,) = msgspec.json.decode(raw, type=bodies.McpStatusAnswer).servers
    assert server.config == bodies.McpConfigBody("stdio", None, "fs", ("-r",))
    assert server.tools == (bodies.McpToolBody("read"),)


def test_a_rewind() -> None:
    raw = b'{"canRewind":true,"filesChanged":["a"],"insertions":1,"deletions":0}'
    assert msgspec.json.decode(raw, type=bodies.RewindAnswer) == bodies.RewindAnswer(True, None, ("a",), 1, 0)
