"""The command line: what it takes, what it says, and that it is quick to say it."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from core.settings import Settings, decode
from dashboard.cli import main, parser, specs


def run(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    command = (sys.executable, "-m", "dashboard", *arguments)
    root = Path(__file__).parents[2]
    return subprocess.run(
        command, env=env, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--permission-mode", "wrong"), "invalid choice"),
        (("--nonsense",), "unrecognized arguments"),
        (("no/such/folder",), "There is no folder"),
        (("",), "Write `.` for the one you are in"),
        (("policy", "explain", "Bash(\udcff)"), "cannot be used"),
        (("demoo",), "Did you mean `quarterdeck demo`?"),
        (("xyzzy",), "neither a folder here nor a command"),
        (("doctor", "now"), "Try `quarterdeck doctor --help`"),
        (("policy", "explain", "Bash", "--directory", "/no/such"), "There is no folder"),
        (("replay", "--speed", "-1", "x"), "is no speed"),
        (("sessions", "--limit", "0"), "1 or more"),
        (("logs", "x", "-n", "-2"), "1 or more"),
        (("budget", "x", "much"), "no amount of money"),
        (("--budget", "much", "."), "no amount of money"),
        ((__file__,), "is a file"),
        (("demo", "more"), "unrecognized arguments"),
        (("proxy", "dance"), "invalid choice"),
        ((".",), "needs a terminal"),
        ((), "needs a terminal"),
        (("demo",), "needs a terminal"),
    ],
)
def test_what_is_wrong_is_one_message_and_exit_code_2(
    arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    ended = run(*arguments, home=tmp_path)
    assert ended.returncode == 2
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_folder_that_is_gone_is_named_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert main(["."]) == 2
    assert main(["policy", "explain", "Bash(ls)"]) == 2
    assert capsys.readouterr().err.count("the folder you are in is gone") == 2


def test_help_nobody_reads_is_no_error() -> None:
    code = "import os, sys; from dashboard.cli import main; ours, theirs = os.pipe(); os.close(ours); "
    code += "os.dup2(theirs, 1); sys.exit(main(['--help']))"
    ended = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_wrong_settings_are_named(tmp_path: Path) -> None:
    file = tmp_path / ".config/quarterdeck/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[keys]\nquitt = 'x'\n")
    ended = run(home=tmp_path)
    assert ended.returncode == 2
    assert f"{file}, line 2" in ended.stderr
    assert "did you mean `quit`?" in ended.stderr


def test_keys_that_cannot_be_are_named_with_their_line(tmp_path: Path) -> None:
    file = tmp_path / ".config/quarterdeck/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[keys]\nnew = 'ctrl+n'\nstop = 'i'\n")
    ended = run(home=tmp_path)
    assert ended.returncode == 2
    assert f"{file}, line 3: `keys.stop`: 'i' is the key of `type`" in ended.stderr


def test_the_settings_in_the_readme_are_all_there_are_and_can_be_used(tmp_path: Path) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    shown = readme.partition("\n## Settings\n")[2].partition("```toml\n")[2].partition("```")[0]
    file = tmp_path / ".config/quarterdeck/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(shown, encoding="utf-8")
    assert run("policy", "explain", "Bash(git status)", home=tmp_path).returncode == 0
    told = tomllib.loads(shown)
    default = Settings()
    assert set(told) == set(default.__struct_fields__)
    for name in ("terminal", "proxy", "keeper", "agents", "policy", "budget", "hooks", "tools", "notify"):
        assert set(told[name]) == set(getattr(default, name).__struct_fields__), name


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_words_need_no_screen(argument: str) -> None:
    code = f"import sys; from dashboard.cli import main; main(['{argument}'])"
    check = f"try:\n    {code}\nexcept SystemExit: pass\nprint('textual' in sys.modules)"
    ended = subprocess.run((sys.executable, "-c", check), capture_output=True, text=True, check=True)
    assert "quarterdeck" in ended.stdout
    assert ended.stdout.endswith("False\n")


def test_directories_become_agents(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    given = [str(tmp_path / "one"), str(tmp_path / "two"), "--model", "haiku", "--permission-mode", "plan"]
    made = specs(parser().parse_args(given), decode("[agents]\neffort = 'low'"))
    assert [(spec.name, spec.model, spec.permission_mode, spec.effort) for spec in made] == [
        ("one", "haiku", "plan", "low"),
        ("two", "haiku", "plan", "low"),
    ]


def test_a_prompt_alone_starts_an_agent_here() -> None:
    (spec,) = specs(parser().parse_args(["--prompt", "hello"]), Settings())
    assert spec.directory == str(Path.cwd().resolve())
    assert specs(parser().parse_args([]), Settings()) == ()


def test_doctor_says_what_to_do(tmp_path: Path) -> None:
    ended = run("doctor", home=tmp_path)
    assert ended.returncode == 1
    assert "✗ terminal" in ended.stdout
    assert "To do:" in ended.stdout


def test_main_never_lets_a_traceback_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no/such/folder"]) == 2
    assert "quarterdeck: " in capsys.readouterr().err


def test_a_rule_is_explained_without_anything_being_sent(tmp_path: Path) -> None:
    file = tmp_path / ".config/quarterdeck/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(
        f"[policy]\nallow=['Bash(git:*)']\n[policy.directories.'{tmp_path}/api']\ndeny=['Bash(git push:*)']\n"
    )
    here = run("policy", "explain", "Bash(git push)", home=tmp_path)
    (tmp_path / "api").mkdir()
    there = run("policy", "explain", "Bash(git push)", "--directory", f"{tmp_path}/api", home=tmp_path)
    assert here.stdout == "allow: Allowed by your rule Bash(git:*).\n"
    assert there.stdout == "deny: Denied by your rule Bash(git push:*).\n"
    assert run("policy", "explain", "Bash(", home=tmp_path).returncode == 2
