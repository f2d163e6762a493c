"""All that the parsers read off one screen, in one look."""

from msgspec import Struct

from core.session.screen import Screen
from core.terminal.parsers.activity import Activity, read_activity
from core.terminal.parsers.compaction import Compaction, read_compaction
from core.terminal.parsers.composer import Composer, read_composer
from core.terminal.parsers.dialog import Dialog, read_dialog
from core.terminal.parsers.furniture import Furniture, view
from core.terminal.parsers.menu import Menu
from core.terminal.parsers.picker import read_picker
from core.terminal.parsers.progress import Progress, read_progress


class Sight(Struct, frozen=True):
    """What a screen says. `furniture` is None where neither prompt nor status line is painted."""

    composer: Composer = Composer()
    activity: Activity = Activity()
    progress: Progress = Progress()
    compaction: Compaction = Compaction()
    furniture: Furniture | None = None
    dialog: Dialog | None = None
    picker: Menu | None = None


def sight(screen: Screen) -> Sight:
    """Look at a screen."""
    seen = view(screen)
    if seen.frame is None:
        return Sight(dialog=read_dialog(seen))
    doing, typed = read_activity(seen), read_composer(seen)
    return Sight(
        composer=typed,
        activity=doing,
        progress=read_progress(seen, doing),
        compaction=read_compaction(seen, doing),
        furniture=seen.frame,
        picker=read_picker(seen, typed),
    )
