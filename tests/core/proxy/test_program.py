"""Where `mitmdump` is found."""

from pathlib import Path

import pytest

from core.errors import ProxyMissing
from core.proxy.install import READY
from core.proxy.program import environment_folder, find_mitmdump, read_version


def program(path: Path, says: str = "Mitmproxy: 11.0.2") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(0o755)
    return path


def test_the_setting_then_the_path_then_our_own(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "PATH": str(tmp_path / "bin")}
    with pytest.raises(ProxyMissing, match="quarterdeck proxy install"):
        find_mitmdump("", env)
    folder = environment_folder(env)
    assert folder == tmp_path / ".local/share/quarterdeck/mitmproxy"
    own = program(folder / "bin/mitmdump")
    with pytest.raises(ProxyMissing):
        find_mitmdump("", env)
    (folder / READY).touch()
    assert find_mitmdump("", env) == own
    on_path = program(tmp_path / "bin/mitmdump")
    assert find_mitmdump("", env) == on_path
    named = program(tmp_path / "else/where")
    assert find_mitmdump("~/else/where", env) == find_mitmdump(str(named), env) == named
    assert find_mitmdump("mitmdump", env) == on_path


def test_a_setting_that_is_wrong_is_not_passed_over(tmp_path: Path) -> None:
    program(tmp_path / "bin/mitmdump")
    env = {"HOME": str(tmp_path), "PATH": str(tmp_path / "bin")}
    for wrong in ("/no/such/file", str(tmp_path)):
        with pytest.raises(ProxyMissing, match=r"proxy\.mitmdump"):
            find_mitmdump(wrong, env)


@pytest.mark.parametrize(("says", "version"), [("Mitmproxy: 11.0.2", "11.0.2"), ("something else", "")])
def test_its_version(tmp_path: Path, says: str, version: str) -> None:
    assert read_version(program(tmp_path / "mitmdump", says)) == version
    assert read_version(tmp_path / "none") == ""
