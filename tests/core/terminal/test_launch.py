from core.agent.launch import LaunchSpec
from core.agent.reaper import MARK
from core.terminal.launch import attaching, interactive, terminal_environment


def test_a_new_session_gets_its_id_so_that_its_file_is_known() -> None:
    spec = LaunchSpec(directory="/work", model="opus", permission_mode="plan")
    command = interactive(spec, "/bin/claude", {}, "the-id")
    assert command.argv == ("/bin/claude", "--session-id=the-id", "--permission-mode=plan", "--model=opus")
    assert command.owned


def test_a_resumed_one_keeps_its_own() -> None:
    spec = LaunchSpec(directory="/work", resume="old")
    assert interactive(spec, "claude", {}, "new").argv == ("claude", "--resume=old")
    forked = LaunchSpec(directory="/work", resume="old", fork=True)
    assert interactive(forked, "claude", {}, "new").argv == (
        *("claude", "--session-id=new", "--resume=old", "--fork-session"),
    )


def test_attaching_leaves_the_session_alone() -> None:
    command = attaching(LaunchSpec(directory="/work"), "claude", {}, "job1")
    assert command.argv == ("claude", "attach", "job1")
    assert not command.owned


def test_it_sees_the_emulator_and_not_the_terminal_around_it() -> None:
    outer = {"TERM": "dumb", "TMUX": "x", "TERM_PROGRAM": "iTerm.app", "LANG": "C.UTF-8", "CLAUDECODE": "1"}
    env = terminal_environment(LaunchSpec(directory="/"), outer)
    assert env["TERM"] == "xterm-256color"
    assert env["LANG"] == "C.UTF-8"
    assert not env.keys() & {"TMUX", "TERM_PROGRAM", "CLAUDECODE", MARK}
