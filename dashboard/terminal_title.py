"""The terminal's own title: how many asks wait, then the name. Nothing an agent says ever gets into it."""

from collections.abc import Callable

NAME = "quarterdeck"
_KEEP, _GIVE_BACK = "\x1b[22;0t", "\x1b[23;0t"


class TerminalTitle:
    """Writes the title when it changes; the one there was before is given back at the end."""

    def __init__(self, write: Callable[[str], None]) -> None:
        """`write` sends text to the terminal."""
        self._write = write
        self._shown = ""

    def show(self, waiting: int) -> None:
        """`(2) quarterdeck`; costs nothing when it is shown already."""
        title = f"({waiting}) {NAME}" if waiting else NAME
        if title == self._shown:
            return
        if not self._shown:
            self._write(_KEEP)
        self._shown = title
        self._write(f"\x1b]0;{title}\x07")

    def give_back(self) -> None:
        """Restore the title there was."""
        if self._shown:
            self._write(_GIVE_BACK)
            self._shown = ""
