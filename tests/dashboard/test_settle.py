"""What a process is like before and after it has settled; in one of its own, for it cannot be undone."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = """
import gc, threading
from dashboard.settle import hold, settle
hold()
assert not gc.isenabled()
settle()
assert gc.isenabled() and gc.get_freeze_count() > 1000
for thread in threading.enumerate():
    thread is threading.main_thread() or thread.join(30)
from widgets.render.code import _lexer
print(_lexer.cache_info().currsize)
"""


def test_what_is_there_is_left_alone_and_lexers_are_loaded() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, cwd=ROOT, timeout=60, check=True
    )
    assert int(done.stdout) >= 4
