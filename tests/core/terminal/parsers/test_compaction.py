"""How a compaction stands."""

import pytest

from core.terminal.parsers.compaction import compaction
from tests.fakes.screens import recorded, written


@pytest.mark.parametrize("columns", [80, 120, 40])
@pytest.mark.parametrize(
    ("name", "state", "words"),
    [
        ("running", "running", "Compacting conversation"),
        ("stopped", "none", ""),
        ("done", "done", "Compacted"),
        ("error", "error", "Error during compaction: API Error"),
    ],
)
def test_the_real_ones(name: str, state: str, words: str, columns: int) -> None:
    found = compaction(recorded("compaction", name, columns))
    assert found.state == state
    assert found.text.startswith(words)


PROMPT = f"{'─' * 60}\n❯ \n{'─' * 60}\n  ? for shortcuts"


@pytest.mark.parametrize(
    ("above", "state"),
    [
        ("❯ /compact\n  ⎿  Not enough messages to compact.\n", "error"),
        ("❯ /compact\n  ⎿  Compaction canceled.\n", "error"),
        ("✻ Conversation compacted (ctrl+o for history)\n", "done"),
        ("❯ /compact\n  ⎿  Compacted\n\n❯ go on\n\n● Done.\n", "none"),
        ("● It said:\n  ⎿  Compacted (ctrl+o to see full summary)\n", "none"),
        ("❯ what does this mean\n  /compact\n  ⎿  Error during compaction\n", "none"),
        ("● Compacting conversation… is what it says\n", "none"),
    ],
)
def test_by_what_stands_last(above: str, state: str) -> None:
    assert compaction(written(f"{above}\n{PROMPT}", 60)).state == state
