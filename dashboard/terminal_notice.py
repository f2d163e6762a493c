"""Notifications by the terminal itself: the sequences OSC 9 and OSC 777, also out of tmux. Pure.

What goes in is plain text; control bytes are taken out once more, as a terminal would act on them.
"""

from core.plain import one_line

LONGEST = 200
_BELL = "\x07"


def osc9(title: str, text: str) -> str:
    """As iTerm2, Windows Terminal, Ghostty, WezTerm and others take it: one text."""
    return f"\x1b]9;{_clean(f'{title}: {text}' if text else title)}{_BELL}"


def osc777(title: str, text: str) -> str:
    """As urxvt, foot, Ghostty, WezTerm and others take it: a title and a text, no `;` in the title."""
    return f"\x1b]777;notify;{_clean(title).replace(';', ',')};{_clean(text)}{_BELL}"


def through_tmux(sequence: str) -> str:
    """For the terminal around tmux; tmux lets it through where `allow-passthrough` is on."""
    return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"


def _clean(text: str) -> str:
    return one_line(text, LONGEST)
