"""A session as a document: whole, readable, safe."""

import json
from datetime import UTC

import pytest
from markdown_it import MarkdownIt

from core.history.export import EXPORTS, to_html, to_json, to_markdown
from core.session.session import Session
from core.session.state import SessionState
from core.sources.transcript import TranscriptSource
from core.wire.transcript import decode_line
from tests.fakes.transcripts import Written

EVIL = "<script>alert(1)</script> [x](javascript:alert(1)) ![p](http://x/y.png) \x1b[31mred\x1b[0m \u202eback ```` `"


def folded(written: Written) -> Session:
    session, source = Session(SessionState("s", "past")), TranscriptSource()
    for row in written.rows:
        for line in decode_line(row):
            for event in source.events(line):
                session.apply(event)
    return session


@pytest.fixture
def session() -> Session:
    written = Written()
    written.prompt("look at **this**")
    written.says("# Found\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`code` & more")
    written.calls("t1", "Agent", description="Look", prompt="look around")
    root = written.prompt("look around", isSidechain=True, parentUuid=None)
    written.says("here it is", isSidechain=True, parentUuid=root)
    written.returns("t1", "found")
    written.calls("t2", "Write", file_path="/srv/a.md", content="one\n```\ntwo")
    written.returns("t2", "written", is_error=True)
    written.prompt("<system-reminder>note</system-reminder>")
    written.says("lost", isSidechain=True, parentUuid="nowhere", agentId="zz")
    written.prompt("next")
    return folded(written)


def evil() -> Session:
    written = Written()
    written.prompt(EVIL)
    written.says(EVIL)
    written.calls("t1", "Bash", command=EVIL)
    written.returns("t1", EVIL)
    written.put("custom-title", customTitle=EVIL)
    return folded(written)


def test_markdown(session: Session) -> None:
    text = "".join(to_markdown(session, UTC))
    assert text.startswith("# look at **this**\n\n`/srv/demo` · `m` · ")
    assert "## You · 2026-03-01 10:00\n\nlook at **this**\n" in text
    assert "**Agent Look** — done" in text
    assert "\n> here it is\n" in text
    assert "\n> ## Prompt · 2026-03-01 10:00\n" in text, "a subagent is not asked by the person"
    assert "content\n\n````\none\n```\ntwo\n````\n" in text
    assert "\n*completed after" in text


@pytest.mark.parametrize(("count", "said"), [(1, "[image]"), (3, "[3 images]")])
def test_images_are_named(count: int, said: str) -> None:
    written = Written()
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}}
    written.put(
        "user", message={"role": "user", "content": [*[image] * count, {"type": "text", "text": "see"}]}
    )
    assert f"see\n{said}" in "".join(to_markdown(folded(written), UTC))


def test_html(session: Session) -> None:
    text = "".join(to_html(session, UTC))
    assert "<h1>Found</h1>" in text
    assert "<td>1</td>" in text
    assert '<div class="under">\n<section class="prompt ">' in text
    assert text.count("<div") == text.count("</div>")
    assert "Agents whose call was not seen" in text
    assert "<time>2026-03-01 10:00</time>" in text


def test_json(session: Session) -> None:
    told = json.loads("".join(to_json(session)))
    assert told["directory"] == "/srv/demo"
    assert [entry["kind"] for entry in told["entries"]][:4] == ["prompt", "text", "tool", "tool"]
    agent, write = told["entries"][2:4]
    assert [entry.get("text") for entry in agent["entries"]] == ["look around", "here it is"]
    assert write["input"] == {"file_path": "/srv/a.md", "content": "one\n```\ntwo"}
    assert (write["state"], write["result"]) == ("failed", "written")
    assert told["entries"][0]["at"] == "2026-03-01T10:00:01+00:00"


@pytest.mark.parametrize("form", EXPORTS)
def test_nothing_in_a_document_acts(form: str) -> None:
    text = "".join(EXPORTS[form](evil(), UTC))
    assert not {char for char in text if ord(char) < 32 and char != "\n"}
    assert "\u202e" not in text
    assert "red" in text
    if form == "md":
        tokens = [inner for token in MarkdownIt().parse(text) for inner in (token, *(token.children or ()))]
        assert not [token for token in tokens if token.type in ("html_block", "html_inline")]
        assert text.count("\n<script>") == 2, "as it was, in the fences of the call and its result"
    if form == "html":
        assert "<script" not in text
        assert 'href="javascript' not in text
        assert "<img" not in text
        assert "default-src 'none'" in text


@pytest.mark.parametrize("form", EXPORTS)
def test_an_empty_session(form: str) -> None:
    assert "".join(EXPORTS[form](Session(SessionState("s", session_id="abc")), UTC))
