from msgspec import structs

from core.session.state import Ask, PermissionUpdate
from widgets.ask_guard import AskGuard

ONE = Ask("1", "permission", "Bash")
TWO = structs.replace(ONE, id="2")


def armed(ask: Ask) -> AskGuard:
    guard = AskGuard()
    assert guard.take(ask)
    guard.armed = True
    return guard


def test_a_new_ask_counts_only_once_it_is_armed() -> None:
    guard = AskGuard()
    assert not guard.open
    assert guard.take(ONE)
    assert not guard.open
    assert guard.offered == ()
    guard.armed = True
    assert guard.open
    assert not guard.take(ONE)
    assert guard.open


def test_the_next_ask_is_not_armed_by_the_one_before() -> None:
    guard = armed(ONE)
    assert guard.take(TWO)
    assert not guard.open


def test_an_ask_is_answered_once_unless_the_answer_came_back() -> None:
    guard = armed(ONE)
    guard.settled = True
    assert not guard.open
    guard.take(structs.replace(ONE, state="answering"))
    assert not guard.open
    assert "sent" in guard.note[0]
    guard.take(ONE)
    assert guard.open


def test_what_is_withdrawn_cannot_be_answered_and_comes_back_unarmed() -> None:
    guard = armed(ONE)
    guard.withdrawn = True
    assert not guard.open
    assert "no longer asked" in guard.note[0]
    assert guard.take(ONE)
    assert not guard.open


def test_what_runs_elsewhere_is_answered_there() -> None:
    guard = armed(ONE)
    guard.answerable = False
    assert not guard.open
    assert "elsewhere" in guard.note[0]


def test_only_what_can_be_done_is_offered() -> None:
    def keys(ask: Ask) -> str:
        return "".join(key for key, _ in armed(ask).offered)

    assert keys(ONE) == "aAedD^D"
    assert keys(structs.replace(ONE, legacy=True, suggestions=(PermissionUpdate("setMode"),))) == "aAedD^D"
    assert keys(structs.replace(ONE, on_screen=True)) == "adD^D"
    assert keys(structs.replace(ONE, legacy=True)) == "aedD^D"
    assert keys(structs.replace(ONE, on_screen=True, wordless=True)) == "ad"
    assert keys(structs.replace(ONE, kind="plan")) == "aAdotD^D"
    assert keys(structs.replace(ONE, kind="question")) == "adD^D"
    assert keys(structs.replace(ONE, kind="question", wordless=True)) == "ad"


def test_another_request_with_the_same_id_is_another() -> None:
    guard = armed(structs.replace(ONE, input_json=b'{"command":"ls"}'))
    assert not guard.take(structs.replace(ONE, input_json=b'{"command":"ls"}', held="the budget"))
    assert guard.open
    assert guard.take(structs.replace(ONE, input_json=b'{"command":"rm -rf /"}'))
    assert not guard.open


def test_a_dialog_that_is_drawn_anew_stays_the_same() -> None:
    guard = armed(structs.replace(ONE, on_screen=True, input_json=b'{"command":"l"}'))
    assert not guard.take(structs.replace(ONE, on_screen=True, input_json=b'{"command":"ls"}'))
    assert guard.open


def test_words_typed_too_early_keep_it_from_counting_but_an_impatient_hand_does_not() -> None:
    guard = AskGuard()
    assert not guard.missed("allow")
    guard.take(ONE)
    assert guard.missed("deny-why")
    assert guard.missed("allow")
    assert not guard.missed("allow"), "the same key again"
    guard.armed = True
    assert not guard.missed("deny")
    guard.take(TWO)
    assert guard.missed("allow")
