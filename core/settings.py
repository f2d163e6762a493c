"""The person's own settings, `config.toml` as frozen Structs.

A wrong key or value is a `SettingsError` that names file, line, key and what would do. It must not know the
actions, themes or widgets it speaks of: the names that are allowed come in as parameters.
"""

import difflib
import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from stat import S_ISREG
from typing import Any, Literal, get_args, get_origin

import msgspec

from core.agent.extras import HookChoice, HookCommand, ToolChoice
from core.agent.launch import LaunchSpec
from core.agent.policy import Policy, Rules
from core.doubts import meant, unknown_words
from core.errors import RuleError, SettingsError
from core.fleet.budget import Terms
from core.fleet.news import Kind, Notify
from core.history.prices import OwnPrice
from core.paths import folders
from core.session.rules import parse_rule

FILE = "config.toml"

MOST_BYTES = 1_000_000
"""A larger file is none that a person wrote, and would hold up the start for long."""

API_HOST = "api.anthropic.com"

Mode = Literal["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions", "manual"]
"""What `--permission-mode` and `set_permission_mode` take (FACTS §4; `manual` is the flag's `default`)."""

Animation = Literal["auto", "none", "basic", "full"]


class AgentDefaults(msgspec.Struct, frozen=True):
    """What a new agent gets unless told otherwise; empty means the CLI's own default."""

    model: str = ""
    mode: Mode | Literal[""] = ""
    effort: str = ""
    allowed_tools: tuple[str, ...] = ()
    disallowed_tools: tuple[str, ...] = ()
    mcp_config: tuple[str, ...] = ()
    extra_flags: tuple[str, ...] = ()
    environment: dict[str, str] = {}
    author_name: str = ""
    author_email: str = ""
    attribution: bool = True


class RuleTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules as a person writes them, in the CLI's syntax."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


class PolicySettings(msgspec.Struct, frozen=True):
    """Asks that are answered by rule: for every agent, and for those in a directory or below it."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    directories: dict[str, RuleTexts] = {}


class KeeperSettings(msgspec.Struct, frozen=True):
    """Agents that live on without a dashboard.

    `idle_hours`: for so long one that does nothing, and that nobody looks at, is kept; `journal_days`: for so
    long the journal of one that has ended; `journal_part_mb`: how long one file of it becomes.
    """

    idle_hours: float = 72.0
    journal_days: float = 30.0
    journal_part_mb: int = 64


class HostSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another machine: what `ssh` is given, what starts Quarterdeck there, further arguments for ssh."""

    destination: str = ""
    command: str = "quarterdeck"
    options: tuple[str, ...] = ()


class TerminalSettings(msgspec.Struct, frozen=True):
    """Interactive sessions.

    `scrollback` is how many rows that scrolled off are kept. `proxy`: whether their API stream is captured;
    unset, it is as soon as `quarterdeck proxy install` was run or `proxy.mitmdump` is set: a mitmdump that is
    there for other reasons means nothing.
    """

    scrollback: int = 10_000
    proxy: bool | None = None


class ProxySettings(msgspec.Struct, frozen=True):
    """How the API stream of an interactive session is captured.

    `mitmdump` is a path (empty: it is searched), `gateways` are hosts that stand in for the API, `host` or
    `host:port`; they reach the proxy, its addon and the adapter from here.
    """

    mitmdump: str = ""
    gateways: tuple[str, ...] = ()

    @property
    def hosts(self) -> tuple[str, ...]:
        """All hosts whose traffic is looked at."""
        return (API_HOST, *self.gateways)


