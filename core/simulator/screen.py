"""The stand-in on a screen of its own: a composer, a spinner, an answer that streams; for the demo.

It draws what an interactive `claude` looks like, as far as a person needs to try the keys; it writes no
transcript. It must not know the protocol.
"""

import os
import select
import sys
import termios
import tty
from itertools import count
from pathlib import Path

ANSWER = (
    "I am simulated: there is no model behind this screen. The real program stands here as it is, with its "
    "own colours and keys, and every key is its own until you press Ctrl+]."
)
FRAME_S = 0.08
GLYPHS = "·✢✳✶✻✽"

ORANGE, GREY, GREEN, PLAIN = (
    "\x1b[38;2;215;119;87m",
    "\x1b[38;2;140;140;140m",
    "\x1b[38;2;78;186;101m",
    "\x1b[0m",
)
WELCOME = (
    f"{ORANGE}▌{PLAIN} \x1b[1mSimulated\x1b[22m screen",
    f"{ORANGE}▌{PLAIN} {GREY}no account, no network, no cost{PLAIN}",
)


class SimulatedScreen:
    """What stands on it, and what is written in its composer."""

    def __init__(self, directory: str) -> None:
        """Begin empty."""
        self.said = [*WELCOME, f"{ORANGE}▌{PLAIN} {GREY}{directory}{PLAIN}", ""]
        self.draft = ""
        self.words: list[str] = []
        self.told = 0

    @property
    def working(self) -> bool:
        """Whether an answer streams."""
        return bool(self.words)

    def take(self, typed: str) -> bool:
        """What was typed; false if that ends it."""
        text = typed.replace("\x1b[200~", "").replace("\x1b[201~", "")
        match typed:
            case "\x04" | "\x03":
                return False
            case "\x1b":
                self._stop()
            case "\r":
                self._send()
            case "\x7f":
                self.draft = self.draft[:-1]
            case _:
                self.draft += "".join(one for one in text if one.isprintable())
        return True

    def step(self) -> None:
        """Time passes: one word more."""
        if self.words:
            self.said[-1] += ("" if self.told == 0 else " ") + self.words.pop(0)
            self.told += 1
            if not self.words:
                self.said += ["", f"{GREY}✻ Worked for 2s{PLAIN}", ""]

    def _send(self) -> None:
        if self.draft.strip() and not self.working:
            self.said += [f"{GREY}❯{PLAIN} {self.draft}", "", f"{GREEN}●{PLAIN} "]
            self.draft, self.words, self.told = "", ANSWER.split(), 0

    def _stop(self) -> None:
        if self.words:
            self.words = []
            self.said += [f"  {GREY}⎿  Interrupted{PLAIN}", ""]

    def frame(self, columns: int, rows: int, number: int) -> str:
        """All of it, in one synchronized update."""
        lines = [piece for line in self.said for piece in _wrapped(line, columns)]
        if self.working:
            lines += [
                "",
                f"{ORANGE}{GLYPHS[number % len(GLYPHS)]} Simulating…{PLAIN}",
            ]
        hint = "esc to interrupt" if self.working else "? for shortcuts"
        rule = f"{GREY}{'─' * columns}{PLAIN}"
        foot = [rule, f"❯ {self.draft}\x1b[7m \x1b[27m", rule, f"{GREY}  {hint}{PLAIN}"]
        room = max(1, rows - len(foot))
        shown = [*lines[-room:], *[""] * (room - len(lines)), *foot]
        body = "\r\n".join(f"{line}\x1b[K" for line in shown[-rows:])
        return f"\x1b[?2026h\x1b[?25l\x1b[H{body}\x1b[?2026l"


def show() -> int:
    """Show it on this process's terminal until Ctrl+C or Ctrl+D."""
    before = termios.tcgetattr(0)
    tty.setraw(0)
    sys.stdout.write("\x1b[?1049h\x1b[?2004h")
    screen = SimulatedScreen(Path.cwd().name)
    try:
        for number in count():
            size = os.get_terminal_size()
            sys.stdout.write(screen.frame(size.columns, size.lines, number))
            sys.stdout.flush()
            ready, _, _ = select.select((0,), (), (), FRAME_S if screen.working else None)
            if ready and not screen.take(os.read(0, 65536).decode(errors="replace")):
                break
            screen.step()
    except InterruptedError:
        pass
    finally:
        sys.stdout.write("\x1b[?2004l\x1b[?1049l\x1b[?25h")
        sys.stdout.flush()
        termios.tcsetattr(0, termios.TCSADRAIN, before)
    return 0


def _wrapped(line: str, columns: int) -> list[str]:
    """A line in as many rows as it needs; only plain words are ever that long."""
    if len(line) <= columns:
        return [line]
    rows = [""]
    for word in line.split(" "):
        if len(rows[-1]) + 1 + len(word) > columns - 1 and rows[-1]:
            rows.append("  " + word)
        else:
            rows[-1] += (" " if rows[-1] else "") + word
    return rows
