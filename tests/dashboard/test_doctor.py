"""What the doctor finds, and what it advises."""

from pathlib import Path

import pytest

from dashboard.doctor import Check, examine, report
from tests.core.proxy.test_program import program


def env_with(tmp_path: Path, auth: str, exit_code: int = 0) -> dict[str, str]:
    """An environment with a `claude` that tells its login so."""
    cli = tmp_path / "bin/claude"
    cli.parent.mkdir()
    script = f"""#!/bin/sh
case "$1" in
  --version) echo "2.1.332 (Claude Code)";;
  auth) [ -n "$ANTHROPIC_API_KEY" ] && echo '{{"loggedIn": true, "authMethod": "api_key"}}' && exit 0
        echo '{auth}'; exit {exit_code};;
esac
"""
    cli.write_text(script)
    cli.chmod(0o755)
    return {"HOME": str(tmp_path), "PATH": f"{cli.parent}:/usr/bin:/bin"}


def found(checks: list[Check], name: str) -> Check:
    return next(check for check in checks if check.name == name)


def test_the_login_is_what_the_cli_says(tmp_path: Path) -> None:
    told = '{"loggedIn": true, "authMethod": "claude.ai", "subscriptionType": "max"}'
    checks = examine(env_with(tmp_path, told))
    assert found(checks, "claude").found == f"2.1.332 at {tmp_path}/bin/claude"
    assert found(checks, "login") == Check("login", True, "claude.ai, max")


def test_a_missing_login_says_what_to_do(tmp_path: Path) -> None:
    checks = examine(env_with(tmp_path, '{"loggedIn": false}', 1) | {"ANTHROPIC_API_KEY": "dummy"})
    login = found(checks, "login")
    assert (login.fine, login.found) == (False, "nobody is logged in")
    assert "api_billing = true" in login.advice, "agents do not get the key, so the check must not either"


def test_an_api_key_counts_where_the_settings_bill_it(tmp_path: Path) -> None:
    file = tmp_path / ".config/quarterdeck/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("api_billing = true")
    checks = examine(env_with(tmp_path, '{"loggedIn": false}', 1) | {"ANTHROPIC_API_KEY": "dummy"})
    assert found(checks, "login") == Check("login", True, "api_key")


def test_an_effort_nobody_knows_is_said_and_no_fault(tmp_path: Path) -> None:
    file = tmp_path / ".config/quarterdeck/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("agents.effort = 'ultra'")
    check = found(examine(env_with(tmp_path, "{}")), "settings")
    assert check.fine
    assert "agents.effort is 'ultra'" in check.found


@pytest.mark.parametrize("told", ["Unknown command", "[]", '{"other": 1}', ""])
def test_a_cli_that_tells_nothing_is_no_fault(tmp_path: Path, told: str) -> None:
    assert found(examine(env_with(tmp_path, told, 1)), "login").fine


def test_a_wrong_setting_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / ".config/quarterdeck/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("theme = 'nord'\n[keys]\nnewt = 'n'\n")
    checks = examine(env_with(tmp_path, "{}"))
    assert "line 3" in found(checks, "settings").advice
    assert "did you mean `new`?" in report(checks)


def test_a_folder_that_cannot_be_made_is_found(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    checks = examine(env_with(tmp_path, "{}") | {"XDG_STATE_HOME": str(tmp_path / "file")})
    assert not found(checks, "state folder").fine
    assert found(checks, "cache folder").fine


def test_all_fine_is_said_in_a_line() -> None:
    assert report([Check("a", True, "b")]).endswith("All is there.")


def test_the_capture_is_an_extra(tmp_path: Path) -> None:
    env = env_with(tmp_path, "{}")
    missing = found(examine(env | {"PATH": str(tmp_path / "bin")}), "capture")
    assert missing.fine
    assert "quarterdeck proxy install" in missing.found
    program(tmp_path / "bin/mitmdump")
    assert found(examine(env), "capture").found == f"mitmdump 11.0.2 at {tmp_path}/bin/mitmdump"
    file = tmp_path / ".config/quarterdeck/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[proxy]\nmitmdump = '/not/there'\n")
    assert "proxy.mitmdump" in found(examine(env), "capture").advice
