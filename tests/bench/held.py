"""`python -m tests.bench.held MODULE …`: a part of the bench in a process prepared as `quarterdeck`'s own is."""

import runpy
import subprocess
import sys
from pathlib import Path

from dashboard.settle import hold

ROOT = Path(__file__).parents[2]


def output_of(module: str, *arguments: str) -> bytes:
    """What a module of the bench prints in a process of its own, within three minutes."""
    command = [sys.executable, "-m", "tests.bench.held", module, *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT, timeout=180).stdout


if __name__ == "__main__":
    hold()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__")
