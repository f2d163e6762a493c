"""The environments of a captured agent and of the proxy, and the certificates between them.

The agent gets the proxy last, over everything else, and one certificate more to trust; never a variable that
replaces all it trusts (`SSL_CERT_FILE`, `NODE_TLS_REJECT_UNAUTHORIZED` …), as its tools inherit them. The
proxy gets next to nothing, above all no credential. It must not know how either is started.
"""

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from msgspec import Struct

from core.errors import NothingToCapture
from core.proxy.addon import EXTRA_CA, HOSTS, UPSTREAM_AUTH

LOOPBACK = "localhost,127.0.0.1,::1"
OUR_CA = "mitmproxy-ca-cert.pem"
TRUST = "NODE_EXTRA_CA_CERTS"

_OTHER_APIS = {
    "CLAUDE_CODE_USE_BEDROCK": "Bedrock",
    "CLAUDE_CODE_USE_VERTEX": "Vertex",
    "CLAUDE_CODE_USE_FOUNDRY": "Foundry",
}

_KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SSL_CERT_DIR")


class Upstream(Struct, frozen=True):
    """A proxy further up, which the person needs to reach the API; its password goes another way."""

    address: str = ""
    auth: str = ""


def agent_environment(port: int, certificate: Path, env: Mapping[str, str]) -> dict[str, str]:
    """What an agent that would have `env` gets, so that its requests pass the proxy on `port`."""
    proxy = f"http://127.0.0.1:{port}"
    ours = {"HTTPS_PROXY": proxy, "HTTP_PROXY": proxy, "NO_PROXY": LOOPBACK, TRUST: str(certificate)}
    # Some programs read the small ones first: one that was inherited would win.
    small = {name.lower(): value for name, value in ours.items() if name != TRUST and name.lower() in env}
    return {**env, **ours, **small}


def trusted(folder: Path, env: Mapping[str, str]) -> Path:
    """The certificate an agent shall trust besides, joined with one it did before: there is one place."""
    ours, theirs = folder / OUR_CA, env.get(TRUST, "")
    if not theirs or not Path(theirs).is_file():
        return ours
    both = folder / "agent-ca.pem"
    both.write_bytes(ours.read_bytes() + b"\n" + Path(theirs).read_bytes())
    return both


def proxy_environment(hosts: Collection[str], folder: Path, env: Mapping[str, str]) -> dict[str, str]:
    """What mitmdump gets."""
    kept = {name: env[name] for name in _KEPT if name in env}
    found = {**kept, "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1", HOSTS: ",".join(hosts)}
    if auth := upstream(hosts, env).auth:
        found[UPSTREAM_AUTH] = auth
    if (extra := env.get(TRUST, "")) and Path(extra).is_file():
        found[EXTRA_CA] = extra
    return found


def upstream(hosts: Collection[str], env: Mapping[str, str]) -> Upstream:
    """The proxy that `env` names for the API, if there is one and it is not to be passed by."""
    named = env.get("https_proxy") or env.get("HTTPS_PROXY") or ""
    excepted = env.get("no_proxy") or env.get("NO_PROXY") or ""
    if not named or any(_is_excepted(host, excepted) for host in hosts):
        return Upstream()
    parts = _split(named if "://" in named else f"http://{named}")
    if not parts.hostname:
        return Upstream()
    port = f":{_port(parts)}" if _port(parts) else ""
    auth = f"{unquote(parts.username)}:{unquote(parts.password or '')}" if parts.username else ""
    return Upstream(f"{parts.scheme}://{parts.hostname}{port}", auth)


def check(hosts: Collection[str], env: Mapping[str, str]) -> None:
    """Look where an agent would send its requests. Raises `NothingToCapture` where they would not be seen."""
    for variable, name in _OTHER_APIS.items():
        if env.get(variable, "0") not in ("", "0", "false"):
            raise NothingToCapture(f"this session speaks to {name} (`{variable}`), in another form")
    parts = _split(env.get("ANTHROPIC_BASE_URL", ""))
    host = parts.hostname or ""
    if host in LOOPBACK.split(",") or host.startswith("127."):
        raise NothingToCapture(f"this session's API is on loopback ({host}), and that passes no proxy")
    if host and not {host, f"{host}:{_port(parts) or 443}"} & set(hosts):
        advice = f'Add "{parts.netloc.rpartition("@")[2]}" to `proxy.gateways` in the settings.'
        raise NothingToCapture(f"this session's API is at {host}, which is not among the hosts", advice)


def _split(address: str) -> SplitResult:
    """The parts of an address; all empty where it is none."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def _port(parts: SplitResult) -> int | None:
    """The port of an address; none where it is no number."""
    try:
        return parts.port
    except ValueError:
        return None


def _is_excepted(host: str, excepted: str) -> bool:
    """Whether `NO_PROXY` names a host, a domain it is in, or all."""
    name = host.partition(":")[0]
    entries = (entry.strip().lstrip(".").partition(":")[0] for entry in excepted.split(","))
    return any(entry == "*" or name == entry or name.endswith(f".{entry}") for entry in entries if entry)


def allowed(hosts: Collection[str]) -> list[str]:
    """The hosts as patterns of mitmproxy's, which sees `host:port`; all others pass unopened."""
    return [f"^{re.escape(host)}$" if ":" in host else rf"^{re.escape(host)}:\d+$" for host in hosts]
