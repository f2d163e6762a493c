"""`mitmdump` in an environment of its own: made once, resumed where it was broken off, taken away.

mitmproxy pins old versions of libraries that others need newer, so it never shares an environment (FACTS §5).
The standard library only: the tests make theirs with it before anything is installed. It must not know what
mitmdump is for.
"""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from core.errors import InstallFailed

PINS: tuple[tuple[tuple[int, int], str], ...] = (
    ((3, 12), "mitmproxy>=12,<13"),
    ((3, 11), "mitmproxy==11.0.2"),
)
"""What fits which Python, the newest first; the first whose version is not above ours."""

READY = "ready"
"""The file that says an environment is whole: without it, an install was broken off and is resumed."""

PROGRAM = Path("bin/mitmdump")

_SAYS = ("Collecting", "Downloading", "Using cached", "Installing", "Successfully", "Building")
_OFFLINE = (
    "NewConnectionError",
    "Temporary failure in name resolution",
    "Name or service not known",
    "nodename nor servname",
    "Failed to establish a new connection",
)

Tell = Callable[[str], None]


def installed(folder: Path) -> Path | None:
    """The `mitmdump` of a whole environment; None where there is none, or only a part of one."""
    program = folder / PROGRAM
    return program if (folder / READY).exists() and program.exists() else None


def install(folder: Path, tell: Tell, python: str = sys.executable) -> Path:
    """Make the environment in `folder`, or finish it; `tell` gets a line a step. Blocks for half a minute.

    Raises `InstallFailed`; what was downloaded stays with pip, so that another run goes on from there.
    """
    if (program := installed(folder)) is not None:
        tell(f"It is there: {program}")
        return program
    wanted = pin(python)
    tell(f"{wanted} for {python}, in {folder}")
    folder.parent.mkdir(parents=True, exist_ok=True)
    if not (folder / "bin/python").exists():
        tell("Making an environment of its own")
        _run((python, "-m", "venv", "--without-pip", "--clear", str(folder)), tell)
    _run((*_installer(folder, python), wanted), tell)
    if not (folder / PROGRAM).exists():
        raise InstallFailed(
            f"{folder / PROGRAM} is not there", "Run `quarterdeck proxy remove`, then install again."
        )
    (folder / READY).touch()
    return folder / PROGRAM


def remove(folder: Path) -> bool:
    """Take the environment away; whether there was one."""
    if not folder.exists():
        return False
    shutil.rmtree(folder)
    return True


def pin(python: str) -> str:
    """The release of mitmproxy for an interpreter."""
    code = "import sys; print(*sys.version_info[:2])"
    try:
        asked = subprocess.run((python, "-c", code), capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise InstallFailed(f"{python} cannot be run ({error})", "Name another Python.") from None
    major, minor = asked.stdout.split()
    found = next((wanted for least, wanted in PINS if (int(major), int(minor)) >= least), None)
    if found is None:
        raise InstallFailed(f"{python} is older than 3.11", "Name a newer Python.")
    return found


def _installer(folder: Path, python: str) -> tuple[str, ...]:
    """pip, wherever there is one: our own, the system's, or uv. A tool's environment often has none."""
    target = str(folder / "bin/python")
    candidates = (python, *(path for name in ("python3", "python") if (path := shutil.which(name))))
    for candidate in candidates:
        if (
            subprocess.run((candidate, "-m", "pip", "--version"), capture_output=True, check=False).returncode
            == 0
        ):
            quiet = ("--disable-pip-version-check", "--no-input", "--progress-bar=off")
            return (candidate, "-m", "pip", "--python", target, "install", *quiet)
    if uv := shutil.which("uv"):
        return (uv, "pip", "install", "--python", target)
    raise InstallFailed(
        "neither pip nor uv was found", "Install one of them (Debian: `apt install python3-pip`)."
    )


def _run(command: Sequence[str], tell: Tell) -> None:
    last: list[str] = []
    for line in _lines(command):
        if line.startswith(_SAYS):
            tell(line[:100])
        last = [*last[-40:], line]
    code = last.pop() if last else "0"
    if code != "0":
        raise _failure(command, last)


def _lines(command: Sequence[str]) -> Iterator[str]:
    """What a program prints, line by line; its exit code comes last."""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        yield from (line.strip() for line in process.stdout)
    yield str(process.returncode)


def _failure(command: Sequence[str], said: Sequence[str]) -> InstallFailed:
    if any(mark in line for line in said for mark in _OFFLINE):
        return InstallFailed(
            "the package index cannot be reached",
            "Run it again with a connection; what was downloaded is kept.",
        )
    errors = [line for line in said if line.lower().startswith("error")] or list(said)
    words = errors[-1].removeprefix("ERROR: ") if errors else f"`{command[0]}` failed"
    return InstallFailed(words.rstrip("."), "Run it again to go on from there.")
