"""What a list shows of a session, from both ends of its file: title, directory, branch, times, models.

A file longer than `WHOLE` is read from its beginning up to the first prompt, and from its end back to the
last answer, each as far as it takes, up to `SCAN_LIMIT` (case IDX-08). Times are those of messages, never
the file's own (case IDX-05). Everything here blocks. This module must not know catalogues nor sessions.
"""

from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from core.history.lines import lines, lines_backwards
from core.sources.dialogue import is_prompt, notes_of, prompt_text
from core.sources.messages import SYNTHETIC
from core.sources.titles import Titles
from core.wire.transcript import TranscriptLine, decode_line

WHOLE = 64 * 1024
"""A file up to this size is read whole, in bytes."""

NOTES_WINDOW = 64 * 1024
"""How far back from its end titles and costs are looked for: the CLI repeats them as a session goes on."""

SCAN_LIMIT = 8 * 2**20
"""How far a look into a file goes at most, from each end."""

_CHUNK = 8 * 1024
_MESSAGES = frozenset({"user", "assistant"})
_NOTES = (b'"customTitle"', b'"agentName"', b'"aiTitle"', b'"lastPrompt"', b'"totalCostUSD"')
"""Keys of lines that stand alone, the newest of each counts."""

_MESSAGE_BEGINS = b'{"parentUuid"'
"""How lines begin that are long and none of those."""


class Card(Struct, frozen=True):
    """A session in a list. `title_kind` is one of `core.sources.titles.KINDS`, "" without a title.

    `directories` are all that were seen, the session's own first. Times are seconds since the epoch, of the
    first and the last message that was seen, 0.0 without one. `prompts` counts the person's prompts where
    the file was read `whole`, else it is None. `cost_usd` is the CLI's own total, where it left one.
    `messages` is False where the file holds no conversation at all: a stub.
    """

    path: Path
    session_id: str
    title: str = ""
    title_kind: str = ""
    directory: str = ""
    directories: tuple[str, ...] = ()
    branch: str = ""
    version: str = ""
    first_at: float = 0.0
    last_at: float = 0.0
    prompts: int | None = None
    models: tuple[str, ...] = ()
    cost_usd: float | None = None
    size: int = 0
    whole: bool = True
    messages: bool = False


class _Look:
    """What was seen of one file."""

    def __init__(self) -> None:
        self.titles = Titles()
        self.directories: dict[str, None] = {}
        self.models: dict[str, None] = {}
        self.branch = self.version = ""
        self.first_at = self.last_at = 0.0
        self.prompts = 0
        self.messages = False
        self.cost_usd: float | None = None

    def see(self, line: TranscriptLine) -> None:
        """One line, in the order of the file."""
        self.titles.see(line)
        if line.cwd:
            self.directories.setdefault(line.cwd)
        self.branch = line.git_branch or self.branch
        self.version = line.version or self.version
        if line.total_cost_usd is not None:
            self.cost_usd = line.total_cost_usd
        if line.type in _MESSAGES and not line.is_sidechain:
            self._message(line)

    def _message(self, line: TranscriptLine) -> None:
        self.messages = True
        self.first_at = self.first_at or line.at
        self.last_at = max(self.last_at, line.at)
        if line.type == "assistant":
            model = line.message.model if line.message is not None else None
            if model and model != SYNTHETIC:
                self.models.setdefault(model)
        elif is_prompt(line):
            self.prompts += 1
            self.titles.prompt(prompt_text(line))
        else:
            for note in notes_of(line):
                self.titles.note(note)

    @property
    def is_known(self) -> bool:
        """Whether the beginning told all it has to tell."""
        return bool(self.prompts and self.directories)


def read_card(path: Path) -> Card:
    """Look at both ends of a session's own file. Raises `OSError`."""
    with path.open("rb", buffering=0) as raw, BufferedReader(raw, _CHUNK) as file:
        size = file.seek(0, 2)
        look = _Look()
        head = _head(file, look, size)
        if head < size:
            _notes(file, look, size)
            for line in _last(file, head, size):
                look.see(line)
    return _card(path, size, look, whole=head >= size)


def _head(file: BinaryIO, look: _Look, size: int) -> int:
    """Read the beginning until it told enough; returns how far."""
    for line in lines(file, chunk_bytes=_CHUNK):
        if line.offset >= SCAN_LIMIT or (size > WHOLE and look.is_known):
            return line.offset
        for said in _decoded(line.raw):
            look.see(said)
    return size


def _notes(file: BinaryIO, look: _Look, size: int) -> None:
    """The newest titles and costs near the end, without decoding what stands between them."""
    start = max(0, size - NOTES_WINDOW)
    file.seek(start)
    newest = dict[bytes, bytes]()
    for raw in _short_lines(file.read(size - start), begins=not start):
        for key in _NOTES:
            if key in raw:
                newest.pop(key, None)
                newest[key] = raw
    for raw in dict.fromkeys(newest.values()):
        for said in _decoded(raw):
            look.see(said)


def _short_lines(window: bytes, *, begins: bool) -> Iterator[bytes]:
    """The lines that are no messages; the rest is not even copied."""
    at = 0 if begins else window.find(b"\n") + 1
    while 0 <= at < len(window):
        end = window.find(b"\n", at)
        end = len(window) if end < 0 else end
        if not window.startswith(_MESSAGE_BEGINS, at):
            yield window[at:end]
        at = end + 1


def _last(file: BinaryIO, start: int, size: int) -> Iterator[TranscriptLine]:
    """The last lines behind byte `start`, in order, from the last answer of a model on."""
    found: list[TranscriptLine] = []
    for line in lines_backwards(file, size, chunk_bytes=_CHUNK):
        if line.offset < start or size - line.offset > SCAN_LIMIT + len(line.raw):
            break
        said = _decoded(line.raw)
        found += reversed(said)
        if any(one.type == "assistant" and one.at for one in said):
            break
    return reversed(found)


def _decoded(raw: bytes) -> list[TranscriptLine]:
    return [one for one in decode_line(raw) if isinstance(one, TranscriptLine)]


def _card(path: Path, size: int, look: _Look, *, whole: bool) -> Card:
    title = look.titles.best
    directories = tuple(look.directories)
    return Card(
        path=path,
        session_id=path.stem,
        title=title.text,
        title_kind=title.kind,
        directory=next(iter(directories), ""),
        directories=directories,
        branch=look.branch,
        version=look.version,
        first_at=look.first_at,
        last_at=look.last_at,
        prompts=look.prompts if whole else None,
        models=tuple(look.models),
        cost_usd=look.cost_usd,
        size=size,
        whole=whole,
        messages=look.messages,
    )
