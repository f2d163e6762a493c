"""Permission updates, there and back."""

import json

import msgspec
import pytest
from msgspec import Raw

from core.session.state import PermissionUpdate, Rule
from core.wire.updates import read_updates, wire_updates

FORMS: list[dict[str, object]] = [
    {
        "type": "addRules",
        "rules": [{"toolName": "Bash", "ruleContent": "npm *"}, {"toolName": "Read"}],
        "behavior": "allow",
        "destination": "localSettings",
    },
    {"type": "replaceRules", "rules": [{"toolName": "Bash"}], "behavior": "deny", "destination": "session"},
    {"type": "removeRules", "rules": [], "behavior": "ask", "destination": "userSettings"},
    {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
    {"type": "addDirectories", "directories": ["/srv"], "destination": "session"},
    {"type": "removeDirectories", "directories": ["/srv"], "destination": "projectSettings"},
]


@pytest.mark.parametrize("form", FORMS)
def test_an_update_goes_back_as_it_came(form: dict[str, object]) -> None:
    (update,) = read_updates(Raw(json.dumps([form]).encode()))
    assert json.loads(msgspec.json.encode(wire_updates((update,)))) == [form]


def test_what_is_not_understood_is_left_out() -> None:
    raw = Raw(b'[{"type":"zz"},7,{"type":"addRules","rules":7},{"type":"setMode","mode":"plan"}]')
    assert read_updates(raw) == (PermissionUpdate("setMode", mode="plan"),)


@pytest.mark.parametrize("raw", [b"", b"null", b"7", b"{"])
def test_no_suggestions(raw: bytes) -> None:
    assert read_updates(Raw(raw)) == ()


def test_a_rule_reads_as_the_cli_writes_it() -> None:
    (update,) = read_updates(Raw(json.dumps(FORMS[:1]).encode()))
    assert update.rules == (Rule("Bash", "npm *"), Rule("Read"))
