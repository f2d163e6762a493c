"""The command line: `quarterdeck [DIR …]`, `demo`, `doctor`, `policy explain`, and the reports.

Start-up matters: nothing of Textual is imported before a screen is needed. It must not know how anything is
shown. Exit codes: 0 all right, 1 it went wrong, 2 the command line or the settings are wrong.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from core.agent.launch import LaunchSpec, check_directory
from core.agent.policy import decide, parse_call
from core.errors import DirectoryMissing, QuarterdeckError
from core.fleet.budget import dollars
from core.plain import plain
from core.settings import Settings, load, settings_file
from dashboard.command_line import Parser
from dashboard.settle import hold
from dashboard.standard_streams import NO_ROOM, abandon_output, finish_errors, make_sound

USAGE = """\
quarterdeck [DIR …] [--prompt P] [--model M] [--permission-mode M] [--budget USD] [--screen]
       quarterdeck demo
       quarterdeck doctor
       quarterdeck policy explain CALL [--directory D]
       quarterdeck proxy install|status|remove
       quarterdeck sessions [WORDS] [--json] [--project DIR] [--sort ORDER] [--limit N]
       quarterdeck search WORDS [--json] [--limit N]
       quarterdeck usage [--json] [--since DAY] [--by day|week|project|model|session] [--zone TZ]
       quarterdeck replay FILE [--speed N]
       quarterdeck ls|watch|send|answer|allow|deny|interrupt|model|mode|budget|pause|resume|stop|logs …"""

EPILOG = """\
commands:
  demo      agents that are simulated: no account, no network, no cost
  doctor    is everything there that is needed? (exit code 1 if not)
  policy    what your rules would do with a call: policy explain "Bash(git push)"
  proxy     the program that captures the API stream of interactive sessions (optional)
  sessions  all sessions there ever were: title, directory, age, turns, cost
  search    what was said in any of them: search token refresh role:user after:30d
  usage     what they used and cost, by day, week, project, model or session
  replay    a journal in the deck, read-only: replay FILE --speed 4
  ls, watch, send, answer, allow, deny, interrupt, model, mode, budget, pause, resume, stop, logs
            running agents, without the deck: quarterdeck send AGENT WORDS; each has --help and --json,
            and --host NAME for those on another machine (or HOST:AGENT)

