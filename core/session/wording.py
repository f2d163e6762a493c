"""A change of permissions as a text to be reworded: its rule, its mode, its directory; and read again.

It must not know who rewords it, nor what the change does.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from core.errors import RuleError
from core.session.rules import MODES, check_update, parse_rule
from core.session.state import PermissionUpdate

BYPASS = "bypassPermissions"
"""An answer does not lead to it: 2.1.332 leaves the mode as it was, without a word."""


class Form(Struct, frozen=True):
    """How one kind of change is worded: `word` names what it is about, `example` what that looks like."""

    word: str
    example: str
    write: Callable[[PermissionUpdate], tuple[str, ...]]
    read: Callable[[PermissionUpdate, str], PermissionUpdate]


def form_of(update: PermissionUpdate) -> Form:
    """How a change is worded."""
    return _FORMS.get(update.type, RULE)


def text_of(update: PermissionUpdate) -> str | None:
    """The text of a change; None for one that is about several things at once, or of an unknown kind."""
    texts = _FORMS[update.type].write(update) if update.type in _FORMS else ()
    return texts[0] if len(texts) == 1 else None


def reworded(update: PermissionUpdate, text: str) -> PermissionUpdate:
    """The change with another text. Raises `RuleError` for one the CLI would not take."""
    changed = form_of(update).read(update, text.strip())
    check_update(replace(changed, destination="session"))  # where it is kept is chosen elsewhere
    return changed


def _with_mode(update: PermissionUpdate, text: str) -> PermissionUpdate:
    if text == BYPASS and update.mode != BYPASS:
        raise RuleError(text, "claude does not take it with an answer; name another mode", what="mode")
    return replace(update, mode=text)


RULE = Form(
    "rule",
    "Bash(git push *) · Edit(//a/path/**) · Read(./src/**) · WebFetch(domain:a.org) · mcp__server__tool",
    lambda update: tuple(map(str, update.rules)),
    lambda update, text: replace(update, rules=(parse_rule(text),)),
)
_MODE = Form(
    "mode",
    " · ".join(mode for mode in MODES if mode not in ("manual", BYPASS)),
    lambda update: (update.mode,),
    _with_mode,
)
_DIRECTORY = Form(
    "directory",
    "a whole path, with all that is below it: /like/this",
    lambda update: update.directories,
    lambda update, text: replace(update, directories=(text,)),
)
_FORMS: dict[str, Form] = {
    **dict.fromkeys(("addRules", "replaceRules", "removeRules"), RULE),
    "setMode": _MODE,
    **dict.fromkeys(("addDirectories", "removeDirectories"), _DIRECTORY),
}
