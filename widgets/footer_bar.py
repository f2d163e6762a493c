"""The last line of the deck: the keys that work now. It must not know what they do."""

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message

from widgets.line import Line, Piece, content, fit
from widgets.one_line import OneLine
from widgets.signs import KEY, MUTED


class FooterBar(OneLine):
    """`w next  a allow  d deny  i prompt  ? help`; never wraps; when it is narrow keys go from the end."""

    DEFAULT_CSS = "FooterBar { padding: 0 1; background: $panel; }"

    class Pressed(Message):
        """A key of the footer was clicked; `key` is the text it was shown with."""

        def __init__(self, key: str) -> None:
            """Say which."""
            super().__init__()
            self.key = key

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        """Start without keys."""
        super().__init__(name=name, id=id, classes=classes)
        self._keys: tuple[tuple[str, str], ...] = ()
        self._mode = ""
        self._quiet = False
        self._note: Line = ()
        self._staying = 0

    def show(
        self, keys: Sequence[tuple[str, str]], mode: str = "", *, quiet: bool = False, kept: int = 0
    ) -> None:
        """Offer these (key, label) pairs, most important first; `mode` (`deck`, `typing`) at the right.

        `quiet`: they will work once one has gone there. `kept`: so many at the end always stay.
        """
        if (tuple(keys), mode, quiet, kept, ()) != (
            self._keys,
            self._mode,
            self._quiet,
            self._staying,
            self._note,
        ):
            self._keys, self._mode, self._quiet, self._note = tuple(keys), mode, quiet, ()
            self._staying = kept
            self.repaint()

    def note(self, words: str, style: str) -> None:
        """Say this in place of keys, for as long as none counts."""
        note = (Piece(words, style, 1, 1),)
        if note != self._note:
            self._note, self._keys = note, ()
            self.repaint()

    @property
    def offered(self) -> tuple[tuple[str, str], ...]:
        """The pairs that fit the width there is."""
        left = self.size.width - (len(self._mode) + 2 if self._mode else 0)
        first = len(self._keys) - self._staying
        stay = self._keys[first:]
        left -= sum(_cells(key, label) for key, label in stay)
        fitting = []
        for key, label in self._keys[:first]:
            left -= _cells(key, label)
            if left < -2:
                break
            fitting.append((key, label))
        return (*fitting, *stay)

    def line(self) -> Line:
        """The keys that fit, then the mode at the right edge; or the note."""
        if self._note:
            return fit(self._note, self.size.width)
        line = []
        for key, label in self.offered:
            line += [Piece(key, f"bold {MUTED}" if self._quiet else KEY), Piece(f" {label}  ", MUTED)]
        rest = self.size.width - sum(piece.cells for piece in line) - len(self._mode)
        if self._mode and rest >= 0:
            line += [Piece(" " * rest), Piece(self._mode, MUTED)]
        return tuple(line)

    def on_click(self, event: events.Click) -> None:
        """Say which key was clicked."""
        x = event.get_content_offset_capture(self).x
        for key, label in self.offered:
            if 0 <= x < _cells(key, label) - 2:
                self.post_message(self.Pressed(key))
                return
            x -= _cells(key, label)


def key_line(keys: Sequence[tuple[str, str]]) -> Content:
    """Keys and what they do as one text, for the foot of a sheet."""
    pieces = [piece for key, label in keys for piece in (Piece(key, KEY), Piece(f" {label}   ", MUTED))]
    return content(pieces).rstrip()


def _cells(key: str, label: str) -> int:
    """How wide one pair is, the gap after it included."""
    return Piece(f"{key} {label}  ").cells
