from msgspec import structs

from core.session.state import Ask, Exit, Limit, Pause, Turn
from tests.widgets.screen import NOW, session
from widgets.signs import ELSEWHERE, SIGNS, sign_of


def test_every_state_differs_in_shape_and_word() -> None:
    signs = [*SIGNS.values(), ELSEWHERE]
    assert len({sign.shape for sign in signs}) == len(signs)
    assert len({sign.word for sign in signs}) == len(signs)


def test_what_others_run_is_elsewhere_until_it_ends() -> None:
    mirrored = session(kind="mirrored", turn=Turn(1, 0))
    assert (sign_of(mirrored).shape, sign_of(mirrored).word) == ("◌", "busy")
    waits = structs.replace(mirrored, asks=(Ask("r", "permission", ""),))
    assert (sign_of(waits).shape, sign_of(waits).word) == ("◌", "waits")
    assert sign_of(structs.replace(mirrored, exit=Exit(0, expected=True))).word == "ended"
    assert sign_of(session(kind="past")).word == "ended"
    assert sign_of(session()).word == "idle"


def test_what_the_person_paused_is_called_so() -> None:
    assert sign_of(session(pause=Pause(NOW))).word == "paused"
    assert sign_of(session(limit=Limit("rate"), pause=Pause(NOW))).word == "limited"
