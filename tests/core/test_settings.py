"""What a settings file gives, and what a wrong one says."""

import os
import re
from pathlib import Path

import pytest

from core.errors import SettingsError
from core.settings import Settings, decode, load, settings_file

WHOLE = """
cli = "/opt/claude"
api_billing = true
theme = "quarterdeck-light"
animation = "none"
fold_successes = false

[agents]
model = "opus"
mode = "plan"
effort = "high"
allowed_tools = ["Read", "Bash(git:*)"]
environment = { FOO = "1" }

[keys]
new = "ctrl+n"
interrupt = ["escape", "f12"]
quit = ""
"""


def test_a_whole_file_is_read() -> None:
    settings = decode(WHOLE)
    assert (settings.cli, settings.api_billing, settings.animation) == ("/opt/claude", True, "none")
    assert settings.agents.allowed_tools == ("Read", "Bash(git:*)")
    assert settings.keys_of("new") == ("ctrl+n",)
    assert settings.keys_of("interrupt") == ("escape", "f12")
    assert settings.keys_of("quit") == ()
    assert settings.keys_of("zoom") is None


def test_defaults_and_choices_make_a_launch_spec() -> None:
    spec = decode(WHOLE).launch_spec("/w", model="haiku", effort="", name="api")
    assert (spec.directory, spec.model, spec.effort, spec.permission_mode) == ("/w", "haiku", "high", "plan")
    assert (spec.name, spec.environment, spec.api_billing) == ("api", (("FOO", "1"),), True)


def test_no_file_means_defaults(tmp_path: Path) -> None:
    assert load(tmp_path / "none.toml") == Settings()


def test_the_file_is_where_xdg_says() -> None:
    assert settings_file({"XDG_CONFIG_HOME": "/c", "HOME": "/h"}) == Path("/c/quarterdeck/config.toml")
    assert settings_file({"HOME": "/h"}) == Path("/h/.config/quarterdeck/config.toml")


