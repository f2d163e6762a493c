"""What content reads like."""

import pytest
from msgspec import Raw

from core.sources.texts import count_images, plain_text, result_text, unpasted
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


@pytest.mark.parametrize(
    ("committed", "written"),
    [
        ("hello", "hello"),
        ('\n\n<pasted_content id="c3">\nline 0\nline 1\n</pasted_content id="c3">\n', "line 0\nline 1"),
        (
            'see:\n\n<pasted_content id="c3">\nline 0\n</pasted_content id="c3">\n and go',
            "see:\nline 0\n and go",
        ),
        (
            '<pasted_content id="a">\nx\n</pasted_content id="b">',
            '<pasted_content id="a">\nx\n</pasted_content id="b">',
        ),
        ("what is <pasted_content >?", "what is <pasted_content >?"),
    ],
)
def test_a_paste_reads_as_it_was_pasted(committed: str, written: str) -> None:
    assert unpasted(committed) == written