class Settings(msgspec.Struct, frozen=True):
    """All settings.

    `keys` maps an action's id to the keys it has instead of its own, `prices` a model to its price, `hosts` a
    person's name for another machine to the way there.
    """

    cli: str = ""
    api_billing: bool = False
    theme: str = "quarterdeck-dark"
    animation: Animation = "auto"
    fold_successes: bool = True
    bell: bool = False
    keep_agents: bool = True
    keeper: KeeperSettings = KeeperSettings()
    mirror: bool = True
    terminal: TerminalSettings = TerminalSettings()
    proxy: ProxySettings = ProxySettings()
    agents: AgentDefaults = AgentDefaults()
    policy: PolicySettings = PolicySettings()
    prices: dict[str, OwnPrice] = {}
    hooks: HookChoice = HookChoice()
    tools: ToolChoice = ToolChoice()
    budget: Terms = Terms()
    hosts: dict[str, HostSettings] = {}
    notify: Notify = Notify()
    keys: dict[str, str | tuple[str, ...]] = {}

    def keys_of(self, action: str) -> tuple[str, ...] | None:
        """The keys the person gave an action; None where they gave none (an empty tuple takes all away)."""
        match self.keys.get(action):
            case None:
                return None
            case str(text):
                return tuple(key.strip() for key in text.split(",") if key.strip())
            case keys:
                return keys

    def rules(self, home: str) -> Policy:
        """The rules asks are answered by; `home` is what `~` means. Raises `RuleError`."""
        found = [_rules("", self.policy.allow, self.policy.deny)]
        for name, texts in self.policy.directories.items():
            directory = home + name[1:] if name == "~" or name.startswith("~/") else name
            found.append(_rules(directory, texts.allow, texts.deny))
        return Policy(tuple(found), home=home)

    def launch_spec(self, directory: str, **chosen: Any) -> LaunchSpec:
        """How a new agent in `directory` starts: the defaults, overruled by what was chosen (not empty)."""
        defaults = {
            name: getattr(self.agents, name)
            for name in self.agents.__struct_fields__
            if name not in ("mode", "environment")
        }
        spec = LaunchSpec(
            directory=directory,
            permission_mode=self.agents.mode,
            environment=tuple(self.agents.environment.items()),
            api_billing=self.api_billing,
            **defaults,
        )
        return msgspec.structs.replace(spec, **{name: value for name, value in chosen.items() if value})


def _rules(directory: str, allow: tuple[str, ...], deny: tuple[str, ...]) -> Rules:
    return Rules(directory, tuple(map(parse_rule, allow)), tuple(map(parse_rule, deny)))


def settings_file(env: Mapping[str, str]) -> Path:
    """Where the settings are read from; it need not exist."""
    return folders(env).config / FILE


def load(
    file: Path,
    *,
    actions: Collection[str] | None = None,
    themes: Collection[str] | None = None,
    wrong_key: Callable[[Settings], tuple[str, str] | None] = lambda settings: None,
) -> Settings:
    """The settings of a file, the defaults where there is none.

    `actions` and `themes` are the names `keys` and `theme` may use (None: any); `wrong_key` gives an action
    whose keys cannot be, and why. Raises `SettingsError`.
    """
    try:
        status = file.stat()
        if not S_ISREG(status.st_mode):
            raise SettingsError(file, "cannot be read: it is no file. Move it away")
        if status.st_size > MOST_BYTES:
            raise SettingsError(file, f"is larger than {MOST_BYTES:,} bytes: is it the right file?")
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Settings()
    except UnicodeDecodeError as error:
        raise SettingsError(
            file, f"cannot be read: byte {error.start} is not UTF-8. Save it as text"
        ) from None
    except OSError as error:
        raise SettingsError(file, f"cannot be read: {error.strerror}. Look at who may read it") from None
    settings = decode(text, file)
    page = _Page(file, text)
    if themes is not None and settings.theme not in themes:
        raise page.wrong(("theme",), settings.theme, themes)
    for action in settings.keys if actions is not None else ():
        if action not in (actions or ()):
            raise page.unknown_key(("keys", action), actions or ())
    if wrong := wrong_key(settings):
        raise page.wrong_key(*wrong)
    return settings


def decode(text: str, file: Path = Path(FILE)) -> Settings:
    """The settings in TOML `text`; `file` is only named in errors."""
    page = _Page(file, text)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise page.not_toml(str(error)) from None
    except RecursionError:
        raise page.not_toml("it is nested too deeply") from None
    page.check(table, Settings, ())
    settings = msgspec.convert(table, Settings)
    page.check_rules(settings.policy)
    page.check_budget(settings.budget)
    page.check_hosts(settings.hosts)
    page.check_notify(settings.notify)
    page.check_figures(settings)
    page.check_words(settings)
    return settings