@pytest.mark.parametrize(
    ("text", "line", "key", "words"),
    [
        ("[hosts.far]\ndestinaton = 'x'", 2, "hosts.far.destinaton", ("did you mean `destination`?",)),
        ("[hosts.far]\ncommand = 'qd'", 1, "hosts.far.destination", ("where `ssh` is to go",)),
        ("[hosts.far]\ndestination = '-oProxyCommand=x'", 2, "hosts.far.destination", ("where `ssh`",)),
        ("[hosts.'a:b']\ndestination = 'x'", 1, "hosts.a:b", ("make a name",)),
        ("them = 'x'", 1, "them", ("did you mean `theme`?",)),
        ("\n[agents]\nmodell = 'x'", 3, "agents.modell", ("did you mean `model`?",)),
        ("[agents]\n\nmode = 'Plan'", 3, "agents.mode", ("did you mean `plan`?", "acceptEdits")),
        ("agents.mode = 'zzz'", 1, "agents.mode", ("'zzz' is not known", "bypassPermissions")),
        ("[agents]\neffort = 'hihg'", 2, "agents.effort", ("did you mean `high`?", "low, medium")),
        ("[agents]\neffort = 'High'", 2, "agents.effort", ("did you mean `high`?",)),
        (
            "[[hooks.run]]\nevent = 'PreTooluse'\ncommand = 'x'",
            2,
            "hooks.run.event",
            ("did you mean `PreToolUse`?", "SubagentStop"),
        ),
        ("animation = 'never'", 1, "animation", ("auto, none, basic, full",)),
        ("api_billing = 'yes'", 1, "api_billing", ("true, false",)),
        ("[agents]\nallowed_tools = 'Read'", 2, "agents.allowed_tools", ("a list of texts",)),
        ("agents = 3", 1, "agents", ("must be a table",)),
        ("theme = 'x'\ncli = ", 2, "", ("not TOML",)),
        ("[agents.environment]\nA = 1", 1, "agents.environment", ("names with texts",)),
        ("theme = 'darkk'", 1, "theme", ("did you mean `dark`?",)),
        ("\n[keys]\nqit = 'x'", 3, "keys.qit", ("did you mean `quit`?",)),
        ("[budget]\nday_usd = -1", 2, "budget.day_usd", ("must not be below 0",)),
        ("[budget]\nday_usd = 'much'", 2, "budget.day_usd", ("a number",)),
        ("[budget]\nwarn_at = 1.5", 1, "budget.stop_at", ("must be above warn_at",)),
        ("[notify]\nfailed = ['bel']", 2, "notify.failed", ("bell, osc9, osc777, command",)),
        ("[notify]\nfailed = ['command']", 2, "notify.failed", ("there is none",)),
        ("[notify]\ntimeout_s = -1", 2, "notify.timeout_s", ("must be from 0",)),
        ("[[hooks.run]]\nevent = 'Stop'\ncomand = 'x'", 1, "hooks.run", ("each with event and command",)),
        ("[keys]\nquit = 5", 1, "keys", ("a key like",)),
        ("[keeper]\nidle_hours = -3", 2, "keeper.idle_hours", ("must be 0 or more",)),
        ("[terminal]\nscrollback = -1", 2, "terminal.scrollback", ("must be 0 or more",)),
        ("[hooks]\nuntil_timeout_s = 0", 2, "hooks.until_timeout_s", ("must be 1 or more",)),
    ],
)
def test_what_is_wrong_is_named(
    tmp_path: Path, text: str, line: int, key: str, words: tuple[str, ...]
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load(file, actions=("quit", "new"), themes=("dark", "light", "quarterdeck-dark"))
    assert caught.value.key == key
    assert str(caught.value).startswith(str(file))
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert caught.value.line == line


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(b"cli = '\xff'")
    with pytest.raises(SettingsError, match="cannot be read: byte 7 is not UTF-8"):
        load(file)


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.toml")
    with pytest.raises(SettingsError, match="it is no file"):
        load(tmp_path / "config.toml")


def test_one_word_where_a_list_is_due_is_told_how_to_become_one() -> None:
    with pytest.raises(SettingsError, match=r"must stand in a list\. Allowed: \[\"bell\"\]"):
        decode('[notify]\nneeds_you = "bell"\n')


POLICY = """
[policy]
allow = ["Bash(git status)"]
deny = ["Bash(rm:*)"]

[policy.directories."~/api"]
allow = ["Edit(src/**)"]
"""


def test_rules_for_all_agents_and_for_a_directory() -> None:
    policy = decode(POLICY).rules("/home/me")
    everywhere, api = policy.rules
    assert (everywhere.directory, list(map(str, everywhere.allow))) == ("", ["Bash(git status)"])
    assert (api.directory, list(map(str, api.allow)), api.deny) == ("/home/me/api", ["Edit(src/**)"], ())
    assert Settings().rules("/home/me").rules[0].allow == ()


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("Bash(rm:*)", "bash", 4, "called `Bash`"),
        ("Edit(src/**)", "Write(src/**)", 7, "`Edit(src/**)` covers Write"),
        ("~/api", "api", 6, "whole path"),
        ('allow = ["Edit', 'alow = ["Edit', 7, "did you mean `allow`?"),
        ('["Edit(src/**)"]', "3", 7, "a list of texts"),
    ],
)
def test_a_wrong_rule_is_named_with_its_line(old: str, new: str, line: int, words: str) -> None:
    with pytest.raises(SettingsError) as refused:
        decode(POLICY.replace(old, new))
    assert (refused.value.line, words in str(refused.value)) == (line, True), refused.value


def test_hooks_and_tools_of_ours_are_off_unless_chosen() -> None:
    assert (Settings().hooks.until, Settings().hooks.guard, Settings().tools.enabled) == ("", False, False)
    chosen = decode("[hooks]\nuntil = 'make test'\nuntil_limit = 3\nguard = true\n[tools]\nenabled = true\n")
    assert (chosen.hooks.until, chosen.hooks.until_limit, chosen.hooks.guard) == ("make test", 3, True)
    assert (chosen.tools.enabled, chosen.tools.neighbours) == (True, False)
    with pytest.raises(SettingsError, match="a whole number"):
        decode("[hooks]\nuntil_limit = 'three'")


def test_whole_dollars_are_dollars_and_all_of_notify_is_read() -> None:
    text = """
    [budget]
    agent_usd = 5
    day_usd = 50
    [notify]
    needs_you = ["osc9", "command"]
    command = ["notify-send", "--", "{title}", "{text}"]
    [[hooks.run]]
    event = "PostToolUse"
    command = "make format"
    """
    settings = decode(text)
    assert (settings.budget.agent_usd, settings.budget.day_usd, settings.budget.stop_at) == (5.0, 50.0, 1.1)
    assert settings.notify.channels("needs_you") == ("osc9", "command")
    assert [(run.event, run.timeout_s) for run in settings.hooks.run] == [("PostToolUse", 60.0)]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"a = " + b"[" * 100_000, "nested too deeply"),
        (b"# much\n" * 500_000, "is it the right file?"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b"\0" * 100, "not TOML"),
    ],
)
def test_a_file_that_is_something_else_is_told(tmp_path: Path, data: bytes, words: str) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(data)
    with pytest.raises(SettingsError, match=re.escape(words)):
        load(file)
