"""The real flags are accepted; those that matter are honoured."""

from core.simulator.flags import read
from tests.fakes.simulated import FLAGS


def test_the_usual_flags_are_understood_and_the_unknown_ignored() -> None:
    flags = read(
        [
            "play.toml",
            *FLAGS,
            "--model",
            "opus",
            "--permission-mode=manual",
            "--zz=1",
            "--resume=-x",
            "--fork-session",
        ],
        {},
    )
    assert (flags.script, flags.model, flags.mode) == ("play.toml", "opus", "default")
    assert (flags.resume, flags.fork, flags.partial, flags.replay) == ("-x", True, True, True)
    assert flags.speed == 1


def test_the_environment_may_give_script_and_speed() -> None:
    flags = read(["-p"], {"QUARTERDECK_SIM_SCRIPT": "a.toml", "QUARTERDECK_SIM_SPEED": "0"})
    assert (flags.script, flags.speed) == ("a.toml", 0)
    assert read(["--speed", "2"], {"QUARTERDECK_SIM_SPEED": "0"}).speed == 2