A directory named like a command is written ./demo. Settings: ~/.config/quarterdeck/config.toml"""

TWIN = (
    *("ls", "watch", "send", "answer", "allow", "deny", "interrupt", "model", "mode"),
    *("budget", "pause", "resume", "stop", "logs"),
)
"""The commands that reach running agents (`dashboard.twin`)."""

COMMANDS = ("demo", "doctor", "policy", "proxy", "sessions", "search", "usage", "replay", *TWIN)

MODES = ("default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions", "manual")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    make_sound()
    try:
        code = _ended(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()  # who reads may be gone, a disk full: that is to be noticed here
    except QuarterdeckError as error:
        print(f"quarterdeck: {plain(str(error))}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        abandon_output()
        return 0
    except OSError as error:
        if _is_nowhere():
            print("quarterdeck: the folder you are in is gone. Go to another one with `cd`.", file=sys.stderr)
            return 2
        if error.errno not in NO_ROOM:
            raise
        abandon_output()
        print(f"quarterdeck: the output cannot be written: {error.strerror}. Make room.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        finish_errors()
    return code


def _is_nowhere() -> bool:
    try:
        Path.cwd()
    except OSError:
        return True
    return False


def _ended(given: list[str]) -> int:
    try:
        return _run(given)
    except SystemExit as told:  # argparse has said all there is to say
        return int(told.code or 0)


def _run(given: list[str]) -> int:
    match given:
        case ["doctor", *rest]:
            return _doctor(rest)
        case ["demo", *rest]:
            return _demo(rest)
        case ["policy", *rest]:
            return _policy(rest)
        case ["proxy", *rest]:
            return _proxy(rest)
        case ["replay", *rest]:
            return _replay(rest)
        case ["keeper", "serve"]:
            return _serve()
        case [name, *rest] if name in TWIN:
            return _twin(name, rest)
        case ["sessions" | "search" | "usage" as name, *rest]:
            return _report(name, rest)
        case _:
            return _deck(given)


def parser() -> argparse.ArgumentParser:
    """What `quarterdeck` itself takes."""
    found = Parser(
        prog="quarterdeck",
        usage=USAGE,
        description="A dashboard for one person who supervises several Claude Code agents.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    found.add_argument("directories", nargs="*", metavar="DIR", help="start an agent in each of these")
    found.add_argument("--prompt", metavar="P", default="", help="the first prompt of each agent")
    found.add_argument("--model", metavar="M", default="", help="their model")
    found.add_argument(
        "--permission-mode", metavar="M", default="", choices=MODES, help=f"one of {', '.join(MODES)}"
    )
    found.add_argument("--budget", metavar="USD", default="", help="what each of them may spend, in dollars")
    found.add_argument(
        "--screen", action="store_true", help="not driven, but each on the CLI's own screen, in a pane"
    )
    found.add_argument("--version", action="store_true", help="say the version and end")
    return found


def own_version() -> str:
    """The version of the installed distribution."""
    # Late: it brings `email` and `zipfile` with it, and is asked for once in a while.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("quarterdeck")
    except PackageNotFoundError:
        return "(not installed)"


def specs(options: argparse.Namespace, settings: Settings) -> tuple[LaunchSpec, ...]:
    """The agents a command line asks for: one a directory, one here if only what it is to do is given."""
    directories = options.directories or (["."] if options.prompt or options.screen else [])
    return tuple(_spec(directory, options, settings) for directory in directories)


def _spec(directory: str, options: argparse.Namespace, settings: Settings) -> LaunchSpec:
    if not directory:
        raise QuarterdeckError("A folder was given without a name. Write `.` for the one you are in.")
    path = Path(directory).expanduser().absolute().resolve()
    try:
        check_directory(path)
    except DirectoryMissing as error:
        if os.sep in directory:
            raise
        raise QuarterdeckError(_no_such(directory)) from error
    return settings.launch_spec(
        str(path),
        name=path.name or "root",
        model=options.model,
        permission_mode=options.permission_mode,
        budget_usd=_budget(options.budget),
    )


def _no_such(word: str) -> str:
    """For a word that is no folder and no command: which command is like it."""
    like = get_close_matches(word, COMMANDS, n=1)
    hint = f" Did you mean `quarterdeck {like[0]}`?" if like else " `quarterdeck --help` names all commands."
    return f"{word!r} is neither a folder here nor a command.{hint}"


def _budget(text: str) -> float:
    amount = dollars(text) if text else 0.0
    if amount is None:
        raise QuarterdeckError(f"--budget: {text!r} is no amount of money. Write a number like 5 or 2.50.")
    return amount


def _deck(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    if options.version:
        print(f"quarterdeck {own_version()}")
        return 0
    settings = _settings()
    agents = specs(options, settings)
    _need_terminal()
    hold()
    from dashboard.launches import Launch
    from dashboard.run import run_deck

    return run_deck(settings, [Launch(spec, options.prompt, on_screen=options.screen) for spec in agents])


def _demo(arguments: Sequence[str]) -> int:
    Parser(prog="quarterdeck demo", description="Run the deck with simulated agents.").parse_args(arguments)
    settings = _settings()
    _need_terminal()
    hold()
    from dashboard.run import run_demo

    return run_demo(settings)


def _doctor(arguments: Sequence[str]) -> int:
    Parser(prog="quarterdeck doctor", description="Look whether all is there.").parse_args(arguments)
    from dashboard.doctor import examine, report

    checks = examine(os.environ)
    print(plain(report(checks)))
    return 0 if all(check.fine for check in checks) else 1


def _policy(arguments: Sequence[str]) -> int:
    found = Parser(prog="quarterdeck policy", description="What your rules would do with a call.")
    found.add_argument(
        "what", choices=("explain",), metavar="explain", help="a dry run: nothing is sent to anybody"
    )
    found.add_argument("call", metavar="CALL", help='a tool and what it is for: "Bash(git push)"')
    found.add_argument("--directory", metavar="D", default=".", help="where the agent works")
    options = found.parse_args(arguments)
    directory = Path(options.directory).expanduser().resolve()
    check_directory(directory)
    policy = _settings().rules(str(Path.home()))
    decision = decide(policy, parse_call(options.call), str(directory))
    print(f"{decision.verdict}: {decision.why}")
    return 0


def _proxy(arguments: Sequence[str]) -> int:
    from dashboard.capture import WHAT, run

    found = Parser(prog="quarterdeck proxy", description="The mitmdump that captures the API stream.")
    found.add_argument(
        "what",
        choices=WHAT,
        metavar="|".join(WHAT),
        help="make its environment, tell what is there, take it away",
    )
    return run(found.parse_args(arguments).what, _settings())


def _report(name: str, arguments: Sequence[str]) -> int:
    from dashboard.reports import search, sessions, usage

    runs = {"sessions": sessions.run, "search": search.run, "usage": usage.run}
    return runs[name](arguments)


def _replay(arguments: Sequence[str]) -> int:
    from dashboard.replay import options_of, run

    options = options_of(arguments)
    settings = _settings()
    _need_terminal()
    return run(options.file, options.speed, settings)


def _twin(name: str, arguments: Sequence[str]) -> int:
    from dashboard.twin.cli import run

    return run(name, arguments)


def _serve() -> int:
    from dashboard.keeping import serve

    return serve()


def _settings() -> Settings:
    from dashboard.actions import BY_ID, wrong_key
    from dashboard.themes import theme_names

    return load(
        settings_file(os.environ),
        actions=BY_ID,
        themes=theme_names(),
        wrong_key=lambda own: wrong_key(own.keys_of),
    )


def _need_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise QuarterdeckError(
            "the deck needs a terminal for its input and output. Try `quarterdeck doctor`."
        )
