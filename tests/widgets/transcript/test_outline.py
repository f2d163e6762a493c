"""The outline: order, heights and lines stay right whatever is inserted, removed and measured."""

import random

from core.session.entries import NoticeEntry
from widgets.transcript.outline import Item, Outline


def item(number: int, height: int = 1) -> Item:
    return Item(NoticeEntry(id=number, text=""), height=height)


def check(outline: Outline, expected: list[Item]) -> None:
    assert list(outline) == expected
    assert outline.lines == sum(one.height for one in expected)
    line = 0
    for one in expected:
        assert outline.line_of(one) == line
        if one.height:
            assert outline.find(line) == (one, 0)
            assert outline.find(line + one.height - 1) == (one, one.height - 1)
        line += one.height
    assert outline.find(line) is None
    assert outline.find(-1) is None


def test_an_empty_outline_has_no_lines() -> None:
    outline = Outline()
    assert (outline.lines, outline.find(0), outline.first, outline.last) == (0, None, None, None)


def test_many_changes_at_random_leave_it_like_a_plain_list() -> None:
    rng = random.Random(7)
    outline, plain = Outline(), list[Item]()
    for number in range(2000):
        new = item(number, rng.randrange(4))
        if plain and rng.random() < 0.3:
            after = rng.choice(plain)
            outline.insert(new, after)
            plain.insert(plain.index(after) + 1, new)
        elif rng.random() < 0.05:
            outline.insert(new, None)
            plain.insert(0, new)
        else:
            outline.append(new)
            plain.append(new)
        if rng.random() < 0.2:
            gone = plain.pop(rng.randrange(len(plain)))
            outline.remove(gone)
        if plain and rng.random() < 0.5:
            outline.measure(rng.choice(plain), rng.randrange(6), ("key",))
    check(outline, plain)
    outline.rebuild(plain[::2])
    check(outline, plain[::2])


def test_what_was_removed_is_unknown() -> None:
    outline = Outline()
    only = item(1)
    outline.append(only)
    assert 1 in outline
    outline.remove(only)
    assert 1 not in outline
    assert outline.get(1) is None
    assert outline.first is None
