"""What a message's content reads like: the text of a tool's result, and whose words a user text is.

Base64 never becomes text. This module must not know records or events.
"""

import re
from typing import get_args

from core.wire.content import (
    Block,
    Content,
    Document,
    ImageBlock,
    SearchResult,
    Text,
    ToolReference,
    UnknownBlock,
)

_KB = 1024
_MB = _KB * _KB

WRAPPERS = (
    "[Request interrupted",
    "<command-name>",
    "<command-message>",
    "<command-args>",
    "<local-command-",
    "<task-notification>",
    "<system-reminder>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<user-prompt-submit-hook>",
    "<ide_",
    "Caveat:",
)
"""How text in the user's role begins that the user never wrote (FACTS §7.8)."""


_PASTED = re.compile(r'\s*<pasted_content id="([^"\n]*)">\n(.*?)\n?</pasted_content id="\1">\n*', re.DOTALL)
"""What the CLI puts around a long paste in a prompt (2.1.332)."""


def unpasted(text: str) -> str:
    """A prompt as the person wrote it, what was pasted on lines of its own."""
    if "<pasted_content " not in text:
        return text
    return _PASTED.sub(r"\n\2\n", text).strip("\n")


def is_wrapper(text: str) -> bool:
    """Whether a text in the user's role is a note of the CLI's."""
    return text.lstrip().startswith(WRAPPERS)


def plain_text(content: Content) -> str:
    """The words of a content, its other blocks left out."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(block.text for block in content if isinstance(block, Text))


def result_text(content: Content) -> str:
    """A tool's result as text: words joined, anything else in brackets, unknown blocks as their JSON."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(_shown(block) for block in content)


def count_images(content: Content) -> int:
    """How many images a content holds."""
    if content is None or isinstance(content, str):
        return 0
    return len([block for block in content if isinstance(block, ImageBlock)])


def unknown_blocks(content: Content) -> tuple[UnknownBlock, ...]:
    """The blocks of a content that nothing understands."""
    if content is None or isinstance(content, str):
        return ()
    return tuple([block for block in content if isinstance(block, UnknownBlock)])


def _shown(block: Block) -> str:
    match block:
        case Text(text):
            return text
        case ImageBlock():
            return _image(block)
        case Document(title):
            return f"[document {title}]" if title else "[document]"
        case ToolReference(tool):
            return f"[tool {tool}]"
        case SearchResult(title, source):
            return f"[{' · '.join(part for part in (title, source) if part) or 'search result'}]"
        case UnknownBlock(_, raw):
            return raw.decode("utf-8", "replace")
    return f"[{kind_of(block)}]"


def kind_of(block: Block) -> str:
    """The API's word for what a block is."""
    return block.kind if isinstance(block, UnknownBlock) else _TAGS[type(block)]


_TAGS: dict[type, str] = {block: str(block.__struct_config__.tag) for block in get_args(Block)}


def _image(block: ImageBlock) -> str:
    """Like `[image 12 KB png]`; one that is only linked has no size."""
    source = block.source
    if source is None:
        return "[image]"
    kind = (source.media_type or "").rpartition("/")[2]
    size = len(memoryview(source.data)) * 3 // 4
    words = ("image", _size(size) if size else "", kind)
    return f"[{' '.join(word for word in words if word)}]"


def _size(count: int) -> str:
    return f"{max(1, round(count / _KB))} KB" if count < _MB else f"{count / _MB:.1f} MB"
