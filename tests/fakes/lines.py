"""Lines of a claude process, from the handed cases and the recordings, and what becomes of them."""

from collections.abc import Iterable
from pathlib import Path

from core.session.events import Event
from core.sources.stream import StreamSource
from core.wire.codec import decode

DATA = Path(__file__).parents[1] / "data"
RECORDED = sorted(path.stem for path in (DATA / "recorded").glob("*.ndjson"))


def case(name: str) -> list[bytes]:
    """The lines of a handed case (`WIR-01`, `CTL-01.expected` …)."""
    return (DATA / "cases" / f"{name}.ndjson").read_bytes().removesuffix(b"\n").split(b"\n")


def recorded(name: str) -> list[bytes]:
    """The lines of a recording of the real CLI."""
    return (DATA / "recorded" / f"{name}.ndjson").read_bytes().removesuffix(b"\n").split(b"\n")


def events_of(lines: Iterable[bytes], source: StreamSource | None = None) -> list[Event]:
    """All events of some lines, one second apart from 0."""
    source = source or StreamSource()
    records = ((decode(line), at) for at, line in enumerate(lines))
    return [event for record, at in records if record is not None for event in source.events(record, at)]
