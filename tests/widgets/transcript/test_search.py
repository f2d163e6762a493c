"""Searching: every place once, around the ends, and the place stood on survives what comes."""

from tests.fakes.scenes import Scene
from widgets.transcript.search import Search


def scene() -> Scene:
    told = Scene()
    told.prompt("one Word")
    told.say("word and word")
    return told


def test_it_goes_around_both_ends() -> None:
    search = Search(scene().conversation, "word")
    assert len(search.hits) == 3
    assert search.position == 0
    steps = [search.step(1) for _ in range(4)]
    assert [(hit.entry.id, hit.number) for hit in steps if hit] == [(1, 0), (2, 0), (2, 1), (1, 0)]
    assert search.step(-1) == steps[2]


def test_back_first_goes_to_the_newest() -> None:
    search = Search(scene().conversation, "word")
    search.step(-1)
    assert search.position == 3


def test_what_comes_is_found_and_the_place_stays() -> None:
    told = scene()
    search = Search(told.conversation, "word")
    search.step(-1)
    before = search.current
    told.prompt("another word")
    assert len(search.hits) == 4
    assert search.current == before
    assert search.position == 3


def test_nothing_is_found_for_nothing() -> None:
    search = Search(scene().conversation, "")
    assert search.hits == []
    assert search.step(1) is None
