"""The list above the prompt box: commands and files that go on as typed, and the keys that take one.

Files come from whoever holds the box: they are asked for by what was typed, and given with `give`. It must
not know a disk nor a session.
"""

from collections.abc import Callable, Sequence

from textual.app import ComposeResult
from textual.containers import Vertical

from core.session.state import CommandInfo
from widgets.completion import Offered, Token, offered_commands, offered_paths, token_before
from widgets.line import Line, Piece, gap
from widgets.one_line import OneLine
from widgets.prompt_area import PromptArea
from widgets.row_list import RowList
from widgets.signs import KEY, MUTED

MOST_ROWS = 8
HINT = (
    *(Piece(" Tab", KEY), Piece(" or "), Piece("Enter", KEY), Piece(" takes it   ")),
    *(Piece("↑↓", KEY), Piece(" choose   "), Piece("Esc", KEY), Piece(" closes")),
)
MOVES = {"up": -1, "down": 1, "pageup": -MOST_ROWS, "pagedown": MOST_ROWS}


class Completer(Vertical):
    """What is offered for the text before an area's cursor; it floats over what stands above it."""

    DEFAULT_CSS = """
    Completer { overlay: screen; constrain: inside inside; display: none; width: 1fr; height: auto;
        background: $panel; }
    Completer.-open { display: block; }
    Completer > OneLine { color: $foreground-muted; }
    """

    def __init__(self, area: PromptArea, want: Callable[[str], None], *, id: str | None = None) -> None:
        """For `area`; `want` is told by which letters files are looked for."""
        super().__init__(id=id)
        self.area = area
        self.commands: Sequence[CommandInfo] = ()
        self._want = want
        self._token: Token | None = None
        self._wanted: str | None = None
        self._shut: tuple[str, int] | None = None
        self._offered: dict[str, Offered] = {}
        self.rows = RowList()
        self.rows.can_focus = False
        self._hint = OneLine()

    def compose(self) -> ComposeResult:
        """The rows, and the keys."""
        yield self.rows
        yield self._hint

    def on_mount(self) -> None:
        """The keys never change."""
        self._hint.say(HINT)

    @property
    def is_open(self) -> bool:
        """Whether something is offered."""
        return self.has_class("-open")

    def follow(self) -> None:
        """The text or the cursor is another: offer what fits it now."""
        row, column = self.area.cursor_location
        token = token_before(self.area.document.get_line(row)[:column], row) if self.area.has_focus else None
        if token == self._token:
            return
        self._token = token
        if token is None or self._shut != (token.kind, token.start):
            self._shut = None
        if token is None or self._shut is not None:
            self._wanted = None
            self._show(())
        elif token.kind == "command":
            self._show(offered_commands(self.commands, token.query))
        else:
            self._wanted = token.query
            self._want(token.query)

    def close(self) -> None:
        """Offer nothing until the text is another."""
        self._token = self._wanted = self._shut = None
        self._show(())

    def give(self, query: str, paths: Sequence[str]) -> None:
        """Files for those letters; nothing where others are wanted by now."""
        if query == self._wanted:
            self._show(offered_paths(paths))

    def steer(self, key: str) -> bool:
        """Do what a key means for the list; False where it means nothing to it."""
        if not self.is_open:
            return False
        match key:
            case "up" | "down" | "pageup" | "pagedown":
                self.rows.action_move(MOVES[key])
            case "tab":
                self.take()
            case "enter" if not self._is_whole():
                self.take()
            case "escape":
                self._shut = (self._token.kind, self._token.start) if self._token is not None else None
                self._show(())
            case _:
                return False
        return True

    def take(self) -> None:
        """Put what the cursor is on in place of what was typed."""
        offered, token = self._offered.get(self.rows.cursor_key), self._token
        if offered is None or token is None:
            return
        row, column = self.area.cursor_location
        self.area.replace(offered.text, (row, token.start), (row, column))
        self.area.move_cursor((row, token.start + len(offered.text)))
        self.follow()

    def _is_whole(self) -> bool:
        """Whether what the cursor is on has been typed already: then Enter sends it."""
        offered, token = self._offered.get(self.rows.cursor_key), self._token
        row, column = self.area.cursor_location
        typed = self.area.document.get_line(row)[token.start if token else 0 : column]
        return offered is None or offered.text.strip() == typed

    def _show(self, offered: Sequence[Offered]) -> None:
        self._offered = {str(at): one for at, one in enumerate(offered)}
        self.set_class(bool(offered), "-open")
        if offered:
            height = max(1, min(len(offered), MOST_ROWS, self.screen.size.height // 3))
            self.rows.styles.height = height
            self.styles.offset = (0, -height - 1)
            self.rows.show(list(self._offered), self._describe, at="0")

    def _describe(self, key: str, width: int) -> list[tuple[Line, Line]]:
        one = self._offered[key]
        detail = (gap(2), Piece(one.detail, MUTED, 1, 8)) if one.detail else ()
        return [((Piece(one.label, "", 2, 16), *detail), ())]
