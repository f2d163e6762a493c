"""The window: it follows the end, and what is read stays in place whatever happens around it."""

from textual.strip import Strip

from core.session.entries import NoticeEntry
from widgets.transcript.outline import Item, Outline
from widgets.transcript.window import Window


class Text:
    """Items of given heights, measured when asked for."""

    def __init__(self, *heights: int) -> None:
        self.outline = Outline()
        self.heights: dict[int, int] = {}
        self.items: list[Item] = []
        self.measured: list[int] = []
        for height in heights:
            self.add(height)
        self.window = Window(self.outline, self.measure)

    def add(self, height: int) -> Item:
        item = Item(NoticeEntry(id=len(self.items), text=""))
        self.heights[item.entry.id] = height
        self.items.append(item)
        self.outline.append(item)
        return item

    def measure(self, item: Item) -> list[Strip]:
        height = self.heights[item.entry.id]
        self.measured.append(item.entry.id)
        if item.height != height:
            self.outline.measure(item, height, ("key",))
        return [Strip([])] * height

    def shown(self, height: int) -> list[tuple[int, int, int]]:
        return [(span.item.entry.id, span.first, span.rows) for span in self.window.compose(height)]


def test_it_shows_the_end_and_draws_nothing_above() -> None:
    text = Text(*[3] * 1000)
    assert text.shown(7) == [(997, 2, 1), (998, 0, 3), (999, 0, 3)]
    assert min(text.measured) == 997


def test_little_stands_at_the_top() -> None:
    assert Text(2, 1).shown(10) == [(0, 0, 2), (1, 0, 1)]


def test_what_is_read_stays_when_more_comes() -> None:
    text = Text(*[3] * 10)
    text.shown(6)
    text.window.scroll(-4)
    before = text.shown(6)
    text.add(50)
    assert text.shown(6) == before
    assert not text.window.follow


def test_what_is_read_stays_when_something_above_changes_its_height() -> None:
    text = Text(*[3] * 10)
    text.shown(6)
    text.window.scroll(-4)
    before = text.shown(6)
    text.heights[2] = 40
    assert text.shown(6) == before


def test_scrolled_to_the_end_it_follows_again() -> None:
    text = Text(*[3] * 10)
    text.shown(6)
    text.window.scroll(-4)
    text.shown(6)
    text.window.scroll(4)
    text.shown(6)
    assert text.window.follow
    text.add(1)
    assert text.shown(6)[-1] == (10, 0, 1)


def test_it_stops_at_the_first_line() -> None:
    text = Text(*[3] * 10)
    text.shown(6)
    text.window.scroll(-1000)
    assert text.shown(6) == [(0, 0, 3), (1, 0, 3)]


def test_home_and_end() -> None:
    text = Text(*[3] * 10)
    text.shown(6)
    text.window.home()
    assert text.shown(6)[0] == (0, 0, 3)
    text.window.end()
    assert text.shown(6)[-1] == (9, 0, 3)


def test_a_new_width_keeps_the_share_of_the_item_at_the_top() -> None:
    text = Text(10, 20, 10)
    text.shown(6)
    text.window.show(text.items[1], 10)
    text.shown(6)
    text.heights[1] = 40
    text.window.rewrap()
    assert text.shown(6)[0] == (1, 20, 6)


def test_an_item_that_shrinks_at_the_top_keeps_its_last_line_there() -> None:
    text = Text(10, 20, 30)
    text.shown(6)
    text.window.show(text.items[1], 15)
    text.shown(6)
    text.heights[1] = 2
    assert text.shown(6)[0] == (1, 1, 1)


def test_an_item_that_is_gone_gives_way() -> None:
    text = Text(10, 20, 30)
    text.shown(6)
    text.window.show(text.items[1], 5)
    text.shown(6)
    text.outline.remove(text.items[1])
    assert text.shown(6)
