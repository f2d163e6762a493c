"""What a person is writing to one agent: the text as shown, what stands folded in it, what they sent before.

Pure data, one a session. It must not know a widget or a file: images are only named here.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from core.session.state import Image
from widgets.render.safe import clean

FOLD_LINES = 12
FOLD_CHARACTERS = 3000
"""A paste longer than either is shown folded; it is sent whole."""

_IMAGE = r"\.(?:png|jpe?g|gif|webp)"
_MENTION = re.compile(rf'(?<!\S)@(?:"([^"\n]+{_IMAGE})"|([^\s"]+{_IMAGE}))(?=$|[\s,.;:!?)])', re.IGNORECASE)
_PASTED_PATH = re.compile(rf"(?:file://)?((?:~|\.{{0,2}})/[^\n]*{_IMAGE})", re.IGNORECASE)


def normalised(text: str) -> str:
    """Pasted text with LF line ends and without control bytes; tabs stay."""
    return clean(text.replace("\r\n", "\n").replace("\r", "\n"))


def image_paths(text: str) -> tuple[str, ...]:
    """The images mentioned as `@path` or `@"path with blanks"`, each once."""
    return tuple(dict.fromkeys(match[1] or match[2] for match in _MENTION.finditer(text)))


def pasted_image(text: str) -> str:
    """The path if a paste is nothing but the path of an image (a dropped file), else ""."""
    bare = text.strip()
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "'\"":
        bare = bare[1:-1]
    match = _PASTED_PATH.fullmatch(bare.replace("\\ ", " "))
    return match[1] if match else ""


def mention(path: str) -> str:
    """How the path of an image stands in a prompt."""
    return f'@"{path}" ' if " " in path else f"@{path} "


def with_names(text: str, images: Mapping[str, Image]) -> str:
    """`text` with each mention of an attached image as `[name]`: the CLI must not look for the file again."""

    def named(match: re.Match[str]) -> str:
        image = images.get(match[1] or match[2])
        return f"[{image.name or 'image'}]" if image else match[0]

    return _MENTION.sub(named, text)


class Draft:
    """The unsent text of one session, and its history."""

    def __init__(self, said: Callable[[], Sequence[str]] = tuple) -> None:
        """Nothing written, nothing sent from here; `said` tells what was sent before, oldest first."""
        self._said = said
        self.text = ""
        self.images: dict[str, Image] = {}
        self.history: list[str] = []
        self._pastes: dict[str, str] = {}
        self._at = 0
        self._kept = ""

    def fold(self, text: str) -> str:
        """What to show for pasted text: itself, or one short token where it is huge."""
        lines = text.count("\n") + 1
        if lines <= FOLD_LINES and len(text) <= FOLD_CHARACTERS:
            return text
        size = f"{lines:,} lines" if lines > FOLD_LINES else f"{len(text):,} characters"
        token = f"[pasted {size}]"
        number = 2
        while self._pastes.get(token, text) != text:
            token = f"[pasted {size} #{number}]"
            number += 1
        self._pastes[token] = text
        return token

    def whole(self, text: str) -> str:
        """`text` with every folded paste in full."""
        if not self._pastes:
            return text
        tokens = sorted(self._pastes, key=len, reverse=True)
        pattern = re.compile("|".join(re.escape(token) for token in tokens))
        return pattern.sub(lambda match: self._pastes[match[0]], text)

    def sent(self, text: str) -> None:
        """`text`, as shown, was sent: the next draft is empty."""
        if not self.history or self.history[-1] != text:
            self.history.append(text)
        self.text, self._at, self._kept = "", len(self.history), ""
        self.images = {}

    def older(self, text: str) -> str | None:
        """What was sent before what is shown now; None at the oldest. `text` is kept to come back to."""
        if self._at >= len(self.history):
            self._take_in()
            self._at, self._kept = len(self.history), text
        if self._at == 0:
            return None
        self._at -= 1
        return self.history[self._at]

    def _take_in(self) -> None:
        """What was said from elsewhere, or before this start, comes before what was sent from here."""
        here = {self.whole(text) for text in self.history}
        earlier = [text for text in dict.fromkeys(self._said()) if text not in here]
        self.history[:0] = [self.fold(text) for text in earlier]

    def newer(self) -> str | None:
        """What was sent after it, at last the draft itself; None where that is shown already."""
        if self._at >= len(self.history):
            return None
        self._at += 1
        return self._kept if self._at == len(self.history) else self.history[self._at]
