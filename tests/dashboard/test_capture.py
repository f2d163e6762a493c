"""`quarterdeck proxy …` as a person runs it."""

from pathlib import Path

import pytest

from core.proxy.install import READY
from core.settings import ProxySettings, Settings
from dashboard import capture
from tests.core.proxy.test_program import program


def test_status_says_what_is_there_or_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    env = {"HOME": str(tmp_path), "PATH": ""}
    assert capture.run("status", Settings(), env) == 1
    assert "quarterdeck proxy install" in capsys.readouterr().err
    own = program(tmp_path / ".local/share/quarterdeck/mitmproxy/bin/mitmdump")
    (own.parents[1] / READY).touch()
    assert capture.run("status", Settings(proxy=ProxySettings(gateways=("gw.example:8443",))), env) == 0
    said = capsys.readouterr().out
    assert f"11.0.2 at {own}" in said
    assert "api.anthropic.com, gw.example:8443" in said


def test_install_says_so_if_another_one_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = program(tmp_path / ".local/share/quarterdeck/mitmproxy/bin/mitmdump")
    (own.parents[1] / READY).touch()
    other = program(tmp_path / "bin/mitmdump")
    env = {"HOME": str(tmp_path), "PATH": str(other.parent)}
    assert capture.run("install", Settings(), env) == 0
    said = capsys.readouterr().out
    assert "mitmdump 11.0.2 is ready" in said
    assert str(other) in said


def test_remove_takes_the_program_and_its_certificates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    env = {"HOME": str(tmp_path), "PATH": ""}
    program(tmp_path / ".local/share/quarterdeck/mitmproxy/bin/mitmdump")
    (tmp_path / ".local/state/quarterdeck/proxy").mkdir(parents=True)
    (tmp_path / ".local/state/quarterdeck/keep").mkdir()
    assert capture.run("remove", Settings(), env) == 0
    assert not (tmp_path / ".local/share/quarterdeck/mitmproxy").exists()
    assert [path.name for path in (tmp_path / ".local/state/quarterdeck").iterdir()] == ["keep"]
    assert capture.run("remove", Settings(), env) == 0
    assert "nothing to remove" in capsys.readouterr().out
