"""`mitmdump` is installed by a real pip, from a folder with a wheel that only pretends to be it."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from core.errors import InstallFailed
from core.proxy.install import PINS, READY, install, installed, pin, remove

RELEASES = ("11.0.2", "12.9.9")


def wheel(folder: Path, version: str) -> None:
    """A wheel of a `mitmproxy` whose mitmdump says its version."""
    name = f"mitmproxy-{version}"
    files = {
        "pretender.py": f"def main(): print('Mitmproxy: {version}')\n",
        f"{name}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: mitmproxy\nVersion: {version}\n",
        f"{name}.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{name}.dist-info/entry_points.txt": "[console_scripts]\nmitmdump = pretender:main\n",
    }
    record = "".join(f"{file},,\n" for file in (*files, f"{name}.dist-info/RECORD"))
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / f"{name}-py3-none-any.whl", "w") as archive:
        for file, text in {**files, f"{name}.dist-info/RECORD": record}.items():
            archive.writestr(file, text)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What pip can install: nothing yet."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    settings = {
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(folder),
        "PIP_NO_CACHE_DIR": "1",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    return folder


def test_an_install_that_broke_off_is_gone_on_with(tmp_path: Path, index: Path) -> None:
    target, told = tmp_path / "data/mitmproxy", list[str]()
    with pytest.raises(InstallFailed, match="No matching distribution"):
        install(target, told.append)
    assert installed(target) is None, "half an environment is none"
    for version in RELEASES:
        wheel(index, version)
    program = install(target, told.append)
    assert "Successfully installed mitmproxy" in told[-1], "each step is told"
    assert installed(target) == program
    said = subprocess.run((program,), capture_output=True, text=True, check=True).stdout
    assert said.startswith("Mitmproxy: ")
    install(target, told.append)
    assert told[-1].startswith("It is there")
    assert remove(target)
    assert not target.exists()
    assert not remove(target)


def test_without_a_connection_it_says_so_and_what_to_do(
    tmp_path: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(InstallFailed, match=r"cannot be reached\. Run it again with a connection"):
        install(tmp_path / "there", lambda line: None)


def test_a_program_without_its_mark_is_half_an_install(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/mitmdump").touch()
    assert installed(tmp_path) is None
    (tmp_path / READY).touch()
    assert installed(tmp_path) == tmp_path / "bin/mitmdump"


def test_a_release_that_fits_this_python() -> None:
    assert pin(sys.executable) in dict(PINS).values()
    with pytest.raises(InstallFailed, match="cannot be run"):
        pin("/no/such/python")
