"""What must be done at a dialog for an answer: options to mark, tick or choose, words to write, a way out.

Pure: steps, no keys; where the mark stands when a step is taken, whoever takes it sees. What the words of an
answer have no place for in the dialog is told, to be said as a prompt.
"""

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from core.errors import AnswerNotTyped
from core.session.answers import DENIED, Allow, Answer, Deny, Reply
from core.terminal.parsers.dialog import Dialog, OtherDialog
from core.terminal.parsers.permission import PermissionPrompt
from core.terminal.parsers.plan import PlanApproval
from core.terminal.parsers.question import QuestionPage, ReviewPage
from core.terminal.parsers.resume import ResumePicker, ResumePrompt
from core.terminal.parsers.trust import TrustDialog

Manner = Literal["choose", "stir", "tick", "untick", "write", "open", "leave"]
"""`choose`: mark it and press Enter; `stir`: mark another; `open`: mark it, then words; `leave`: Esc."""


class Stroke(Struct, frozen=True):
    """One step: what to do with which option, and the words to write."""

    manner: Manner
    index: int = 0
    words: str = ""


class Plan(Struct, frozen=True):
    """The steps of an answer, the last of which ends the dialog; `left` are words for a prompt after it."""

    strokes: tuple[Stroke, ...]
    left: str = ""


_AFTER: dict[str, re.Pattern[str]] = {
    "default": re.compile(r"manually approve"),
    "acceptEdits": re.compile(r"auto-?accept|accept edits"),
    "auto": re.compile(r"auto mode"),
    "bypassPermissions": re.compile(r"bypass"),
}
"""Which option of a plan's approval leads to which mode."""

OUT = Stroke("leave")


def strokes(dialog: Dialog, answer: Answer) -> Plan:
    """What to do at `dialog`. Raises `AnswerNotTyped` for what it does not offer."""
    match dialog:
        case PermissionPrompt():
            return _permission(dialog, answer)
        case TrustDialog():
            return _yes_or_no(dialog.yes, dialog.no, answer)
        case ReviewPage():
            given = Allow() if isinstance(answer, Reply) else answer
            return _yes_or_no(dialog.submit, dialog.cancel, given)
        case PlanApproval():
            return _plan(dialog, answer)
        case QuestionPage():
            return _question(dialog, answer)
        case ResumePrompt():
            return _stirred(dialog, _option(dialog.menu.names, answer))
        case ResumePicker():
            return _option(tuple(item.label for item in dialog.menu.items), answer)
        case OtherDialog(opened=True):
            raise AnswerNotTyped("this dialog is not known")
        case OtherDialog(submit=int(submit)):
            return _boxes(dialog.menu.names[:submit], submit, answer)
        case OtherDialog():
            return _option(dialog.menu.names, answer)


def _yes_or_no(yes: int, no: int, answer: Answer) -> Plan:
    match answer:
        case Allow():
            return Plan((Stroke("choose", yes),))
        case Deny():
            return Plan((Stroke("choose", no),))
        case Reply():
            raise AnswerNotTyped("it can only be allowed or denied")


def _permission(dialog: PermissionPrompt, answer: Answer) -> Plan:
    match answer:
        case Allow(input_json=None, updates=updates):
            wanted = [update.type for update in updates]
            return Plan((Stroke("choose", _wider(dialog, wanted) if wanted else dialog.yes),))
        case Allow():
            raise AnswerNotTyped("what it would do cannot be changed there", "Deny it and say what to do")
        case Deny(interrupt=True):
            return Plan((OUT,), _words(answer))
        case Deny():
            return _deny(dialog, _words(answer))
        case Reply():
            raise AnswerNotTyped("it can only be allowed or denied")


def _wider(dialog: PermissionPrompt, wanted: list[str]) -> int:
    """The one option that allows what was picked: there is no way to choose two."""
    if len(wanted) > 1:
        raise AnswerNotTyped("only one of these can be chosen there", "Pick one")
    labels = dialog.menu.labels
    if wanted[0] not in labels:
        raise AnswerNotTyped(f"it does not offer {wanted[0]!r}")
    return labels.index(wanted[0])


def _deny(dialog: PermissionPrompt, words: str) -> Plan:
    """With words by the dialog's own way, where it has one, else as a prompt after it."""
    if words and dialog.amendable:
        return Plan(
            (Stroke("open", dialog.no), Stroke("write", dialog.no, words), Stroke("choose", dialog.no))
        )
    return Plan((Stroke("choose", dialog.no),), words)


def _words(answer: Deny) -> str:
    """What the person says with a denial, on one line."""
    return "" if answer.message == DENIED else " ".join(answer.message.split())


def _plan(dialog: PlanApproval, answer: Answer) -> Plan:
    match answer:
        case Allow(updates=updates):
            modes = [update.mode for update in updates if update.type == "setMode"]
            return Plan((Stroke("choose", _approving(dialog, modes[0] if modes else "default")),))
        case Deny():
            words = _words(answer)
            if words and dialog.tells:
                return Plan((Stroke("write", dialog.no, words), Stroke("choose", dialog.no)))
            return Plan((OUT,), words)
        case Reply():
            raise AnswerNotTyped("a plan can only be approved or sent back")


