"""The one table: no key twice, everything said, and the README tells the same."""

from collections import Counter
from pathlib import Path

import pytest

from core.session.state import Ask, Can, Exit, PermissionUpdate, Turn
from dashboard import actions
from dashboard.actions import ACTIONS, BY_ID
from dashboard.commands import CALLS
from dashboard.screens.cost import CostScreen
from dashboard.screens.inbox import InboxScreen
from dashboard.screens.past import PastScreen
from dashboard.screens.reader import ReaderScreen
from dashboard.situation import Situation
from tests.fakes.fleet import agent

README = Path(__file__).parents[2] / "README.md"
PERMISSION = Ask("r1", "permission", "Bash")


def test_no_key_does_two_things() -> None:
    counts = Counter((action.place, key) for action in ACTIONS for key in action.keys)
    assert [key for key, count in counts.items() if count > 1] == []
    assert len(BY_ID) == len(ACTIONS)


def test_every_action_can_be_done() -> None:
    assert {action.call for action in actions.of("deck")} == set(CALLS)
    screens = {"inbox": InboxScreen, "list": PastScreen, "reader": ReaderScreen, "cost": CostScreen}
    for place, screen in screens.items():
        for action in ACTIONS:
            assert action.place != place or callable(getattr(screen, action.call)), action.id


def test_every_action_is_in_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    assert actions.readme_table() in text


@pytest.mark.parametrize(
    ("action", "keys"),
    [
        ("new", "n"), ("new-like", "N"), ("type", "i or Enter"), ("next-waiting", "w"),
        ("previous-waiting", "W"), ("pane-1", "1–9"), ("zoom", "z"), ("stop", "x"), ("remove", "X"),
        ("undo", "u"), ("search", "/"), ("allow", "a"), ("allow-rule", "A"), ("deny", "d"),
        ("deny-message", "D"), ("edit", "e"), ("outline", "o"), ("discuss", "t"), ("interrupt", "Esc"), ("interrupt-anywhere", "Ctrl+C"), ("model", "m"),
        ("mode", "Shift+Tab"), ("effort", "E"), ("mcp", "M"), ("palette", "Ctrl+P"), ("help", "?"),
        ("quit", "q"),
    ],
)  # fmt: skip
def test_keys_are_those_of_the_issue(action: str, keys: str) -> None:
    assert " or ".join(actions.key_names(BY_ID[action])) == keys


@pytest.mark.parametrize(
    ("action", "situation", "words"),
    [
        ("allow", Situation(), "press n"),
        ("allow", Situation(session=agent("api")), "api asks for nothing"),
        ("allow", Situation(session=agent("api"), waiting=1), "press w"),
        (
            "allow",
            Situation(session=agent("api"), ask=Ask("r", "plan", "P", state="answering")),
            "on its way",
        ),
        (
            "allow-rule",
            Situation(session=agent("api"), ask=Ask("r", "permission", "Bash", on_screen=True)),
            "No rule can go",
        ),
        ("edit", Situation(session=agent("api"), ask=Ask("r", "plan", "P")), "no input to change"),
        (
            "edit",
            Situation(session=agent("api"), ask=Ask("r", "permission", "Bash", on_screen=True)),
            "on its own screen cannot be changed",
        ),
        (
            "deny-message",
            Situation(session=agent("api"), ask=Ask("r", "permission", "Trust", wordless=True)),
            "takes no words",
        ),
        ("outline", Situation(session=agent("api"), ask=PERMISSION), "Only a plan"),
        ("comment", Situation(session=agent("api"), ask=Ask("r", "plan", "P")), "wrote no plan down"),
        ("interrupt", Situation(session=agent("api")), "not working"),
        ("next-waiting", Situation(), "Nobody needs you"),
        ("restart", Situation(session=agent("api")), "it runs"),
        ("stop", Situation(session=agent("api", can=Can())), "does not run"),
        ("undo", Situation(), "nothing to undo"),
        ("rename", Situation(), "press n"),
        ("rename", Situation(session=agent("api", kind="mirrored")), "where it runs, with /rename"),
        ("rename", Situation(session=agent("api", kind="past")), "is a replay"),
        ("take-back", Situation(session=agent("api")), "No prompt"),
    ],
)
def test_what_cannot_be_done_says_why(action: str, situation: Situation, words: str) -> None:
    assert words in BY_ID[action].why_not(situation)


