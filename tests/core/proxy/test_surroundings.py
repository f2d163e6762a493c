"""What an agent gets to be captured, and what the proxy gets."""

from pathlib import Path

import pytest

from core.errors import NothingToCapture
from core.proxy.addon import EXTRA_CA, HOSTS, UPSTREAM_AUTH
from core.proxy.surroundings import (
    OUR_CA,
    Upstream,
    agent_environment,
    allowed,
    check,
    proxy_environment,
    trusted,
    upstream,
)

API = ("api.anthropic.com",)
TRUST_STORES = {
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_TLS_REJECT_UNAUTHORIZED", "REQUESTS_CA_BUNDLE"),
    *("CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "PIP_CERT"),
}


def test_the_proxy_stands_over_everything_else() -> None:
    before = {"HTTPS_PROXY": "http://corp:1", "https_proxy": "http://corp:1", "no_proxy": "*", "PATH": "/bin"}
    assert agent_environment(8080, Path("/ca.pem"), before) == {
        "PATH": "/bin",
        "HTTPS_PROXY": "http://127.0.0.1:8080",
        "HTTP_PROXY": "http://127.0.0.1:8080",
        "https_proxy": "http://127.0.0.1:8080",
        "NO_PROXY": "localhost,127.0.0.1,::1",
        "no_proxy": "localhost,127.0.0.1,::1",
        "NODE_EXTRA_CA_CERTS": "/ca.pem",
    }


def test_no_variable_that_replaces_all_that_is_trusted_is_ever_set() -> None:
    assert not TRUST_STORES & agent_environment(1, Path("/ca.pem"), {}).keys()
    theirs = {"SSL_CERT_FILE": "/theirs.pem"}
    assert agent_environment(1, Path("/ca.pem"), theirs)["SSL_CERT_FILE"] == "/theirs.pem"


def test_the_proxy_gets_no_credential(tmp_path: Path) -> None:
    env = {
        "PATH": "/bin",
        "ANTHROPIC_API_KEY": "secret",
        "ANTHROPIC_AUTH_TOKEN": "secret",
        "HOME": "/home/ann",
    }
    found = proxy_environment(API, tmp_path, env)
    assert "secret" not in found.values()
    assert (found["PATH"], found["HOME"], found[HOSTS]) == ("/bin", str(tmp_path), "api.anthropic.com")


@pytest.mark.parametrize(
    ("env", "found"),
    [
        ({}, Upstream()),
        ({"HTTPS_PROXY": "http://corp:3128"}, Upstream("http://corp:3128")),
        ({"https_proxy": "corp:3128"}, Upstream("http://corp:3128")),
        ({"HTTPS_PROXY": "http://ann:p%40ss@corp"}, Upstream("http://corp", "ann:p@ss")),
        ({"HTTPS_PROXY": "http://corp", "NO_PROXY": "*"}, Upstream()),
        ({"HTTPS_PROXY": "http://corp", "NO_PROXY": ".anthropic.com"}, Upstream()),
        ({"HTTPS_PROXY": "http://corp", "NO_PROXY": "localhost, other.com"}, Upstream("http://corp")),
        ({"HTTPS_PROXY": "http://corp", "NO_PROXY": "pic.com"}, Upstream("http://corp")),
        ({"HTTPS_PROXY": "nonsense:"}, Upstream("http://nonsense")),
        ({"HTTPS_PROXY": "http://"}, Upstream()),
        ({"HTTPS_PROXY": "http://[nonsense"}, Upstream()),
        ({"HTTPS_PROXY": "http://corp:port"}, Upstream("http://corp")),
    ],
)
def test_a_proxy_further_up_stays_the_way_to_the_api(env: dict[str, str], found: Upstream) -> None:
    assert upstream(API, env) == found


def test_its_password_is_no_argument_of_mitmdump(tmp_path: Path) -> None:
    env = {"HTTPS_PROXY": "http://ann:hidden@corp"}
    assert proxy_environment(API, tmp_path, env)[UPSTREAM_AUTH] == "ann:hidden"
    assert "hidden" not in upstream(API, env).address


def test_a_certificate_that_was_trusted_stays_so_for_both(tmp_path: Path) -> None:
    (tmp_path / OUR_CA).write_text("OURS")
    assert trusted(tmp_path, {}) == tmp_path / OUR_CA
    assert trusted(tmp_path, {"NODE_EXTRA_CA_CERTS": "/not/there"}) == tmp_path / OUR_CA
    theirs = tmp_path / "corp.pem"
    theirs.write_text("THEIRS")
    env = {"NODE_EXTRA_CA_CERTS": str(theirs)}
    assert trusted(tmp_path, env).read_text() == "OURS\nTHEIRS"
    assert proxy_environment(API, tmp_path, env)[EXTRA_CA] == str(theirs)


@pytest.mark.parametrize(
    ("env", "words"),
    [
        ({"CLAUDE_CODE_USE_BEDROCK": "1"}, "Bedrock"),
        ({"CLAUDE_CODE_USE_VERTEX": "true"}, "Vertex"),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:4000"}, "loopback"),
        ({"ANTHROPIC_BASE_URL": "http://localhost:4000/v1"}, "loopback"),
        ({"ANTHROPIC_BASE_URL": "https://gw.example/anthropic"}, r'Add "gw\.example" to `proxy\.gateways`'),
        ({"ANTHROPIC_BASE_URL": "https://ann:pw@gw.example:8443"}, r'Add "gw\.example:8443" to'),
        ({"ANTHROPIC_BASE_URL": "https://gw.example:nonsense"}, "not among the hosts"),
    ],
)
def test_what_would_never_be_seen_is_not_captured(env: dict[str, str], words: str) -> None:
    with pytest.raises(NothingToCapture, match=words) as raised:
        check(API, env)
    assert "pw" not in str(raised.value)


@pytest.mark.parametrize(
    "env",
    [
        {},
        {"CLAUDE_CODE_USE_BEDROCK": "0", "ANTHROPIC_BASE_URL": ""},
        {"ANTHROPIC_BASE_URL": "http://[nonsense"},
        {"ANTHROPIC_BASE_URL": "https://api.anthropic.com"},
        {"ANTHROPIC_BASE_URL": "https://gw.example"},
        {"ANTHROPIC_BASE_URL": "https://other:8443/x"},
    ],
)
def test_a_gateway_that_was_named_is_captured(env: dict[str, str]) -> None:
    check((*API, "gw.example", "other:8443"), env)


def test_hosts_become_patterns_that_match_only_them() -> None:
    import re

    patterns = allowed(("api.anthropic.com", "gateway:8443"))
    matching = ("api.anthropic.com:443", "api.anthropic.com:8080", "gateway:8443")
    others = (
        "apixanthropic.com:443",
        "evil-api.anthropic.com:443",
        "gateway:443",
        "api.anthropic.com.evil:443",
    )
    assert [host for host in (*matching, *others) if any(re.search(one, host) for one in patterns)] == [
        *matching
    ]
