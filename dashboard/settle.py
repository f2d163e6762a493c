"""Start quickly, then settle down to run for days: the garbage collector, and what can be loaded ahead.

It must not know the app; who starts one calls `hold` first, and has `settle` called after the first frame.
"""

import gc
import threading

YOUNG = 5_000
"""So many new objects are worth a look, some 3 ms: at Python's own 700 looking is 2 % of all work."""


def hold() -> None:
    """Collect no garbage while starting: there is none, and looking for it takes a tenth of the time."""
    gc.disable()


def settle() -> None:
    """Never look again at what is there after the start, and load what the first code block will need.

    A full collection over all modules and widgets stands still for a tenth of a second.
    """
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
    gc.enable()
    threading.Thread(target=_load_ahead, name="load-ahead", daemon=True).start()


def _load_ahead() -> None:
    from widgets.render.code import warm

    warm()
