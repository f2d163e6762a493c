"""What runs in a pane: an interactive `claude`, or a client of a background session, as a command.

Flags and variables are those of a driven agent (`core.agent.launch`) but for the streams; pure. It must not
know how a pty is made.
"""

from collections.abc import Mapping
from pathlib import Path

from core.agent.launch import OPTIONS, LaunchSpec, environment
from core.terminal.console import Command

TERMINAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
"""What the emulator is like, whatever the outer terminal is."""

OUTER = frozenset(
    (
        # Of the terminal we run in ourselves: a program that reads them would speak to the wrong one.
        *("TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TERM_SESSION_ID", "LC_TERMINAL", "LC_TERMINAL_VERSION"),
        *("TMUX", "TMUX_PANE", "STY", "WINDOWID", "VTE_VERSION", "KITTY_WINDOW_ID", "KITTY_PID"),
        *("WEZTERM_PANE", "WEZTERM_EXECUTABLE", "GHOSTTY_RESOURCES_DIR", "ITERM_SESSION_ID", "ITERM_PROFILE"),
        *("ALACRITTY_WINDOW_ID", "KONSOLE_VERSION", "WT_SESSION", "ZELLIJ", "ZELLIJ_SESSION_NAME"),
        *("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"),
    )
)


def interactive(
    spec: LaunchSpec, cli_path: str | Path, inherited: Mapping[str, str], session_id: str
) -> Command:
    """A `claude` on its own screen; a new session gets `session_id`, a resumed one keeps the one it has."""
    chosen = (f"{flag}={value}" for flag, values in OPTIONS for value in values(spec) if value)
    begins = () if spec.resume and not spec.fork else (f"--session-id={session_id}",)
    fork = ("--fork-session",) if spec.fork and spec.resume else ()
    return Command(
        argv=(str(cli_path), *begins, *chosen, *fork, *spec.extra_flags),
        directory=spec.directory,
        env=terminal_environment(spec, inherited),
    )


def attaching(spec: LaunchSpec, cli_path: str | Path, inherited: Mapping[str, str], job: str) -> Command:
    """A client of the background session `job`, which goes on when the client is ended."""
    return Command(
        argv=(str(cli_path), "attach", job),
        directory=spec.directory,
        env=terminal_environment(spec, inherited),
        owned=False,
    )


def terminal_environment(spec: LaunchSpec, inherited: Mapping[str, str]) -> dict[str, str]:
    """The child's whole environment."""
    kept = {name: value for name, value in inherited.items() if name not in OUTER}
    return environment(spec, {**kept, **TERMINAL})
