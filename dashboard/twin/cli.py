"""The command lines of the scriptable twin, and their exit codes, which are a promise.

    0 done   1 it was refused or went wrong   2 the command line is wrong   3 no such agent   4 nothing asked

It must not know what a command does.
"""

import argparse
import os
import sys
import time
import uuid
from collections.abc import Mapping, Sequence
from functools import partial

import anyio
from msgspec import Struct

from core.errors import AskGone, NoSuchAgent, NothingAsked, QuarterdeckError
from core.fleet.budget import dollars
from core.keeper.folder import Folder
from core.paths import folders
from core.plain import plain
from dashboard.command_line import Parser, whole
from dashboard.standard_streams import abandon_output
from dashboard.twin.commands import COMMANDS, Wanted

AGENT = "its name, or the beginning of its id; on another machine HOST:AGENT"

CODES: Mapping[type[QuarterdeckError], int] = {NoSuchAgent: 3, NothingAsked: 4, AskGone: 4}


class Form(Struct, frozen=True):
    """What follows a command's name: an agent or not, and words (`*`, `+`, "1" for exactly one, "").

    `metavar` is what help calls the words.
    """

    help: str
    agent: bool = True
    words: str = ""
    metavar: str = "WORDS"


FORMS: Mapping[str, Form] = {
    "ls": Form("all agents that run, and what each waits for", agent=False),
    "watch": Form("events as they come, of all agents or one", words=""),
    "send": Form("a prompt for an agent", words="+"),
    "answer": Form("the answers to its questions, one for each", words="+", metavar="ANSWER"),
    "allow": Form("let what it asks for happen"),
    "deny": Form("refuse what it asks for, with words if you like", words="*"),
    "interrupt": Form("end its turn"),
    "model": Form("change its model", words="1", metavar="NAME"),
    "mode": Form("change its permission mode", words="1", metavar="MODE"),
    "budget": Form("limit what it may spend, in dollars (0: no limit)", words="1", metavar="USD"),
    "pause": Form("end its turn and keep its prompts queued"),
    "resume": Form("let it go on"),
    "stop": Form("end it; the conversation can be resumed"),
    "logs": Form("its conversation, or with --json its journal"),
}


def run(name: str, arguments: Sequence[str]) -> int:
    """Run one command; its exit code."""
    options = _parser(name).parse_args(arguments)
    try:
        if (code := _far(name, options)) is not None:
            return code
    except QuarterdeckError as error:
        return _failed(error)
    wanted = Wanted(
        agent=getattr(options, "agent", None) or "",
        words=tuple(_words(options)),
        ask=getattr(options, "ask", ""),
        as_json=options.json,
        lines=getattr(options, "lines", 0),
        new_id=lambda: str(uuid.uuid4()),
        clock=time.time,
    )
    folder = Folder(folders(os.environ).state)
    try:
        anyio.run(partial(COMMANDS[name], folder, wanted))
        sys.stdout.flush()  # who reads may be gone: that is to be noticed here
    except QuarterdeckError as error:
        return _failed(error)
    except BaseExceptionGroup as group:
        found = group.subgroup(QuarterdeckError)
        if found is None:
            raise
        return _failed(_first(found))
    except BrokenPipeError:
        abandon_output()
    return 0


def _far(name: str, options: argparse.Namespace) -> int | None:
    """The exit code of a command for another machine; None if it is for this one."""
    agent = getattr(options, "agent", None) or ""
    if not options.host and ":" not in agent:
        return None
    from dashboard.twin.far import known_hosts, run_there, split

    hosts = known_hosts()
    host, agent = split(agent, options.host, hosts)
    if not host:
        return None
    return run_there(
        hosts, host, (name, *_told(options), *(("--", agent) if agent else ()), *_words(options))
    )


def _told(options: argparse.Namespace) -> Sequence[str]:
    """The options again, as they are written."""
    given = vars(options)
    flags = (f"--{key}={given[key]}" for key in ("ask", "lines") if given.get(key))
    return (*flags, *(("--json",) if options.json else ()))


def _words(options: argparse.Namespace) -> Sequence[str]:
    words = getattr(options, "words", None) or ()
    given = (words,) if isinstance(words, str) else tuple(words)
    return tuple(word.encode("utf-8", "replace").decode() for word in given)  # a shell gives any bytes


def _failed(error: BaseException) -> int:
    print(f"quarterdeck: {plain(str(error))}", file=sys.stderr)
    return next((code for kind, code in CODES.items() if isinstance(error, kind)), 1)


def _first(group: BaseException) -> BaseException:
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    return group


def _amount(text: str) -> str:
    if dollars(text) is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no amount of money: write a number like 5 or 2.50")
    return text


def _parser(name: str) -> argparse.ArgumentParser:
    form = FORMS[name]
    found = Parser(prog=f"quarterdeck {name}", description=form.help, allow_abbrev=False)
    if form.agent:
        count = "?" if name == "watch" else None
        found.add_argument(
            "agent",
            metavar="AGENT",
            nargs=count,
            help=AGENT,
        )
    if form.words:
        count = None if form.words == "1" else form.words
        kind = _amount if name == "budget" else str
        found.add_argument("words", metavar=form.metavar, nargs=count, type=kind)
    if name in ("answer", "allow", "deny"):
        found.add_argument("--ask", metavar="ID", default="", help="which one, if it asks for more than one")
    if name == "logs":
        found.add_argument("-n", "--lines", metavar="N", type=whole, default=0, help="only the last N lines")
    found.add_argument("--host", metavar="NAME", default="", help="on that machine of your settings")
    found.add_argument("--json", action="store_true", help="for programs")
    return found
