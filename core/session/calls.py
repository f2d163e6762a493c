"""Tool calls of a conversation: from the first streamed byte over the permission to the result.

Also the subagents and background commands a call started. It must not know blocks or prompts.
"""

from core.session import events as ev
from core.session.entries import NoticeEntry, ToolEntry
from core.session.log import EntryLog, Level
from core.session.state import ToolState
from core.session.tools import kind_of, title_of

_TITLE_STEP = 256
"""How many new bytes of a streaming input are worth another look for its title."""

PREVIEW_BYTES = 8192
"""How much of an input is kept while it streams: a megabyte in small pieces would cost its square."""

DECIDED: dict[str, ToolState] = {
    **dict.fromkeys(("deny", "denied", "reject", "rejected"), "denied"),
    "interrupted": "interrupted",
}
"""What a decision makes of a call, whatever its result says."""


NOT_TAKEN = {
    "permission_updated_input_invalid": "your change was refused by claude: nothing ran",
}
"""What the CLI says decided about a call where it is the person's answer that it did not take."""

_ERROR_TAG = "tool_use_error"
"""What the CLI wraps an error in for the model; a person reads the words."""


def said_by(event: ev.ToolResulted) -> str:
    """A result as a person reads it."""
    inner = event.text.removeprefix(f"<{_ERROR_TAG}>").removesuffix(f"</{_ERROR_TAG}>")
    return inner if event.is_error else event.text


