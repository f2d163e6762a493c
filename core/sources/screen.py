"""The screen channel → events: the source of a session on a terminal of ours.

What a screen tells is coarse: that a turn runs, what kind of thing is done, what is asked. It never tells the
text (`core.terminal.channels`). This module must not know a terminal, nor how an answer is typed.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from core.session import events as ev
from core.session.events import Event
from core.session.state import Ask, Confidence, Option, PermissionUpdate, Phase, Question, Source
from core.sources.asked_calls import asked_by
from core.terminal.channels import screen as seen
from core.terminal.channels.screen import ScreenEvent
from core.terminal.parsers.dialog import Dialog, OtherDialog
from core.terminal.parsers.permission import PermissionPrompt
from core.terminal.parsers.plan import PlanApproval
from core.terminal.parsers.progress import Kind
from core.terminal.parsers.question import QuestionPage, ReviewPage
from core.terminal.parsers.resume import ResumePicker, ResumePrompt
from core.terminal.parsers.trust import TrustDialog

Events = tuple[Event, ...]

SCREEN: Source = "screen"
SURE: Confidence = "medium"
GUESSED: Confidence = "fallback"

ON_SCREEN = "on the session's own screen"

TOOLS = {
    "Bash command": "Bash",
    "Edit file": "Edit",
    "Create file": "Write",
    "Write file": "Write",
    "Overwrite file": "Write",
    "Read file": "Read",
    "Fetch": "WebFetch",
}
"""A permission prompt's title, and the tool it is about; any other title stands as it is."""

OTHER = "Dialog"
"""What a dialog is called that no parser knows: it asks its own words, and its options answer it."""

_PHASES: dict[Kind, Phase] = {"none": "requesting", "text": "responding", "tool": "tool-use"}
_OF_A_TURN = (PermissionPrompt, QuestionPage, ReviewPage, PlanApproval)
_WITHOUT_WORDS = (TrustDialog, ReviewPage, ResumePrompt, ResumePicker, OtherDialog)


class ScreenSource:
    """Turns what one terminal's screen tells into events."""

    def __init__(self) -> None:
        """Nothing was seen. `typing`: we are answering just now, so that what goes is ours."""
        self.typing = False
        self._working = False
        self._started = False
        self._outcomes: dict[str, str] = {}
        self._table: dict[type, Callable[[Any], Events]] = {
            seen.ActivityChanged: self._activity,
            seen.ProgressChanged: self._progress,
            seen.DialogOpened: self._opened,
            seen.DialogClosed: self._closed,
            seen.CompactionChanged: self._compaction,
            seen.ModeChanged: self._moded,
            seen.ComposerChanged: self._composer,
        }

    def events(self, told: ScreenEvent) -> Events:
        """What it means, in order; what only a viewer wants means nothing."""
        read = self._table.get(type(told))
        return read(told) if read is not None else ()

    def begin_anew(self, at: float) -> Events:
        """Work that is seen belongs to no turn anybody told of."""
        self._working = False
        return (*self._begin(at), self._phase("requesting", at))

    def expect(self, ask_id: str, outcome: str) -> None:
        """We answer it: when that dialog is gone, this is how it was settled."""
        self._outcomes[ask_id] = outcome

    def forget(self, ask_id: str) -> None:
        """We could not answer it."""
        self._outcomes.pop(ask_id, None)

    def _activity(self, told: seen.ActivityChanged) -> Events:
        if told.state == "working":
            return (*self._begin(told.at), self._phase("requesting", told.at))
        self._working = False
        done = ev.TurnCompleted(at=told.at, source=SCREEN, confidence=GUESSED, reason="idle")
        return (done,)

    def _begin(self, at: float) -> Events:
        if self._working:
            return ()
        self._working = True
        return (ev.TurnStarted(at=at, source=SCREEN, confidence=SURE),)

    def _phase(self, phase: Phase, at: float) -> Event:
        return ev.PhaseChanged(at=at, source=SCREEN, confidence=GUESSED, phase=phase)

    def _progress(self, told: seen.ProgressChanged) -> Events:
        if not self._working:
            return ()
        phase: Phase = "thinking" if told.thinking else _PHASES[told.progress.kind]
        return (self._phase(phase, told.at),)

    def _opened(self, told: seen.DialogOpened) -> Events:
        ask = ask_of(told.id, told.dialog, told.at)
        if ask is None:
            return ()
        begun = self._begin(told.at) if isinstance(told.dialog, _OF_A_TURN) and not ask.agent_id else ()
        return (*begun, ev.AskRaised(at=told.at, source=SCREEN, confidence=SURE, ask=ask))

    def _closed(self, told: seen.DialogClosed) -> Events:
        outcome = self._outcomes.pop(told.id, "answered" if self.typing else "")
        note = "" if outcome else ON_SCREEN
        settled = ev.AskSettled(
            at=told.at, source=SCREEN, confidence=SURE, id=told.id, outcome=outcome or "withdrawn", note=note
        )
        return (settled,)

    def _compaction(self, told: seen.CompactionChanged) -> Events:
        match told.compaction.state:
            case "running":
                return (ev.Compacting(at=told.at, source=SCREEN, confidence=SURE),)
            case "done":
                return (ev.Compacted(at=told.at, source=SCREEN, confidence=SURE),)
            case "error":
                text = told.compaction.text
                return (ev.Noticed(at=told.at, source=SCREEN, confidence=SURE, text=text, level="error"),)
            case "none":
                return ()

    def _moded(self, told: seen.ModeChanged) -> Events:
        if not self._started:
            return ()
        return (ev.Confirmed(at=told.at, source=SCREEN, confidence=SURE, what="mode", value=told.mode),)

    def _composer(self, told: seen.ComposerChanged) -> Events:
        """The first composer: the CLI has started."""
        if self._started or told.composer.state == "unpainted":
            return ()
        self._started = True
        return (ev.Initialized(at=told.at, source=SCREEN, confidence=SURE),)


