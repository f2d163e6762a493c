"""Every error Quarterdeck raises on purpose: one small tree, data on the exception, advice in its text.

    QuarterdeckError
    ├── LaunchError              an agent cannot be started
    │   ├── CliNotFound          no `claude` anywhere we looked, or none at the path of the setting
    │   ├── CliIsDirectory       the path of the setting is a directory
    │   ├── CliNotExecutable     the file is there but cannot be run
    │   ├── CliTooOld            it runs, but lacks flags that are always passed
    │   ├── CliUnresponsive      `claude --version` gave no answer
    │   ├── DirectoryMissing     the agent's folder is gone
    │   ├── DirectoryIsFile      the agent's folder is a file
    │   ├── DirectoryForbidden   the agent's folder may not be entered
    │   ├── DirectoryUnnameable  its path is not UTF-8: `claude` does not work there
    │   ├── LoginMissing         the CLI has no account
    │   └── TerminalMissing      the optional terminal emulator is not installed
    ├── AgentGone                the process has ended, or its stdin is closed
    ├── OnItsScreen              an interactive session does that on its own screen only
    ├── PromptNotTyped           a prompt could not be typed at an interactive program, or was not taken
    ├── BudgetSpent              a limit on money is used up: the prompt was not sent


    ├── AnswerNotTyped           an answer could not be typed at a dialog, or was not taken
    ├── AskGone                  a request is settled, withdrawn or being answered: the answer was not sent
    ├── ControlError             a control request came to nothing
    │   ├── ControlTimeout       no answer within its time limit
    │   └── ControlRefused       the CLI answered with an error
    ├── KeeperError              an agent's keeper cannot be started or reached, or refuses
    │   ├── HostLost             the way to another machine broke, or there is none just now
    │   ├── NoSuchAgent          no agent, or more than one, is meant by a word
    │   └── NothingAsked         an agent asks for nothing, or for more than one thing
    ├── ProxyError               the API stream of an agent cannot be captured
    │   ├── ProxyMissing         no `mitmdump`: neither set, nor on PATH, nor installed by us
    │   ├── ProxyFailed          it does not start
    │   ├── NothingToCapture     the agent's requests would not pass it, or are not of this API
    │   └── InstallFailed        it could not be installed
    ├── JournalTooNew            a journal was written by a later release
    ├── RuleError                a permission rule or update that would never apply
    └── SettingsError            a wrong key or value in the settings file

`str(error)` is a message for the person and says what to do next. A message names one cause only: the
text of a missing folder never speaks of the program, nor the other way round. It must not know who
shows it.
"""

# ruff: noqa: N818 — the names say what is the case, as a reader of `except DirectoryMissing` wants it.

from pathlib import Path


class QuarterdeckError(Exception):
    """The root of the tree: catch it to show the message of any of them."""


class LaunchError(QuarterdeckError):
    """An agent cannot be started."""


class CliNotFound(LaunchError):
    """No `claude` program: neither at the path of the setting nor, without one, in any usual place."""

    def __init__(self, looked_in: tuple[Path, ...], setting: str | None = None) -> None:
        """`looked_in` holds every path that was tried, in order."""
        self.looked_in = looked_in
        self.setting = setting
        super().__init__(_not_found(looked_in, setting))


class CliIsDirectory(LaunchError):
    """The path of the setting is a directory."""

    def __init__(self, path: Path) -> None:
        """`path` is what the setting named."""
        self.path = path
        super().__init__(f"{path} is a directory. Set `cli` to the claude program itself.")


class CliNotExecutable(LaunchError):
    """The file is there, but it cannot be run."""

    def __init__(self, path: Path, reason: str = "it has no execute permission") -> None:
        """`reason` completes "cannot be run: …"."""
        self.path = path
        self.reason = reason
        super().__init__(f"{path} cannot be run: {reason}. Try `chmod +x {path}`, or install claude again.")


class CliTooOld(LaunchError):
    """The CLI is older than the flags that are always passed to it."""

    def __init__(self, path: Path, version: str, minimum: str) -> None:
        """`version` is what it printed, `minimum` the oldest that will do."""
        self.path = path
        self.version = version
        self.minimum = minimum
        super().__init__(
            f"{path} is version {version or 'unknown'}; at least {minimum} is needed. Run `claude update`."
        )


class CliUnresponsive(LaunchError):
    """`claude --version` did not answer in time."""

    def __init__(self, path: Path, timeout_s: float) -> None:
        """`timeout_s` is how long it was waited for."""
        self.path = path
        self.timeout_s = timeout_s
        super().__init__(
            f"`{path} --version` gave no answer within {timeout_s:g} s. Run it by hand to see why."
        )


