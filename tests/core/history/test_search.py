"""The search: any query, code, paths, CJK, accents, filters, the passage and where it stands."""

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.history import store
from core.history.candidates import Looking
from core.history.query import parse
from core.history.search import A_SESSION
from core.history.texts import folded
from core.history.vocabulary import load
from core.wire.transcript import TranscriptLine, decode_line
from tests.fakes.histories import NOW, Histories, session_id
from tests.fakes.transcripts import CASES, Written

DOCUMENT = 'fix multi-agent bug in foo.py; don\'t retry C:\\x "quoted" a:b 100% done_1'
QUERIES = [
    line.split("\t")
    for line in (CASES / "IDX-03.tsv").read_text(encoding="utf-8").split("\n")
    if "\t" in line
]


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Histories:
    histories = Histories(tmp_path_factory.mktemp("one"))
    histories.said(DOCUMENT)
    histories.catalogue.sync()
    return histories


@pytest.mark.parametrize(("query", "hits"), QUERIES)
def test_idx_03_every_query_is_a_query(one: Histories, query: str, hits: str) -> None:
    assert len(one.catalogue.search(query).hits) == int(hits)


@given(query=st.text(max_size=40))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_query_raises(one: Histories, query: str) -> None:
    one.catalogue.search(query)


@given(start=st.integers(0, len(DOCUMENT) - 1), length=st.integers(3, 20))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_piece_of_a_text_finds_it(one: Histories, start: int, length: int) -> None:
    piece = DOCUMENT[start : start + length].replace('"', " ").strip()
    for words in (piece.split(), [f'"{piece}"'] if piece else []):
        asked = " ".join(word for word in words if ":" not in word)
        if len(asked.strip('" ')) >= 3 and '"' not in asked.strip('"'):
            assert one.catalogue.search(asked.upper()).hits or " " in asked, asked


@pytest.fixture
def histories(tmp_path: Path) -> Histories:
    return Histories(tmp_path)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("日本語の検索を直した", "検索"),
        ("한국어 문서를 고쳤다", "문서"),
        ("修复令牌刷新逻辑", "令牌刷新"),
        ("Привет, мир", "привет"),
        ("un café crème", "cafe creme"),
        ("un cafe creme", "café"),
        ("cafe\u0301 decomposed", "café"),
        ("see src/core/auth/token_refresh.py:42", "auth/token_refresh.py"),
        ("see src/core/auth/token_refresh.py:42", "ken_ref"),
        ("def refreshToken(self) -> None:", "freshtok"),
        ("std::vector<int> xs;", "std::vector<int>"),
        ("100 % of it\n\tis here", '"it is here"'),
        ("the token was refreshed", "token refresh*"),
        ("emoji 🚀 launch", "🚀 launch"),
        ("emoji 🚀 launch", "🚀"),
    ],
)
def test_found(histories: Histories, text: str, query: str) -> None:
    histories.said("something else entirely", text)
    assert len(histories.found(query)) == 1


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("refresh the token", '"token refresh"'),
        ("a hundred percent", "100%"),
        ("unretry", "retr*"),
        ("token", "token refresh"),
        ("data:image/png;base64," + "QUJD" * 400, "QUJDQUJD"),
    ],
)
def test_not_found(histories: Histories, text: str, query: str) -> None:
    histories.said(text)
    assert histories.found(query) == []


def filled(histories: Histories) -> None:
    written = Written(session_id(1), cwd="/srv/api")
    written.prompt("please fix the widget")
    written.says("the widget is fixed")
    written.calls("c1", "Bash", command="make widget")
    written.returns("c1", "widget: no such target", is_error=True)
    written.calls("c2", "Read", file_path="/srv/api/widget.py")
    written.returns("c2", "class Widget: ...")
    written.put("ai-title", aiTitle="Widget repairs", uuid=None)
    histories.put(written.data, session_id(1))
    other = Written(session_id(2), cwd="/srv/web", timestamp="2026-01-05T10:00:00.000Z")
    other.prompt("an old widget")
    histories.put(other.data, session_id(2))


@pytest.mark.parametrize(
    ("query", "roles"),
    [
        ("widget", ["title", "user", "user", "assistant", "tool", "tool", "result", "result"]),
        ("widget role:user", ["user", "user"]),
        ("widget role:user project:api", ["user"]),
        ("widget tool:bash", ["tool", "result"]),
        ("widget tool:bash role:result", ["result"]),
        ("widget error:", ["result"]),
        ("error:target", ["result"]),
        ("widget error:no tool:bash", ["tool"]),
        ("widget before:2026-02-01", ["user"]),
        ("widget after:2026-02 role:user", ["user"]),
        ("widget model:m", ["assistant", "tool", "tool"]),
        ("widget model:opus", []),
        ("project:web", ["user"]),
        ("tool:read", ["tool", "result"]),
        ("tool:nothing", []),
    ],
)
def test_filters(histories: Histories, query: str, roles: list[str]) -> None:
    filled(histories)
    histories.catalogue.sync()
    found = histories.catalogue.search(f"{query} session:5e55")
    assert sorted(hit.role for hit in found.hits) == sorted(roles)


