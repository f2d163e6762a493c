"""Which transcript is the process's."""

from pathlib import Path

from core.history.locate import project_name
from core.history.running import Running
from core.terminal.channels.transcripts import Transcripts

OLD = "00000000-0000-4000-8000-000000000001"
NEW = "00000000-0000-4000-8000-000000000002"
DIRECTORY = Path("/srv/demo")


def place(config: Path, session: str, directory: Path = DIRECTORY) -> Path:
    path = config / "projects" / project_name(directory) / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def nobody(config: Path) -> tuple[Running, ...]:
    return ()


def test_a_new_file_is_known_among_those_that_were_there(tmp_path: Path) -> None:
    place(tmp_path, OLD)
    transcripts = Transcripts(tmp_path, DIRECTORY, listed=nobody)
    transcripts.note()
    assert transcripts.choose(7) is None
    new = place(tmp_path, NEW)
    chosen = transcripts.choose(7)
    assert chosen is not None
    assert (chosen.path, chosen.why) == (new, "it is new")


def test_one_started_with_an_id_has_its_file_before_it_is_there(tmp_path: Path) -> None:
    transcripts = Transcripts(tmp_path, DIRECTORY, NEW, nobody)
    transcripts.note()
    chosen = transcripts.choose(7)
    assert chosen is not None
    assert chosen.path == tmp_path / "projects" / project_name(DIRECTORY) / f"{NEW}.jsonl"


def test_the_process_itself_knows_best(tmp_path: Path) -> None:
    """After `/clear` or `/resume` it is another session's; in another folder, if it moved."""
    told = [Running(NEW, 7)]
    transcripts = Transcripts(tmp_path, DIRECTORY, OLD, lambda config: tuple(told))
    transcripts.note()
    elsewhere = place(tmp_path, NEW, Path("/srv/other"))
    chosen = transcripts.choose(7)
    assert chosen is not None
    assert (chosen.path, chosen.why) == (elsewhere, "the process says so")
    told.clear()  # its file is gone for a moment: what it said last holds
    again = transcripts.choose(7)
    assert again is not None
    assert again.path == elsewhere


def test_a_session_that_was_left_and_comes_back_is_resumed(tmp_path: Path) -> None:
    told = [Running(OLD, 7)]
    transcripts = Transcripts(tmp_path, DIRECTORY, OLD, lambda config: tuple(told))
    transcripts.note()
    resumed = []
    for session in (OLD, OLD, NEW, OLD, NEW):
        place(tmp_path, session)
        told[:] = [Running(session, 7)]
        chosen = transcripts.choose(7)
        assert chosen is not None
        resumed.append(chosen.resumed)
    assert resumed == [False, False, False, True, True]


def test_what_another_process_says_is_not_meant(tmp_path: Path) -> None:
    transcripts = Transcripts(tmp_path, DIRECTORY, listed=lambda config: (Running(NEW, 8),))
    transcripts.note()
    assert transcripts.choose(7) is None
