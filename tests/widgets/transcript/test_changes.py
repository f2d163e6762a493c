"""File changes as diffs: the CLI's patch where there is one, else what the input asks for."""

from core.session.entries import ToolEntry
from tests.fakes.drawing import frame, text
from tests.fakes.scenes import Scene
from widgets.transcript.changes import draw_change
from widgets.transcript.frame import Drawn, Level


def change(scene: Scene, level: Level = Level.OPEN) -> Drawn:
    entry = scene.conversation.entries()[-1]
    assert isinstance(entry, ToolEntry)
    return draw_change(entry, frame(40, level))


def test_the_patch_has_the_numbers_of_the_file() -> None:
    scene = Scene()
    call = scene.call("Edit", file_path="a.py", old_string="b", new_string="c")
    hunk = {"oldStart": 41, "newStart": 41, "lines": [" a", "-b", "+c"]}
    scene.result(call, "ok", detail={"structuredPatch": [hunk]})
    assert text(change(scene).strips) == ["41   a", "42 - b", "42 + c"]


def test_what_is_asked_for_is_shown_before_it_is_done() -> None:
    scene = Scene()
    scene.call("Edit", file_path="a.py", old_string="old", new_string="new")
    assert [row.strip() for row in text(change(scene).strips)] == ["- old", "+ new"]
    scene.call("Write", file_path="b.py", content="one\ntwo\n")
    assert text(change(scene).strips) == ["1 + one", "2 + two"]
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]
    scene.call("MultiEdit", file_path="c.py", edits=edits)
    assert [row.strip() for row in text(change(scene).strips)] == ["- a", "+ b", "⋯", "- c", "+ d"]


def test_a_long_one_is_cut_and_says_by_how_much() -> None:
    scene = Scene()
    scene.call("Write", file_path="b.py", content="\n".join("x" * 50))
    drawn = change(scene)
    assert text(drawn.strips)[drawn.more].strip() == "+34 lines"
    assert len(change(scene, Level.FULL).strips) == 50


def test_a_failure_says_why() -> None:
    scene = Scene()
    scene.tool("Edit", "String not found.", failed=True, file_path="a", old_string="a", new_string="b")
    assert text(change(scene).strips)[-1] == "String not found."