def test_what_can_be_done_is_not_refused() -> None:
    rules = (PermissionUpdate("addRules"),)
    situation = Situation(
        session=agent("api", turn=Turn(1, 1.0)),
        ask=Ask("r", "permission", "Bash", suggestions=rules),
        waiting=1,
    )
    ended = Situation(session=agent("api", exit=Exit(expected=True), can=Can()))
    assert BY_ID["rename"].why_not(ended) == ""
    for action in ("allow", "allow-rule", "deny", "interrupt", "next-waiting", "model", "type"):
        assert BY_ID[action].why_not(situation) == "", action


def test_rebound_keys_reach_the_cards_too() -> None:
    assert actions.keymap({"allow": ("y",), "quit": ()}.get) == {
        "allow": "y",
        "ask.allow": "y",
        "inbox.allow": "y",
        "pane.allow": "y",
        "quit": actions.NO_KEY,
    }


def test_the_footer_names_what_works_now() -> None:
    idle = dict(actions.footer(Situation(session=agent("api"))))
    assert "i" in idle
    assert "a" not in idle
    asked = actions.footer(Situation(session=agent("api", turn=Turn(1, 1.0)), ask=PERMISSION, waiting=1))
    assert [key for key, _ in asked][:5] == ["w", "a", "d", "A", "D"]
    assert asked[-1] == ("?", "help")
    assert dict(actions.footer(Situation(typing="prompt")))["Esc"] == "leave"
    for wordless, word in ((True, "dismiss"), (False, "deny")):  # as its card says
        question = Ask("q", "question", "Resume", wordless=wordless)
        keys = dict(actions.footer(Situation(session=agent("api"), ask=question, waiting=1)))
        assert (keys["a"], keys["d"]) == ("answer", word)
        inside = dict(actions.footer(Situation(session=agent("api"), ask=question, waiting=1, on_card=True)))
        assert "a" not in inside, "one is in its form already"


def test_a_footer_is_worked_out_again_only_where_something_differs() -> None:
    asked: list[str] = []

    def keys_of(action: str) -> None:
        asked.append(action)

    footing = actions.Footing(keys_of)
    first = footing.keys(Situation(session=agent("api")))
    count = len(asked)
    assert first == actions.footer(Situation(session=agent("api")))
    assert footing.keys(Situation(session=agent("api"))) == first
    assert len(asked) == count
    assert footing.keys(Situation(typing="prompt")) != first


def test_the_footer_shows_the_keys_of_the_settings() -> None:
    keys = {"new": ("ctrl+n",), "quit": ()}
    shown = actions.footer(Situation(), keys.get)
    assert ("Ctrl+N", "new") in shown
    assert "quit" not in [label for _, label in shown]


@pytest.mark.parametrize(
    ("keys", "found", "words"),
    [
        ({"stop": ("i",)}, "stop", "is the key of `type`"),
        ({"stop": ("slash",)}, "stop", "is the key of `search`"),
        ({"stop": ("ctrl+x",), "fold": ("ctrl+x",)}, "fold", "is the key of `stop`"),
        ({"stop": ("bogus+x",)}, "stop", "is no key"),
        ({"stop": ("ctrl+[",)}, "stop", 'is written "ctrl+left_square_bracket"'),
        ({"list-fork": ("r",)}, "list-fork", "is the key of `list-resume`"),
    ],
)
def test_keys_that_cannot_be_are_found(keys: dict[str, tuple[str, ...]], found: str, words: str) -> None:
    wrong = actions.wrong_key(keys.get)
    assert wrong is not None
    assert (wrong[0], words in wrong[1]) == (found, True), wrong


def test_keys_may_be_changed_about() -> None:
    keys = {"stop": ("i", "f5"), "type": ("x", "ctrl+j"), "quit": (), "help": ("é", "shift+f1")}
    assert actions.wrong_key(keys.get) is None
    assert actions.wrong_key({action.id: action.keys for action in ACTIONS}.get) is None


def test_a_key_clicked_in_a_footer_is_the_key_pressed() -> None:
    for action in (action for action in actions.ACTIONS if action.footer):
        assert actions.pressed(actions.footer_key(action, None)).key in action.keys
    own = actions.pressed(actions.footer_key(actions.BY_ID["zoom"], ("ctrl+full_stop",)))
    assert own.key == "ctrl+full_stop"
    shown = ("Shift+Enter", "↑", "Enter ↓", "[ ]", "@", "Space", "F5", "Ctrl+]")
    assert [actions.pressed(one).key for one in shown] == [
        "shift+enter", "up", "enter", "left_square_bracket", "at", "space", "f5",
        "ctrl+right_square_bracket",
    ]  # fmt: skip
    assert actions.pressed("@").character == "@"