class Calls:
    """The tool calls of one conversation, by the id the API gave them."""

    def __init__(self, log: EntryLog) -> None:
        """Write entries to `log`."""
        self._log = log
        self._known: dict[str, ToolEntry] = {}
        self._open: dict[str, ToolEntry] = {}
        self._asks: dict[str, str] = {}
        self._tasks: dict[str, ToolEntry] = {}
        self._orphans: dict[str, tuple[ev.ToolResulted, NoticeEntry]] = {}

    def get(self, call_id: str) -> ToolEntry | None:
        """The call with that id, if it was seen."""
        return self._known.get(call_id)

    def open(self, call_id: str, tool: str, parent: str, at: float) -> ToolEntry:
        """The call with that id, new if it was not seen yet."""
        call = self._known.get(call_id)
        if call is not None:
            return call
        call = ToolEntry(
            id=self._log.next_id(),
            call_id=call_id,
            tool=tool,
            kind=kind_of(tool),
            parent=parent,
            at=at,
            started_at=at,
        )
        self._known[call_id] = self._open[call_id] = call
        self._log.claim(call_id)
        self._log.add(call)
        return call

    def stream(self, call: ToolEntry, json: str) -> None:
        """More of a call's input has arrived."""
        if call.state != "input":
            return
        before = call.input_size
        call.input_size += len(json)
        if len(call.input_json) < PREVIEW_BYTES:
            call.input_json += json.encode("utf-8", "replace")
            if _worth_a_look(before, call.input_size):
                call.title = title_of(call.tool, call.input_json)
        self._log.touch(call)

    def complete(self, call: ToolEntry, input_json: bytes, at: float) -> None:
        """The call's input is whole: it runs now, unless something else is known already."""
        call.input_json, call.input_size = input_json, len(input_json)
        call.title = title_of(call.tool, input_json)
        if call.state == "input":
            call.state, call.started_at = "running", at
        self._log.touch(call)
        self._reunite(call)

    def result(self, event: ev.ToolResulted) -> None:
        """A call returned; the result of one never seen is shown by itself."""
        call = self._known.get(event.tool_use_id)
        if call is None:
            self._orphans[event.tool_use_id] = (event, self._notice(event))
            return
        self._return(call, event)

    def _notice(self, event: ev.ToolResulted) -> NoticeEntry:
        text = f"Result of a call that was not seen: {event.text or 'no output'}"
        level: Level = "error" if event.is_error else "info"
        return self._log.notice(text, level, event.at, event.parent)

    def _return(self, call: ToolEntry, event: ev.ToolResulted) -> None:
        call.result, call.result_images, call.detail_json = said_by(event), event.images, event.detail_json
        call.decided_by, call.ended_at = event.decided_by, event.at
        state = DECIDED.get(event.decision) or ("failed" if event.is_error else "done")
        if event.decided_by in NOT_TAKEN:
            call.note, state = NOT_TAKEN[event.decided_by], "failed"
        self._set(call, state)

    def prepend(self, earlier: "Calls") -> None:
        """Take in the calls of before; results that came without theirs find them now."""
        for call_id, call in earlier._known.items():
            self._known.setdefault(call_id, call)
        for task_id, call in earlier._tasks.items():
            self._tasks.setdefault(task_id, call)
        self._orphans.update(earlier._orphans)
        for call_id in self._orphans.keys() & self._known.keys():
            self._reunite(self._known[call_id])

    def _reunite(self, call: ToolEntry) -> None:
        """A call whose result came before it: the notice of that makes room."""
        orphan = self._orphans.pop(call.call_id, None)
        if orphan is not None:
            event, notice = orphan
            self._log.remove(notice)
            self._return(call, event)

    def raise_ask(self, event: ev.AskRaised) -> None:
        """A call waits for a person."""
        self._asks[event.ask.id] = event.ask.tool_use_id
        call = self._open.get(event.ask.tool_use_id)
        if call is not None:
            self._set(call, "waiting")

    def answer_ask(self, event: ev.AskAnswering) -> None:
        """The person answered: say what they made of the call, before its result tells what became of it."""
        call = self._open.get(self._asks.get(event.id, ""))
        if call is not None and event.note:
            call.note = event.note
            self._log.touch(call)

    def settle_ask(self, event: ev.AskSettled) -> None:
        """A call waits no longer: its time begins anew; what became of it its result will tell."""
        call = self._open.get(self._asks.pop(event.id, ""))
        if call is not None and call.state == "waiting":
            call.note, call.started_at = event.note or call.note, event.at
            self._set(call, "running")

    def decide(self, event: ev.AskDecided) -> None:
        """A call did not have to wait for a person: say by what it was decided."""
        call = self._known.get(event.ask.tool_use_id)
        if call is None:
            self._log.notice(f"{event.ask.tool}: {event.note}", "info", event.at)
            return
        call.note = event.note
        self._log.touch(call)

    def start_task(self, event: ev.TaskStarted) -> None:
        """A call started a subagent or a background command."""
        call = self._known.get(event.task.tool_use_id)
        if call is None:
            return
        self._tasks[event.task.id] = call
        call.task_id, call.task_state = event.task.id, "running"
        call.background, call.doing = event.task.background, event.task.description
        self._log.touch(call)

    def progress_task(self, event: ev.TaskProgressed) -> None:
        """What a call's subagent does now."""
        call = self._tasks.get(event.id)
        if call is not None and event.doing:
            call.doing = event.doing
            self._log.touch(call)

    def end_task(self, event: ev.TaskEnded) -> None:
        """A call's subagent or background command has ended."""
        call = self._tasks.get(event.id)
        if call is not None:
            call.task_state = event.state
            call.doing = event.summary or call.doing
            self._log.touch(call)

    def interrupt(self, *, main_only: bool) -> None:
        """Nothing of a turn that is over still runs (a background subagent's calls may)."""
        for call in list(self._open.values()):
            if not (main_only and call.parent):
                self._set(call, "interrupted")

    def cut(self, call: ToolEntry) -> None:
        """A call whose input will never be whole: it is shown as it came and never ran."""
        if call.state == "input":
            self._set(call, "interrupted")

    def withdraw(self, call: ToolEntry) -> None:
        """A call that never was one, as its input was cut and its message is made anew."""
        never_ran = call.state == "interrupted" and not call.result and not call.task_id
        if never_ran and self._known.get(call.call_id) is call:  # two blocks may have one id
            del self._known[call.call_id]
            self._log.remove(call)

    def _set(self, call: ToolEntry, state: ToolState) -> None:
        call.state = state
        if call.settled:
            self._open.pop(call.call_id, None)
        self._log.touch(call)


def _worth_a_look(before: int, after: int) -> bool:
    """Whether an input has doubled, or grown by a step: looking at each piece would be most of the work."""
    return before.bit_length() != after.bit_length() or before // _TITLE_STEP != after // _TITLE_STEP
