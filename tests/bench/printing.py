"""A program for a terminal that prints much: a child of `tests.bench.terminal`. Standard library only.

`flood` makes 20 MB of mixed colour output, says that it is ready, and prints it once it was typed a line;
`endless` prints for ever; `busy` draws what a working CLI does: a spinner ten times a second, thirty words a
second, each frame in a synchronized update.
"""

import os
import random
import sys
import time

BYTES = 20_000_000
READY = b"ready"
WORDS = [
    "the",
    "quick",
    "brown",
    "fox",
    "jumps",
    "▓▒░",
    "漢字",
    "é",
    "ü",
    "→",
    "error:",
    "warning",
    "12345",
    "─────",
]


def corpus(chance: random.Random) -> bytes:
    """About a megabyte: lines in few and in many colours, plain lines, frames drawn somewhere."""
    parts: list[str] = []
    for _ in range(9000):
        kind = chance.random()
        if kind < 0.6:
            parts.append(
                "".join(f"\x1b[{_look(chance)}m{chance.choice(WORDS)} " for _ in range(8)) + "\x1b[0m\r\n"
            )
        elif kind < 0.97:
            parts.append(" ".join(chance.choice(WORDS) for _ in range(14)) + "\r\n")
        else:
            place = f"\x1b[{chance.randrange(1, 40)};{chance.randrange(1, 60)}H"
            parts.append(f"\x1b[?2026h{place}\x1b[2K{chance.choice(WORDS) * 5}\x1b[?2026l")
    return "".join(parts).encode()


def _look(chance: random.Random) -> str:
    red, green, blue = (chance.randrange(256) for _ in range(3))
    looks = ("31", "1;32", f"38;5;{red}", f"38;2;{red};{green};{blue}", "0", "3", "4", "7")
    return chance.choice(looks)


def flood() -> None:
    """Print 20 MB of the corpus, once that is wanted."""
    data = corpus(random.Random(1))
    os.write(1, READY)
    os.read(0, 80)
    left = BYTES
    while left > 0:
        left -= os.write(1, data[: min(left, 65536)])


def endless() -> None:
    """Print the corpus for ever."""
    data = corpus(random.Random(1))
    while True:
        os.write(1, data[:65536])


def busy() -> None:
    """Draw as a working CLI does, for ever."""
    words = [f"word{number}" for number in range(400)]
    for frame in range(1_000_000):
        said = " ".join(words[: frame * 3 % 400])
        lines = [f"\x1b[38;2;200;200;200m{said[at : at + 70]}\x1b[0m" for at in range(0, len(said), 70)][-14:]
        glyph = "·✢✳✶✻✽"[frame % 6]
        body = "".join(f"\x1b[2K{line}\r\n" for line in lines)
        rule = "\x1b[38;2;120;120;120m" + "─" * 72 + "\x1b[0m"
        out = (
            f"\x1b[?2026h\x1b[H{body}\x1b[2K\x1b[38;2;215;119;87m{glyph} Working… ({frame // 10}s)\x1b[0m\r\n"
            f"{rule}\r\n❯ \r\n{rule}\r\n  esc to interrupt\x1b[K\x1b[?2026l"
        )
        os.write(1, out.encode())
        time.sleep(0.1)


if __name__ == "__main__":
    {"flood": flood, "endless": endless, "busy": busy}[sys.argv[1]]()
