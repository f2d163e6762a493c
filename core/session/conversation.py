"""The conversation of a session: what a person reads, folded from events.

The entries and their change log are in `log.py`; how blocks, tool calls and prompts become entries in
`blocks.py`, `calls.py` and `prompts.py`; here are the turn's end, notices and the table. This module
must not know who speaks (wire, transcript, proxy) nor how an entry is drawn.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from core.session import events as ev
from core.session.blocks import Blocks, Delta
from core.session.calls import Calls
from core.session.entries import Entry, NoticeEntry, SpeechEntry, ToolEntry, TurnEntry
from core.session.log import EntryLog, Level
from core.session.prompts import Prompts
from core.session.state import SessionState

_TAIL_LINES = 8
_LEVELS: dict[str, Level] = {"warning": "warning", "error": "error"}


class Conversation:
    """All entries of one session, by thread, with a change log a view can follow."""

    def __init__(self, later: "Conversation | None" = None) -> None:
        """Start empty; `later` is the conversation this one will be put in front of.

        `late` is called with pieces of a block that is closed: they are dropped.
        """
        self.late: Callable[[Delta], None] = _unheard
        self._log: EntryLog = EntryLog(later._log.ids if later is not None else None)
        self._calls = Calls(self._log)
        self._blocks = Blocks(self._log, self._calls, lambda delta: self.late(delta))
        self._prompts = Prompts(self._log)
        self._changes = self._table()

    @property
    def revision(self) -> int:
        """Grows with every change."""
        return self._log.revision

    @property
    def removals(self) -> int:
        """How many entries were taken out again: a view that saw fewer must look at all of them anew."""
        return self._log.removals

    @property
    def threads(self) -> Sequence[str]:
        """The names of all threads that have entries: "" and tool call ids, maybe UNATTACHED."""
        return tuple(self._log.threads)

    def entries(self, parent: str = "") -> Sequence[Entry]:
        """The entries of one thread, oldest first; the main one is ""."""
        return self._log.entries(parent)

    def entry(self, entry_id: int) -> Entry:
        """The entry with that id; KeyError if it was removed."""
        return self._log.entry(entry_id)

    def call(self, tool_use_id: str) -> ToolEntry | None:
        """The tool call with that id, if it was seen."""
        return self._calls.get(tool_use_id)

    def since(self, cursor: int) -> Iterator[Entry]:
        """What changed after `cursor` (a `revision` seen before), newest first; removals are not told."""
        return self._log.since(cursor)

    def prepend(self, earlier: "Conversation") -> None:
        """Put a conversation made with `later=self` in front of this one; it must not be used any more."""
        self._log.prepend(earlier._log)
        self._calls.prepend(earlier._calls)

    def remark(self, text: str, before: Entry) -> None:
        """Put a notice before an entry: something about it was found out later."""
        notice = NoticeEntry(id=self._log.next_id(), text=text, at=before.at, parent=before.parent)
        self._log.insert(notice, before)

    def apply(self, event: ev.Event, after: SessionState) -> None:
        """Fold one event in; `after` is the state it led to. One with nothing to read changes nothing."""
        change = self._changes.get(type(event))
        if change is not None:
            change(event)
        elif type(event) is ev.TurnCompleted:
            self._end_turn(event, after)

    def _table(self) -> dict[type[ev.Event], Callable[[Any], None]]:
        return {
            ev.TextDelta: self._blocks.stream,
            ev.ThinkingDelta: self._blocks.stream,
            ev.ToolInputDelta: self._blocks.stream_input,
            ev.BlockStarted: self._blocks.start,
            ev.TextCompleted: self._blocks.complete_speech,
            ev.ThinkingCompleted: self._blocks.complete_speech,
            ev.ToolInputFinalized: self._blocks.complete_call,
            ev.OtherBlockCompleted: self._blocks.complete_other,
            ev.MessageStopped: self._blocks.stop_message,
            ev.MessageWithdrawn: self._blocks.withdraw,
            ev.ToolResulted: self._calls.result,
            ev.AskRaised: self._calls.raise_ask,
            ev.AskAnswering: self._calls.answer_ask,
            ev.AskSettled: self._calls.settle_ask,
            ev.AskDecided: self._calls.decide,
            ev.TaskStarted: self._calls.start_task,
            ev.TaskProgressed: self._calls.progress_task,
            ev.TaskEnded: self._calls.end_task,
            ev.PromptMoved: self._prompts.move,
            ev.PromptWithdrawn: self._prompts.withdraw,
            ev.UserSpoke: self._prompts.overhear,
            ev.ProcessExited: self._exit,
            ev.Compacted: self._compacted,
            ev.ConversationReset: self._reset,
            ev.ApiRetrying: self._retrying,
            ev.ApiFailed: self._failed,
            ev.Noticed: self._noticed,
            ev.HookRan: self._hook,
            ev.Refused: self._refused,
        }

    def _hook(self, event: ev.HookRan) -> None:
        """A hook of the CLI's own settings: what it said, or that it failed; ours speak for themselves."""
        failed = event.outcome not in ("success", "")
        output = event.output.strip()
        if event.ours or not (failed or output):
            return
        first, _, rest = output.partition("\n")
        head = f"hook {event.name or event.hook_event}" + (f" ({event.outcome})" if failed else "")
        notice = self._log.notice(f"{head}: {first}".rstrip(": "), "warning" if failed else "info", event.at)
        notice.detail = rest

    def _end_turn(self, event: ev.TurnCompleted, after: SessionState) -> None:
        self._calls.interrupt(main_only=True)
        self._blocks.interrupt(main_only=True)
        summary = after.last_turn
        if summary is not None and (summary.steps or summary.end != "completed"):
            if self._said_last(summary.error):
                summary = replace(summary, error="")
            self._log.add(TurnEntry(id=self._log.next_id(), summary=summary, at=event.at))

    def _said_last(self, text: str) -> bool:
        """Whether the last thing said is `text`: the CLI speaks an API error, then ends the turn with it."""
        last = next(reversed(self._log.entries()), None)
        return bool(text) and isinstance(last, SpeechEntry) and last.text.strip() == text.strip()

    def _exit(self, event: ev.ProcessExited) -> None:
        self._calls.interrupt(main_only=False)
        self._blocks.interrupt(main_only=False)
        if not event.expected:
            self._log.notice(exit_text(event), "error", event.at)
        elif event.reason:
            self._log.notice(event.reason, "info", event.at)

    def _compacted(self, event: ev.Compacted) -> None:
        known = event.before and event.after
        counts = f"{event.before // 1000}k → {event.after // 1000}k" if known else ""
        parts = ("compacted", event.trigger, counts)
        self._log.notice(" · ".join(part for part in parts if part), "info", event.at)

    def _reset(self, event: ev.ConversationReset) -> None:
        text = event.text or "cleared: the model starts afresh; what is above stays readable"
        self._log.notice(text, "info", event.at)

    def _retrying(self, event: ev.ApiRetrying) -> None:
        retry = event.retry
        what = f"API error {retry.status}" if retry.status else "The API did not answer"
        # Who only sees the request made again knows neither how often it will be nor of any delay.
        when = f" of {retry.of} in {retry.delay_s:.1f} s" if retry.of else ""
        self._log.notice(f"{what}: try {retry.attempt}{when}", "warning", event.at)

    def _failed(self, event: ev.ApiFailed) -> None:
        what = f"API error {event.status}" if event.status else "API error"
        self._log.notice(f"{what}: {event.text}", "warning", event.at, event.parent)

    def _noticed(self, event: ev.Noticed) -> None:
        self._log.notice(event.text, _LEVELS.get(event.level, "info"), event.at, event.parent)

    def _refused(self, event: ev.Refused) -> None:
        text = f"{event.what} was not changed to {event.value}: {event.error}"
        self._log.notice(text, "error", event.at)


def _unheard(delta: Delta) -> None:
    """Nobody counts."""


def exit_text(event: ev.ProcessExited) -> str:
    """What to read when a process is gone unasked: how, its last words, what to do next."""
    how = f"was ended by signal {event.signal}" if event.signal else f"ended with code {event.code}"
    tail = "\n".join(event.stderr_tail.strip().splitlines()[-_TAIL_LINES:])
    parts = [event.reason or f"The agent {how}.", tail, "Restart it to resume where it was."]
    return "\n".join(part for part in parts if part)
