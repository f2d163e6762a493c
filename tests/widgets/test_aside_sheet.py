from tests.widgets.screen import CONTROLS
from widgets.aside_sheet import Aside, draw_asides
from widgets.render.palette import PLAIN_PALETTE


def drawn(*asides: Aside, width: int = 40) -> list[str]:
    return [strip.text.rstrip() for strip in draw_asides(asides, 103.0, width, PLAIN_PALETTE)]


def test_question_answer_and_what_waits() -> None:
    assert drawn(
        Aside("why\nso?", 1.0, answer="Because.\n\n- one"),
        Aside("and?", 100.0),
        Aside("no", 1.0, error="gone"),
    ) == ["❯ why so?", "  Because.", "", "  • one", "", "❯ and?", "  asking … 0:03", "", "❯ no", "  ✗ gone"]


def test_every_line_fits_and_nothing_drives_the_terminal() -> None:
    lines = drawn(
        Aside(CONTROLS, 1.0, answer=CONTROLS), Aside("long " * 40, 1.0, error="word " * 40), width=20
    )
    assert all(len(line) <= 20 for line in lines)
    assert not [c for line in lines for c in line if c < " " or "\x7f" <= c <= "\x9f"]
