"""Figure 1: lines the real CLI wrote, read by us and by `claude_agent_sdk`'s own parser, in the same run.

Both start from the bytes of a line; rounds alternate, and the best round of each counts, so that a busy
machine disturbs both alike. Only lines that the SDK makes a message of are read: its control channel takes
another way. Our rate for `decode + fold` ends in a session's state and conversation.
"""

import json
import time
from collections.abc import Callable
from typing import Any

from claude_agent_sdk._internal.message_parser import parse_message

from core.session.session import Session
from core.session.state import SessionState
from core.sources.stream import StreamSource
from core.wire.batch import decode_batch
from core.wire.codec import decode
from tests.fakes.lines import RECORDED, recorded

ROUNDS = 15
SLICE = 64
PASSES = 3
BAR_DECODE = 5.0
BAR_FOLD = 2.0


def figures(rounds: int = ROUNDS, names: list[str] = RECORDED) -> list[dict[str, Any]]:
    """The figures as the table wants them: rates in lines a second, ratios to the SDK's."""
    lines = [line for name in names for line in recorded(name) if _is_message(line)] * PASSES
    peer, ours, folded = _best((_sdk, _decode, _fold), lines, rounds)
    count = len(lines)
    return [
        _figure("decode", count / ours, count / peer, BAR_DECODE),
        _figure("decode + fold", count / folded, count / peer, BAR_FOLD),
    ]


def _figure(name: str, value: float, peer: float, bar: float) -> dict[str, Any]:
    ratio = value / peer
    return {
        "name": f"{name}: lines/s, recorded lines, against claude_agent_sdk's parser",
        "value": round(value),
        "unit": "lines/s",
        "peer": round(peer),
        "ratio": round(ratio, 2),
        "bar": f"≥ {bar:g}",
        "met": ratio >= bar,
    }


def _is_message(line: bytes) -> bool:
    return not line.startswith(b'{"type":"control_') and parse_message(json.loads(line)) is not None


def _best(
    runs: tuple[Callable[[list[bytes]], None], ...], lines: list[bytes], rounds: int
) -> tuple[float, ...]:
    """Seconds of the best round of each."""
    best = [float("inf")] * len(runs)
    for _ in range(rounds):
        for place, run in enumerate(runs):
            start = time.process_time()
            run(lines)
            best[place] = min(best[place], time.process_time() - start)
    return tuple(best)


def _sdk(lines: list[bytes]) -> None:
    for line in lines:
        parse_message(json.loads(line.decode()))


def _decode(lines: list[bytes]) -> None:
    for line in lines:
        decode(line)


def _fold(lines: list[bytes]) -> None:
    source, session = StreamSource(), Session(SessionState(key="bench"))
    for start in range(0, len(lines), SLICE):
        for record in decode_batch(lines[start : start + SLICE]):
            for event in source.events(record, 0.0):
                session.apply(event)


if __name__ == "__main__":
    for names in (RECORDED, [x for x in RECORDED if x != "long"], ["long"]):
        for figure in figures(names=names):
            print(len(names), figure)
