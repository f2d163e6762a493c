"""What changed between two texts, line by line and word by word: pure data for every view of an edit.

The work is bounded whatever the texts: lines that occur once on both sides are the anchors (patience diff),
small rests are compared fully, and what is too large for that is one block replaced by another. Must not
know how rows look.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal

import msgspec

Kind = Literal["same", "removed", "added", "gap"]
Spans = tuple[tuple[int, int], ...]

MAX_VISITS = 1_000_000
"""How many lines the search for anchors may look at before it gives up on the rest."""

SMALL_BLOCK = 4_000
"""Lines times lines (or words times words) up to which two blocks are compared fully."""

MAX_WORD_CHARACTERS = 200_000
"""How much changed text is compared word by word; what comes after has no spans."""

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_LEAST_ALIKE = 0.3


class DiffRow(msgspec.Struct, frozen=True):
    """One line of a diff; line numbers count from 1, and 0 means the line is not on that side."""

    kind: Kind
    text: str = ""
    old_line: int = 0
    new_line: int = 0
    spans: Spans = ()
    """What changed inside the line, as rising (start, end) offsets; none if all of it did."""
    skipped: int = 0
    """For a gap: how many unchanged lines are left out."""


class Hunk(msgspec.Struct, frozen=True):
    """One hunk of a patch as the CLI tells it: each line begins with " ", "-" or "+"."""

    old_start: int
    new_start: int
    lines: tuple[str, ...]


def line_diff(old: str, new: str, start_line: int = 1, context: int = 3) -> tuple[DiffRow, ...]:
    """The rows that turn `old` into `new`, with `context` unchanged lines around each change.

    `start_line` is the number of the first line of both. Equal texts give no rows.
    """
    before, after = _lines(old), _lines(new)
    rows = [
        msgspec.structs.replace(
            row,
            old_line=row.old_line + start_line if row.kind != "added" else 0,
            new_line=row.new_line + start_line if row.kind != "removed" else 0,
        )
        for row in _all_rows(before, after, list(_pairs(before, after)))
    ]
    return tuple(_with_words(_near_changes(rows, context)))


def patch_rows(hunks: Iterable[Hunk]) -> tuple[DiffRow, ...]:
    """The rows of a patch; between hunks is a gap."""
    rows: list[DiffRow] = []
    expected = 0
    for hunk in hunks:
        if rows:
            rows.append(DiffRow("gap", skipped=max(0, hunk.old_start - expected)))
        old, new = hunk.old_start, hunk.new_start
        for line in hunk.lines:
            match line[:1]:
                case "-":
                    rows.append(DiffRow("removed", line[1:], old_line=old))
                    old += 1
                case "+":
                    rows.append(DiffRow("added", line[1:], new_line=new))
                    new += 1
                case "\\":  # "\ No newline at end of file"
                    continue
                case _:
                    rows.append(DiffRow("same", line[1:], old, new))
                    old, new = old + 1, new + 1
        expected = old
    return tuple(_with_words(rows))


def changed(rows: Iterable[DiffRow]) -> tuple[int, int]:
    """How many lines were added, and how many removed."""
    kinds = [row.kind for row in rows]
    return kinds.count("added"), kinds.count("removed")


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def _all_rows(before: list[str], after: list[str], pairs: list[tuple[int, int]]) -> Iterator[DiffRow]:
    """Every line of both sides, numbered from 0; `pairs` are the lines that stayed."""
    old = new = 0
    for same_old, same_new in [*pairs, (len(before), len(after))]:
        for index in range(old, same_old):
            yield DiffRow("removed", before[index], index, new)
        for index in range(new, same_new):
            yield DiffRow("added", after[index], old, index)
        if same_old < len(before):
            yield DiffRow("same", before[same_old], same_old, same_new)
        old, new = same_old + 1, same_new + 1


def _pairs(before: list[str], after: list[str]) -> list[tuple[int, int]]:
    """The line numbers of what stayed, rising on both sides."""
    pairs: list[tuple[int, int]] = []
    work = [(0, len(before), 0, len(after))]
    visits = 0
    while work:
        low, high, new_low, new_high = work.pop()
        while low < high and new_low < new_high and before[low] == after[new_low]:
            pairs.append((low, new_low))
            low, new_low = low + 1, new_low + 1
        while low < high and new_low < new_high and before[high - 1] == after[new_high - 1]:
            high, new_high = high - 1, new_high - 1
            pairs.append((high, new_high))
        if low == high or new_low == new_high:
            continue
        visits += high - low + new_high - new_low
        anchors = _anchors(before[low:high], after[new_low:new_high]) if visits <= MAX_VISITS else []
        if anchors:
            start, new_start = low, new_low
            for old, new in [*anchors, (high - low, new_high - new_low)]:
                work.append((start, low + old, new_start, new_low + new))
                start, new_start = low + old, new_low + new
        elif (high - low) * (new_high - new_low) <= SMALL_BLOCK:
            matcher = SequenceMatcher(None, before[low:high], after[new_low:new_high], autojunk=False)
            for old, new, size in matcher.get_matching_blocks():
                pairs.extend((low + old + n, new_low + new + n) for n in range(size))
    return sorted(pairs)


def _anchors(before: list[str], after: list[str]) -> list[tuple[int, int]]:
    """The longest rising row of lines that occur exactly once on each side."""
    places = _once(before)
    new_places = _once(after)
    candidates = [(new_places[line], place) for line, place in places.items() if line in new_places]
    # Patience sorting over the new side; `candidates` already rise on the old side.
    tails: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for index, (new, _old) in enumerate(candidates):
        pile = bisect_left(tails, new)
        tails[pile : pile + 1] = [new]
        ends[pile : pile + 1] = [index]
        previous.append(ends[pile - 1] if pile else -1)
    chain = []
    index = ends[-1] if ends else -1
    while index >= 0:
        new, old = candidates[index]
        chain.append((old, new))
        index = previous[index]
    return chain[::-1]


def _once(lines: list[str]) -> dict[str, int]:
    """The lines that occur once, and where."""
    places: dict[str, int] = {}
    for index, line in enumerate(lines):
        places[line] = -1 if line in places else index
    return {line: index for line, index in places.items() if index >= 0}


def _near_changes(rows: list[DiffRow], context: int) -> list[DiffRow]:
    """`rows` without what is unchanged and further than `context` lines from a change."""
    kept: list[DiffRow] = []
    groups = [(same, list(group)) for same, group in groupby(rows, key=lambda row: row.kind == "same")]
    for index, (same, group) in enumerate(groups):
        head = context if index > 0 else 0
        tail = context if index < len(groups) - 1 else 0
        skipped = len(group) - head - tail
        if not same or (skipped <= 1 and head and tail):  # a gap of one line is no shorter than the line
            kept += group
        else:
            kept += group[: min(head, len(group))]
            if head and tail:
                kept.append(DiffRow("gap", skipped=skipped))
            kept += group[max(len(group) - tail, min(head, len(group))) :] if tail else []
    return kept if any(row.kind != "same" for row in kept) else []


def _with_words(rows: Sequence[DiffRow]) -> list[DiffRow]:
    """`rows` with the changed words of each removed line and the added one that took its place."""
    result = list(rows)
    budget = MAX_WORD_CHARACTERS
    start = 0
    for kind, group in groupby(rows, key=lambda row: row.kind in ("removed", "added")):
        end = start + len(list(group))
        if kind:
            removed = [index for index in range(start, end) if rows[index].kind == "removed"]
            added = [index for index in range(start, end) if rows[index].kind == "added"]
            for one, other in zip(removed, added, strict=False):
                budget -= len(rows[one].text) + len(rows[other].text)
                if budget < 0:
                    return result
                spans = word_spans(rows[one].text, rows[other].text)
                result[one] = msgspec.structs.replace(rows[one], spans=spans[0])
                result[other] = msgspec.structs.replace(rows[other], spans=spans[1])
        start = end
    return result


def word_spans(old: str, new: str) -> tuple[Spans, Spans]:
    """What differs between two lines, on each side; nothing if they have too little in common to compare."""
    words, new_words = _WORD.findall(old), _WORD.findall(new)
    head = _same_start(words, new_words)
    tail = _same_start(words[head:][::-1], new_words[head:][::-1])
    middle, new_middle = words[head : len(words) - tail], new_words[head : len(new_words) - tail]
    if len(middle) * len(new_middle) > SMALL_BLOCK:
        kept = []
    else:
        kept = list(SequenceMatcher(None, middle, new_middle, autojunk=False).get_matching_blocks())
    spans = _spans(words, head, [(block.a, block.size) for block in kept], len(middle))
    new_spans = _spans(new_words, head, [(block.b, block.size) for block in kept], len(new_middle))
    longest = max(len(old.strip()), len(new.strip()), 1)
    alike = min(_unchanged(old, spans), _unchanged(new, new_spans)) / longest
    return (spans, new_spans) if alike >= _LEAST_ALIKE else ((), ())


def _unchanged(text: str, spans: Spans) -> int:
    """How many visible characters of `text` lie outside `spans`."""
    rest = "".join([text[start:end] for start, end in _outside(len(text), spans)])
    return len("".join(rest.split()))


def _outside(length: int, spans: Spans) -> Iterator[tuple[int, int]]:
    position = 0
    for start, end in spans:
        yield position, start
        position = end
    yield position, length


def _same_start(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words at the beginning are the same."""
    for index, (word, new_word) in enumerate(zip(one, other, strict=False)):
        if word != new_word:
            return index
    return min(len(one), len(other))


def _spans(words: list[str], head: int, kept: list[tuple[int, int]], length: int) -> Spans:
    """The characters of the `length` words after `head` that no (start, size) of `kept` holds.

    Spans with only blanks between them are joined.
    """
    offsets = [0]
    for word in words:
        offsets.append(offsets[-1] + len(word))
    spans: list[tuple[int, int]] = []
    position = previous = 0
    for start, size in [*kept, (length, 0)]:
        if start > position:
            if spans and not "".join(words[head + previous : head + position]).strip():
                spans[-1] = (spans[-1][0], offsets[head + start])
            else:
                spans.append((offsets[head + position], offsets[head + start]))
            previous = start
        position = start + size
    return tuple(spans)
