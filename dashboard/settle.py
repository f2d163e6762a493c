"""Start quickly, then settle down to run for days: the garbage collector, and what can be loaded ahead.

It must not know the app; who starts one calls `hold` first, and has `settle` called after the first frame.
"""

import gc
import os
import threading

YOUNG = 5_000
"""So many new objects are worth a look, some 3 ms: at Python's own 700 looking is 2 % of all work."""


FPS = "120"
"""How often Textual may paint. The deck streams at 30; this is how long a key waits after such a frame: at
Textual's own 60 that alone is 17 of the 35 ms it may take."""

LOADING = "load-ahead"
"""The thread that loads, a second or so after the first frame."""


def hold() -> None:
    """Prepare to start, before Textual is loaded: no look for garbage while there is none; paint soon."""
    gc.disable()
    if "TEXTUAL_FPS" not in os.environ:
        os.environ["TEXTUAL_FPS"] = FPS
        import textual.constants  # noqa: F401 - reads it once

        del os.environ["TEXTUAL_FPS"]  # it is not for the agents


def settle() -> None:
    """Never look again at what is there after the start, and load what the first code block will need.

    A full collection over all modules and widgets stands still for a tenth of a second.
    """
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
    gc.enable()
    threading.Thread(target=_load_ahead, name=LOADING, daemon=True).start()


def _load_ahead() -> None:
    from widgets.render.code import warm

    warm()