def _approving(dialog: PlanApproval, mode: str) -> int:
    labels = dialog.menu.labels
    pattern = _AFTER.get(mode)
    for index in dialog.yes:
        if pattern is not None and pattern.search(labels[index]):
            return index
    offered = "; ".join(labels[index] for index in dialog.yes)
    raise AnswerNotTyped(f"it does not offer that mode, but: {offered}")


def _question(dialog: QuestionPage, answer: Answer) -> Plan:
    match answer:
        case Reply(answers=answers):
            return Plan(tuple(_replying(dialog, _own(dialog, answers))))
        case Deny(interrupt=False) if (words := _words(answer)) and dialog.chat is not None:
            return Plan((Stroke("choose", dialog.chat),), words)
        case Deny():
            return Plan((OUT,), _words(answer))
        case Allow():
            raise AnswerNotTyped("a question wants an answer")


def _own(dialog: QuestionPage, answers: tuple[tuple[str, str], ...]) -> str:
    """The answer to the question of this page; where a form has but one, its words need not be the same."""
    if len(answers) == 1 and len(dialog.tabs) <= 2:
        return answers[0][1]
    found = [answer for question, answer in answers if _bare(question) == _bare(dialog.question)]
    if not found:
        raise AnswerNotTyped("the question on its screen was not answered", "Answer all of them")
    return found[0]


def _bare(text: str) -> str:
    return "".join(text.split())


def _replying(dialog: QuestionPage, reply: str) -> Iterator[Stroke]:
    if not dialog.multiple:
        yield from _choosing(dialog, reply)
        return
    labels = [dialog.label(index) for index in range(dialog.own)]
    chosen, words = split_reply(labels, " ".join(reply.split()))
    for index in range(dialog.own):
        yield Stroke("tick" if labels[index] in chosen else "untick", index)
    if words:
        yield _writing(dialog, words)
    if dialog.submit is None:
        raise AnswerNotTyped("the end of its list is not on the screen", "Make its pane higher")
    yield Stroke("choose", dialog.submit)


def _choosing(dialog: QuestionPage, reply: str) -> Iterator[Stroke]:
    """An option, known by its label; other words are written."""
    index = next((at for at in range(dialog.own) if _bare(dialog.label(at)) == _bare(reply)), None)
    if index is not None:
        yield Stroke("choose", index)
        return
    yield _writing(dialog, reply)
    yield Stroke("choose", dialog.other or 0)


def _writing(dialog: QuestionPage, words: str) -> Stroke:
    if dialog.other is None:
        raise AnswerNotTyped("it takes no answer in other words")
    return Stroke("write", dialog.other, " ".join(words.split()))


def split_reply(labels: list[str], reply: str) -> tuple[frozenset[str], str]:
    """Which labels stand in an answer of several, joined by ", ", and what is left of it.

    A label may hold ", " itself: the longest is taken first.
    """
    chosen: set[str] = set()
    left: list[str] = []
    rest = reply
    while rest:
        label = next((one for one in sorted(labels, key=len, reverse=True) if _begins(rest, one)), None)
        if label is not None:
            chosen.add(label)
            rest = rest[len(label) :].removeprefix(", ")
            continue
        word, _, rest = rest.partition(", ")
        left.append(word)
    return frozenset(chosen), ", ".join(left)


def _begins(text: str, label: str) -> bool:
    return bool(label) and (text == label or text.startswith(f"{label}, "))


def _boxes(labels: tuple[str, ...], submit: int, answer: Answer) -> Plan:
    """Ticked as answered, all others not, then sent."""
    match answer:
        case Reply(answers=((_, reply),)):
            chosen, unknown = split_reply(list(labels), reply)
            if unknown:
                raise AnswerNotTyped(f"it does not offer {unknown!r}")
            ticks = (Stroke("tick" if label in chosen else "untick", at) for at, label in enumerate(labels))
            return Plan((*ticks, Stroke("choose", submit)))
        case Deny():
            return Plan((OUT,))
        case _:
            raise AnswerNotTyped("choose among its options")


def _option(labels: tuple[str, ...], answer: Answer) -> Plan:
    match answer:
        case Reply(answers=((_, label),)):
            return Plan((Stroke("choose", _place(labels, label)),))
        case Deny():
            return Plan((OUT,))
        case _:
            raise AnswerNotTyped("choose one of its options")


def _stirred(dialog: ResumePrompt, plan: Plan) -> Plan:
    """Where the mark must be moved at least once it is moved away first, and back."""
    last = plan.strokes[-1]
    if not dialog.shy or last.manner != "choose":
        return plan
    return Plan((Stroke("stir", last.index), last))


def _place(labels: tuple[str, ...], wanted: str) -> int:
    """Which option it is: since it was shown, its label may have been cut, or be whole again."""
    if wanted in labels:
        return labels.index(wanted)
    found = [at for at, label in enumerate(labels) if _is_cut(label, wanted) or _is_cut(wanted, label)]
    if len(found) != 1:
        raise AnswerNotTyped(f"it does not offer {wanted!r}")
    return found[0]


def _is_cut(label: str, whole: str) -> bool:
    return label.endswith("…") and whole.startswith(label[:-1])
