"""The text of entries, as it is copied and searched."""

from tests.fakes.scenes import Scene
from widgets.transcript.texts import code_block_of, everything, searchable, text_of


def test_a_call_is_copied_with_its_command_and_output() -> None:
    scene = Scene()
    scene.tool("Bash", "\x1b[31mred\x1b[0m\n", command="ls -l")
    scene.tool("Read", "content", file_path="a.py")
    command, reading = scene.conversation.entries()
    assert text_of(command) == "$ ls -l\nred"
    assert text_of(reading) == "Read a.py\ncontent"
    assert "a.py" in searchable(reading)
    assert code_block_of(command) == "ls -l"


def test_the_last_code_block_is_the_one() -> None:
    scene = Scene()
    scene.say("```\nfirst\n```\n\n- in a list:\n  ~~~py\n  second\n    indented\n  ~~~\n\ndone")
    assert code_block_of(scene.conversation.entries()[0]) == "second\n  indented"


def test_an_open_fence_counts_and_no_fence_is_nothing() -> None:
    scene = Scene()
    scene.say("```\nstill open")
    scene.say("no code")
    open_one, none = scene.conversation.entries()
    assert code_block_of(open_one) == "still open"
    assert code_block_of(none) == ""


def test_everything_is_walked_in_reading_order() -> None:
    scene = Scene()
    scene.call("Task", call="T1", description="look")
    scene.say("sub", parent="T1")
    scene.say("main")
    scene.say("lost", parent="nobody")
    assert [text_of(entry) for entry in everything(scene.conversation)] == [
        "Task look",
        "sub",
        "main",
        "lost",
    ]
