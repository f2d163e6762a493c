"""What every command line has in common: how it complains, and what a person may write for a count.

It must not know any command: who asks running agents for a word waits for nothing of the catalogue.
"""

import argparse
from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the whole usage."""

    def error(self, message: str) -> NoReturn:
        """Exit with code 2."""
        self.exit(2, f"quarterdeck: {message}\nTry `{self.prog} --help`.\n")


def whole(text: str) -> int:
    """A count a person writes, 1 or more; for `add_argument(type=…)`."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} will not do: write a whole number, 1 or more")
    return int(text)
