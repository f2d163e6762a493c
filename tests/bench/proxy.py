"""The captured API stream: records from bytes to events, beside a plain reader of such streams, in the same run.

The stream is one of many answers of ordinary length (nine of ten records are deltas), fed in chunks of a network's
size and, the worst that happens, of one record each. The peer does what HTTP libraries' readers do: decode the
bytes, go line by line, `json.loads` each record's data; no events come of it.
"""

import json
import time
from collections.abc import Callable, Iterator

from core.proxy.adapter import Adapter
from core.proxy.reports import Answered, Ended, Piece
from tests.bench.figures import Figure
from tests.fakes.capture import HOST, asks, block, sse, start, stop, text, tool

ANSWERS = 60
WORDS = 120
CHUNK_BYTES = 16 * 1024
ROUNDS = 7
BAR = 50_000


def figures() -> list[Figure]:
    """Records a second of processor time; the ratio is to the plain reader's rate."""
    answers = [_answer(number) for number in range(ANSWERS)]
    count = sum(answer.count(b"\n\n") for answer in answers)
    cuts: tuple[tuple[str, Callable[[bytes], list[bytes]]], ...] = (
        ("16 KB chunks", _in_chunks),
        ("a record a chunk", _by_record),
    )
    return [_figure(name, [cut(answer) for answer in answers], count) for name, cut in cuts]


def _figure(name: str, answers: list[list[bytes]], count: int) -> Figure:
    ours = peer = float("inf")
    for _ in range(ROUNDS):
        ours, peer = min(ours, _timed(_capture, answers)), min(peer, _timed(_plain, answers))
    return Figure(
        name=f"records/s: SSE → events, {name}",
        value=count / ours,
        unit="records/s",
        peer="a plain reader with json.loads",
        ratio=peer / ours,
        bar=f"≥ {BAR:,}",
        met=count / ours >= BAR,
    )


def _timed(run: Callable[[list[list[bytes]]], None], answers: list[list[bytes]]) -> float:
    began = time.process_time()
    run(answers)
    return time.process_time() - began


def _answer(number: int) -> bytes:
    words = " ".join(f"word{n}" for n in range(WORDS))
    thinking = [{"type": "thinking_delta", "thinking": f"thought {n} "} for n in range(WORDS // 4)]
    call = [f'"{n}", ' for n in range(WORDS // 4)]
    return sse(
        start(f"msg_{number}"),
        *block(0, {"type": "thinking", "thinking": ""}, *thinking),
        *text(words, 1),
        *tool("Bash", ['{"words": [', *call, '"last"]}'], 2, f"toolu_{number}"),
        *stop("tool_use"),
    )


def _in_chunks(answer: bytes) -> list[bytes]:
    return [answer[begin : begin + CHUNK_BYTES] for begin in range(0, len(answer), CHUNK_BYTES)]


def _by_record(answer: bytes) -> list[bytes]:
    return [record + b"\n\n" for record in answer.split(b"\n\n") if record]


def _capture(answers: list[list[bytes]]) -> None:
    adapter = Adapter((HOST,))
    for flow, answer in enumerate(answers):
        adapter.events(asks(flow, words=f"prompt {flow}"))
        adapter.events(Answered(flow=flow, headers={"content-type": "text/event-stream"}))
        for piece in answer:
            adapter.events(Piece(flow=flow, at=1.0, data=piece))
        adapter.events(Ended(flow=flow, at=2.0))
    assert all(flow.state == "complete" for flow in adapter.flows)


def _plain(answers: list[list[bytes]]) -> None:
    assert sum(1 for answer in answers for _ in _plain_events(answer)) > 0


def _plain_events(pieces: list[bytes]) -> Iterator[object]:
    rest, data = "", list[str]()
    for piece in pieces:
        *lines, rest = (rest + piece.decode()).split("\n")
        for line in lines:
            if line:
                field, _, value = line.partition(":")
                if field == "data":
                    data.append(value.removeprefix(" "))
            elif data:
                yield json.loads("\n".join(data))
                data = []
