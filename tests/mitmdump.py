"""The tests' own `mitmdump`, in `.venv-mitm`: `python3 -m tests.mitmdump` installs it, once.

It needs nothing but Python and pip, so that `tests/run` can begin with it while all else is installed. Who comes
while another installs waits for it.
"""

import fcntl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.proxy.install import install

FOLDER = Path(__file__).parents[1] / ".venv-mitm"


def mitmdump() -> Path:
    """The program. Blocks for half a minute the first time."""
    with _alone():
        return install(FOLDER, lambda line: print(line, file=sys.stderr))


@contextmanager
def _alone() -> Iterator[None]:
    with FOLDER.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    mitmdump()
