"""Figure 1: lines the real CLI wrote, read by us and by `claude_agent_sdk`'s own parser, in the same run.

Both start from the bytes of a line. Rounds alternate and the best of each counts (processor time), so that a
busy machine disturbs both alike. Only lines that the SDK makes a message of are read: its control channel
takes another way. We read as an agent's host does, in slices, and end in a session's state and conversation.
"""

import json
import time
from collections.abc import Callable, Sequence

from claude_agent_sdk._internal.message_parser import parse_message

from core.session.session import Session
from core.session.state import SessionState
from core.sources.stream import StreamSource
from core.wire.batch import decode_batch
from core.wire.codec import decode
from core.wire.framing import Oversized
from tests.bench.figures import Figure
from tests.fakes.lines import RECORDED, recorded

ROUNDS = 25
PASSES = 3
SLICE = 64
"""As many lines as a host folds in one go."""

USUAL = ["long"]
"""Turns of ordinary length, 85 % of the lines deltas."""

SCENES = [name for name in RECORDED if name not in USUAL]
"""Turns of a sentence each, half of the lines deltas: what a protocol does at its edges."""

Run = Callable[[Sequence[bytes]], None]


def figures() -> list[Figure]:
    """Rates in lines a second of processor time; the ratio is to the SDK's rate on the same lines."""
    return [
        _figure("decode, all recordings", _decode, RECORDED, 5.0),
        _figure("decode + fold, all recordings", _fold, RECORDED, 2.0),
        _figure("decode + fold, turns of ordinary length", _fold, USUAL, 2.0),
        _figure("decode + fold, the shortest of turns", _fold, SCENES, 2.0),
    ]


def _figure(name: str, run: Run, names: Sequence[str], bar: float) -> Figure:
    lines = [line for known in names for line in recorded(known) if _is_message(line)] * PASSES
    ours, peer = _best((run, _sdk), lines)
    return Figure(
        name=f"lines/s: {name}",
        value=len(lines) / ours,
        unit="lines/s",
        peer="claude_agent_sdk's parser",
        ratio=peer / ours,
        bar=f"≥ {bar:g} × the peer",
        met=peer / ours >= bar,
    )


def _is_message(line: bytes) -> bool:
    return not line.startswith(b'{"type":"control_') and parse_message(json.loads(line)) is not None


def _best(runs: Sequence[Run], lines: Sequence[bytes]) -> list[float]:
    """Seconds of the best round of each."""
    best = [float("inf")] * len(runs)
    for _ in range(ROUNDS):
        for place, run in enumerate(runs):
            start = time.process_time()
            run(lines)
            best[place] = min(best[place], time.process_time() - start)
    return best


def _sdk(lines: Sequence[bytes]) -> None:
    for line in lines:
        parse_message(json.loads(line.decode()))


def _decode(lines: Sequence[bytes]) -> None:
    for line in lines:
        decode(line)


def _fold(lines: Sequence[bytes]) -> None:
    source, session = StreamSource(), Session(SessionState(key="bench"))
    for start in range(0, len(lines), SLICE):
        for record in decode_batch(lines[start : start + SLICE]):
            assert not isinstance(record, Oversized)
            for event in source.events(record, 0.0):
                session.apply(event)
