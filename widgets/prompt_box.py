"""The one prompt box: what a person writes to the session in focus, with a draft and a history for each.

It reads no file: an image is asked for with `ImageRequested` and given with `attach` or `refuse`. It must
not know what becomes of a prompt; one that could not be sent comes back with `restore`.
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message

from core.session.state import Image, Prompt, SessionState
from widgets import format as fmt
from widgets.cheap import Kept, Unpainted
from widgets.completer import Completer
from widgets.line import Line, Piece
from widgets.one_line import OneLine
from widgets.prompt_area import PromptArea
from widgets.prompt_draft import Draft, image_paths, mention, with_names
from widgets.row_list import RowList
from widgets.signs import MUTED
from widgets.summary import name_of

WARNING = "$text-warning"


class Held(Struct):
    """A prompt that waits for its images: the text as shown, and what is still being read."""

    text: str
    images: dict[str, Image]
    missing: set[str]


class Row(Horizontal, Unpainted):
    """Whom and what, beside each other."""


class PromptBox(Vertical, Kept):
    """`api-auth ❯ …`, and above it what is queued, completed, or went wrong."""

    DEFAULT_CSS = """
    PromptBox { height: auto; max-height: 10; background: $surface; padding: 0 1; }
    PromptBox > #beside { display: none; }
    PromptBox.-beside > #beside { display: block; }
    PromptBox > Horizontal { height: auto; }
    PromptBox #whom { width: auto; max-width: 24; height: 1; color: $foreground-muted; }
    PromptBox:focus-within { background: $boost; }
    PromptBox:focus-within #whom { color: $primary; text-style: bold; }
    """

    class Submitted(Message):
        """The person sent `text` (whole) with `images` to the session `key`."""

        def __init__(self, key: str, text: str, images: tuple[Image, ...]) -> None:
            """Carry the prompt."""
            super().__init__()
            self.key = key
            self.text = text
            self.images = images

    class TakeBackRequested(Message):
        """The person wants the queued prompt `prompt_id` back; answer with `restore` if it worked."""

        def __init__(self, key: str, prompt_id: str) -> None:
            """Say which."""
            super().__init__()
            self.key = key
            self.prompt_id = prompt_id

    class ImageRequested(Message):
        """The image at `path` goes with a prompt; answer with `attach` or `refuse`."""

        def __init__(self, key: str, path: str) -> None:
            """`path` is as the person wrote it."""
            super().__init__()
            self.key = key
            self.path = path

    class FilesWanted(Message):
        """Files are looked for by the letters of `query`; answer with `offer_files`."""

        def __init__(self, key: str, query: str) -> None:
            """In the directory of the session `key`."""
            super().__init__()
            self.key = key
            self.query = query

    class HistoryWanted(Message):
        """Something said before is looked for; answer with `put`."""

        def __init__(self, key: str) -> None:
            """For the session `key`."""
            super().__init__()
            self.key = key

    class Left(Message):
        """The person left the box with Esc."""

        def __init__(self, key: str) -> None:
            """`key` is the session's."""
            super().__init__()
            self.key = key

    def __init__(self, *, id: str | None = None) -> None:
        """A box for nobody yet."""
        super().__init__(id=id)
        self.key = ""
        self.state = SessionState("")
        self._drafts: dict[str, Draft] = {}
        self._held: dict[str, Held] = {}
        self._complaint = ""
        self.beside = OneLine(id="beside")
        self.whom = Whom(id="whom")
        self.area = PromptArea()
        self.completer = Completer(self.area, self._want_files)
        self.area.steer = self.completer.steer
        self.said: Callable[[str], Sequence[str]] = _nothing_said

    def compose(self) -> ComposeResult:
        """What is offered, the line above, then whom and what."""
        yield self.completer
        yield self.beside
        with Row():
            yield self.whom
            yield self.area

    def show(self, state: SessionState) -> None:
        """Write to this session from now on; its draft comes back, the other's is kept."""
        if state.key != self.key:
            self.key, self._complaint = state.key, ""
            self.completer.close()
            self.area.work_on(self._draft(state.key))
        self.state = state
        self.area.accepts = state.can.prompt
        self.completer.commands = state.commands
        self.whom.call(fmt.shorten(name_of(state), 20))
        self._say()

    def focus(self, scroll_visible: bool = True) -> "PromptBox":
        """Focus the text."""
        self.area.focus(scroll_visible)
        return self

    @property
    def typing(self) -> bool:
        """Whether keys are text now."""
        return self.area.has_focus

    @property
    def drafts(self) -> Mapping[str, str]:
        """What is written and not sent, by session; pastes in full."""
        shown = {key: draft.text for key, draft in self._drafts.items()}
        if self.key:
            shown[self.key] = self.area.text
        return {key: self._draft(key).whole(text) for key, text in shown.items() if text}

    def forget(self, key: str) -> None:
        """The session is gone for good, and its draft with it."""
        self._drafts.pop(key, None)
        self._held.pop(key, None)

    def offer_files(self, key: str, query: str, paths: Sequence[str]) -> None:
        """The files that were looked for, the likeliest first; folders end with `/`."""
        if key == self.key:
            self.completer.give(query, paths)

    def put(self, key: str, text: str) -> None:
        """Write something into the draft of a session, where the cursor stands."""
        if key == self.key:
            self.area.replace(self._draft(key).fold(text), *self.area.selection)

    def restore(self, key: str, text: str, images: Sequence[Image] = ()) -> None:
        """Put a prompt back into the draft of its session, before what is written there."""
        draft = self._draft(key)
        names = [image.name or f"image {number}" for number, image in enumerate(images, 1)]
        for name, image in zip(names, images, strict=True):
            draft.images[name] = image
            text = text if f"[{name}]" not in text else text.replace(f"[{name}]", mention(name).strip())
        written = self.area.text if key == self.key else draft.text
        text = f"{draft.fold(text)}\n{written}".rstrip("\n")
        if key == self.key:
            self.area.write(text)
        else:
            draft.text = text

    def attach(self, key: str, path: str, image: Image) -> None:
        """The image that was asked for."""
        self._draft(key).images[path] = image
        if held := self._held.get(key):
            held.images[path] = image
            held.missing.discard(path)
            if not held.missing:
                del self._held[key]
                self._submit(key, held.text, held.images)
        self._say()

    def refuse(self, key: str, path: str, why: str) -> None:
        """The image cannot be read: the prompt that waited for it comes back."""
        if held := self._held.pop(key, None):
            self.restore(key, held.text)
        self._complain(f"{fmt.shorten_middle(fmt.one_line(path), 40)}: {fmt.one_line(why)}")

    def _draft(self, key: str) -> Draft:
        if key not in self._drafts:
            self._drafts[key] = Draft(lambda: self.said(key))
        return self._drafts[key]

    def _want_files(self, query: str) -> None:
        self.post_message(self.FilesWanted(self.key, query))

    @on(PromptArea.Entered)
    def send(self, event: PromptArea.Entered) -> None:
        """Send, once all images are there."""
        event.stop()
        if not self.area.accepts:
            self._complain(f"{name_of(self.state)} takes no prompts now; the draft stays.")
            return
        self._complaint = ""
        draft = self._draft(self.key)
        wanted = image_paths(event.text)
        images = {path: image for path, image in draft.images.items() if path in wanted}
        missing = {path for path in wanted if path not in images}
        if not missing:
            self._submit(self.key, event.text, images)
        elif self.key not in self._held:
            self._held[self.key] = Held(event.text, images, missing)
            for path in sorted(missing):
                self.post_message(self.ImageRequested(self.key, path))
        else:
            self.restore(self.key, event.text)
        self._say()

    def _submit(self, key: str, text: str, images: dict[str, Image]) -> None:
        """Hand a prompt over, whole."""
        draft = self._draft(key)
        written = draft.text
        draft.sent(text)
        draft.text = written
        self.post_message(self.Submitted(key, with_names(draft.whole(text), images), tuple(images.values())))

    @on(PromptArea.ImagePasted)
    def ask_for_image(self, event: PromptArea.ImagePasted) -> None:
        """Read the image while the person goes on writing."""
        event.stop()
        self.post_message(self.ImageRequested(self.key, event.path))

    @on(PromptArea.Emptied)
    def take_back(self, event: PromptArea.Emptied) -> None:
        """Ask for the prompt queued last."""
        event.stop()
        if waiting := _queued(self.state):
            self.post_message(self.TakeBackRequested(self.key, waiting[-1].id))

    @on(PromptArea.Left)
    def leave(self, event: PromptArea.Left) -> None:
        """Say that the person left."""
        event.stop()
        self._complaint = ""
        self._say()
        self.post_message(self.Left(self.key))

    @on(PromptArea.HistoryWanted)
    def look_back(self, event: PromptArea.HistoryWanted) -> None:
        """Ask for what was said before."""
        event.stop()
        self.post_message(self.HistoryWanted(self.key))

    @on(PromptArea.Changed)
    @on(PromptArea.SelectionChanged)
    def offer(self, event: PromptArea.Changed | PromptArea.SelectionChanged) -> None:
        """Offer what goes on as written before the cursor."""
        event.stop()
        self.completer.follow()

    @on(RowList.Chosen)
    def take_offered(self, event: RowList.Chosen) -> None:
        """What is offered was clicked twice."""
        event.stop()
        self.completer.take()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The line above says more while one writes."""
        self._say()

    def on_descendant_blur(self) -> None:
        """Nothing is offered to who is elsewhere."""
        self.completer.close()

    def _complain(self, text: str) -> None:
        self._complaint = text
        self._say()

    def _say(self) -> None:
        """The line above: a complaint, images being read, or what is queued."""
        line = self._line()
        self.set_class(bool(line), "-beside")
        self.beside.say(line)

    def _line(self) -> Line:
        """What to say, the most pressing first."""
        if self._complaint:
            return (Piece(self._complaint, WARNING, 1, 10),)
        if held := self._held.get(self.key):
            names = ", ".join(fmt.one_line(path) for path in sorted(held.missing))
            return (Piece(f"reading {names} …", MUTED, 1, 10),)
        return _queue(_queued(self.state))


def _nothing_said(key: str) -> Sequence[str]:
    return ()


class Whom(OneLine):
    """The name before the text, as wide as it is."""

    def call(self, name: str) -> None:
        """Show another name."""
        pieces = (Piece(name, gives=1, least=1), Piece(" ❯ "))
        self.styles.width = sum(piece.cells for piece in pieces)
        self.say(pieces)


def _queued(state: SessionState) -> tuple[Prompt, ...]:
    """The prompts the agent has not taken yet."""
    return tuple(prompt for prompt in state.prompts if prompt.state != "taken")


def _queue(waiting: Sequence[Prompt]) -> Line:
    """What is queued, and how it comes back."""
    if not waiting:
        return ()
    more = f" and {len(waiting) - 1} more" if len(waiting) > 1 else ""
    words = fmt.one_line(waiting[-1].text)
    return (
        Piece("queued: ", MUTED),
        Piece(f"“{words}”", "", 1, 12),
        Piece(f"{more}  (⌫ takes back)", MUTED, 2, 16),
    )
