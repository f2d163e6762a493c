"""Every event can be written and read again."""

from msgspec import Raw

from core.keeper.vocabulary import joined, read, read_json, write
from core.session import events as ev
from core.session.state import Ask, PermissionUpdate, Rule

RULES = (PermissionUpdate("addRules", rules=(Rule("Bash", "ls"),)),)
TOLD = [
    ev.AskRaised(at=1.5, ask=Ask("a", "permission", "Bash", b'{"command":"\xc3\xa4"}', suggestions=RULES)),
    ev.UnknownSeen(raw=b"\xff{", why="broken"),
    ev.TurnCompleted(total_cost_usd=None),
    ev.Renamed(name=None, branch="x"),
]


def test_what_was_written_is_read_again() -> None:
    assert [read(write(event)) for event in TOLD] == TOLD


def test_what_is_not_known_is_left_out() -> None:
    assert read_json(b'["Later",{}]') is None
    assert read_json(b'["Noticed",{"text":5}]') is None
    assert read_json(b"{}") is None
    assert read_json(b'["Noticed",{"later":' + b"[" * 100_000) is None
    assert read(("Noticed", Raw(b'{"later":' + b"[" * 100_000))) is None


def test_neighbouring_pieces_of_one_block_become_one() -> None:
    def text(index: int, words: str) -> ev.TextDelta:
        return ev.TextDelta(message_id="m", index=index, text=words)

    told = [text(0, "a"), text(0, "b"), text(1, "c"), ev.TurnStarted(), text(1, "d")]
    assert joined(told) == [text(0, "ab"), text(1, "c"), ev.TurnStarted(), text(1, "d")]
    inputs = [ev.ToolInputDelta(message_id="m", index=0, json=part) for part in '{"a'] * 2
    assert joined(inputs) == [ev.ToolInputDelta(message_id="m", index=0, json='{"a{"a')]
