"""Sessions as a person reads them: what two ways of getting at one must agree in."""

from msgspec.structs import asdict, replace

from core.session.entries import Entry, SpeechEntry
from core.session.session import Session
from core.session.state import SessionState

_UNSEEN = {"id", "revision", "chunks", "joined", "at", "started_at", "ended_at", "input_size"}


def conversation(session: Session) -> dict[str, list[dict[str, object]]]:
    """All entries by thread; ids, revisions and times of the clock left out."""
    return {
        thread: [_entry(entry) for entry in session.conversation.entries(thread)]
        for thread in sorted(session.conversation.threads)
        if session.conversation.entries(thread)
    }


def _entry(entry: Entry) -> dict[str, object]:
    fields = {name: value for name, value in asdict(entry).items() if name not in _UNSEEN}
    if isinstance(entry, SpeechEntry):
        fields["text"] = entry.text
    if "summary" in fields and not isinstance(fields["summary"], str):
        fields["summary"] = replace(fields["summary"], started_at=0.0, ended_at=0.0)
    return {"kind": type(entry).__name__, **fields}


def without_pace(state: SessionState) -> SessionState:
    """The state without what only a running stream tells."""
    last = replace(state.last_turn, started_at=0.0, ended_at=0.0) if state.last_turn else None
    return replace(state, usage=replace(state.usage, tokens_per_s=0.0), last_turn=last, since=0.0)


def differing(one: SessionState, other: SessionState) -> dict[str, tuple[object, object]]:
    """The fields two states differ in.

    When a prompt was typed is each dashboard's own to say, and so is the pace: a journal joins what streamed.
    """
    one, other = _without_own(one), _without_own(other)
    return {
        name: (getattr(one, name), getattr(other, name))
        for name in one.__struct_fields__
        if getattr(one, name) != getattr(other, name)
    }


def _without_own(state: SessionState) -> SessionState:
    prompts = tuple(replace(prompt, at=0.0) for prompt in state.prompts)
    return replace(state, prompts=prompts, usage=replace(state.usage, tokens_per_s=0.0))
