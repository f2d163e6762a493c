"""A past session, read piece by piece from its end, is the session read at once."""

import json
import os
from pathlib import Path

import anyio
import pytest

from core.history import stretch as module
from core.history.lines import lines
from core.history.read import PastSession, open_session, read_session
from core.session.entries import NoticeEntry, PromptEntry, ToolEntry
from core.session.log import UNATTACHED
from tests.fakes.transcripts import CASES, SESSION, Written, shown


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stretches of a few lines."""
    monkeypatch.setattr(module, "STRETCH", 1500)
    monkeypatch.setattr(module, "STRETCH_LIMIT", 6000)


def long_one(turns: int = 12) -> Written:
    written = Written()
    for turn in range(turns):
        written.prompt(f"prompt {turn}")
        written.calls(f"t{turn}", command=f"ls {turn}")
        written.returns(f"t{turn}", f"result {turn}")
        written.says(f"answer {turn}")
    return written


def store(folder: Path, written: Written) -> Path:
    path = folder / f"{written.session}.jsonl"
    path.write_bytes(written.data)
    return path


async def opened(path: Path, at: int | None = None) -> PastSession:
    return await open_session(path, "s", at=at)


def turn_rows(first: int, end: int) -> list[str]:
    return [
        row
        for turn in range(first, end)
        for row in (
            f"> prompt {turn}",
            f"* Bash ls {turn} [done] result {turn}",
            f"· answer {turn}",
            "- completed",
        )
    ]


async def test_it_opens_at_its_end_and_is_wholly_scrollable(tmp_path: Path, small: None) -> None:
    past = await opened(store(tmp_path, long_one()))
    conversation = past.session.conversation
    first = shown(past.session)
    assert first == turn_rows(12 - len(first) // 4, 12)
    assert not past.at_start
    while True:
        before, cursor = shown(past.session), conversation.revision
        if not await past.load_older():
            break
        assert shown(past.session)[-len(before) :] == before
        assert len(list(conversation.since(cursor))) == len(shown(past.session)) - len(before)
    assert shown(past.session) == turn_rows(0, 12)
    state = past.session.state
    assert (state.usage.turns, state.usage.tokens.output, state.status) == (12, 24, "ended")
    assert (state.kind, state.can.resume, state.can.prompt) == ("past", True, False)
    assert state.session_id == SESSION


async def test_it_opens_at_a_hit_and_goes_on_in_both_directions(tmp_path: Path, small: None) -> None:
    path = store(tmp_path, long_one())
    with path.open("rb") as file:
        hit = next(line.offset for line in lines(file) if b"answer 6" in line.raw)
    past = await opened(path, at=hit)
    entry_id = past.entry_at(hit)
    assert entry_id is not None
    assert "answer 6" in (await past.raw(entry_id))[0].decode()
    assert not past.at_start
    assert not past.at_end
    while await past.load_newer():
        pass
    await past.load_all()
    assert shown(past.session) == turn_rows(0, 12)
    assert past.entry_at(hit) == entry_id
    assert past.session.state.status == "ended"


async def test_every_size_of_a_stretch_reads_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = long_one(5)
    written.prompt("last one")
    path = store(tmp_path, written)
    for size in (1, 300, 700, 1100, 2300, 10**6):
        monkeypatch.setattr(module, "STRETCH", size)
        monkeypatch.setattr(module, "STRETCH_LIMIT", 4 * size)
        past = await opened(path)
        await past.load_all()
        rows = [row for row in shown(past.session) if row != "- completed"]
        assert rows == [row for row in [*turn_rows(0, 5), "> last one"] if row != "- completed"], size


async def test_the_records_of_an_entry(tmp_path: Path, small: None) -> None:
    past = await opened(store(tmp_path, long_one(2)))
    call = past.session.conversation.call("t1")
    assert call is not None
    raws = [json.loads(raw) for raw in await past.raw(call.id)]
    assert [row["type"] for row in raws] == ["assistant", "user"]
    past.path.unlink()
    assert await past.raw(call.id) == ()


async def test_a_result_far_from_its_call_finds_it(tmp_path: Path, small: None) -> None:
    written = Written()
    written.prompt("go")
    written.calls("t0", command="slow")
    for turn in range(8):
        written.prompt(f"meanwhile {turn}")
        written.says("x" * 400)
    written.returns("t0", "done at last")
    past = await opened(store(tmp_path, written))
    notices = [entry for entry in past.session.conversation.entries() if isinstance(entry, NoticeEntry)]
    assert [notice.text for notice in notices] == ["Result of a call that was not seen: done at last"]
    await past.load_all()
    assert not [entry for entry in past.session.conversation.entries() if isinstance(entry, NoticeEntry)]
    call = past.session.conversation.call("t0")
    assert isinstance(call, ToolEntry)
    assert (call.state, call.result) == ("done", "done at last")


async def test_a_branch_is_marked_once_its_other_side_is_read(tmp_path: Path, small: None) -> None:
    written = Written()
    written.prompt("first")
    answer = written.says("one")
    written.prompt("the old way")
    for _ in range(8):
        written.says("y" * 400)
    written.prompt("the new way", parentUuid=answer)
    written.says("two")
    past = await opened(store(tmp_path, written))
    mark = "! info: branch · goes on from before “the old way”"
    assert mark not in shown(past.session)
    await past.load_all()
    rows = shown(past.session)
    assert rows[rows.index("> the new way") - 1] == mark
    assert len([row for row in rows if "branch" in row]) == 1


async def test_damage_is_counted_piece_by_piece(tmp_path: Path, small: None) -> None:
    written = long_one(8)
    written.rows[3] = b"{torn"
    written.rows.insert(20, b"\0" * 40)
    past = await opened(store(tmp_path, written))
    await past.load_all()
    assert past.session.state.unknown_count == 2
    assert {event.why.partition(":")[0] for event in past.session.unknowns} == {"unreadable", "NUL bytes"}


async def test_trn_03_nul_bytes_hide_nothing() -> None:
    past = await opened(CASES / "TRN-03.jsonl")
    rows = [row for row in shown(past.session) if row.startswith((">", "·"))]
    assert len(rows) == 3
    assert [event.why.partition(":")[0] for event in past.session.unknowns] == ["NUL bytes"]


async def test_a_line_too_long_to_show_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LINE_SHOWN", 5000)
    written = Written()
    written.prompt("go")
    written.says("z" * 9000)
    written.says("after")
    past = await opened(store(tmp_path, written))
    assert shown(past.session) == ["> go", "· after", "- completed"]
    assert past.session.state.unknown_count == 1


@pytest.mark.parametrize("data", [b"", b"\n\n", b"{torn"])
async def test_a_file_with_nothing_to_read(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(data)
    past = await opened(path)
    assert shown(past.session) == []
    assert past.at_start


# Subagents


def agent(call_id: str = "") -> Written:
    written = Written(isSidechain=True, agentId="a1")
    written.prompt("look around")
    written.calls("s1", command="find")
    written.returns("s1", "x.py")
    written.says("found x.py")
    return written


def with_agent(**result: object) -> Written:
    written = Written()
    written.prompt("go")
    written.calls("t1", "Agent", description="Look", prompt="look around")
    written.returns("t1", "found", toolUseResult=result)
    written.says("so")
    return written


ROWS = [
    "> go",
    "* Agent Look [done] found",
    "    > look around",
    "    * Bash find [done] x.py",
    "    · found x.py",
    "· so",
    "- completed",
]


async def test_an_agents_file_in_the_folder_of_the_session(tmp_path: Path) -> None:
    path = store(tmp_path, with_agent(agentId="a1"))
    folder = path.with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-a1.jsonl").write_bytes(agent().data)
    past = await opened(path)
    assert await past.load_agents() == 1
    assert shown(past.session) == ROWS
    assert await past.load_agents() == 0
    call = past.session.conversation.call("s1")
    assert call is not None
    assert len(await past.raw(call.id)) == 2


async def test_an_agents_file_beside_the_session(tmp_path: Path) -> None:
    path = store(tmp_path, with_agent(agentId="a1"))
    path.with_name("agent-a1.jsonl").write_bytes(agent().data)
    assert shown(await read_session(path, "s")) == ROWS


async def test_an_agent_whose_call_never_returned_is_known_by_its_note(tmp_path: Path) -> None:
    written = Written()
    written.prompt("go")
    written.calls("t1", "Agent", description="Look", prompt="look around")
    path = store(tmp_path, written)
    folder = path.with_suffix("") / "subagents" / "workflows" / "wf_1"
    folder.mkdir(parents=True)
    (folder / "agent-a1.jsonl").write_bytes(agent().data)
    (folder / "agent-a1.meta.json").write_text('{"toolUseId":"t1"}')
    (folder / "journal.jsonl").write_text('{"type":"user"}\n')
    assert shown(await read_session(path, "s")) == ["> go", "* Agent Look [interrupted]", *ROWS[2:5]]


async def test_an_agent_of_no_call_is_shown_by_itself(tmp_path: Path, small: None) -> None:
    path = store(tmp_path, long_one())
    folder = path.with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-a1.jsonl").write_bytes(agent().data)
    past = await opened(path)
    assert await past.load_agents() == 0
    await past.load_all()
    assert shown(past.session, UNATTACHED)[-1] == "· found x.py"


# Mirrored


async def test_a_session_that_still_runs_goes_on(tmp_path: Path) -> None:
    written = Written()
    written.prompt("go")
    written.calls("t1", command="sleep 9")
    path = store(tmp_path, written)
    with path.open("ab") as file:
        file.write(b'{"half')
    mirrored = await open_session(path, "s", kind="mirrored")
    assert shown(mirrored.session) == ["> go", "* Bash sleep 9 [running]"]
    assert mirrored.session.state.status == "working"
    assert mirrored.session.state.unknown_count == 0
    assert mirrored.end == len(written.data)
    written.returns("t1", "awake")
    path.write_bytes(written.data)
    with path.open("rb") as file:
        found = list(lines(file, mirrored.end))
    mirrored.feed(found, len(written.data))
    assert shown(mirrored.session) == ["> go", "* Bash sleep 9 [done] awake"]
    assert [type(entry) for entry in mirrored.session.conversation.entries()] == [PromptEntry, ToolEntry]


async def test_use_13_agents_in_both_layouts_belong_to_their_session(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    folder = path.with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    path.write_bytes((CASES / "USE-13.main.jsonl").read_bytes())
    (folder / "agent-a1.jsonl").write_bytes((CASES / "USE-13.agent-a1.jsonl").read_bytes())
    path.with_name("agent-b2.jsonl").write_bytes((CASES / "USE-13.agent-b2.jsonl").read_bytes())
    past = await opened(path)
    await past.load_all()
    agents = [
        row for thread in past.session.conversation.threads if thread for row in shown(past.session, thread)
    ]
    assert agents
    assert past.session.state.unknown_count == 0


async def test_who_opens_a_pipe_is_told_and_does_not_wait(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    os.mkfifo(path)
    with anyio.fail_after(30), pytest.raises(OSError, match="not a file"):
        await open_session(path, "k")
