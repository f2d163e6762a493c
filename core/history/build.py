"""`python -m core.history.build CONFIG CACHE`: builds the catalogue in a process of its own.

For the first time, when there is much to read, and whoever shows the sessions must stay quick. What happens
is written to stdout, a JSON object a line; a reader that goes away ends it. It must not know who asks.
"""

import os
import signal
import sqlite3
import sys
from pathlib import Path

import msgspec

from core.history.catalogue import Catalogue
from core.history.sync import Progress, Synced, unkept

NICENESS = 10
"""So much the process stands back behind others."""


def main() -> int:
    """Build, telling how far it is; exit code 1 if the catalogue cannot be kept."""
    config, cache = map(Path, sys.argv[1:3])
    os.nice(NICENESS)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # in order: helpers of its own end, too
    try:
        tell(Catalogue(config, cache).sync(progress=tell))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody is there to be told
    except (OSError, sqlite3.Error) as error:
        tell(unkept(error))
        return 1
    return 0


def tell(told: Progress | Synced) -> None:
    """One line, at once."""
    sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
