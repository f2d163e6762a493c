"""What content reads like."""

import pytest
from msgspec import Raw

from core.sources.texts import count_images, plain_text, result_text
from core.wire import content as c

IMAGE = c.ImageBlock(c.ImageSource("image/png", Raw(b'"QUJD"')))
LARGE = c.ImageBlock(c.ImageSource("image/jpeg", Raw(b'"' + b"A" * 4_194_304 + b'"')))

ROWS: list[tuple[c.Content, str]] = [
    (None, ""),
    ("words", "words"),
    ((), ""),
    ((c.Text("a"), c.Text("b")), "a\nb"),
    ((c.Text("see"), IMAGE), "see\n[image 1 KB png]"),
    ((LARGE,), "[image 3.0 MB jpeg]"),
    ((c.ImageBlock(),), "[image]"),
    ((c.ImageBlock(c.ImageSource()),), "[image]"),
    ((c.ToolReference("Grep"),), "[tool Grep]"),
    ((c.Document("a.pdf"), c.Document()), "[document a.pdf]\n[document]"),
    ((c.SearchResult("T", "https://x"), c.SearchResult()), "[T · https://x]\n[search result]"),
    ((c.UnknownBlock("zz", b'{"type":"zz"}'),), '{"type":"zz"}'),
    ((c.RedactedThinking(),), "[redacted_thinking]"),
]


@pytest.mark.parametrize(("content", "text"), ROWS)
def test_a_result_as_text(content: c.Content, text: str) -> None:
    assert result_text(content) == text


def test_only_words_are_the_persons_words() -> None:
    content = (IMAGE, c.Text("look"), c.ToolResult("t", "no"))
    assert plain_text(content) == "look"
    assert count_images(content) == 1
