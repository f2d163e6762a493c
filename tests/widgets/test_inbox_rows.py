from core.session.entries import PromptEntry, SpeechEntry, ToolEntry
from core.session.state import Ask, Question, Task
from tests.widgets.screen import BRACKETS, CONTROLS, NOW, session
from widgets.format import Here
from widgets.inbox_rows import InboxRow, last_words, long_lines, short_lines, what_text, who_line
from widgets.line import Line, spread

PUSH = Ask("1", "permission", "Bash", b'{"command":"git push"}', raised_at=NOW - 42, agent_id="t1")
ROW = InboxRow(session("api", tasks=(Task("t1", "Callers elsewhere"),)), PUSH, "#4a8fd8")


def text(lines: tuple[tuple[Line, Line], ...], width: int = 80) -> str:
    return "\n".join("".join(piece.text for piece in spread(*line, width)) for line in lines)


def test_who_what_and_for_how_long() -> None:
    for lines in (short_lines, long_lines):
        shown = text(lines(ROW, NOW))
        for word in ("api", "Bash  git push", "0:42"):
            assert word in shown
    shown = text((who_line(ROW, "/home/me"),))
    for word in ("api", "for: Callers elsewhere", "~/src/api", "main", "default"):
        assert word in shown


def test_what_is_wanted_in_a_line() -> None:
    form = Ask("2", "question", "AskUserQuestion", questions=(Question("Which colour?"),))
    assert what_text(form, Here()) == "Which colour?"
    assert what_text(Ask("3", "permission", "Strange", b"{}"), Here()) == "Strange"


def test_what_is_about_the_own_folder_or_tells_nothing_names_the_folder() -> None:
    here = Here("/home/me/src/api", "/home/me")
    trust = Ask("4", "permission", "Trust", b'{"folder":"/home/me/src/api"}', title="Trust this folder?")
    assert what_text(trust, here) == "Trust  ~/src/api"
    listed = Ask("5", "permission", "LS", b'{"path":"/home/me/src/api/lib"}')
    assert what_text(listed, here) == "LS  lib"
    assert what_text(Ask("6", "permission", "Strange", b"{}"), here) == "Strange  in ~/src/api"
    titled = Ask("7", "permission", "Bypass permissions", b"{}", title="Run everything?")
    assert what_text(titled, here) == "Bypass permissions · Run everything?"
    assert what_text(Ask("8", "question", "Ask", questions=(Question(""),)), here).endswith("in ~/src/api")


def test_what_became_of_it_is_said() -> None:
    assert "withdrawn" in text(short_lines(InboxRow(ROW.state, PUSH, gone=True), NOW))
    assert "not sent" in text(long_lines(InboxRow(ROW.state, PUSH, back=True), NOW))


def test_a_narrow_line_keeps_name_and_age() -> None:
    assert "api" in text(short_lines(ROW, NOW), 40)
    assert "0:42" in text(short_lines(ROW, NOW), 40)


def test_nothing_outside_can_drive_the_screen() -> None:
    for odd in (*BRACKETS, CONTROLS):
        state = session("api", name=odd, branch=odd, directory=odd)
        row = InboxRow(state, Ask("1", "permission", odd, b'{"command":"x"}', title=odd), "")
        for lines in (short_lines(row, NOW), long_lines(row, NOW), (who_line(row),)):
            assert not [c for c in text(lines) if c != "\n" and (c < " " or "\x7f" <= c <= "\x9f")]


def test_the_last_words_are_those_before_the_request() -> None:
    said = [
        PromptEntry(id=1, text="Do it"),
        SpeechEntry(id=2, chunks=["I will push."]),
        SpeechEntry(id=3, thinking=True, chunks=["hm"]),
        ToolEntry(id=4, call_id="c", tool="Bash"),
    ]
    assert last_words(said) == "I will push."
    assert last_words(said[:1]) == ""
