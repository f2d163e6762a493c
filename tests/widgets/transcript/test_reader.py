"""Reading: the cursor, the edges and clicks, without an app."""

from core.session.entries import PromptEntry
from tests.fakes.drawing import page, text
from tests.fakes.scenes import Scene
from widgets.transcript.folds import Folds
from widgets.transcript.reader import Reader


def reading(count: int = 40, height: int = 10) -> tuple[Scene, Reader]:
    scene = Scene()
    for number in range(count):
        scene.prompt(f"prompt {number}")
    reader = Reader(scene.conversation, Folds(), page(40))
    reader.catch_up(())
    reader.rows(height)
    return scene, reader


def pointed(reader: Reader) -> str:
    assert reader.cursor is not None
    assert isinstance(reader.cursor.entry, PromptEntry)
    return reader.cursor.entry.text


def test_the_cursor_walks_and_what_it_points_at_is_visible() -> None:
    _, reader = reading()
    for _ in range(10):
        reader.move_cursor(-1)
        rows = text(reader.rows(10))
        assert any(row.startswith(f"▌❯ {pointed(reader)}") for row in rows)
    assert pointed(reader) == "prompt 30"
    for _ in range(50):
        reader.move_cursor(1)
        reader.rows(10)
    assert pointed(reader) == "prompt 39"
    assert reader.window.follow


def test_a_click_on_the_right_edge_goes_there() -> None:
    _, reader = reading()
    reader.window.scroll(-20)
    reader.rows(10)
    assert reader.click(39, 0)
    assert text(reader.rows(10))[0].startswith(" ❯ prompt 0")
    assert reader.click(39, 9)
    reader.rows(10)
    assert reader.window.follow


def test_a_click_on_the_news_goes_to_the_end() -> None:
    scene, reader = reading()
    reader.window.scroll(-20)
    reader.rows(10)
    scene.prompt("new")
    reader.catch_up(())
    assert text(reader.rows(10))[-1].endswith("1 new ↓")
    assert reader.click(35, 9)
    assert "new" in text(reader.rows(10))[-1]
    assert reader.news == set()


def test_scrolling_down_to_the_news_ends_them() -> None:
    scene, reader = reading()
    reader.window.scroll(-4)
    reader.rows(10)
    scene.prompt("new")
    scene.prompt("newer")
    reader.catch_up(())
    reader.rows(10)
    assert len(reader.news) == 2
    reader.window.scroll(6)
    reader.rows(10)
    assert len(reader.news) == 1
    reader.window.scroll(6)
    reader.rows(10)
    assert reader.news == set()


def test_a_click_below_the_last_entry_does_nothing() -> None:
    _, reader = reading(1)
    assert not reader.click(3, 8)
    assert reader.place_at(8) is None
