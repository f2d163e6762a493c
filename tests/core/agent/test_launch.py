import os
import sys
from pathlib import Path
from subprocess import run

import msgspec
import pytest

from core.agent.launch import DROPPED, STREAMS, LaunchSpec, argv, check, environment
from core.errors import (
    DirectoryForbidden,
    DirectoryIsFile,
    DirectoryMissing,
    DirectoryUnnameable,
    LaunchError,
)

BARE = LaunchSpec(directory="/srv/demo")


def spec(**fields: object) -> LaunchSpec:
    return msgspec.structs.replace(BARE, **fields)


def test_a_bare_spec_gives_the_stream_flags_only() -> None:
    assert argv(BARE, "/bin/claude") == ("/bin/claude", *STREAMS)
    assert "-p" not in argv(BARE, "/bin/claude")


FLAGS: list[tuple[dict[str, object], list[str]]] = [
    ({"permission_mode": "plan"}, ["--permission-mode=plan"]),
    ({"permission_mode": "manual"}, ["--permission-mode=default"]),
    ({"permission_mode": "default"}, ["--permission-mode=default"]),
    ({"model": "opus"}, ["--model=opus"]),
    ({"effort": "high"}, ["--effort=high"]),
    ({"resume": "-odd id"}, ["--resume=-odd id"]),
    ({"resume": "s1", "fork": True}, ["--resume=s1", "--fork-session"]),
    ({"fork": True}, []),
    (
        {"allowed_tools": ("Bash(git log, x)", "Read")},
        ["--allowedTools=Bash(git log, x)", "--allowedTools=Read"],
    ),
    ({"disallowed_tools": ("Write",)}, ["--disallowedTools=Write"]),
    (
        {"mcp_config": ("a.json", '{"mcpServers":{}}')},
        ["--mcp-config=a.json", '--mcp-config={"mcpServers":{}}'],
    ),
    ({"settings_json": '{"a":1}'}, ['--settings={"a":1}']),
    ({"attribution": False}, ['--settings={"attribution":{"commit":"","pr":""}}']),
    (
        {"attribution": False, "settings_json": '{"a":[1]}'},
        ['--settings={"a":[1],"attribution":{"commit":"","pr":""}}'],
    ),
    ({"extra_flags": ("--add-dir", "/x")}, ["--add-dir", "/x"]),
]


@pytest.mark.parametrize(("fields", "flags"), FLAGS, ids=lambda value: str(value)[:40])
def test_each_field_becomes_its_flag(fields: dict[str, object], flags: list[str]) -> None:
    assert list(argv(spec(**fields), "claude"))[1 + len(STREAMS) :] == flags


def test_a_spec_survives_json() -> None:
    one = spec(environment=(("A", "1"),), allowed_tools=("Read",))
    assert msgspec.json.decode(msgspec.json.encode(one), type=LaunchSpec) == one


# PRO-06: name → what becomes of it when Quarterdeck itself was started from inside a Claude Code session.
INHERITED = {
    "CLAUDECODE": ("1", None),
    "CLAUDE_CODE_ENTRYPOINT": ("cli", None),
    "CLAUDE_CODE_SSE_PORT": ("1234", None),
    "CLAUDE_CODE_SESSION_ID": ("s", None),
    "CLAUDE_CODE_MESSAGING_TOKEN": ("t", None),
    "ANTHROPIC_LOG": ("debug", None),
    "ANTHROPIC_API_KEY": ("key", None),
    "CLAUDE_CONFIG_DIR": ("/srv/cfg", "/srv/cfg"),
    "CLAUDE_CODE_OAUTH_TOKEN": ("chosen", "chosen"),
    "CLAUDE_CODE_USE_BEDROCK": ("1", "1"),
    "ANTHROPIC_BASE_URL": ("http://127.0.0.1:1", "http://127.0.0.1:1"),
    "ANTHROPIC_AUTH_TOKEN": ("chosen", "chosen"),
    "HTTPS_PROXY": ("http://proxy", "http://proxy"),
    "PATH": ("/bin", "/bin"),
}


@pytest.mark.parametrize("name", INHERITED)
def test_pro_06_nesting_marks_go_and_choices_stay(name: str) -> None:
    child = environment(BARE, {name: value for name, (value, _) in INHERITED.items()})
    assert child.get(name) == INHERITED[name][1]


def test_pro_06_the_child_itself_sees_none_of_the_marks() -> None:
    child = environment(BARE, dict.fromkeys(DROPPED, "1") | {"CLAUDE_CONFIG_DIR": "/srv/cfg"})
    script = "import os; print(*sorted(k for k in os.environ if 'CLAUDE' in k or 'ANTHROPIC' in k))"
    seen = run([sys.executable, "-c", script], env=child, capture_output=True, text=True, check=True).stdout
    assert seen.split() == [
        "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS",
        "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING",
        "CLAUDE_CONFIG_DIR",
    ]


def test_api_billing_lets_the_key_through() -> None:
    assert environment(spec(api_billing=True), {"ANTHROPIC_API_KEY": "k"})["ANTHROPIC_API_KEY"] == "k"


def test_what_the_spec_gives_wins() -> None:
    given = (("CLAUDECODE", "1"), ("ANTHROPIC_API_KEY", "mine"), ("GIT_AUTHOR_NAME", "Other"))
    child = environment(spec(environment=given, author_name="Ann", author_email="a@x"), {"CLAUDECODE": "0"})
    assert dict(given).items() <= child.items()
    assert child["GIT_COMMITTER_NAME"] == "Ann"
    assert child["GIT_AUTHOR_EMAIL"] == child["GIT_COMMITTER_EMAIL"] == "a@x"


def test_without_an_author_git_is_left_alone() -> None:
    assert not [name for name in environment(BARE, {}) if name.startswith("GIT_")]


def test_a_usable_folder_passes(tmp_path: Path) -> None:
    check(spec(directory=str(tmp_path)))


@pytest.mark.parametrize("way", ["itself", "a link to it", "a folder below"])
def test_a_folder_whose_name_is_no_text(tmp_path: Path, way: str) -> None:
    """The CLI looks for it under another name, and ends; its message names that one."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    (folder / "below").mkdir(parents=True)
    (tmp_path / "link").symlink_to(folder)
    path = {"itself": folder, "a link to it": tmp_path / "link", "a folder below": folder / "below"}[way]
    with pytest.raises(DirectoryUnnameable, match="Rename it") as raised:
        check(spec(directory=str(path)))
    str(raised.value).encode()


def test_an_unusable_folder_is_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    scenes: list[tuple[Path, type[LaunchError]]] = [
        (tmp_path / "gone", DirectoryMissing),
        (file, DirectoryIsFile),
        (file / "below", DirectoryMissing),
    ]
    for path, error in scenes:
        with pytest.raises(error, match=str(path)):
            check(spec(directory=str(path)))
    monkeypatch.setattr("os.access", lambda path, mode: False)  # root may enter everything
    with pytest.raises(DirectoryForbidden, match=str(tmp_path)):
        check(spec(directory=str(tmp_path)))
