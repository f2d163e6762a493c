"""One look sees what each parser sees."""

from core.terminal.parsers.activity import activity
from core.terminal.parsers.compaction import compaction
from core.terminal.parsers.composer import composer
from core.terminal.parsers.dialog import dialog
from core.terminal.parsers.furniture import furniture
from core.terminal.parsers.picker import picker
from core.terminal.parsers.progress import progress
from core.terminal.parsers.sight import Sight, sight
from tests.fakes.screens import all_recorded


def test_it_sees_what_each_parser_sees() -> None:
    for name, screen in all_recorded().items():
        alone = Sight(
            composer(screen),
            activity(screen),
            progress(screen),
            compaction(screen),
            furniture(screen),
            dialog(screen),
            picker(screen),
        )
        assert sight(screen) == alone, name
