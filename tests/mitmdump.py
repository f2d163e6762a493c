"""The tests' own `mitmdump`, in `.venv-mitm`: `python3 -m tests.mitmdump` installs it, once.

It needs nothing but Python and pip, so that `tests/run` can begin with it while all else is installed. Who comes
while another installs waits for it.
"""

import fcntl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.proxy.install import install, installed, pin

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".venv-mitm"
UV = ROOT / ".venv/bin/uv"


def mitmdump() -> Path:
    """The program. Blocks for half a minute the first time."""
    with _alone():
        _fetch()
        return install(FOLDER, lambda line: print(line, file=sys.stderr))


def _fetch() -> None:
    """With uv, in a tenth of pip's processor time, where `tests/setup` got it; `install` does what is left."""
    if installed(FOLDER) is None and UV.exists():
        subprocess.run((sys.executable, "-m", "venv", "--without-pip", FOLDER), check=False)
        subprocess.run(
            (UV, "pip", "install", "--python", FOLDER / "bin/python", pin(sys.executable)), check=False
        )


@contextmanager
def _alone() -> Iterator[None]:
    with FOLDER.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    mitmdump()