def ask_of(ask_id: str, dialog: Dialog, at: float) -> Ask | None:
    """What a dialog asks; None for one the person opened themselves (`/model` …), or without a choice."""
    match dialog:
        case TrustDialog():
            ask = _trust(ask_id, dialog)
        case PermissionPrompt():
            ask = _permission(ask_id, dialog)
        case QuestionPage():
            ask = Ask(ask_id, "question", "AskUserQuestion", questions=(_question(dialog),))
        case ReviewPage():
            answers = dict(dialog.answers)
            ask = Ask(ask_id, "permission", "Answers", _json(answers), title="Send these answers?")
        case PlanApproval():
            ask = Ask(ask_id, "plan", "ExitPlanMode", plan=dialog.plan)
        case ResumePrompt():
            options = tuple(Option(*item.named) for item in dialog.menu.items)
            ask = Ask(ask_id, "question", "Resume", questions=(_choice(dialog.text, options),))
        case ResumePicker():
            options = tuple(Option(item.label, " ".join(item.more)) for item in dialog.menu.items)
            ask = Ask(ask_id, "question", "Resume", questions=(_choice("Which session?", options),))
        case OtherDialog() if dialog.opened or has_no_choice(dialog):
            return None
        case OtherDialog():
            ask = Ask(ask_id, "question", OTHER, questions=(_other(dialog),))
    wordless = isinstance(dialog, _WITHOUT_WORDS)
    return msgspec.structs.replace(ask, raised_at=at, needs_person=True, on_screen=True, wordless=wordless)


def has_no_choice(dialog: Dialog) -> bool:
    """Whether it is one of the CLI's own of which not all options are to be read, or no two."""
    if not isinstance(dialog, OtherDialog) or dialog.opened:
        return False
    return dialog.cut or len(dialog.menu.items) < 2


def _trust(ask_id: str, dialog: TrustDialog) -> Ask:
    if dialog.kind == "bypass":
        return Ask(
            ask_id,
            "permission",
            "Bypass permissions",
            title="Let claude run everything without asking?",
            description=dialog.text,
        )
    return Ask(
        ask_id,
        "permission",
        "Trust",
        _json({"folder": dialog.path}),
        title="Trust this folder?",
        description="read, edit and run files there",
    )


def _permission(ask_id: str, dialog: PermissionPrompt) -> Ask:
    """The options that allow more than this call go along as suggestions, in the CLI's own words."""
    tool = TOOLS.get(dialog.title, dialog.title or "Permission")
    wider = tuple(PermissionUpdate(label, destination="") for label in dialog.wider)
    return Ask(
        ask_id,
        "permission",
        tool,
        _json(_input(tool, dialog)),
        title=dialog.question,
        description=dialog.note,
        reason=_unseen(dialog.hidden) if dialog.hidden else asked_by(dialog),
        suggestions=wider,
        agent_id=dialog.asker,
    )


def _unseen(lines: int) -> str:
    return f"{lines} lines of it are above the edge of its screen: read them there before you allow it"


def _input(tool: str, dialog: PermissionPrompt) -> dict[str, str]:
    match tool:
        case "Bash":
            return {"command": dialog.body, "description": dialog.note}
        case "Edit" | "Write" | "Read":
            return {"file_path": dialog.note, "shown": dialog.body}
    return {"shown": "\n".join(part for part in (dialog.note, dialog.body) if part)}


def _question(dialog: QuestionPage) -> Question:
    shown = {dialog.menu.selected: dialog.preview}
    options = tuple(
        Option(dialog.label(index), dialog.description(index), shown.get(index, ""))
        for index in range(dialog.own)
    )
    return Question(dialog.question, dialog.header, dialog.multiple, options, needed=True)


def _choice(text: str, options: tuple[Option, ...]) -> Question:
    return Question(text, "Resume", options=options, closed=True, needed=True)


def _other(dialog: OtherDialog) -> Question:
    """Its words, and its options, what sends them left out."""
    options = tuple(Option(*item.named) for item in dialog.menu.items[: dialog.submit])
    boxes = dialog.submit is not None
    return Question(dialog.text, OTHER, multiple=boxes, options=options, closed=True, needed=True)


def _json(fields: dict[str, str]) -> bytes:
    return msgspec.json.encode(fields)
