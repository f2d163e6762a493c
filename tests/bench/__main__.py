"""`python -m tests.bench [--json] [--only WORD]`: the figures of the project, as a table or as JSON.

A part is a module of this package with `figures()`.
"""

import argparse
import importlib
import os
import sys

import msgspec

from tests.bench.figures import Figure, table

PARTS = (
    "decode",
    "streaming",
    "deck",
    "keys",
    "inbox",
    "start",
    "memory",
    "keepers",
    "history",
    "opening",
    "building",
    "mirrored",
    "proxy",
    "files",
    "terminal",
)


def main() -> int:
    """Measure, print, and say by the exit code whether every bar was met."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="a list of objects instead of a table")
    parser.add_argument("--only", default="", metavar="WORD", help="only parts whose name holds WORD")
    asked = parser.parse_args()
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", file=sys.stderr)
    found: list[Figure] = []
    for part in PARTS:
        if asked.only in part:
            print(f"measuring {part} …", file=sys.stderr)
            found += importlib.import_module(f"tests.bench.{part}").figures()
    print(msgspec.json.encode(found).decode() if asked.json else table(found))
    return 1 if any(figure.met is False for figure in found) else 0


if __name__ == "__main__":
    sys.exit(main())
