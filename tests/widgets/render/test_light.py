from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from widgets.render.light import LightStrip

SEGMENTS = [Segment("漢字 and ", Style(bold=True)), Segment("words", Style(color="red"))]


def test_it_is_a_strip_whatever_is_made_of_it() -> None:
    row, strip = LightStrip(list(SEGMENTS), 14), Strip(SEGMENTS)
    for _ in range(2):
        assert (row, row.text, row.cell_length) == (strip, strip.text, strip.cell_length)
        assert row.crop(1, 9) == strip.crop(1, 9)
        assert row.divide([3, 9, 14]) == strip.divide([3, 9, 14])
        assert row.adjust_cell_length(20) == strip.adjust_cell_length(20)
        assert row.crop_extend(2, 30, None) == strip.crop_extend(2, 30, None)
        assert row.apply_style(Style(italic=True)) == strip.apply_style(Style(italic=True))
        assert row.apply_offsets(3, 4) == strip.apply_offsets(3, 4)


def test_rows_keep_nothing_of_each_other() -> None:
    one, two = LightStrip([Segment("one")], 3), LightStrip([Segment("two")], 3)
    assert (one.crop(1, 3).text, two.crop(1, 3).text) == ("ne", "wo")
