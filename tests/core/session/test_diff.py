import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.session.diff import DiffRow, Hunk, changed, line_diff, patch_rows, word_spans

texts = st.lists(st.sampled_from(["a", "b", "c", "", "a b", "x = 1", "x = 2"]), max_size=12).map("\n".join)


def short(rows: tuple[DiffRow, ...]) -> list[str]:
    signs = {"same": " ", "removed": "-", "added": "+", "gap": "~"}
    return [f"{row.old_line or ''}:{row.new_line or ''}{signs[row.kind]}{row.text}" for row in rows]


def lines(text: str) -> list[str]:
    return text.split("\n")[: -1 if text.endswith("\n") or not text else None]


def numbered(count: int, change: int = -1) -> str:
    return "\n".join(f"line {n}" if n != change else "changed" for n in range(1, count + 1))


def test_a_change_has_its_context_and_numbers() -> None:
    rows = line_diff(numbered(9), numbered(9, 5), context=1)
    assert short(rows) == ["4:4 line 4", "5:-line 5", ":5+changed", "6:6 line 6"]


def test_numbers_begin_where_the_text_does() -> None:
    assert short(line_diff("a", "b", start_line=41)) == ["41:-a", ":41+b"]


def test_far_changes_have_a_gap_between_them() -> None:
    old = numbered(20)
    new = old.replace("line 3\n", "three\n").replace("line 17\n", "17\n")
    rows = line_diff(old, new, context=1)
    assert [row.kind for row in rows] == [
        "same", "removed", "added", "same", "gap", "same", "removed", "added", "same",
    ]  # fmt: skip
    assert rows[4].skipped == 11
    assert changed(rows) == (2, 2)


@pytest.mark.parametrize(
    ("old", "new", "want"),
    [
        ("", "", []),
        ("a\n", "a", []),
        ("", "a\nb\n", [":1+a", ":2+b"]),
        ("a\n", "", ["1:-a"]),
        ("a\nb", "b\na", ["1:-a", "2:1 b", ":2+a"]),
        ("a\na\na", "a\na", ["1:1 a", "2:2 a", "3:-a"]),
    ],
)
def test_small_texts(old: str, new: str, want: list[str]) -> None:
    assert short(line_diff(old, new)) == want


@given(texts, texts)
def test_the_rows_hold_both_texts(old: str, new: str) -> None:
    rows = line_diff(old, new, context=1000)
    if lines(old) == lines(new):
        assert not any(changed(rows))
        return
    assert [row.text for row in rows if row.old_line] == lines(old)
    assert [row.text for row in rows if row.new_line] == lines(new)
    for row in rows:
        assert all(0 <= start < end <= len(row.text) for start, end in row.spans)
    for side in ("old_line", "new_line"):
        numbers = [getattr(row, side) for row in rows if getattr(row, side)]
        assert numbers == list(range(1, len(numbers) + 1))


def test_changed_words_are_marked() -> None:
    removed, added = line_diff("    if resp.status == 401:", "    if resp.status == 401 and not retried:")
    assert removed.spans == ()
    assert [added.text[start:end] for start, end in added.spans] == [" and not retried"]
    assert word_spans("a = foo(1)", "a = bar(1)") == (((4, 7),), ((4, 7),))


def test_lines_with_nothing_in_common_have_no_marked_words() -> None:
    assert word_spans("import os", "return 42") == ((), ())


def test_a_patch_of_the_cli_is_read() -> None:
    rows = patch_rows(
        [
            Hunk(10, 10, (" a", "-old text here", "+new text here", "\\ No newline at end of file")),
            Hunk(30, 31, ("+x",)),
        ]
    )
    assert short(rows) == ["10:10 a", "11:-old text here", ":11+new text here", ":~", ":31+x"]
    assert rows[1].spans == ((0, 3),)
    assert rows[3].skipped == 18


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x\n" * 20_000, "y\n" * 20_000),
        ("x\ny\n" * 10_000, "y\nx\nz\n" * 10_000),
        (numbered(30_000), numbered(30_000, 15_000)),
        ("\n".join(str(n) for n in range(20_000)), "\n".join(str(n) for n in range(20_000, 0, -1))),
        ("a b " * 50_000, "b a " * 50_000),
        (
            "\n".join("ab"[n % 2] * (n % 7) for n in range(5_000)),
            "\n".join("ba"[n % 2] * (n % 5) for n in range(5_000)),
        ),
    ],
    ids=["other", "repeated", "one line", "reversed", "one long line", "few kinds"],
)
def test_huge_texts_take_bounded_time(old: str, new: str) -> None:
    started = time.process_time()
    line_diff(old, new)
    assert time.process_time() - started < 30  # a square would take minutes
