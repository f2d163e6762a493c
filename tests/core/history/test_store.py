"""The catalogue's file under attack: damage of every kind, no room, no rights, other processes and releases."""

import os
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.history import store
from core.history.store import FILE, LOCK, PARTS, part_file
from tests.fakes.histories import Histories, session_id

PAGE = 4096

Damage = Callable[[Path], object]


@pytest.fixture
def histories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Histories:
    """Thirty sessions, in a catalogue."""
    monkeypatch.setattr(store, "BUSY_S", 0.05)
    found = Histories(tmp_path)
    for number in range(30):
        words = " ".join(f"w{number}x{index}" for index in range(100))
        found.said(f"title{number} {words}", session=session_id(number))
    found.catalogue.sync()
    return found


def asked(histories: Histories) -> tuple[object, ...]:
    """All a person may ask, of a dashboard that was just started."""
    catalogue = histories.new_catalogue()
    return (
        [one.card.title[:7] for one in catalogue.listed()],
        [one.card.title[:7] for one in catalogue.listed(limit=3)],
        len(catalogue.report("day").rows),
        len(catalogue.report("session").rows),
        len(catalogue.used()),
        {hit.session_id for hit in catalogue.search("title3").hits},
        catalogue.is_complete,
    )


def page(number: int, data: bytes) -> Damage:
    def write(file: Path) -> None:
        with file.open("r+b") as db:
            db.seek(number * PAGE)
            db.write(data)

    return write


def cut(size: int) -> Damage:
    return lambda file: os.truncate(file, size)


def sql(text: str) -> Damage:
    def run(file: Path) -> None:
        db = sqlite3.connect(file)
        db.execute(text)
        db.commit()
        db.close()

    return run


def beside(end: str, data: bytes) -> Damage:
    return lambda file: Path(f"{file}{end}").write_bytes(data)


def link(target: str) -> Damage:
    def put(file: Path) -> None:
        file.unlink()
        file.symlink_to(target)

    return put


def of_texts(damage: Damage) -> Damage:
    """The same done to a part; the tests' session 3 is in it."""
    return lambda file: damage(file.parent / part_file(0))


def each(damage: Damage) -> Damage:
    return lambda file: [damage(file.parent / part_file(part)) for part in range(PARTS)]


def swapped(file: Path) -> None:
    """Parts of two catalogues in one folder."""
    one, other = (file.parent / part_file(part) for part in range(2))
    other.write_bytes(one.read_bytes())
    db = sqlite3.connect(other)
    db.execute("UPDATE facts SET value = 'another' WHERE name = 'born'")
    db.commit()
    db.close()


