from rich.cells import cell_len

from widgets.line import Line, Piece, fit, joined, spread, whole

PARTS = (Piece("a-long-name", gives=1, least=4, stays=True), Piece(" opus", gives=2, least=5), Piece(" 0:42"))


def text(line: Line) -> str:
    return "".join(piece.text for piece in line)


def test_each_gives_way_in_its_turn() -> None:
    assert text(fit(PARTS, 30)) == "a-long-name opus 0:42"
    assert text(fit(PARTS, 16)) == "a-lon… opus 0:42"
    assert text(fit(PARTS, 14)) == "a-l… opus 0:42"
    assert text(fit(PARTS, 12)) == "a-long… 0:42"


def test_what_is_whole_goes_before_the_next_shortens() -> None:
    line = (Piece("a-long-name", gives=2, least=4, stays=True), whole(" opus", gives=1), Piece(" 0:42"))
    assert text(fit(line, 20)) == "a-long-name 0:42"
    assert text(fit(line, 12)) == "a-long… 0:42"


def test_what_stays_takes_what_a_dropped_piece_leaves() -> None:
    line = (Piece("a-long-name", gives=1, least=4, stays=True), whole(" needs you", gives=2), Piece(" 0:42"))
    assert text(fit(line, 20)) == "a-lo… needs you 0:42"
    assert text(fit(line, 18)) == "a-long-name 0:42"


def test_a_separator_goes_with_its_piece() -> None:
    line = joined([Piece("main"), Piece("", gives=1), Piece("opus", gives=1, least=4)], " · ")
    assert text(line) == "main · opus"
    assert text(fit(line, 8)) == "main"
    assert text(fit(joined([whole("main", gives=1), whole("opus", gives=2)], " · "), 8)) == "opus"


def test_the_right_half_stands_at_the_edge() -> None:
    assert text(spread([Piece("left", gives=1, least=2)], [Piece("12")], 10)) == "left    12"
    assert text(spread([Piece("left", gives=1, least=2)], [Piece("12")], 5)) == "l… 12"
    assert cell_len(text(spread([Piece("日本語", gives=1)], [Piece("12")], 8))) == 8