class _Page:
    """A settings file while it is read: knows on which line a key stands."""

    def __init__(self, file: Path, text: str) -> None:
        self.file = file
        self.lines = text.splitlines()

    def check(self, table: Mapping[str, Any], struct: type[msgspec.Struct], path: tuple[str, ...]) -> None:
        """Raise for the first key or value that `struct` does not have."""
        types = {field.name: field.type for field in msgspec.structs.fields(struct)}
        for key, value in table.items():
            here = (*path, key)
            if key not in types:
                raise self.unknown_key(here, types)
            if isinstance(types[key], type) and issubclass(types[key], msgspec.Struct):
                self._check_table(value, types[key], here)
            elif (named := _TABLES.get(str(types[key]))) is not None and isinstance(value, dict):
                for name, inner in value.items():
                    self._check_table(inner, named, (*here, name))
            else:
                self._check_value(value, types[key], here)

    def check_rules(self, policy: PolicySettings) -> None:
        """Raise for the first rule that would never apply, or directory that is none."""
        tables: list[tuple[tuple[str, ...], PolicySettings | RuleTexts]] = [(("policy",), policy)]
        for name, texts in policy.directories.items():
            here = ("policy", "directories", name)
            if not name.startswith(("/", "~/")) and name != "~":
                raise self._error(here, "is no whole path", ('"/like/this"', '"~/like/this"'))
            tables.append((here, texts))
        for where, lists in tables:
            for key, rules in (("allow", lists.allow), ("deny", lists.deny)):
                for rule in rules:
                    self._check_rule(rule, (*where, key))

    def check_budget(self, terms: Terms) -> None:
        """Raise for the first figure that makes no sense."""
        for key in terms.__struct_fields__:
            if not 0 <= getattr(terms, key) < float("inf"):
                raise self._error(("budget", key), "must not be below 0", ("a number, 0 for none",))
        if terms.stop_at <= terms.warn_at:
            raise self._error(("budget", "stop_at"), "must be above warn_at", ("a share like 1.1",))

    def check_hosts(self, hosts: Mapping[str, HostSettings]) -> None:
        """Raise for the first machine that cannot be named or reached."""
        for name, host in hosts.items():
            if not re.fullmatch(r"[\w.-]+", name):
                raise self._error(("hosts", name), "letters, digits, `.`, `-` and `_` make a name", ())
            if not host.destination or host.destination.startswith("-"):
                problem = "is where `ssh` is to go"
                raise self._error(("hosts", name, "destination"), problem, ('"user@host"', '"ssh://host:22"'))
            if not host.command.strip():
                raise self._error(("hosts", name, "command"), "starts Quarterdeck there", ('"quarterdeck"',))

    def check_notify(self, notify: Notify) -> None:
        """Raise where a command is to be run and none is given, or a time makes no sense."""
        kinds: tuple[Kind, ...] = get_args(Kind)
        for kind in kinds:
            if "command" in notify.channels(kind) and not notify.command:
                raise self._error(
                    ("notify", kind), "names a command, but there is none", ('command = ["…"]',)
                )
        for key in ("window_s", "timeout_s"):
            if not 0 <= getattr(notify, key) <= 3600:
                raise self._error(("notify", key), "must be from 0 to 3600", ("seconds",))

    def check_figures(self, settings: Settings) -> None:
        """Raise for the first length, count or time that is below what makes sense."""
        for table, least in _LEAST.items():
            for key, figure in least.items():
                if not getattr(getattr(settings, table), key) >= figure:
                    raise self._error((table, key), f"must be {figure} or more", ())

    def check_words(self, settings: Settings) -> None:
        """Raise for the first word of the CLI's that is surely a slip; others it may know, we do not."""
        for path, value, known in unknown_words(settings):
            if other := meant(value, known):
                raise self._error(path, f"{value!r} is not known; did you mean `{other}`?", known)

    def _check_rule(self, rule: str, path: tuple[str, ...]) -> None:
        try:
            parse_rule(rule)
        except RuleError as error:
            raise self._error(path, f"{rule!r} cannot be used: {error.problem}", ()) from None

    def _check_table(self, value: object, struct: type[msgspec.Struct], path: tuple[str, ...]) -> None:
        if not isinstance(value, dict):
            raise self._error(path, "must be a table", (f"[{'.'.join(path)}]",))
        self.check(value, struct, path)

    def _check_value(self, value: object, wanted: Any, path: tuple[str, ...]) -> None:
        try:
            msgspec.convert(value, wanted)
        except msgspec.ValidationError:
            allowed = _literals(wanted)
            if isinstance(value, str) and value in allowed:
                raise self._error(path, f"{value!r} must stand in a list", (f'["{value}"]',)) from None
            if allowed:
                raise self.wrong(path, value, allowed) from None
            raise self._error(path, f"{value!r} is not right here", (_in_words(wanted),)) from None

    def wrong(self, path: tuple[str, ...], value: object, allowed: Collection[str]) -> SettingsError:
        """A value that is none of the allowed ones."""
        return self._error(path, f"{value!r} is not known{_meant(str(value), allowed)}", tuple(allowed))

    def unknown_key(self, path: tuple[str, ...], allowed: Collection[str]) -> SettingsError:
        """A key that does not exist."""
        return self._error(path, f"there is no such key{_meant(path[-1], allowed)}", tuple(sorted(allowed)))

    def wrong_key(self, action: str, problem: str) -> SettingsError:
        """Keys an action cannot have."""
        return self._error(("keys", action), problem, ())

    def not_toml(self, reason: str) -> SettingsError:
        """A file that is no TOML; the line stands in tomllib's own message."""
        line = re.search(r"at line (\d+)", reason)
        number = int(line[1]) if line else len(self.lines) or 1
        return SettingsError(self.file, f"not TOML: {reason}", line=number)

    def _error(self, path: tuple[str, ...], problem: str, allowed: tuple[str, ...]) -> SettingsError:
        key = ".".join(path)
        return SettingsError(self.file, problem, line=self._line_of(path), key=key, allowed=allowed)

    def _line_of(self, path: tuple[str, ...]) -> int | None:
        """The line a key stands on: the last part of its path that is written out somewhere."""
        lines = {written: number for number, written in reversed(self._written())}
        parents = (path[:length] for length in range(len(path), 0, -1))
        return next((lines[parent] for parent in parents if parent in lines), None)

    def _written(self) -> list[tuple[int, tuple[str, ...]]]:
        """Each key or table header with its line, in order."""
        table: tuple[str, ...] = ()
        found: list[tuple[int, tuple[str, ...]]] = []
        for number, line in enumerate(self.lines, 1):
            if header := re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line):
                table = _parts(header[1])
                found.append((number, table))
            elif key := re.match(r"""\s*((?:[\w.-]|"[^"]*"|'[^']*')+)\s*=""", line):
                found.append((number, (*table, *_parts(key[1]))))
        return found


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def _meant(word: str, allowed: Collection[str]) -> str:
    close = difflib.get_close_matches(word, [name for name in allowed if name], n=1, cutoff=0.6)
    return f"; did you mean `{close[0]}`?" if close else ""


