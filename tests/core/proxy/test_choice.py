"""When an interactive session is captured."""

from pathlib import Path

import pytest

from core.errors import ProxyMissing
from core.proxy.choice import way_of
from core.proxy.install import READY
from core.proxy.program import environment_folder
from core.settings import Settings, decode
from tests.core.proxy.test_program import program


def settings(text: str = "") -> Settings:
    return decode(text)


def test_it_is_wanted_once_it_was_installed_for_that(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "PATH": str(tmp_path / "bin")}
    program(tmp_path / "bin/mitmdump")
    assert way_of(settings(), env) is None, "one that is there for other reasons means nothing"
    own = program(environment_folder(env) / "bin/mitmdump")
    (own.parents[1] / READY).touch()
    assert way_of(settings(), env) is not None
    assert way_of(settings("[terminal]\nproxy = false"), env) is None


def test_the_settings_reach_the_proxy(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "PATH": ""}
    named = program(tmp_path / "mine")
    way = way_of(settings(f"[proxy]\nmitmdump = '{named}'\ngateways = ['gw:8443']"), env)
    assert way is not None
    assert (way.program, way.hosts) == (named, ("api.anthropic.com", "gw:8443"))
    assert way.folder == tmp_path / ".local/state/quarterdeck/proxy"


def test_what_is_wanted_and_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(ProxyMissing):
        way_of(settings("[terminal]\nproxy = true"), {"HOME": str(tmp_path), "PATH": ""})
