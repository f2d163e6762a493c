"""The flow: entries come in reading order, subagents under their call, however they arrive (WIR-11)."""

from core.session import events as ev
from core.session.entries import Entry, NoticeEntry, PromptEntry, SpeechEntry, ToolEntry
from core.session.state import Prompt
from tests.fakes.scenes import Scene
from widgets.transcript.flow import Flow


def word(entry: Entry) -> str:
    match entry:
        case PromptEntry() | SpeechEntry() | NoticeEntry():
            return entry.text
        case ToolEntry():
            return entry.call_id
        case _:
            return type(entry).__name__


def shown(flow: Flow) -> list[str]:
    return ["  " * item.depth + word(item.entry) for item in flow.outline]


def subagents() -> Scene:
    scene = Scene()
    scene.call("Task", call="T1", description="look", prompt="p")
    scene.say("sub says", parent="T1")
    scene.call("Task", call="T2", parent="T1", description="deeper", prompt="q")
    scene.say("main")
    scene.say("deep says", parent="T2")
    return scene


def test_nothing_new_is_nothing() -> None:
    scene = Scene()
    scene.prompt("hello")
    flow = Flow(scene.conversation)
    assert [item.entry.id for item in flow.catch_up().added]
    assert flow.catch_up() == ([], [])


def test_entries_come_in_order() -> None:
    scene = Scene()
    flow = Flow(scene.conversation)
    for text in "abc":
        scene.prompt(text)
        flow.catch_up()
    scene.prompt("d")
    scene.say("e")
    flow.catch_up()
    assert shown(flow) == ["a", "b", "c", "d", "e"]


def test_subagents_stand_under_their_call_when_it_is_opened() -> None:
    scene = subagents()
    flow = Flow(scene.conversation)
    flow.catch_up()
    assert shown(flow) == ["T1", "main"]
    for call in ("T1", "T2"):
        entry = scene.conversation.call(call)
        assert entry is not None
        flow.open(entry, True)
    assert shown(flow) == ["T1", "  sub says", "  T2", "    deep says", "main"]
    assert len(flow.children(scene.conversation.entries()[0])) == 2


def test_an_opened_subagent_grows_in_its_place() -> None:
    scene = subagents()
    flow = Flow(scene.conversation)
    flow.catch_up()
    flow.open(scene.conversation.entries()[0], True)
    scene.say("more", parent="T1")
    scene.say("last")
    growth = flow.catch_up()
    assert [word(item.entry) for item in growth.added] == ["more", "last"]
    assert shown(flow) == ["T1", "  sub says", "  T2", "  more", "main", "last"]
    flow.open(scene.conversation.entries()[0], False)
    assert shown(flow) == ["T1", "main", "last"]


def test_agents_whose_call_was_never_seen_stand_in_a_group_of_their_own() -> None:
    scene = Scene()
    scene.prompt("go")
    flow = Flow(scene.conversation)
    flow.catch_up()
    scene.say("lost words", parent="nobody")
    flow.catch_up()
    scene.say("main")
    scene.say("more lost words", parent="nobody")
    flow.catch_up()
    assert shown(flow) == ["go", "unattached agent", "  lost words", "  more lost words", "main"]


def test_a_lone_unattached_agent_is_seen() -> None:
    scene = Scene()
    scene.say("lost words", parent="nobody")
    flow = Flow(scene.conversation)
    flow.catch_up()
    assert shown(flow) == ["unattached agent", "  lost words"]


def test_an_entry_that_vanishes_leaves_the_outline() -> None:
    scene = Scene()
    scene.prompt("go")
    scene.open("half")
    flow = Flow(scene.conversation)
    flow.catch_up()
    assert len(flow.outline) == 2
    scene.close("", "half")
    flow.catch_up()
    assert shown(flow) == ["go"]


def test_waiting_prompts_stand_behind_all() -> None:
    scene = Scene()
    scene.prompt("go")
    flow = Flow(scene.conversation)
    flow.catch_up()
    assert flow.wait((Prompt(id="p", text="later"),))
    assert not flow.wait((Prompt(id="p", text="later"),))
    scene.say("working")
    flow.catch_up()
    assert shown(flow) == ["go", "working", "later"]
    flow.wait(())
    assert shown(flow) == ["go", "working"]


def test_a_change_is_told_with_its_item() -> None:
    scene = Scene()
    scene.open()
    flow = Flow(scene.conversation)
    flow.catch_up()
    scene.apply(ev.TextDelta(message_id="open", index=0, text="x"))
    growth = flow.catch_up()
    assert [word(item.entry) for item in growth.changed] == ["x"]
    assert growth.added == []
