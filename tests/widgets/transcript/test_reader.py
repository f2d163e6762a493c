"""Reading: the cursor, the edges and clicks, without an app."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

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


def test_a_call_is_unfolded_with_what_its_subagent_did() -> None:
    scene, reader = reading(3)
    started = scene.call("Agent", description="Look around")
    scene.call("Bash", parent=started, command="ls -la")
    call = scene.conversation.call(started)
    assert call is not None
    reader.catch_up(())
    assert "ls -la" not in "\n".join(text(reader.rows(10)))
    reader.unfold(call.id)
    assert reader.point_at(call.id)
    assert "ls -la" in "\n".join(text(reader.rows(10)))
    reader.unfold(10**6)


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


WORDS = st.text(
    alphabet=st.sampled_from('ab \n\t`*_#->|[]{}"\\\x1b\x07日🎉\u200d\u202e\u0301é1.~'),
    min_size=0,
    max_size=40,
)
DEEDS = st.lists(
    st.tuples(
        st.sampled_from(["prompt", "say", "think", "open", "stream", "close", "call", "result", "sub"]), WORDS
    ),
    max_size=25,
)
LOOKS = st.lists(
    st.sampled_from(
        ["up", "down", "home", "end", "fold", "back", "on", "find", "hit", "narrow", "wide", "look"]
    ),
    max_size=25,
)


def do(scene: Scene, deed: str, words: str) -> None:
    match deed:
        case "prompt":
            scene.prompt(words)
        case "say":
            scene.say(words)
        case "think":
            scene.think(words)
        case "open":
            scene.open()
        case "stream":
            scene.stream(words)
        case "close":
            scene.close(words)
        case "call":
            scene.call("Task" if len(words) % 2 else "Bash", call="T", command=words, prompt=words)
        case "result":
            scene.result("T", words, failed=len(words) % 3 == 0)
        case "sub":
            scene.say(words, parent="T" if len(words) % 2 else words)


def look(reader: Reader, at: str) -> None:
    match at:
        case "up" | "down":
            reader.window.scroll(-3 if at == "up" else 3)
        case "home":
            reader.window.home()
        case "end":
            reader.window.end()
        case "fold":
            reader.toggle_last()
        case "back" | "on":
            reader.move_cursor(-1 if at == "back" else 1)
        case "find":
            reader.search("a")
        case "hit":
            reader.go_to_hit(1)
        case "narrow" | "wide":
            reader.turn_page(page(13 if at == "narrow" else 60))


@settings(max_examples=100)
@given(DEEDS, LOOKS, st.integers(1, 15))
@example([("sub", "1"), ("call", "")], ["up", "fold"], 2)
@example([("sub", "1"), ("prompt", ""), ("call", ""), ("sub", "11")], ["up", "fold"], 2)
def test_whatever_happens_and_whatever_one_does_the_rows_are_right(
    deeds: list[tuple[str, str]], looks: list[str], height: int
) -> None:
    scene = Scene()
    reader = Reader(scene.conversation, Folds(), page(40))
    for number in range(max(len(deeds), len(looks))):
        for deed, words in deeds[number : number + 1]:
            do(scene, deed, words)
        for at in looks[number : number + 1]:
            look(reader, at)
        reader.catch_up(())
        rows = reader.rows(height)
        assert len(rows) == height
        for row in rows:
            assert sum(segment.cell_length for segment in row) == reader.page.width
            assert not any(character < " " for character in row.text)
    assert len(reader.flow.outline) >= len(scene.conversation.entries())
    reader.window.end()
    reader.search("")
    reader.cursor = None
    fresh = Reader(scene.conversation, reader.folds, page(reader.page.width))
    fresh.catch_up(())
    for item in reader.flow.outline:
        fresh.flow.open(item.entry, reader.flow.is_open(item.entry))
    assert settled(reader, height) == settled(fresh, height)


def settled(reader: Reader, height: int) -> list[str]:
    reader.rows(height)
    while reader.painter.pending:
        reader.painter.polish()
    return text(reader.rows(height))
