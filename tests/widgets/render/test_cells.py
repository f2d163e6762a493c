from rich.cells import cell_len

from widgets.render.cells import one_cell_each, width


def test_every_character_called_narrow_is_one_cell() -> None:
    wrong = [
        code
        for code in range(0x20, 0x30000)
        if one_cell_each(chr(code)) and code != 0x7F and cell_len(chr(code)) != 1
    ]
    assert wrong == []


def test_width_is_what_rich_says() -> None:
    for text in ("", "plain", "ä – →", "日本語", "👩‍👩‍👧 x", "e\u0301", "❤️", "שלום"):
        assert width(text) == cell_len(text)
