"""The catalogue: the list, costs over all files, growth, rewriting, damage, two at once."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from core.history import store
from core.history import sync as syncing
from core.history.catalogue import Catalogue
from core.history.store import FILE, writing
from core.history.sync import Progress, Synced
from tests.fakes.histories import NOW, Histories, session_id
from tests.fakes.transcripts import CASES, SESSION, Written


@pytest.fixture
def histories(tmp_path: Path) -> Histories:
    return Histories(tmp_path)


def test_it_can_be_asked_before_there_is_one(histories: Histories) -> None:
    histories.said("hello")
    catalogue = histories.catalogue
    assert not catalogue.exists
    assert [one.card.title for one in catalogue.listed()] == ["hello"]
    assert catalogue.search("hello").hits == ()
    assert catalogue.report("day").rows == ()
    assert not catalogue.folder.exists()


def test_idx_01_projects_are_directories_that_lines_tell(histories: Histories) -> None:
    for number, name in enumerate("abcd"):
        histories.case(f"IDX-01.{name}", session_id(number))
    histories.catalogue.sync()
    found = {one.card.session_id[-1]: one for one in histories.catalogue.listed()}
    assert [found[number].project for number in "0123"] == [
        "/srv/my-app",
        "/srv/my/app",
        "?-srv-demo",
        "/srv/my-app",
    ]
    assert found["3"].card.directories == ("/srv/my-app", "/srv/my-app/.worktrees/w1")


def test_idx_05_the_newest_message_comes_first(histories: Histories) -> None:
    paths = {name: histories.case(f"IDX-05.{name}", session_id(ord(name))) for name in "ABCD"}
    for age, name in enumerate("ACDB"):
        os.utime(paths[name], (NOW - age * 1000, NOW - age * 1000))
    before = {name: path.stat().st_mtime_ns for name, path in paths.items()}
    histories.catalogue.sync()
    for found in (histories.catalogue.listed(), histories.catalogue.glance()):
        assert [one.card.path for one in found] == [paths[name] for name in "DBA"]
        assert found[0].recent == NOW
    assert {name: path.stat().st_mtime_ns for name, path in paths.items()} == before


def test_idx_08_rows_larger_than_any_window(histories: Histories) -> None:
    subprocess.run([sys.executable, CASES / "IDX-08.py", histories.folder], check=True, timeout=60)
    histories.catalogue.sync()
    assert {one.card.title for one in histories.catalogue.listed()} == {
        "Title after image",
        "Title after preamble",
    }
    assert histories.found("QUJDQUJD") == []
    assert len(histories.found("title after")) == 2


def test_use_13_subagents_count_to_their_session(histories: Histories) -> None:
    histories.case("USE-13.main")
    histories.agent((CASES / "USE-13.agent-a1.jsonl").read_bytes(), "a1", SESSION)
    histories.agent((CASES / "USE-13.agent-b2.jsonl").read_bytes(), "b2")
    (histories.folder / SESSION / "tool-results").mkdir()
    histories.catalogue.sync()
    (one,) = histories.catalogue.listed()
    assert one.agents == 2
    used = histories.catalogue.used()
    assert {(one.session_id, one.agent): sum(part.answers for part in one.spent) for one in used} == {
        (SESSION, ""): 1,
        (SESSION, "a1"): 2,
        (SESSION, "b2"): 1,
    }
    assert one.tokens.total == sum(part.total for each in used for part in each.spent)
    assert one.cost.usd > 0


def test_copies_in_other_sessions_count_once_whichever_is_read_first(
    histories: Histories, tmp_path: Path
) -> None:
    data = (CASES / "USE-01.jsonl").read_bytes()
    totals = set()
    for order in ((1, 2), (2, 1)):
        here = Histories(tmp_path / str(order))
        for number in order:
            here.put(data, session_id(number))
            here.catalogue.sync()
        rows = here.catalogue.report("session").rows
        assert len(rows) == 1
        totals.add((rows[0].key, rows[0].tokens.total, round(rows[0].cost.usd, 9)))
    assert len(totals) == 1


@pytest.mark.parametrize("forked", [1, 2])
@pytest.mark.parametrize("first", [1, 2])
def test_answers_belong_to_the_session_they_were_given_in_not_to_its_fork(
    histories: Histories, forked: int, first: int
) -> None:
    original, fork = session_id(3 - forked), session_id(forked)
    files = {3 - forked: Written(original), forked: Written(fork)}
    for number, written in files.items():
        copied = {"requestSessionId": original} if number == forked else {}
        written.prompt("a prompt", uuid="p")
        written.says("an answer", uuid="a", requestId="r", **copied)
    files[forked].says("an answer of its own", requestId="s")
    for number in (first, 3 - first):
        histories.put(files[number].data, files[number].session)
        histories.catalogue.sync()
    rows = {row.key: row.answers for row in histories.catalogue.report("session").rows}
    assert rows == {original: 1, fork: 1}


def test_a_copy_without_answers_of_its_own_says_whose_they_are(histories: Histories) -> None:
    original, *copies = (session_id(number) for number in (1, 2, 3))
    for session in (original, *copies):
        written = Written(session)
        written.prompt("a prompt", uuid="p")
        copied = {} if session == original else {"requestSessionId": original}
        written.says("an answer", uuid="a", requestId="r", **copied)
        if session == copies[1]:
            written.says("an answer of its own", requestId="s")
        histories.put(written.data, session)
    histories.catalogue.sync()
    counted_in = {one.card.session_id: one.counted_in for one in histories.catalogue.listed()}
    assert counted_in == {original: "", copies[0]: original, copies[1]: ""}


def test_a_copy_keeps_the_answers_of_a_session_that_is_gone(histories: Histories) -> None:
    paths = [histories.case("USE-01", session_id(number)) for number in (1, 2)]
    histories.catalogue.sync()
    (owner,) = (row.key for row in histories.catalogue.report("session").rows)
    gone = next(path for path in paths if path.stem == owner)
    gone.unlink()
    assert histories.catalogue.sync().gone_files == 1
    (row,) = histories.catalogue.report("session").rows
    assert row.key != owner
    assert row.cost.usd == pytest.approx(0.00303)


def test_growth_reads_only_the_new_bytes(histories: Histories) -> None:
    written = Written()
    written.prompt("first words")
    path = histories.put(written.data)
    first = histories.catalogue.sync()
    assert first.read_bytes == len(written.data)
    before = len(written.data)
    written.says("an answer")
    written.prompt("second words")
    half = before + len(written.rows[1]) + 40
    path.write_bytes(written.data[:half])
    histories.catalogue.sync()
    path.write_bytes(written.data)
    assert histories.catalogue.sync().read_bytes < len(written.data) - before
    (one,) = histories.catalogue.listed()
    assert (one.turns, one.card.models) == (2, ("m",))
    assert [len(histories.found(words)) for words in ("first", "answer", "second")] == [1, 1, 1]
    assert histories.catalogue.sync().changed is False


@pytest.mark.parametrize("longer", [False, True])
def test_a_rewritten_file_is_read_anew(histories: Histories, longer: bool) -> None:
    histories.said("old words", "more old words")
    assert len(histories.found("old words")) == 2
    histories.said(*["new text"] * (9 if longer else 1))
    assert histories.found("old words") == []
    assert len(set(histories.found("new text"))) == 1
    assert [one.turns for one in histories.catalogue.listed()] == [9 if longer else 1]


def test_a_last_line_without_its_end_counts_if_it_is_whole(histories: Histories) -> None:
    data = (CASES / "USE-01.jsonl").read_bytes()
    path = histories.put(data.rstrip(b"\n"))
    histories.catalogue.sync()
    assert histories.catalogue.report("model").total.cost.usd == pytest.approx(0.00303)
    path.write_bytes(data + data)
    histories.catalogue.sync()
    assert histories.catalogue.report("model").total.cost.usd == pytest.approx(0.00303)


def test_the_clis_own_total_counts_until_there_are_more_answers(histories: Histories) -> None:
    written = Written()
    written.prompt("hello")
    written.says("one")
    written.put("cost-state", totalCostUSD=1.25)
    path = histories.put(written.data)
    histories.catalogue.sync()
    (one,) = histories.catalogue.listed()
    assert (one.cost.usd, one.cost.told) == (1.25, True)
    assert histories.catalogue.report("session").total.cost.told
    written.says("two")
    path.write_bytes(written.data)
    histories.catalogue.sync()
    (one,) = histories.catalogue.listed()
    assert not one.cost.told
    assert one.cost.unpriced == ("m",)


def test_one_damaged_file_never_takes_the_others_along(histories: Histories) -> None:
    histories.said("good", session=session_id(1))
    histories.put(b'\x00\xff{"type":"user"\n[[[[\n{"message":{"content":5}}\nnull\n', session_id(2))
    (histories.folder / f"{session_id(3)}.jsonl").mkdir()
    histories.catalogue.sync()
    assert [one.card.title for one in histories.catalogue.listed()] == ["good"]


@pytest.mark.parametrize("damage", ["version", "bytes", "empty"])
def test_a_damaged_or_strange_catalogue_is_made_anew(histories: Histories, damage: str) -> None:
    histories.said("hello")
    histories.catalogue.sync()
    file = histories.catalogue.folder / FILE
    if damage == "version":
        with sqlite3.connect(file) as db:
            db.execute("PRAGMA user_version = 9999")
        db.close()
    else:
        file.write_bytes(b"no database at all " * 1000 if damage == "bytes" else b"")
    assert not histories.catalogue.exists
    assert [one.card.title for one in histories.catalogue.listed()] == ["hello"]
    assert histories.found("hello") == ["hello"]
    assert histories.catalogue.is_complete


def test_one_that_was_left_in_the_middle_is_checked(
    histories: Histories, monkeypatch: pytest.MonkeyPatch
) -> None:
    histories.said("hello")
    histories.catalogue.sync()
    with writing(histories.catalogue.folder) as db:
        assert db is not None
        db.execute("INSERT INTO facts VALUES ('writing', '1')")
    monkeypatch.setattr(store, "is_sound", lambda _: False)
    assert histories.catalogue.sync().read_files == 1


def test_too_many_texts_of_files_that_are_gone_begin_it_anew(
    histories: Histories, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syncing, "MOST_ORPHANS", 0)
    histories.said("one", session=session_id(1))
    histories.said("two", session=session_id(2))
    histories.catalogue.sync()
    histories.said("rewritten", session=session_id(1))
    histories.catalogue.sync()
    assert histories.catalogue.sync().read_files == 2
    assert histories.found("two") == ["two"]


def test_two_at_once_one_writes_and_both_read(histories: Histories) -> None:
    histories.said("hello")
    other = histories.new_catalogue()
    with writing(histories.catalogue.folder):
        assert other.sync().busy
    histories.catalogue.sync()
    assert [hit.passage for hit in other.search("hello").hits] == ["hello"]
    with writing(histories.catalogue.folder) as db:
        assert db is not None
        db.execute("BEGIN IMMEDIATE")
        assert len(other.listed()) == 1
        db.execute("ROLLBACK")


def test_who_finds_another_with_much_to_do_is_told_how_far_it_is(
    histories: Histories, monkeypatch: pytest.MonkeyPatch
) -> None:
    histories.said("hello")
    other = histories.new_catalogue()
    pairs = list[tuple[Progress, Synced]]()
    monkeypatch.setattr(syncing, "WORD_BYTES", 1)
    histories.catalogue.sync(progress=lambda told: pairs.append((told, other.sync())))
    assert {told.stage for told, _ in pairs} == {"count", "index"}
    assert all(found == Synced(busy=True, other=told) for told, found in pairs)
    monkeypatch.undo()
    histories.said("hello", "again")
    pairs.clear()
    histories.catalogue.sync(progress=lambda told: pairs.append((told, other.sync())))
    assert {found for _, found in pairs} == {Synced(busy=True)}, "of what takes a moment nothing is told"


def test_the_list_is_whole_while_it_is_counted_for_the_first_time(
    histories: Histories, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        histories.said(f"prompt {number}", session=session_id(number))
    monkeypatch.setattr(syncing, "COMMIT_BYTES", 1)
    listed, known = list[int](), list[int]()

    def look(progress: Progress) -> None:
        if progress.stage == "count":
            other = histories.new_catalogue()
            listed.append(len(other.listed()))
            known.append(sum(one.counted for one in other.listed()))

    histories.catalogue.sync(progress=look)
    assert set(listed) == {6}
    assert set(known) == {0}
    histories.said("one more", session=session_id(7))
    known.clear()
    histories.catalogue.sync(progress=look)
    assert known[0] == 6, "what was filled once is asked while more comes in"


def test_progress_is_told_and_it_can_be_stopped(histories: Histories) -> None:
    for number in range(3):
        histories.said("hello", session=session_id(number))
    told = list[Progress]()
    histories.catalogue.sync(progress=told.append)
    stages = [(one.stage, one.done_bytes == one.total_bytes) for one in told]
    # the index is filled part by part
    assert stages == [("count", False), ("count", True), ("index", False), ("index", True)]
    histories.said("more", "and more", session=session_id(9))
    assert histories.catalogue.sync(stop=lambda: True).stopped
    assert histories.found("more and") == ["and more", "more"] or histories.found("and more") == ["and more"]


def test_a_folder_that_cannot_be_written(histories: Histories, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    catalogue = Catalogue(histories.config, tmp_path / "file")
    histories.said("hello")
    with pytest.raises(OSError, match="file"):
        catalogue.sync()
    assert len(catalogue.listed()) == 1


def test_sessions_of_one_directory_and_so_many(histories: Histories) -> None:
    for number in range(5):
        histories.said(f"hello {number}", session=session_id(number))
    other = histories.config / "projects" / "-srv-demo-2"
    other.mkdir()
    (other / f"{session_id(7)}.jsonl").write_bytes((CASES / "TRN-10.jsonl").read_bytes())
    histories.catalogue.sync()
    assert len(histories.catalogue.listed()) == 6
    assert len(histories.catalogue.listed(Path("/srv/demo"))) == 5
    assert len(histories.catalogue.listed(limit=2)) == 2
    assert histories.catalogue.listed(limit=2) == histories.catalogue.listed()[:2]


def test_nothing_is_written_into_claude_codes_folder(histories: Histories) -> None:
    path = histories.said("hello")
    histories.catalogue.sync()
    histories.catalogue.search("hello")
    assert [found for found in histories.config.rglob("*") if found.is_file()] == [path]


def test_a_new_a_truncated_and_a_replaced_file_are_each_there_once(histories: Histories) -> None:
    """A file that shrank, and one another was moved into the place of: what they hold now, once."""
    path = histories.said("one apple", "two apples")
    histories.catalogue.sync()
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.index(b"\n") + 1])
    histories.catalogue.sync()
    assert len(histories.found("apple")) == 1
    beside = path.with_suffix(".new")
    beside.write_bytes(whole + whole[: whole.index(b"\n") + 1].replace(b"one apple", b"an apple more"))
    beside.replace(path)
    histories.said("apple pie", session=session_id(2))
    histories.catalogue.sync()
    assert len(histories.found("apple")) == 4
    assert len(histories.catalogue.listed()) == 2
    assert not histories.catalogue.sync().changed


def test_whatever_lies_among_the_sessions_takes_none_of_them_along(histories: Histories) -> None:
    histories.said("good", session=session_id(1))
    projects = histories.folder.parent
    (projects / "circle").symlink_to("circle")
    (projects / "round").symlink_to(projects)
    (projects / "nowhere").symlink_to("/nowhere/at/all")
    (projects / "file").write_text("")
    (histories.folder / f"{session_id(2)}.jsonl").symlink_to(f"{session_id(2)}.jsonl")
    (histories.folder / f"{session_id(3)}.jsonl").symlink_to("/dev/zero")
    os.mkfifo(histories.folder / f"{session_id(4)}.jsonl")
    for number, name in enumerate((b"a\nb", b"\x1b[31m", b"\xff\xfe"), start=5):
        folder = projects / os.fsdecode(name)
        folder.mkdir()
        (folder / f"{session_id(number)}.jsonl").write_bytes(b"\xff\n")
    assert [one.card.title for one in histories.catalogue.glance()] == ["good"]
    histories.catalogue.sync()
    assert [one.card.title for one in histories.catalogue.listed()] == ["good"]
    assert histories.found("good") == ["good"]