DAMAGE: dict[str, Damage] = {
    **{f"page {number}": page(number, bytes(range(256)) * 16) for number in range(1, 30, 3)},
    **{f"zeros {number}": page(number, bytes(PAGE)) for number in range(0, 30, 5)},
    **{f"cut {size}": cut(size) for size in (0, 1, 16, 99, 512, PAGE, PAGE + 1, 9 * PAGE)},
    "header": page(0, b"SQLite format 4\0"),
    "newer": sql("PRAGMA user_version = 9999"),
    **{f"no {name}": sql(f"DROP TABLE {name}") for name in ("files", "answers", "spent", "facts")},
    "counts": sql("UPDATE files SET counts = x'c1'"),
    "no counts": sql("UPDATE files SET counts = x''"),
    **{f"texts page {number}": each(page(number, bytes(range(256)) * 16)) for number in range(1, 30, 3)},
    **{f"texts zeros {number}": each(page(number, bytes(PAGE))) for number in range(0, 30, 5)},
    **{f"texts cut {size}": of_texts(cut(size)) for size in (0, 1, 99, PAGE, 9 * PAGE)},
    **{f"no {name}": of_texts(sql(f"DROP TABLE {name}")) for name in ("texts", "docs", "read", "words")},
    "texts newer": of_texts(sql("PRAGMA user_version = 9999")),
    "texts gone": of_texts(Path.unlink),
    "texts of another": swapped,
    "texts dangling": of_texts(link("/nowhere/at/all")),
    "words": each(sql("UPDATE words SET terms = CAST(x'ff00ff' AS TEXT)")),
    "path": sql("UPDATE files SET path = CAST(x'2fff' || id AS TEXT)"),
    "facts": sql("INSERT OR REPLACE INTO facts VALUES ('orphans', '1e3')"),
    "wal": beside("-wal", b"\x37\x7f\x06\x82" + bytes(range(256)) * 40),
    "shm": beside("-shm", bytes(range(256)) * 128),
    "dangling": link("/nowhere/at/all"),
    "loop": link(FILE),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_whatever_is_damaged_answers_come_and_the_next_sync_heals_it(histories: Histories, name: str) -> None:
    sound = asked(histories)
    DAMAGE[name](histories.catalogue.folder / FILE)
    assert asked(histories)[0] == sound[0]  # the list is there in any case
    histories.new_catalogue().sync()
    assert asked(histories) == sound or not asked(histories)[-1]  # damage that only a question finds
    histories.new_catalogue().sync()
    assert asked(histories) == sound


@pytest.mark.parametrize("place", [FILE, f"{FILE}-shm", LOCK])
def test_a_directory_in_its_place_is_told_and_never_removed(histories: Histories, place: str) -> None:
    folder = histories.catalogue.folder
    sound = asked(histories)
    (folder / place).unlink(missing_ok=True)
    (folder / place).mkdir()
    os.utime(next(histories.folder.glob("*.jsonl")), (0, 0))  # something is to be written
    with pytest.raises((OSError, sqlite3.Error)):
        histories.new_catalogue().sync()
    assert asked(histories)[0] == sound[0]
    assert (folder / place).is_dir()


def test_a_question_nobody_can_answer_is_no_damage(histories: Histories) -> None:
    catalogue = histories.catalogue
    for words in ("project:\udcff title3", "\udcff", " ".join(f"project:a{n}" for n in range(2000)), "a\0b"):
        catalogue.search(words)
    assert not catalogue.damaged
    assert catalogue.is_complete


def test_one_that_another_program_locks_is_left_alone(histories: Histories) -> None:
    sound = asked(histories)
    file = histories.catalogue.folder / FILE
    before = file.stat().st_ino
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("PRAGMA locking_mode = EXCLUSIVE")
    db.execute("BEGIN EXCLUSIVE")
    db.execute("INSERT INTO facts VALUES ('x', 'y')")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        histories.new_catalogue().sync()
    assert asked(histories)[0] == sound[0]
    db.execute("ROLLBACK")
    db.close()
    assert file.stat().st_ino == before
    assert asked(histories) == sound


KILLED = """
import os, signal, sys
from pathlib import Path
from core.history.store import writing
with writing(Path(sys.argv[1])) as db:
    db.execute("INSERT INTO facts VALUES ('writing', '1')")
    db.execute("BEGIN IMMEDIATE")
    db.execute("DELETE FROM files WHERE id < 5")
    print("here", flush=True)
    sys.stdin.read(1)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_one_of_two_writers_is_killed(histories: Histories) -> None:
    sound = asked(histories)
    folder = histories.catalogue.folder
    command = [sys.executable, "-c", KILLED, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "here\n"
        assert histories.new_catalogue().sync().busy
        assert asked(histories) == sound
        other.communicate("x")
    assert other.returncode == -signal.SIGKILL
    assert (folder / f"{FILE}-wal").exists()
    assert asked(histories) == sound
    assert not histories.new_catalogue().sync().changed
    assert asked(histories) == sound


FULL = """
import resource, sqlite3, sys
from pathlib import Path
from core.history.catalogue import Catalogue
from core.history.prices import PriceTable
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
catalogue = Catalogue(Path(sys.argv[1]), Path(sys.argv[2]), PriceTable)
try:
    catalogue.sync()
    print("kept")
except (OSError, sqlite3.Error):
    print("told", catalogue.is_filled)
print(len(catalogue.listed()), catalogue.damaged)
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="needs a limit of the system")
@pytest.mark.parametrize("room", [0, PAGE, 10 * PAGE, 30 * PAGE])
def test_a_disk_that_is_full(histories: Histories, tmp_path: Path, room: int) -> None:
    command = [sys.executable, "-c", FULL, str(histories.config), str(tmp_path / "full"), str(room)]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.split("\n")
    assert said[0] in ("told False", "told True")
    assert said[1] == "30 False"


def test_releases_do_not_fight_over_one_file(histories: Histories, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = histories.catalogue.folder
    newer = folder / f"catalogue-{store.VERSION + 1}.db"
    older = [folder / name for name in ("catalogue.db", "catalogue-1.db", "catalogue-1.db-wal")]
    for file in (newer, *older):
        file.write_bytes(b"of another release")
    (folder / FILE).unlink()
    histories.new_catalogue().sync()
    assert newer.exists()
    assert [file for file in older if file.exists()] == []


def test_one_of_a_folder_that_may_only_be_read(histories: Histories, monkeypatch: pytest.MonkeyPatch) -> None:
    sound = asked(histories)
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert asked(histories) == sound