def _literals(wanted: Any) -> tuple[str, ...]:
    """The values of a Literal, or of a union of Literals; () for anything else."""
    if get_origin(wanted) is Literal:
        return tuple(str(value) for value in get_args(wanted) if value)
    return tuple(value for part in get_args(wanted) for value in _literals(part)) if _is_union(wanted) else ()


def _is_union(wanted: Any) -> bool:
    return get_origin(wanted) is not Literal and any(get_origin(part) is Literal for part in get_args(wanted))


_TABLES: dict[str, type[msgspec.Struct]] = {
    str(dict[str, RuleTexts]): RuleTexts,
    str(dict[str, HostSettings]): HostSettings,
}
"""Tables of tables: the type of a setting, and what each of its tables holds."""

_LEAST: Mapping[str, Mapping[str, int]] = {
    "keeper": {"idle_hours": 0, "journal_days": 0, "journal_part_mb": 1},
    "terminal": {"scrollback": 0},
    "hooks": {"until_limit": 0, "until_timeout_s": 1},
}
"""Figures of the tables that have a least value."""

_WORDS: dict[Any, str] = {
    bool: "true, false",
    bool | None: "true, false",
    str: 'a text in "quotes"',
    int: "a whole number",
    float: "a number",
    tuple[str, ...]: 'a list of texts, ["one", "two"]',
    dict[str, str]: 'names with texts, NAME = "text"',
    dict[
        str, OwnPrice
    ]: 'a table for each model, ["glm-5"] with input and output, dollars per million tokens, 0 or more',
    dict[str, HostSettings]: 'a table for each machine, [hosts.NAME] with destination = "user@host"',
    tuple[HookCommand, ...]: "tables [[hooks.run]], each with event and command (matcher, timeout_s)",
    dict[str, RuleTexts]: 'a table for each directory, ["~/project"] with the lists allow and deny',
}


def _in_words(wanted: Any) -> str:
    return _WORDS.get(wanted, 'a key like "ctrl+n", or a list of keys for each action')