class DirectoryMissing(LaunchError):
    """The folder an agent was to work in does not exist (any more)."""

    def __init__(self, path: Path) -> None:
        """`path` is the folder."""
        self.path = path
        super().__init__(f"There is no folder {path}. Create it, or choose another folder for this agent.")


class DirectoryIsFile(LaunchError):
    """What an agent was to work in is a file."""

    def __init__(self, path: Path) -> None:
        """`path` is the file."""
        self.path = path
        super().__init__(f"{path} is a file, not a folder. Choose the folder this agent is to work in.")


class DirectoryForbidden(LaunchError):
    """The folder an agent was to work in may not be entered."""

    def __init__(self, path: Path) -> None:
        """`path` is the folder."""
        self.path = path
        super().__init__(f"No access to the folder {path}. Change its permissions, or choose another folder.")


class DirectoryUnnameable(LaunchError):
    """The path of an agent's folder is not UTF-8: the CLI finds no such folder (seen on 2.1.332)."""

    def __init__(self, path: Path) -> None:
        """`path` is the folder."""
        self.path = path
        shown = str(path).encode("utf-8", "replace").decode()
        super().__init__(
            f"The name of the folder {shown} is not UTF-8, and claude cannot work there. Rename it."
        )


class LoginMissing(LaunchError):
    """The CLI says that nobody is logged in."""

    def __init__(self, detail: str = "") -> None:
        """`detail` is what the CLI said about it, if anything."""
        self.detail = detail
        said = f" ({detail})" if detail else ""
        super().__init__(
            f"claude is not logged in{said}. Run `claude` once and log in (or set `api_billing = true` to "
            "use your ANTHROPIC_API_KEY), then start the agent again."
        )


class TerminalMissing(LaunchError):
    """The library interactive sessions need is an optional extra, and is not there."""

    def __init__(self, package: str, problem: str = "") -> None:
        """`package` is what is missing; `problem` says what the import said."""
        self.package = package
        self.problem = problem
        super().__init__(
            f"Interactive sessions need {package}, which is not installed. "
            "Install quarterdeck[terminal] (pipx: `pipx inject quarterdeck pyghostty`) and start again."
        )


class AgentGone(QuarterdeckError):
    """The agent's process has ended or no longer listens: what was to be sent was not sent."""

    def __init__(self, reason: str = "its process has ended", stderr_tail: str = "") -> None:
        """`reason` completes "The agent is gone: …"; `stderr_tail` is the last it wrote to stderr."""
        self.reason = reason
        self.stderr_tail = stderr_tail
        super().__init__(f"The agent is gone: {reason}. Restart it to go on with the same session.")


class OnItsScreen(QuarterdeckError):
    """An interactive session has no control channel: the person does it there."""

    def __init__(self, what: str) -> None:
        """`what` is the beginning of a sentence: Its model is chosen."""
        super().__init__(f"{what} on its own screen: press i to type there.")


class PromptNotTyped(QuarterdeckError):
    """A prompt that could not be typed at an interactive program, or that it did not take."""

    def __init__(self, problem: str, advice: str) -> None:
        """Both are sentences without their full stop."""
        self.problem = problem
        super().__init__(f"The prompt was not sent: {problem}. {advice}.")


class BudgetSpent(QuarterdeckError):
    """A limit on money is used up: the prompt was not sent. The text says which, and who set it."""


class AnswerNotTyped(QuarterdeckError):
    """An answer that could not be typed at an interactive program's dialog, or that it did not take."""

    def __init__(self, problem: str, advice: str = "Answer it on its own screen") -> None:
        """Both are sentences without their full stop."""
        self.problem = problem
        super().__init__(f"The answer was not taken: {problem}. {advice}.")


class AskGone(QuarterdeckError):
    """What was to be answered waits no longer: the answer was not sent."""

    def __init__(self, ask_id: str, reason: str = "it was withdrawn") -> None:
        """`reason` completes "waits no longer: …"."""
        self.ask_id = ask_id
        self.reason = reason
        super().__init__(f"This request waits no longer: {reason}. Nothing was sent.")


class ControlError(QuarterdeckError):
    """A control request came to nothing."""

    def __init__(self, subtype: str, message: str) -> None:
        """`subtype` is the request's, `message` the whole text."""
        self.subtype = subtype
        super().__init__(message)


class ControlTimeout(ControlError):
    """The CLI did not answer a control request in time."""

    def __init__(self, subtype: str, timeout_s: float) -> None:
        """`timeout_s` is the limit that passed."""
        self.timeout_s = timeout_s
        super().__init__(
            subtype,
            f"No answer to `{subtype}` within {timeout_s:g} s. Try again; if it stays silent, restart it.",
        )