def test_what_a_person_said_comes_before_what_a_tool_said(histories: Histories) -> None:
    filled(histories)
    histories.catalogue.sync()
    roles = [hit.role for hit in histories.catalogue.search("widget").hits]
    assert roles.index("title") < roles.index("result") if "result" in roles else roles[0] == "title"


def test_one_session_hides_no_other_and_is_shown_whole_where_there_is_room(histories: Histories) -> None:
    filled(histories)
    histories.catalogue.sync()
    sessions = [hit.session_id for hit in histories.catalogue.search("widget").hits]
    assert sessions.index(session_id(2)) <= A_SESSION
    assert len(sessions) == 8
    assert histories.catalogue.search("widget").complete
    few = histories.catalogue.search("widget", 5)
    assert [hit.session_id for hit in few.hits] == sessions[:5]
    assert not few.complete


def test_a_hit_says_where_it_stands(histories: Histories) -> None:
    filled(histories)
    histories.catalogue.sync()
    (hit,) = histories.catalogue.search('"no such target"').hits
    assert (hit.session_id, hit.project, hit.tool, hit.error) == (session_id(1), "/srv/api", "Bash", True)
    with hit.path.open("rb") as file:
        file.seek(hit.offset)
        (line,) = decode_line(file.readline())
    assert isinstance(line, TranscriptLine)
    assert line.at == hit.at
    assert [hit.passage[start:end] for start, end in hit.marks] == ["no such target"]


def test_a_passage_is_cut_around_the_hit(histories: Histories) -> None:
    histories.said("x " * 5000 + "needle\nin a haystack " + "y " * 5000)
    (passage,) = histories.found("needle haystack")
    assert "needle in a haystack" in passage
    assert len(passage) < 300


def test_a_hit_in_a_subagents_file_belongs_to_its_session(histories: Histories) -> None:
    histories.said("main", session=session_id(1))
    agent = Written(session_id(1), isSidechain=True, agentId="a1")
    agent.says("found by the subagent")
    histories.agent(agent.data, "a1", session_id(1))
    histories.catalogue.sync()
    (hit,) = histories.catalogue.search("subagent").hits
    assert (hit.session_id, hit.agent) == (session_id(1), "a1")


def test_two_objects_on_one_line_are_both_found(histories: Histories) -> None:
    written = Written()
    written.prompt("first one")
    written.prompt("second one")
    histories.put(written.data.replace(b"\n", b"", 1))
    assert histories.found("second one") == ["second one"]
    assert histories.found("first one") == ["first one"]


def test_copies_are_shown_once(histories: Histories) -> None:
    histories.said("the same words", session=session_id(1))
    histories.said("the same words", session=session_id(2))
    assert histories.found("same words") == ["the same words"]


def test_a_file_that_changed_meanwhile_gives_no_wrong_hit(histories: Histories) -> None:
    path = histories.said("hello there")
    histories.catalogue.sync()
    path.write_bytes(b"x" * 2000)
    assert histories.catalogue.search("hello").hits == ()
    path.unlink()
    assert histories.catalogue.search("hello").hits == ()


@pytest.mark.parametrize("day", ["0001-01-01", "0001-01", "1950-06-01", "9999-12-31", "9999m", "9999-12"])
def test_no_day_is_too_far(one: Histories, day: str) -> None:
    later, sooner = one.catalogue.search(f"after:{day}"), one.catalogue.search(f"before:{day}")
    assert bool(later.hits) is not bool(sooner.hits)


@pytest.mark.parametrize(
    ("query", "role"),
    [("such targ", "result"), ("idgets", "user"), ("ss widg", "result"), ("ke widg", "tool")],
)
def test_pieces_of_words_are_found_whoever_says_them(histories: Histories, query: str, role: str) -> None:
    filled(histories)
    histories.said("no widgets here", session=session_id(3))
    histories.catalogue.sync()
    assert [hit.role for hit in histories.catalogue.search(query).hits] == [role]


def test_one_that_nobody_waits_for_any_more_ends(histories: Histories) -> None:
    for number in range(9):
        histories.said(f"widget {number}", session=session_id(number))
    histories.catalogue.sync()
    asked = list[bool]()

    def stop() -> bool:
        asked.append(len(asked) >= 4)
        return asked[-1]

    found = histories.catalogue.search("widget", stop=stop)
    assert len(found.hits) == 4
    assert not found.complete
    assert len(histories.catalogue.search("widget").hits) == 9


def test_texts_of_both_indexes_come_the_newest_first(histories: Histories) -> None:
    filled(histories)
    histories.catalogue.sync()
    db = store.open_to_search(histories.catalogue.folder)
    assert db is not None
    with closing(db):
        docs = list(Looking(db, parse("widget", NOW), load(db)).docs(()))
    assert {"user", "assistant", "title"} < {doc.role for doc in docs} > {"tool", "result"}
    assert [doc.number for doc in docs] == sorted((doc.number for doc in docs), reverse=True)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("ÀÉÎ and ASCII", "aei and ascii"),
        ("ΟΔΟΣ Σ", "οδοσ σ"),
        ("İstanbul", "istanbul"),
        ("\u212bngström ﬁ", "angstrom ﬁ"),
    ],
)
def test_folding_is_character_for_character(text: str, plain: str) -> None:
    assert folded(text) == plain
    assert folded(text) == "".join(map(folded, text))
