"""A journal's line can be read as what went over the pipe."""

import pytest

from core.keeper.entry import agent_line, email_in, read_entry, write_line


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"x","u":"\xe2\x80\xa8"}',
        b"[debug] {",
        b"",
        b"null",
        b'"text"',
        b"[1,2]",
        b"{" * 5000,
        b'{"a":1} {',
    ],
)
def test_a_line_comes_back_as_it_was(line: bytes) -> None:
    entry = read_entry(write_line("recv", 1.0, line))
    assert entry is not None
    assert (entry.t, entry.dir) == (1.0, "recv")
    assert agent_line(entry) == line


def test_bytes_that_are_no_text_cost_nothing_else() -> None:
    entry = read_entry(write_line("recv", 1.0, b"\xff\xfe{"))
    assert entry is not None
    assert agent_line(entry).endswith(b"{")


def test_only_the_answer_that_tells_an_account_has_its_email() -> None:
    assert email_in(b'{"type":"user","email":"a@b"}') == ""
    assert email_in(b'{"type":"control_response","response":{"response":{"account":{"email":5}}}}') == ""
    told = b'{"type":"control_response","response":{"response":{"account":{"email":"a@b"}}}}'
    assert email_in(told) == "a@b"