class ControlRefused(ControlError):
    """The CLI answered a control request with an error."""

    def __init__(self, subtype: str, reason: str) -> None:
        """`reason` is the CLI's own text."""
        self.reason = reason
        super().__init__(subtype, f"claude refused `{subtype}`: {reason or 'it gave no reason'}")


class KeeperError(QuarterdeckError):
    """An agent's keeper cannot be started or reached, or refused what it was asked."""


class HostLost(KeeperError):
    """Another machine cannot be reached (any more): nobody knows what became of what was asked of it."""


class NoSuchAgent(KeeperError):
    """No running agent, or more than one, is meant by a word of the command line."""


class NothingAsked(KeeperError):
    """An agent asks for nothing that could be answered, or for more than one thing."""


class ProxyError(QuarterdeckError):
    """The API stream of an agent cannot be captured; the agent itself works without."""


class ProxyMissing(ProxyError):
    """There is no `mitmdump` to capture with."""

    def __init__(self, path: Path | None = None) -> None:
        """`path` is what the setting named, if it did."""
        self.path = path
        problem = f"mitmdump was not found at {path}" if path else "mitmdump is not installed"
        advice = "Correct the setting `proxy.mitmdump`" if path else "Run `quarterdeck proxy install`"
        super().__init__(f"The API stream cannot be captured: {problem}. {advice}.")


class ProxyFailed(ProxyError):
    """`mitmdump` does not start, or does not say that it listens."""

    def __init__(self, reason: str, stderr_tail: str = "") -> None:
        """`reason` completes "mitmdump could not be started: …"; `stderr_tail` is the last it wrote."""
        self.reason = reason
        self.stderr_tail = stderr_tail
        super().__init__(f"The API stream cannot be captured: mitmdump could not be started: {reason}.")


class NothingToCapture(ProxyError):
    """What an agent asks its model would not be seen: it goes elsewhere."""

    def __init__(self, reason: str, advice: str = "") -> None:
        """`reason` completes "The API stream cannot be captured: …"; `advice` is a whole sentence."""
        self.reason = reason
        super().__init__(f"The API stream cannot be captured: {reason}.{f' {advice}' if advice else ''}")


class InstallFailed(ProxyError):
    """`mitmdump` could not be installed."""

    def __init__(self, reason: str, advice: str) -> None:
        """`advice` is a whole sentence."""
        self.reason = reason
        super().__init__(f"mitmdump was not installed: {reason}. {advice}")


class JournalTooNew(QuarterdeckError):
    """A journal was written by a later release."""

    def __init__(self, path: Path, version: int, known: int) -> None:
        """`version` is the file's format, `known` the highest this release reads."""
        self.path = path
        self.version = version
        self.known = known
        super().__init__(
            f"{path} was written by a later Quarterdeck (format {version}, this one reads up to {known}). "
            "Update Quarterdeck to open it; the file was not touched."
        )


class RuleError(QuarterdeckError):
    """A permission rule, or an update that carries some, that would never apply."""

    def __init__(self, text: str, problem: str, *, what: str = "rule") -> None:
        """`text` is what was written; `problem` says what to write instead."""
        self.text = text
        self.problem = problem
        super().__init__(f"The {what} {text!r} cannot be used: {problem}.")


class InputError(QuarterdeckError):
    """An input for a tool, as a person wrote it, that is no JSON object."""

    def __init__(self, problem: str) -> None:
        """`problem` is what the decoder says, with the place."""
        self.problem = problem
        super().__init__(f"This is no JSON object: {problem}. Correct it, or take it as asked (Ctrl+R).")


class OutsideError(QuarterdeckError):
    """A text could not be edited in the person's own editor; the message says what to do."""


class SettingsError(QuarterdeckError):
    """A wrong key or value in the settings file."""

    def __init__(
        self,
        file: Path,
        problem: str,
        *,
        line: int | None = None,
        key: str = "",
        allowed: tuple[str, ...] = (),
    ) -> None:
        """`line` counts from 1; `allowed` holds the values or keys that would do."""
        self.file = file
        self.problem = problem
        self.line = line
        self.key = key
        self.allowed = allowed
        where = f"{file}, line {line}" if line is not None else f"{file}"
        what = f"`{key}`: {problem}" if key else problem
        hint = f" Allowed: {', '.join(allowed)}." if allowed else ""
        super().__init__(f"{where}: {what}{'' if what.endswith('?') else '.'}{hint}")


def _not_found(looked_in: tuple[Path, ...], setting: str | None) -> str:
    if setting is not None:
        return (
            f"claude was not found at {setting}. Correct the setting `cli`, or remove it to have it searched."
        )
    places = "".join(f"\n  {path}" for path in looked_in)
    return (
        "claude was not found. Install it (https://code.claude.com/docs/en/setup) or set `cli` to its path."
        f" Looked for:{places}"
    )
