from rich.style import Style

from widgets.render.row import Row

PLAIN, RED = Style.null(), Style(color="red")


def shown(row: Row) -> str:
    return "".join(segment.text for segment in row.segments())


def test_writing_over_and_erasing() -> None:
    row = Row()
    row.write("abcdef", PLAIN)
    row.move("\r")
    row.write("xy", RED)
    assert [(s.text, s.style) for s in row.segments()] == [("xy", RED), ("cdef", PLAIN)]
    row.control("K", "")
    assert shown(row) == "xy"
    row.move("\b")
    row.move("\t")
    row.write("z", PLAIN)
    assert shown(row) == "xy      z"


def test_half_a_wide_character_becomes_a_space() -> None:
    row = Row()
    row.write("日本", PLAIN)
    row.control("G", "2")
    row.write("x", PLAIN)
    assert shown(row) == " x本"


def test_movements_are_bounded() -> None:
    row = Row()
    row.control("C", "99999")
    row.write("x", PLAIN)
    assert len(shown(row)) == 4097
    row.control("D", "999999999999999999")
    row.control("G", "1:2")
    row.control("K", "2")
    assert shown(row) == ""
