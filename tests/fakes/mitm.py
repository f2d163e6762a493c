"""A `mitmdump` that is none: it says what a test wants it to, and ends as the addon would."""

import sys
from pathlib import Path
from textwrap import dedent

import msgspec

from core.proxy.reports import AnyReport

LISTENS = """
import json, socket, sys
folder = next(word for word in sys.argv if word.startswith("confdir=")).removeprefix("confdir=")
open(folder + "/mitmproxy-ca-cert.pem", "a").write("one authority\\n")
listener = socket.create_server(("127.0.0.1", 0))
print("mitmproxy says hello", flush=True)
print(json.dumps({"type": "hello", "host": "127.0.0.1", "port": listener.getsockname()[1]}), flush=True)
"""


def mitm(folder: Path, script: str) -> Path:
    """A program of these lines of Python."""
    path = folder / "mitmdump"
    path.write_text(f"#!{sys.executable} -ISu\n{dedent(script)}")
    path.chmod(0o755)
    return path


def telling(folder: Path, *reports: AnyReport, then: str = "sys.stdin.read()") -> Path:
    """One that listens, tells these reports, and goes on until its stdin ends."""
    lines = b"".join(msgspec.json.encode(report) + b"\n" for report in reports)
    (folder / "lines").write_bytes(lines)
    return mitm(
        folder, f"{LISTENS}\nprint(open({str(folder / 'lines')!r}).read(), end='', flush=True)\n{then}"
    )
