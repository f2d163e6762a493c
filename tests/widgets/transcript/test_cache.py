"""The row cache: what was drawn for just this is found again, and it does not grow without end."""

from textual.strip import Strip

from widgets.transcript.cache import RowCache

ROWS = [Strip([])] * 10


def test_rows_are_found_for_their_key_only() -> None:
    cache = RowCache()
    cache.put(1, "narrow", ROWS)
    assert cache.get(1, "narrow") is ROWS
    assert cache.get(1, "wide") is None
    assert cache.get(2, "narrow") is None
    cache.clear()
    assert cache.get(1, "narrow") is None


def test_what_was_seen_longest_ago_goes_first_but_nothing_visible() -> None:
    cache = RowCache(rows=30)
    for entry in range(6):
        cache.put(entry, "key", ROWS)
    cache.get(1, "key")
    cache.trim({0})
    assert [entry for entry in range(6) if cache.get(entry, "key")] == [0, 1, 5]


def test_an_entry_larger_than_the_cache_stays_while_it_is_visible() -> None:
    cache = RowCache(rows=5)
    cache.put(1, "key", ROWS)
    cache.trim({1})
    assert cache.get(1, "key") is ROWS
    cache.trim(set())
    assert cache.get(1, "key") is None
