from pathlib import Path

import pytest

from core import errors
from core.errors import QuarterdeckError

CLI, FOLDER = Path("/opt/x/bin"), Path("/srv/demo/tree")

EVERY: list[QuarterdeckError] = [
    errors.CliNotFound((CLI, Path("/usr/bin/q"))),
    errors.CliNotFound((CLI,), setting=str(CLI)),
    errors.CliIsDirectory(CLI),
    errors.CliNotExecutable(CLI),
    errors.CliTooOld(CLI, "1.0.3", "2.1.211"),
    errors.CliUnresponsive(CLI, 10),
    errors.DirectoryMissing(FOLDER),
    errors.DirectoryIsFile(FOLDER),
    errors.DirectoryForbidden(FOLDER),
    errors.DirectoryUnnameable(FOLDER),
]


@pytest.mark.parametrize("error", EVERY, ids=lambda error: type(error).__name__)
def test_a_launch_error_names_the_path_at_fault(error: QuarterdeckError) -> None:
    assert isinstance(error, errors.LaunchError)
    assert str(CLI) in str(error) or str(FOLDER) in str(error)


def test_every_message_is_another_one() -> None:
    assert len({str(error) for error in EVERY}) == len(EVERY)


def test_none_found_lists_every_place() -> None:
    assert "\n  /opt/x/bin\n  /usr/bin/q" in str(EVERY[0])


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (errors.AgentGone("exit code 1", "boom"), "The agent is gone: exit code 1."),
        (errors.ControlTimeout("set_model", 5), "No answer to `set_model` within 5 s."),
        (
            errors.ControlRefused("set_permission_mode", "invalid_mode"),
            "refused `set_permission_mode`: invalid_mode",
        ),
        (errors.LoginMissing("Invalid API key"), "not logged in (Invalid API key)"),
        (
            errors.SettingsError(FOLDER, "unknown theme 'x'", line=3, key="theme", allowed=("a", "b")),
            "/srv/demo/tree, line 3: `theme`: unknown theme 'x'. Allowed: a, b.",
        ),
        (errors.SettingsError(FOLDER, "not a TOML file"), "/srv/demo/tree: not a TOML file."),
    ],
    ids=lambda value: type(value).__name__,
)
def test_messages_say_what_and_what_next(error: QuarterdeckError, text: str) -> None:
    assert text in str(error)
    assert isinstance(error, QuarterdeckError)
