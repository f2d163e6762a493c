"""Scripts are checked when loaded, and what is wrong is named with its place."""

from pathlib import Path

import pytest

from core.simulator.script import ScriptError, load
from core.simulator.verbs import Case, Question, Say, Tool


def read(folder: Path, text: str) -> object:
    path = folder / "play.toml"
    path.write_text(text)
    return load(path)


def test_steps_become_what_they_say(tmp_path: Path) -> None:
    path = tmp_path / "play.toml"
    path.write_text("""
    [session]
    model = "haiku"
    [[turn]]
    match = "push"
    [[turn.step]]
    say = "hi"
    pace = 3
    [[turn.step]]
    tool = "Bash"
    input = {command = "ls"}
    denied = [{say = "no"}]
    [[turn.step]]
    question = [{question = "Which?"}]
    when = [{match = "a|b", steps = [{say = "{answer}"}]}]
    """)
    script = load(path)
    assert script.session.model == "haiku"
    (turn,) = script.turns
    assert turn.match == "push"
    assert turn.step == (
        Say("hi", 3),
        Tool("Bash", {"command": "ls"}, denied=(Say("no"),)),
        Question(({"question": "Which?"},), (Case("a|b", (Say("{answer}"),)),)),
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[turn]", "play.toml: not TOML"),
        ("[sesion]", "play.toml: unknown key 'sesion'; known: session, turn"),
        ("[[turn]]\nstep = [{sya = 'x'}]", "turn 1: step 1: needs exactly one verb, found none among sya"),
        (
            "[[turn]]\nstep = [{say = 'x', think = 'y'}]",
            "step 1: needs exactly one verb, found say and think",
        ),
        ("[[turn]]\nstep = [{say = 'x', pase = 1}]", "step 1: unknown key 'pase'; known: say, pace"),
        ("[[turn]]\nstep = [{wait = 'x'}]", "step 1: wait: must be a number, not 'x'"),
        ("[[turn]]\nstep = [{exit = true}]", "step 1: exit: must be a whole number, not True"),
        ("[[turn]]\nmatch = '('", "turn 1: match '(' is no pattern"),
        ("[[turn]]\nstep = [{ignore = ['x']}]", "step 1: cannot ignore 'x'; known: interrupt"),
        (
            "[[turn]]\nstep = [{say = 'a'}, {tool = 'Bash', denied = [{say = 1}]}]",
            "step 2: denied 1: say: must be a text",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ScriptError) as caught:
        read(tmp_path, text)
    assert says in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match=r"none\.toml: No such file"):
        load(tmp_path / "none.toml")
